import { constants, existsSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { thisOperator } from '@/lib/cli/terminal/operator';
import { progress } from '@/lib/cli/terminal/output';
import { withStoredAddresses } from '@/lib/config/addresses';
import { storeSecrets } from '@/lib/config/data-dir';
import { type ConnectedSettings, readSettings, type Settings } from '@/lib/config/settings';
import type { Actor } from '@/lib/core/actor';
import { type EmbeddedPostgres, findRunningEmbedded, startEmbedded } from '@/lib/db/embedded';
import { isDatabaseUnavailable, isUnreachable, postgresError, sentenceOf } from '@/lib/db/errors';
import { migrate } from '@/lib/db/migrate';
import { withSession } from '@/lib/db/with-session';
import { createLog } from '@/lib/log/log';
import { buildRuntime, StartError } from '@/lib/processes/process-runtime';
import type { Runtime } from '@/lib/runtime/runtime';
import { checkDeployment, type DeploymentNeeds } from './check-deployment';
import { claimInstance, isClaim } from './instance';

/** Reads the settings. Throws a StartError that names the invalid ones. */
export function startSettings(): Settings {
  const read = readSettings(process.env);
  if (!read.ok) throw new StartError(read.error.join('\n'));
  return read.value;
}

export interface CommandRuntime extends Runtime {
  /** The person who runs the command, for the audit log. */
  readonly actor: Actor;
}

/**
 * Runs a command with the database: the one of DATABASE_URL, the embedded one of a running instance, or an embedded one that is started
 * only for this command.
 */
export async function withRuntime<Value>(
  work: (runtime: CommandRuntime) => Promise<Value>,
  { anySchema = false, databaseNeed = 'serves' }: DeploymentNeeds = {},
): Promise<Value> {
  const actor = thisOperator();
  const settings = startSettings();
  const log = createLog({ level: 'silent', format: 'json', process: 'cli' });
  return withDatabase(settings, async (connected) => {
    await checkDeployment(connected, { anySchema, databaseNeed });
    const runtime = buildRuntime({ settings: { ...connected, DATABASE_POOL_SIZE: 4 }, process: 'cli', log, databaseNeed });
    try {
      return await work({ ...runtime, actor });
    } finally {
      await runtime.db.close();
    }
  });
}

/** Runs `work` with settings whose database is reachable. */
export async function withDatabase<Value>(settings: Settings, work: (connected: ConnectedSettings) => Promise<Value>): Promise<Value> {
  const { DATABASE_URL, SECRET_KEY, DATA_DIR } = settings;
  if (DATABASE_URL && SECRET_KEY) {
    await checkDatabase(DATABASE_URL);
    return work({ ...settings, DATABASE_URL, SECRET_KEY });
  }
  const claim = await claimInstance(await prepareDataDir(DATA_DIR), 'command');
  const own = await withStoredAddresses(settings, DATA_DIR, process.env);
  const { secretKey, ...passwords } = await storeSecrets(DATA_DIR, SECRET_KEY);
  if (!isClaim(claim)) {
    const running = await findRunningEmbedded(DATA_DIR, passwords.databasePassword);
    if (!running)
      throw new StartError(`The embedded database in ${DATA_DIR} is being started or stopped by process ${claim.pid}. Try again.`);
    return work({ ...own, DATABASE_URL: running, SECRET_KEY: secretKey });
  }
  try {
    if (!existsSync(join(DATA_DIR, 'postgres'))) progress(`There is no database in ${DATA_DIR} yet. A new one is created.`);
    const embedded = await startOwnDatabase({ dataDir: DATA_DIR, ...passwords });
    try {
      await migrate(embedded.url);
      return await work({ ...own, DATABASE_URL: embedded.url, SECRET_KEY: secretKey });
    } finally {
      await embedded.stop();
    }
  } finally {
    await claim.release();
  }
}

/** Creates a folder and its parents. Node's recursive mkdir loops forever if a file system refuses new folders with ENOENT. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

/** Starts the embedded database. Throws a StartError if it does not start. */
export async function startOwnDatabase(options: Parameters<typeof startEmbedded>[0]): Promise<EmbeddedPostgres> {
  return startEmbedded(options).catch((error: unknown) => {
    throw new StartError(error instanceof Error ? error.message : String(error));
  });
}

/** Creates DATA_DIR if it does not exist. Throws a StartError if it cannot be used. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK);
    return dataDir;
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Throws a StartError if the database cannot be used. */
export async function checkDatabase(url: string): Promise<void> {
  try {
    await withSession(url, 'answers', async () => undefined);
  } catch (error) {
    throw databaseProblem(error) ?? error;
  }
}

/** Returns a StartError that explains why the database cannot be used, or undefined if the error has another cause. */
export function databaseProblem(error: unknown): StartError | undefined {
  const code = postgresError(error)?.code;
  if (code === '28P01' || code === '28000') return new StartError('DATABASE_URL: the database refused this user or password.');
  if (code === '3D000') return new StartError('DATABASE_URL: this database does not exist on the server. Create it first.');
  if (!isDatabaseUnavailable(error)) return undefined;
  if (!isUnreachable(error)) return new StartError(`DATABASE_URL: ${sentenceOf(error)}.`);
  return new StartError(
    `DATABASE_URL: the database cannot be reached (${sentenceOf(error)}). Check that it runs and that the address is right.`,
  );
}
