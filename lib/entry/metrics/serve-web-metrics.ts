import cluster, { type Worker } from 'node:cluster';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import type { Log } from '@/lib/platform/log/log';
import { type CollectedMetrics, sumCounters } from '@/lib/platform/metrics/process-metrics';
import { startMetricsServer } from './metrics-server';
import { askProcess } from './process-questions';
import type { RunningMetrics } from './serve-metrics';

/** Serves the metrics of all web processes that this process has started, as if they were one process. */
export async function serveWebMetrics(settings: ConnectedSettings, port: number, log: Log): Promise<RunningMetrics> {
  const host = settings.METRICS_HOST;
  const server = await startMetricsServer({
    host,
    port,
    setting: 'METRICS_PORT',
    log,
    collectAll: collectFromAll(),
    findProblem,
  });
  log.info({ host, port }, 'metrics of all web processes are served');
  return server;
}

/**
 * Returns a function that collects the metrics of all web processes. The counts of processes that have ended remain in the sums. Otherwise
 * a sum would decrease, which Prometheus takes for a restart.
 */
function collectFromAll(): () => Promise<readonly CollectedMetrics[]> {
  const latest = new Map<number, CollectedMetrics>();
  let ended: CollectedMetrics = [];
  let turn: Promise<unknown> = Promise.resolve();

  async function collect(): Promise<readonly CollectedMetrics[]> {
    const workers = connectedWorkers();
    await Promise.all(
      workers.map(async (worker) => {
        const metrics = (await askProcess(worker, 'metrics'))?.metrics;
        if (metrics) latest.set(worker.id, metrics);
      }),
    );
    const living = new Set(workers.map(({ id }) => id));
    const gone = [...latest.keys()].filter((id) => !living.has(id));
    for (const id of gone) {
      ended = await sumCounters([ended, latest.get(id) ?? []]);
      latest.delete(id);
    }
    return [...latest.values(), ended];
  }

  // Two collections at the same time could both add the counts of a process that has just ended. So collections run one after the other.
  return () => {
    const collected = turn.then(collect, collect);
    turn = collected;
    return collected;
  };
}

/** Returns null if at least one web process is ready. The others need not be ready, because they get no connections until they are. */
async function findProblem(): Promise<string | null> {
  const answers = await Promise.all(connectedWorkers().map((worker) => askProcess(worker, 'problem')));
  const problems = answers.flatMap((answer) => (answer?.problem === undefined ? [] : [answer.problem]));
  if (problems.includes(null)) return null;
  return problems[0] ?? 'no web process answers';
}

function connectedWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isConnected() ? [worker] : []));
}
