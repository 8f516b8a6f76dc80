import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimInstance, needClaim } from '@/lib/cli/deployment/instance';
import { checkDatabase, prepareDataDir, startOwnDatabase, storeOwnSecrets } from '@/lib/cli/deployment/open-database';
import { progress } from '@/lib/cli/terminal/output';
import { portProblem, StartError, startSettings } from '@/lib/entry/processes/start-settings';
import { storeAddresses } from '@/lib/platform/config/addresses';
import { SECRETS_FILE } from '@/lib/platform/config/data-dir';
import type { MasterKeys } from '@/lib/platform/config/secrets';
import type { ConnectedSettings, Settings } from '@/lib/platform/config/settings';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { type EmbeddedPostgres, startEmbedded } from '@/lib/platform/db/embedded';
import { createLog, type Log } from '@/lib/platform/log/log';
import { prepareDatabase } from './prepare';
import { aborted, RESTART_MAX_MS, type Role, sleep, spawnRole, supervise } from './supervise';
import { type DemoCredentials, welcome, welcomeJson } from './welcome';

interface StartOptions {
  readonly dev: boolean;
  readonly json: boolean;
  /** Use a new database in a temporary folder, and delete it at the end. */
  readonly ephemeral?: boolean;
}

/**
 * Runs everything: web, worker and, without DATABASE_URL, the embedded database with its migrations. Restarts processes that die. Returns
 * when a signal has stopped everything.
 */
export async function start({ dev, json, ephemeral = false }: StartOptions): Promise<void> {
  const deleteData = ephemeral ? await makeEphemeral(process.env) : null;
  const settings = startSettings();
  const stopping = new AbortController();
  const signalled = new Promise<void>((resolve) => {
    const stop = () => {
      stopping.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    // This event means that the parent process (npm or the bootstrap) has ended. If this process went on, nobody could stop it.
    process.on('disconnect', stop);
  });
  const log = createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, process: 'start' });
  const undo: (() => Promise<void> | void)[] = deleteData ? [deleteData] : [];
  try {
    await checkPorts(settings);
    const connected = await openDatabase(settings, { log, undo, stopping: stopping.signal, temporary: ephemeral });
    const own = !settings.DATABASE_URL;
    if (own) progress('Applying migrations…');
    const { demo, onHoldSince } = await prepareDatabase(connected, { own });
    progress('Starting web and worker…');
    const roles: Role[] = ['web', 'worker'];
    const graceMs = connected.SHUTDOWN_DELAY * SECOND_MS;
    let keyed = connected;
    const children = roles.map((role) =>
      supervise(role, { log, stopping: stopping.signal, graceMs, spawn: () => spawnRole(role, keyed, dev) }),
    );
    if (own) {
      const unwatch = watchOwnSecrets(settings, log, (keys) => {
        if (keys.SECRET_KEY === keyed.SECRET_KEY && keys.SECRET_KEY_OTHER === keyed.SECRET_KEY_OTHER) return;
        keyed = { ...keyed, ...keys };
        for (const child of children) child.replace();
      });
      undo.push(unwatch);
    }
    undo.push(async () => void (await Promise.all(children.map((child) => child.stopped))));
    const failed = children.map((child) => child.failed);
    await Promise.race([Promise.all(children.map((child) => child.ready)), signalled, ...failed]);
    if (!stopping.signal.aborted) {
      const shown: typeof welcome = ephemeral ? ephemeralJson : json ? welcomeJson : welcome;
      process.stdout.write(shown(connected, demo ?? undefined, onHoldSince));
    }
    await Promise.race([signalled, ...failed]);
  } finally {
    stopping.abort();
    for (const step of undo.reverse()) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, 'a step of the shutdown failed; the other steps continue');
      }
    }
    log.flush();
  }
}

interface Watch {
  readonly log: Log;
  readonly undo: (() => Promise<void> | void)[];
  readonly stopping: AbortSignal;
  readonly temporary: boolean;
}

