import { MINUTE_MS } from '@/lib/core/clock';
import { recorder } from '@/lib/metrics/recorder';
import type { PumpWatch } from './pump';

/**
 * A job is stuck if it makes no progress for longer than its pause plus this time. Progress is a claim that succeeds, even if it finds
 * nothing, or an item whose work ends. The time is long, because a provider may hold a call for three minutes, and the check of a very
 * large ledger takes minutes.
 */
const STUCK_MS = 10 * MINUTE_MS;

interface JobsWatch {
  /** Watches the pump of one job. @param idleMs the pause of the job after a claim that found fewer items than its limit. */
  watch(job: string, idleMs: number): PumpWatch;
  /** Returns which jobs make no progress; null if all do. */
  findProblem(): string | null;
}

/** Watches the progress of all jobs of a worker, and records it for the metrics. @param now the time in milliseconds, monotonic. */
export function watchJobs(now: () => number = () => performance.now()): JobsWatch {
  const jobs = new Map<string, { readonly stuckMs: number; at: number }>();
  return {
    watch(job, idleMs) {
      const state = { stuckMs: idleMs + STUCK_MS, at: now() };
      jobs.set(job, state);
      return {
        claimed(found, ms) {
          // A claim that fails is no progress.
          if (found !== null) state.at = now();
          recorder()?.jobClaimed(job, found, ms);
        },
        worked(succeeded, ms) {
          state.at = now();
          recorder()?.jobWorked(job, succeeded, ms);
        },
      };
    },
    findProblem() {
      const stuck = [...jobs].flatMap(([job, { at, stuckMs }]) => (now() - at > stuckMs ? [job] : []));
      return stuck.length > 0 ? `jobs without progress: ${stuck.join(', ')}` : null;
    },
  };
}
