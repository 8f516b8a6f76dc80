import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { keepSecrets } from '@/lib/config/data-dir';
import type { ConnectedSettings, Settings } from '@/lib/config/settings';
import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { type EmbeddedPostgres, startEmbedded } from '@/lib/db/embedded';
import { migrate } from '@/lib/db/migrate';
import { createLog, type Log } from '@/lib/log/log';
import { buildRuntime, StartError } from '@/lib/server/process-runtime';
import { portSentence } from '@/lib/server/web';
import { checkDatabase, prepareDataDir, startSettings } from './connect';
import { ensureDemo, welcome } from './demo';
import { claimInstance, isClaim } from './instance';
import { progress } from './output';

const STOP_TIMEOUT_MS = 25 * SECOND_MS;
const READY_TIMEOUT_MS = MINUTE_MS;
/** A process that ran this long has earned a restart at once; one that did not waits. */
const STEADY_MS = 10 * SECOND_MS;
const RESTART_MAX_MS = 10 * SECOND_MS;

type Role = 'web' | 'worker';

/**
 * Runs everything: the embedded database if there is no DATABASE_URL, migrations, the web and the worker process. What dies
 * is started again. Returns when a signal has stopped it all.
 */
export async function start({ dev }: { readonly dev: boolean }): Promise<void> {
  const settings = startSettings();
  const stopping = new AbortController();
  const signalled = new Promise<void>((resolve) => {
    const stop = () => {
      stopping.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    // npm and the bootstrap are our parents: without them nobody could stop us.
    process.on('disconnect', stop);
  });
  const log = createLog({ level: settings.LOG_LEVEL, process: 'start' });
  const undo: (() => Promise<void> | void)[] = [];
  try {
    await checkPorts(settings);
    const connected = await openDatabase(settings, { log, undo, stopping: stopping.signal });
    progress('Applying migrations…');
    await migrate(connected.DATABASE_URL);
    const demo = await withDemo(settings, connected);
    progress('Starting web and worker…');
    const roles: Role[] = ['web', 'worker'];
    const children = roles.map((role) => supervise(role, { connected, dev, log, stopping: stopping.signal }));
    undo.push(async () => void (await Promise.all(children.map((child) => child.stopped))));
    const failed = children.map((child) => child.failed);
    await Promise.race([Promise.all(children.map((child) => child.ready)), signalled, ...failed]);
    if (!stopping.signal.aborted) process.stdout.write(welcome(connected, demo));
    await Promise.race([signalled, ...failed]);
  } finally {
    stopping.abort();
    for (const step of undo.reverse()) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, 'a step of stopping failed; the others go on');
      }
    }
    log.flush();
  }
}

interface Watch {
  readonly log: Log;
  readonly undo: (() => Promise<void> | void)[];
  readonly stopping: AbortSignal;
}

async function openDatabase(settings: Settings, watch: Watch): Promise<ConnectedSettings> {
  const { DATABASE_URL, SECRET_KEY, DATA_DIR } = settings;
  if (DATABASE_URL && SECRET_KEY) {
    await checkDatabase(DATABASE_URL);
    return { ...settings, DATABASE_URL, SECRET_KEY };
  }
  const claim = await claimInstance(await prepareDataDir(DATA_DIR), 'start');
  if (!isClaim(claim)) {
    throw new StartError(`Bili already runs with DATA_DIR ${DATA_DIR} (process ${claim.pid}): stop it first, or set another DATA_DIR.`);
  }
  watch.undo.push(() => claim.release());
  const { secretKey, ...passwords } = await keepSecrets(DATA_DIR, SECRET_KEY);
  progress('Starting PostgreSQL…');
  let embedded = await startEmbedded({ dataDir: DATA_DIR, ...passwords }).catch((error: unknown) => {
    throw new StartError(error instanceof Error ? error.message : String(error));
  });
  const kept = keepRunning();
  watch.undo.push(async () => {
    await kept;
    await embedded.stop();
  });
  return { ...settings, DATABASE_URL: embedded.url, SECRET_KEY: secretKey };

  // The address stays the same, so that the other processes only have to connect again.
  async function keepRunning(): Promise<void> {
    const { port } = new URL(embedded.url);
    while (!watch.stopping.aborted) {
      await Promise.race([embedded.exited, aborted(watch.stopping)]);
      if (watch.stopping.aborted) return;
      watch.log.error('the embedded PostgreSQL died; starting it again');
      embedded = await restart(() => startEmbedded({ dataDir: DATA_DIR, ...passwords, port: Number(port) }), watch, embedded);
    }
  }
}