async function openDatabase(settings: Settings, watch: Watch): Promise<ConnectedSettings> {
  const { DATABASE_URL, SECRET_KEY, SECRET_KEY_OTHER, DATA_DIR } = settings;
  if (DATABASE_URL && SECRET_KEY) {
    await checkDatabase(DATABASE_URL);
    return { ...settings, DATABASE_URL, SECRET_KEY };
  }
  const claim = await claimInstance(await prepareDataDir(DATA_DIR), 'start');
  needClaim(claim, DATA_DIR);
  watch.undo.push(() => claim.release());
  const { secretKey, otherSecretKey = SECRET_KEY_OTHER, ...passwords } = await storeOwnSecrets(DATA_DIR, SECRET_KEY);
  progress('Starting PostgreSQL…');
  await storeAddresses(DATA_DIR, settings);
  let embedded = await startOwnDatabase({ dataDir: DATA_DIR, ...passwords, temporary: watch.temporary });
  const restarting = keepRunning();
  watch.undo.push(async () => {
    await restarting;
    await embedded.stop();
  });
  // By default, the web processes get half of the cores, because the embedded database needs about the other half.
  const webProcesses = settings.WEB_PROCESSES || Math.ceil(availableParallelism() / 2);
  const { url, ownerUrl } = embedded;
  const urls = { DATABASE_URL: url, MIGRATE_DATABASE_URL: ownerUrl };
  return { ...settings, ...urls, SECRET_KEY: secretKey, SECRET_KEY_OTHER: otherSecretKey, WEB_PROCESSES: webProcesses };

  // Restarts the database when it dies. Its address stays the same, so the other processes only need to reconnect.
  async function keepRunning(): Promise<void> {
    const { port } = new URL(embedded.url);
    while (!watch.stopping.aborted) {
      await Promise.race([embedded.exited, aborted(watch.stopping)]);
      if (watch.stopping.aborted) return;
      watch.log.error('the embedded PostgreSQL died; starting it again');
      embedded = await restart(
        () => startEmbedded({ dataDir: DATA_DIR, ...passwords, port: Number(port), temporary: watch.temporary }),
        watch,
        embedded,
      );
    }
  }
}

/** Reads the stored master keys again whenever `bili secrets rotate` has changed them. Returns a function that ends this. */
function watchOwnSecrets({ DATA_DIR, SECRET_KEY, SECRET_KEY_OTHER }: Settings, log: Log, onChange: (keys: MasterKeys) => void): () => void {
  const path = join(DATA_DIR, SECRETS_FILE);
  const read = async () => {
    try {
      const { secretKey, otherSecretKey = SECRET_KEY_OTHER } = await storeOwnSecrets(DATA_DIR, SECRET_KEY);
      onChange({ SECRET_KEY: secretKey, SECRET_KEY_OTHER: otherSecretKey });
    } catch (error) {
      log.error({ err: error }, 'the changed secrets could not be read; the processes keep their keys');
    }
  };
  const listener = () => void read();
  watchFile(path, { interval: SECOND_MS, persistent: false }, listener);
  return () => unwatchFile(path, listener);
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

/** Throws a StartError if a port is in use, before anything else is started. */
export async function checkPorts({ PORT, SANDBOX_PORT, HOST }: Settings): Promise<void> {
  for (const port of [PORT, SANDBOX_PORT]) {
    // If a supervisor was killed, its web process may still use the port, but ends within seconds. So a port in use is checked again.
    const deadline = Date.now() + 3 * SECOND_MS;
    for (;;) {
      const problem = await findPortProblem(port, HOST);
      if (problem === null) break;
      if (Date.now() > deadline) throw new StartError(portProblem(problem, port, HOST));
      await delay(100);
    }
  }
}

async function findPortProblem(port: number, host: string | undefined): Promise<unknown> {
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

/** Settings that a temporary sandbox does not take from its environment. The sandbox must never use the database of an installation. */
const IGNORED = ['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'SECRET_KEY', 'SECRET_KEY_OTHER', 'LIVE_BASE_URL', 'SANDBOX_BASE_URL', 'HOST'];

/**
 * Sets the environment variables of a temporary sandbox. Its database is empty and in a temporary folder. Ports that are not set become
 * free ports. Only errors are logged, so that standard output contains nothing but the credentials. Returns a function that deletes the
 * folder.
 */
export async function makeEphemeral(env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'bili-sandbox-'));
  for (const name of IGNORED) delete env[name];
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  env.DATA_DIR = folder;
  env.PORT ||= String(port);
  env.SANDBOX_PORT ||= String(sandboxPort);
  env.WEB_PROCESSES ||= '1';
  env.LOG_LEVEL ||= 'error';
  return () => rm(folder, { recursive: true, force: true });
}

/** Returns ports that nobody listens on. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const addresses = servers.map((server) => server.address());
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return addresses.map((address) => (address === null || typeof address === 'string' ? 0 : address.port));
}

/** Returns the credentials of a temporary sandbox as one line of JSON. `keyId` and `secret` are older names of the API key's two parts. */
export function ephemeralJson(settings: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>, demo: DemoCredentials | undefined): string {
  if (!demo) throw new Error('a new database has no demo merchant');
  const { apiKey, apiSecret, webhookSecret } = demo.sandbox;
  const { email, password } = demo.dashboard;
  const dashboard = { url: `${settings.LIVE_BASE_URL.origin}/sign-in`, email, password };
  const key = { apiKey, apiSecret, keyId: apiKey, secret: apiSecret };
  return `${JSON.stringify({ sandbox: settings.SANDBOX_BASE_URL.origin, ...key, webhookSecret, dashboard })}\n`;
}
