import { SECOND_MS } from '@/lib/core/clock';
import { watchClock } from '@/lib/db/watch-clock';
import { startMetrics } from '@/lib/metrics/serve/start-metrics';
import { startHeartbeat } from '@/lib/processes/start-heartbeat';
import { completeAccounts } from '@/lib/providers/accounts/check-till';
import { createRegistry } from '@/lib/providers/registry';
import { startSimulator } from '@/lib/providers/sandbox/simulator';
import type { Runtime } from '@/lib/runtime/runtime';
import { JOBS } from './jobs';
import { watchJobs } from './watch-jobs';

const STOP_GRACE_MS = 8 * SECOND_MS;

export interface Worker {
  /** Finishes or aborts running work. An aborted attempt becomes UNKNOWN, and a status query settles it. */
  stop(): Promise<void>;
}

/** Starts all jobs. Any number of workers may run. */
export async function startWorker(runtime: Runtime): Promise<Worker> {
  const { db, log } = runtime;
  const simulator = await startSimulator({ ...runtime, callbackKey: runtime.secrets.key('sandbox-provider') });
  const providers = createRegistry(runtime, simulator.url);
  await completeAccounts({ ...runtime, providers });
  const jobs = watchJobs();
  const metrics = await startMetrics(runtime, { role: 'worker', setting: 'WORKER_METRICS_PORT', findProblem: jobs.findProblem });
  const clockWatch = await watchClock(runtime);
  const heartbeat = await startHeartbeat(runtime, 'worker');
  const jobRuntime = { ...runtime, providers, announceDue: (limit: number) => simulator.announceDue(limit) };
  const pumps = JOBS.map(({ name, atOnce, idleMs, start }) =>
    start(jobRuntime, {
      name,
      concurrency: atOnce,
      idleMs,
      graceMs: STOP_GRACE_MS,
      mayClaim: clockWatch.agrees,
      log,
      watch: jobs.watch(name, idleMs),
    }),
  );
  log.info('worker is running');

  return {
    async stop() {
      clockWatch.stop();
      await Promise.all(pumps.map((pump) => pump.stop()));
      await simulator.stop();
      await heartbeat.stop();
      await metrics?.stop();
      await db.close();
      log.info('worker stopped');
      log.flush();
    },
  };
}