async function restart(
  again: () => Promise<EmbeddedPostgres>,
  { log, stopping }: Watch,
  dead: EmbeddedPostgres,
): Promise<EmbeddedPostgres> {
  for (let pause = SECOND_MS / 4; !stopping.aborted; pause = Math.min(pause * 2, RESTART_MAX_MS)) {
    try {
      return await again();
    } catch (error) {
      log.error({ err: error }, 'the embedded PostgreSQL did not start');
      await sleep(pause, stopping);
    }
  }
  return dead;
}

async function withDemo(settings: Settings, connected: ConnectedSettings) {
  const runtime = buildRuntime({ settings: connected, process: 'start', log: createLog({ level: 'silent', process: 'start' }) });
  try {
    return settings.DATABASE_URL ? undefined : await ensureDemo(runtime);
  } finally {
    await runtime.db.close();
  }
}

interface Supervised {
  /** Resolves when the process first serves. */
  readonly ready: Promise<void>;
  /** Rejects when it never gets as far. */
  readonly failed: Promise<never>;
  /** Resolves when it has stopped after the signal. */
  readonly stopped: Promise<void>;
}

interface SuperviseOptions {
  readonly connected: ConnectedSettings;
  readonly dev: boolean;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

function supervise(role: Role, { connected, dev, log, stopping }: SuperviseOptions): Supervised {
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);

  async function run(): Promise<void> {
    let pause = 0;
    let served = false;
    const asked = aborted(stopping);
    while (!stopping.aborted) {
      await sleep(pause, stopping);
      if (stopping.aborted) return;
      const startedAt = Date.now();
      const child = spawnRole(role, connected, dev);
      const unready = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
      child.once('message', () => {
        clearTimeout(unready);
        served = true;
        ready.resolve();
      });
      const exited = Promise.race([once(child, 'exit'), once(child, 'error')]);
      await Promise.race([exited, asked]);
      clearTimeout(unready);
      if (stopping.aborted) return stopChild(child, exited);
      if (!served) {
        failed.reject(new StartError(`The ${role} process could not start.`));
        return;
      }
      log.error({ role, code: child.exitCode, signal: child.signalCode }, 'a process died; starting it again');
      pause = Date.now() - startedAt > STEADY_MS ? 0 : Math.min(Math.max(pause * 2, SECOND_MS / 4), RESTART_MAX_MS);
    }
  }

  return { ready: ready.promise, failed: failed.promise, stopped: run() };
}

/**
 * In a process group of its own: Ctrl-C in a terminal reaches us alone, and we stop things in order. While developing,
 * Next.js reloads what the web process serves, and the worker ends whenever the program has been built anew.
 */
function spawnRole(role: Role, { DATABASE_URL, SECRET_KEY }: ConnectedSettings, dev: boolean): ChildProcess {
  const [, program = ''] = process.argv;
  const child = fork(program, [role, ...(dev && role === 'web' ? ['--dev'] : [])], {
    detached: true,
    env: { ...process.env, DATABASE_URL, SECRET_KEY, NODE_ENV: dev ? 'development' : 'production', ...(dev && { HTTP_DOOR: 'next' }) },
  });
  if (dev && role === 'worker') {
    const restart = () => child.kill('SIGTERM');
    watchFile(program, { interval: SECOND_MS / 2, persistent: false }, restart);
    child.once('exit', () => unwatchFile(program, restart));
  }
  return child;
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(force);
}

async function checkPorts({ PORT, SANDBOX_PORT, HOST }: Settings): Promise<void> {
  for (const port of [PORT, SANDBOX_PORT]) {
    // A web process whose supervisor was killed is about to let go of its ports.
    const deadline = Date.now() + 3 * SECOND_MS;
    for (;;) {
      const problem = await tryPort(port, HOST);
      if (problem === null) break;
      if (Date.now() > deadline) throw new StartError(portSentence(problem, port, HOST));
      await delay(100);
    }
  }
}

async function tryPort(port: number, host: string | undefined): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
