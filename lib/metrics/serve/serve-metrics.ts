import { readVersion } from '@/lib/config/version';
import { findDatabaseProblem } from '@/lib/http/health';
import { addProcessFacts } from '@/lib/metrics/add-process-facts';
import { createRecorder } from '@/lib/metrics/create-recorder';
import { createProcessMetrics } from '@/lib/metrics/process-metrics';
import type { Runtime } from '@/lib/runtime/runtime';
import { addDatabaseFacts, addPoolFacts } from './add-database-facts';
import { startMetricsServer } from './metrics-server';

export interface ServeMetricsOptions {
  readonly role: 'web' | 'worker';
  readonly port: number;
  readonly setting: 'METRICS_PORT' | 'WORKER_METRICS_PORT';
  /** Returns why the process is not ready, apart from its database; null if it is. */
  readonly findProblem: () => string | null;
}

export interface RunningMetrics {
  stop(): Promise<void>;
}

/** Counts what this process does from now on, and serves it on a port. */
export async function serveMetrics(runtime: Runtime, { role, port, setting, findProblem }: ServeMetricsOptions): Promise<RunningMetrics> {
  const { settings, db, log } = runtime;
  const metrics = createProcessMetrics();
  addProcessFacts(metrics, { role, version: readVersion() });
  addPoolFacts(metrics, db);
  addDatabaseFacts(metrics, runtime);
  globalThis.biliRecorder = createRecorder(metrics, role);
  const host = settings.METRICS_HOST;
  const server = await startMetricsServer({
    host,
    port,
    setting,
    log,
    collectAll: async () => [await metrics.collect()],
    findProblem: async () => findProblem() ?? (await problemOfDatabase()),
  });
  log.info({ host, port }, 'metrics are served');
  return {
    async stop() {
      globalThis.biliRecorder = undefined;
      await server.stop();
    },
  };

  function problemOfDatabase(): Promise<string | null> {
    return findDatabaseProblem(db).catch((error: unknown) => {
      log.warn({ err: error }, 'not ready: the database is unavailable');
      return 'the database is unavailable';
    });
  }
}
