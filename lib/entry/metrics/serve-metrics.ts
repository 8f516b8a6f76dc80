import cluster from 'node:cluster';
import { findProcessProblem } from '@/lib/entry/http/health';
import { readVersion } from '@/lib/platform/config/version';
import { addProcessFacts, createRecorder } from '@/lib/platform/metrics/create-recorder';
import { createProcessMetrics } from '@/lib/platform/metrics/process-metrics';
import { systemNameServers } from '@/lib/platform/outbound/resolve-name';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { addDatabaseFacts, addPoolFacts } from './add-database-facts';
import { startMetricsServer } from './metrics-server';
import { answerQuestions } from './process-questions';

export interface ServeMetricsOptions {
  readonly role: 'web' | 'worker';
  readonly port: number;
  readonly setting: 'METRICS_PORT' | 'WORKER_METRICS_PORT';
  /** Returns why the process is not ready. Returns null if it is ready. The database is checked separately. */
  readonly findProblem: () => string | null;
}

export interface RunningMetrics {
  stop(): Promise<void>;
}

/** Counts what this process does from now on, and serves the metrics on a port. */
export async function serveMetrics(runtime: Runtime, { role, port, setting, findProblem }: ServeMetricsOptions): Promise<RunningMetrics> {
  const { settings, log } = runtime;
  const metrics = createProcessMetrics();
  addProcessFacts(metrics, { role, version: readVersion() });
  addPoolFacts(metrics, runtime);
  addDatabaseFacts(metrics, runtime);
  if (role === 'worker') metrics.gauge('bili_name_servers_up', (gauge) => gauge.set(systemNameServers.problem() === null ? 1 : 0));
  globalThis.biliRecorder = createRecorder(metrics, role);
  const answers = { collect: () => metrics.collect(), findProblem: async () => findProblem() ?? (await problemOfDatabase()), log };
  const stop = await serve(answers);
  return {
    async stop() {
      globalThis.biliRecorder = undefined;
      await stop();
    },
  };

  async function serve({ collect, findProblem: findAnyProblem }: typeof answers): Promise<() => Promise<void>> {
    // This is one of several web processes. The process that started them serves the metrics of all.
    if (cluster.isWorker) {
      const end = answerQuestions(answers);
      return async () => end();
    }
    const host = settings.METRICS_HOST;
    const collectAll = async () => [await collect()];
    const server = await startMetricsServer({ host, port, setting, log, collectAll, findProblem: findAnyProblem });
    log.info({ host, port }, 'metrics are served');
    return () => server.stop();
  }

  function problemOfDatabase(): Promise<string | null> {
    return findProcessProblem(runtime).catch((error: unknown) => {
      log.warn({ err: error }, 'not ready: the database is unavailable');
      return 'the database is unavailable';
    });
  }
}
