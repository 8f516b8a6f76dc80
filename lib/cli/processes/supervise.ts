import { type ChildProcess, fork } from 'node:child_process';
import { unwatchFile, watchFile } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '@/lib/entry/processes/start-settings';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Log } from '@/lib/platform/log/log';

const STOP_TIMEOUT_MS = 25 * SECOND_MS;
const READY_TIMEOUT_MS = MINUTE_MS;
/** A process that dies after more than this time is restarted at once. Otherwise the pause before the restart is doubled. */
const STEADY_MS = 10 * SECOND_MS;
export const RESTART_MAX_MS = 10 * SECOND_MS;

export type Role = 'web' | 'worker';

/** The message that tells a web process to finish its requests and to end. New requests are answered by the other web processes. */
export const RETIRE = 'retire';

/**
 * Node's options for web processes. With Node's defaults, the space for new objects is so small that objects of requests in progress are
 * moved to the space for old objects, which then grows until a long garbage collection. That needs more memory, and pauses all requests.
 */
export const WEB_NODE_OPTIONS = ['--max-semi-space-size=32', '--min-semi-space-size=16'];
/**
 * Node's options for the worker. With Node's defaults, the space for new objects grows to 50 MB while the program is loaded, and keeps that
 * size.
 */
export const WORKER_NODE_OPTIONS = ['--max-semi-space-size=8'];

interface SuperviseOptions {
  readonly log: Log;
  /** Aborted when the process must stop and not be restarted. */
  readonly stopping: AbortSignal;
  /** How much longer than STOP_TIMEOUT_MS the process may take to stop, milliseconds. */
  readonly graceMs: number;
  readonly spawn: () => ChildProcess;
  readonly stop?: (child: ChildProcess) => unknown;
}

/** Runs a process until `stopping` is aborted. Restarts it when it dies: at once if it ran long enough, otherwise after a growing pause. */
export function supervise(role: Role, options: SuperviseOptions) {
  const { log, stopping, graceMs, spawn, stop = (child) => child.kill('SIGTERM') } = options;
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let running: ChildProcess | undefined;
  /** Whether the running process was asked to end, so that another one starts. */
  let replacing = false;

  async function run(): Promise<void> {
    let pause = 0;
    let served = false;
    const stopRequested = aborted(stopping);
    while (!stopping.aborted) {
      await sleep(pause, stopping);
      if (stopping.aborted) return;
      const startedAt = Date.now();
      const child = spawn();
      running = child;
      replacing = false;
      const unready = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
      child.once('message', () => {
        clearTimeout(unready);
        served = true;
        ready.resolve();
      });
      const exited = exitOf(child);
      await Promise.race([exited, stopRequested]);
      clearTimeout(unready);
      if (stopping.aborted) {
        const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS + graceMs);
        stop(child);
        await exited;
        clearTimeout(force);
        return;
      }
      if (!served) {
        failed.reject(new StartError(`The ${role} process could not start.`));
        return;
      }
      if (replacing) log.info({ role }, 'a process has ended; starting it with other settings');
      else log.error({ role, code: child.exitCode, signal: child.signalCode }, 'a process died; starting it again');
      pause = replacing || Date.now() - startedAt > STEADY_MS ? 0 : Math.min(Math.max(pause * 2, SECOND_MS / 4), RESTART_MAX_MS);
    }
  }

  return {
    /** Ends the running process, so that another one starts. */
    replace() {
      const child = running;
      if (!child) return;
      replacing = true;
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS + graceMs);
      child.once('exit', () => clearTimeout(force));
      stop(child);
    },
    /** Resolves when the process is ready for the first time. */
    ready: ready.promise,
    /** Rejects if the process never becomes ready. */
    failed: failed.promise,
    /** Resolves when the process has stopped because the signal `stopping` was aborted. */
    stopped: run(),
  };
}

/**
 * Starts a process in its own process group, so that Ctrl-C in a terminal reaches only the supervisor, which stops everything in order. In
 * development, Next.js reloads changed pages, and the process is stopped and restarted when the program was built again.
 */
export function spawnRole(
  role: Role,
  { DATABASE_URL, SECRET_KEY, SECRET_KEY_OTHER, WEB_PROCESSES: webProcesses }: ConnectedSettings,
  dev: boolean,
): ChildProcess {
  const [, program = ''] = process.argv;
  const child = fork(program, [role, ...(dev && role === 'web' ? ['--dev'] : [])], {
    detached: true,
    execArgv: [...process.execArgv, ...(role === 'web' ? WEB_NODE_OPTIONS : WORKER_NODE_OPTIONS)],
    env: {
      ...process.env,
      DATABASE_URL,
      // Only migrations may use the role that owns the tables.
      MIGRATE_DATABASE_URL: undefined,
      SECRET_KEY,
      SECRET_KEY_OTHER,
      // A single machine has no load balancer that needs time to notice the shutdown.
      SHUTDOWN_DELAY: process.env.SHUTDOWN_DELAY || '0',
      NODE_ENV: dev ? 'development' : 'production',
      WEB_PROCESSES: String(webProcesses),
    },
  });
  if (dev) {
    const restart = () => child.kill('SIGTERM');
    watchFile(program, { interval: SECOND_MS / 2, persistent: false }, restart);
    child.once('exit', () => unwatchFile(program, restart));
  }
  return child;
}

/** Resolves when a process has ended, or could not be started. */
function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
