import { startMetrics } from '@/lib/entry/metrics/start-metrics';
import { startHeartbeat } from '@/lib/entry/processes/start-heartbeat';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { watchClock } from '@/lib/platform/db/watch-clock';
import { awaitHold, maySend, refreshHold } from '@/lib/platform/hold/hold';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { completeAccounts } from '@/lib/providers/accounts/check-account';
import { createRegistry } from '@/lib/providers/registry';
import { startSimulator } from '@/lib/providers/sandbox/simulator';
import { JOBS } from './jobs';
import { watchJobs } from './pump';

const STOP_GRACE_MS = 8 * SECOND_MS;

export interface Worker {
  /** Finishes or aborts running work. An aborted attempt becomes UNKNOWN, and a status query settles it. */
  stop(): Promise<void>;
}

/** Starts all jobs. Any number of workers may run. */
export async function startWorker(runtime: Runtime): Promise<Worker> {
  const { db, log } = runtime;
  awaitHold();
  await refreshHold(runtime);
  const simulator = await startSimulator({ ...runtime, callbackKey: runtime.secrets.key('sandbox-provider') });
  const providers = createRegistry(runtime, simulator.url);
  await completeAccounts({ ...runtime, providers });
  const jobs = watchJobs();
  const metrics = await startMetrics(runtime, { role: 'worker', setting: 'WORKER_METRICS_PORT', findProblem: jobs.findProblem });
  const clockWatch = await watchClock(runtime);
  const heartbeat = await startHeartbeat(runtime, 'worker');
  const jobRuntime = { ...runtime, providers, announceDue: (limit: number) => simulator.announceDue(limit) };
  const pumps = JOBS.map(({ name, atOnce, idleMs, inHold, start }) =>
    start(jobRuntime, {
      name,
      concurrency: atOnce,
      idleMs,
      graceMs: STOP_GRACE_MS,
      mayClaim: clockWatch.agrees,
      isHeld: () => !inHold && !maySend(),
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
