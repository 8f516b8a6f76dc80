import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { createLog, type Log } from '@/lib/platform/log/log';
import { RETIRE, supervise, WEB_NODE_OPTIONS } from './supervise';

/** The fewest database connections with which a web process works well. */
const LEAST_CONNECTIONS = 4;

/**
 * Returns the number of web processes. If it is 1, the current process serves the requests itself, because a single process needs no
 * supervisor.
 */
export function webProcesses({ WEB_PROCESSES }: Pick<ConnectedSettings, 'WEB_PROCESSES'>, dev: boolean): number {
  if (dev || cluster.isWorker) return 1;
  return WEB_PROCESSES || availableParallelism();
}

/**
 * Runs several web processes. They share the ports, and the number of database connections that one process would have. SIGUSR2 replaces
 * them, one after the other: each new process answers before an old one ends, so no request is lost. A new process runs the program that is
 * installed when it starts.
 */
export async function startWebProcesses(count: number, settings: ConnectedSettings): Promise<{ stop(): Promise<void> }> {
  const log = createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, process: 'web' });
  const [, exec = ''] = process.argv;
  cluster.setupPrimary({ exec, args: process.argv.slice(2), execArgv: [...process.execArgv, ...WEB_NODE_OPTIONS] });
  const connections = Math.max(LEAST_CONNECTIONS, Math.ceil(settings.DATABASE_POOL_SIZE / count));
  const stopping = new AbortController();
  const retired = new WeakSet<object>();

  function open(): { readonly ending: AbortController; readonly supervised: ReturnType<typeof supervise> } {
    const ending = new AbortController();
    const supervised = supervise('web', {
      log,
      stopping: ending.signal,
      graceMs: settings.SHUTDOWN_DELAY * SECOND_MS,
      spawn: () => cluster.fork({ DATABASE_POOL_SIZE: String(connections) }).process,
      stop: (child) => (retired.has(ending) ? child.send(RETIRE) : child.kill('SIGTERM')),
    });
    return { ending, supervised };
  }

  const metrics = await serveMetrics(settings, log);
  let places = Array.from({ length: count }, open);
  let replacing = Promise.resolve();

  async function replaceAll(): Promise<void> {
    for (const old of places) {
      if (stopping.signal.aborted) return;
      const next = open();
      places = [...places, next];
      const ready = await Promise.race([next.supervised.ready.then(() => true), next.supervised.failed.catch(() => false)]);
      const leaving = ready ? old : next;
      retired.add(leaving.ending);
      leaving.ending.abort();
      await leaving.supervised.stopped;
      places = places.filter((place) => place !== leaving);
      if (!ready) {
        log.error('a new web process did not start: the others continue with the old program');
        return;
      }
    }
    log.info({ processes: count }, 'all web processes were replaced');
  }

  process.on('SIGUSR2', () => {
    log.info('replacing the web processes, one after the other');
    replacing = replacing.then(replaceAll);
  });
  const failed = places.map(({ supervised }) => supervised.failed);
  await Promise.race([Promise.all(places.map(({ supervised }) => supervised.ready)), ...failed]);
  log.info({ processes: count, connections }, 'web runs in several processes');
  return {
    async stop() {
      stopping.abort();
      for (const { ending } of places) ending.abort();
      await Promise.all([replacing, ...places.map(({ supervised }) => supervised.stopped)]);
      await metrics?.stop();
      log.flush();
    },
  };
}

/** Serves the metrics of all web processes, if METRICS_PORT is set. */
async function serveMetrics(settings: ConnectedSettings, log: Log): Promise<{ stop(): Promise<void> } | undefined> {
  const { METRICS_PORT: port } = settings;
  if (port === undefined) return undefined;
  const { serveWebMetrics } = await import('@/lib/entry/metrics/serve-web-metrics');
  return serveWebMetrics(settings, port, log);
}
