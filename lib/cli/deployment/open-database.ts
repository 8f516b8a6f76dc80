import { constants, existsSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '@/lib/entry/processes/start-settings';
import { hasDatabase, storeSecrets } from '@/lib/platform/config/data-dir';
import { type EmbeddedPostgres, findLibpqVariables, startEmbedded } from '@/lib/platform/db/embedded';
import { isDatabaseUnavailable, isUnreachable, postgresError, sentenceOf } from '@/lib/platform/db/errors';
import { withSession } from '@/lib/platform/db/with-session';

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

/** Returns the secrets of the embedded database. Throws a StartError if they are missing or damaged. */
export async function storeOwnSecrets(dataDir: string, given: string | undefined): ReturnType<typeof storeSecrets> {
  return storeSecrets(dataDir, given).catch(explain);
}

/** Starts the embedded database. Throws a StartError if it does not start. */
export async function startOwnDatabase(options: Parameters<typeof startEmbedded>[0]): Promise<EmbeddedPostgres> {
  return startEmbedded(options).catch(explain);
}

function explain(error: unknown): never {
  throw new StartError(error instanceof Error ? error.message : String(error));
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

/** Throws a StartError if DATA_DIR has no database or cannot be used. Creates nothing: only a start creates a database. */
export async function needDataDir(dataDir: string): Promise<string> {
  if (!hasDatabase(dataDir)) {
    throw new StartError(
      `There is no database in DATA_DIR ${dataDir}. Set DATA_DIR to the folder of your Bili, or DATABASE_URL to its database. ` +
        '"npm start" creates a new one.',
    );
  }
  return prepareDataDir(dataDir);
}

/** Throws a StartError if the database cannot be used. @param setting the setting that has the URL. */
export async function checkDatabase(url: string, setting = 'DATABASE_URL'): Promise<void> {
  try {
    await withSession(url, 'answers', async () => undefined);
  } catch (error) {
    throw databaseProblem(error, setting) ?? error;
  }
}

/** Returns a StartError that explains why the database cannot be used, or undefined if the error has another cause. */
export function databaseProblem(error: unknown, setting = 'DATABASE_URL'): StartError | undefined {
  const variables = findLibpqVariables();
  // With such variables, any refusal of PostgreSQL can be their fault.
  const problem = describeProblem(error) ?? (variables.length > 0 && postgresError(error) ? `${sentenceOf(error)}.` : undefined);
  if (problem === undefined) return undefined;
  const hint = variables.length > 0 ? ` These variables of the environment change the connection, too: ${variables.join(', ')}.` : '';
  return new StartError(`${setting}: ${problem}${hint}`);
}

function describeProblem(error: unknown): string | undefined {
  const code = postgresError(error)?.code;
  if (code === '28P01' || code === '28000') return 'the database refused this user or password.';
  if (code === '3D000') return 'this database does not exist on the server. Create it first.';
  if (code === '42501') {
    return `${sentenceOf(error)}. "npm run -s bili -- migrate" gives this role its rights. MIGRATE_DATABASE_URL must have the role that owns the tables.`;
  }
  if (!isDatabaseUnavailable(error)) return undefined;
  if (!isUnreachable(error)) return `${sentenceOf(error)}.`;
  return `the database cannot be reached (${sentenceOf(error)}). Check that it runs and that the address is right.`;
}
