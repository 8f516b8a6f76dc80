import { availableParallelism } from 'node:os';
import { checkPorts } from '@/lib/cli/deployment/check-ports';
import { claimInstance, isClaim } from '@/lib/cli/deployment/instance';
import { checkDatabase, prepareDataDir, startOwnDatabase, storeOwnSecrets } from '@/lib/cli/deployment/open-database';
import { progress } from '@/lib/cli/terminal/output';
import { storeAddresses } from '@/lib/config/addresses';
import type { ConnectedSettings, Settings } from '@/lib/config/settings';
import { SECOND_MS } from '@/lib/core/clock';
import { type EmbeddedPostgres, startEmbedded } from '@/lib/db/embedded';
import { createLog, type Log } from '@/lib/log/log';
import { StartError, startSettings } from '@/lib/processes/start-settings';
import { ephemeralJson, makeEphemeral } from './ephemeral';
import { prepareDatabase } from './prepare';
import { aborted, RESTART_MAX_MS, type Role, sleep, spawnRole, supervise } from './supervise';
import { welcome, welcomeJson } from './welcome';

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
    const demo = await prepareDatabase(connected, { own });
    progress('Starting web and worker…');
    const roles: Role[] = ['web', 'worker'];
    const graceMs = connected.SHUTDOWN_DELAY * SECOND_MS;
    const children = roles.map((role) =>
      supervise(role, { log, stopping: stopping.signal, graceMs, spawn: () => spawnRole(role, connected, dev) }),
    );
    undo.push(async () => void (await Promise.all(children.map((child) => child.stopped))));
    const failed = children.map((child) => child.failed);
    await Promise.race([Promise.all(children.map((child) => child.ready)), signalled, ...failed]);
    if (!stopping.signal.aborted) {
      const shown = ephemeral ? ephemeralJson : json ? welcomeJson : welcome;
      process.stdout.write(shown(connected, demo));
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
  const { DATABASE_URL, SECRET_KEY, DATA_DIR } = settings;
  if (DATABASE_URL && SECRET_KEY) {
    await checkDatabase(DATABASE_URL);
    return { ...settings, DATABASE_URL, SECRET_KEY };
  }
  const claim = await claimInstance(await prepareDataDir(DATA_DIR), 'start');
  if (!isClaim(claim)) {
    throw new StartError(`Bili already runs with DATA_DIR ${DATA_DIR} (process ${claim.pid}). Stop it first, or set another DATA_DIR.`);
  }
  watch.undo.push(() => claim.release());
  const { secretKey, ...passwords } = await storeOwnSecrets(DATA_DIR, SECRET_KEY);
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
  return { ...settings, DATABASE_URL: url, MIGRATE_DATABASE_URL: ownerUrl, SECRET_KEY: secretKey, WEB_PROCESSES: webProcesses };

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
