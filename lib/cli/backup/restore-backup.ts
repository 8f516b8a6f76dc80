import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimInstance, isClaim } from '@/lib/cli/deployment/instance';
import { prepareDataDir, startOwnDatabase, storeOwnSecrets } from '@/lib/cli/deployment/open-database';
import { UserError } from '@/lib/cli/terminal/output';
import { readServerFacts } from '@/lib/entry/doctor/store';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { startHold } from '@/lib/gateway/hold/hold-copy';
import { hasDatabase } from '@/lib/platform/config/data-dir';
import { createSecrets } from '@/lib/platform/config/secrets';
import type { ConnectedSettings, Settings } from '@/lib/platform/config/settings';
import type { Actor } from '@/lib/platform/core/actor';
import { migrate } from '@/lib/platform/db/migrate';
import { withSession } from '@/lib/platform/db/with-session';
import { createLog } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { OpenedBackup } from './open-backup';
import { findTool, restoreDump, unpack } from './postgres-tools';
import { compareSums, readSums } from './sums';

/** How a restored database differs from what the backup says; empty if it does not. */
type Differences = readonly string[];

interface Options {
  readonly settings: ConnectedSettings;
  /** The person who restores, for the audit log of the copy. */
  readonly actor: Actor;
}

/**
 * Restores a dump into the empty database of the settings, and puts the copy on hold before the role of web and worker has any right in it.
 * A restore that fails leaves the database empty.
 */
export async function restoreExternal(backup: OpenedBackup, { settings, actor }: Options): Promise<Differences> {
  const { DATABASE_URL, MIGRATE_DATABASE_URL: ownerUrl = DATABASE_URL } = settings;
  // The role of web and worker gets its rights at the end. A wrong address or password of it must be found before.
  await findEmptyDatabase(DATABASE_URL);
  const { hostUrl, pooled } = await findEmptyDatabase(ownerUrl);
  if (pooled) throw new UserError('pg_restore needs a direct connection to PostgreSQL, and this one leads to a pooler.');
  await restoreInto(hostUrl, backup, settings);
  const differences = await compareWith(backup, { ...settings, DATABASE_URL: ownerUrl });
  await migrate(ownerUrl);
  await holdCopy({ ...settings, DATABASE_URL: ownerUrl }, actor);
  await migrate(ownerUrl, { applicationUrl: DATABASE_URL });
  return differences;
}

/** Restores a dump into an empty database. Throws a UserError if the tools or the server are too old for it. */
export async function restoreInto(url: string, { manifest, database }: OpenedBackup, settings: ConnectedSettings): Promise<void> {
  needKind(manifest.database, 'dump');
  const { postgres } = manifest;
  const tool = await findTool('pg_restore', {
    folder: settings.POSTGRES_TOOLS,
    least: postgres,
    because: `the backup is of PostgreSQL ${postgres}`,
  });
  const { version } = await withCopy({ ...settings, DATABASE_URL: url }, ({ db }) => readServerFacts(db));
  const server = Math.floor(version / 10_000);
  if (server < postgres)
    throw new UserError(`The server is PostgreSQL ${server}, but the backup is of PostgreSQL ${postgres}: use that or a later one.`);
  await restoreDump(tool, { url, dump: await database() });
}

/** Returns the URL of the host that accepts writes, and whether it leads to a pooler. Throws a UserError if the database has anything in it. */
async function findEmptyDatabase(url: string): Promise<{ readonly hostUrl: string; readonly pooled: boolean }> {
  return withSession(url, 'writes', async (session, hostUrl) => {
    const { rows } = await session.query("SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace LIMIT 1");
    if (rows.length > 0)
      throw new UserError('The database is not empty. Create a new one, and set DATABASE_URL and MIGRATE_DATABASE_URL to it.');
    return { hostUrl, pooled: session.pooled };
  });
}

/**
 * Restores a copy of an embedded database into a DATA_DIR without one, and puts the copy on hold. The database gets its place in DATA_DIR at
 * the end, so a restore that is killed leaves nothing that could be started.
 */
export async function restoreEmbedded(
  backup: OpenedBackup,
  { settings, actor }: { readonly settings: Settings; readonly actor: Actor },
): Promise<Differences> {
  needKind(backup.manifest.database, 'folder');
  const dataDir = await prepareDataDir(settings.DATA_DIR);
  const claim = await claimInstance(dataDir, 'command');
  if (!isClaim(claim)) throw new UserError(`Bili runs with DATA_DIR ${dataDir} (process ${claim.pid}). Restore into another one.`);
  const part = join(dataDir, 'restore.part');
  try {
    const { files } = backup.secrets;
    if (hasDatabase(dataDir) || (await hasOther(dataDir, files)))
      throw new UserError(`DATA_DIR ${dataDir} is not empty. Set DATA_DIR to a new folder.`);
    await rm(part, { recursive: true, force: true });
    const differences = await withCopiedFolder(part, backup, async (connected) => {
      const found = await compareWith(backup, { ...settings, ...connected });
      await migrate(connected.MIGRATE_DATABASE_URL, { applicationUrl: connected.DATABASE_URL });
      await holdCopy({ ...settings, ...connected }, actor);
      return found;
    });
    for (const name of Object.keys(files)) await rename(join(part, name), join(dataDir, name));
    await rename(join(part, 'postgres'), join(dataDir, 'postgres'));
    return differences;
  } finally {
    await rm(part, { recursive: true, force: true });
    await claim.release();
  }
}

/** Returns whether a folder has a file with one of these names and another content. A killed restore may have left the same ones. */
async function hasOther(folder: string, files: Readonly<Record<string, string>>): Promise<boolean> {
  for (const [name, text] of Object.entries(files)) {
    const stored = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (stored !== undefined && stored !== text) return true;
  }
  return false;
}

type Connected = Pick<ConnectedSettings, 'DATABASE_URL' | 'SECRET_KEY'> & { readonly MIGRATE_DATABASE_URL: string };

/** Unpacks a copy of an embedded database into a new folder, and runs `work` with its server. Deletes nothing. */
export async function withCopiedFolder<Value>(
  folder: string,
  backup: OpenedBackup,
  work: (connected: Connected) => Promise<Value>,
): Promise<Value> {
  const database = join(folder, 'postgres');
  await mkdir(database, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(backup.secrets.files)) await writeFile(join(folder, name), text, { mode: 0o600, flush: true });
  await unpack(await backup.database(), database);
  const { secretKey: _stored, ...passwords } = await storeOwnSecrets(folder, undefined);
  const server = await startOwnDatabase({ dataDir: folder, ...passwords });
  try {
    return await work({ DATABASE_URL: server.url, MIGRATE_DATABASE_URL: server.ownerUrl, SECRET_KEY: backup.secrets.secretKey });
  } finally {
    await server.stop();
  }
}

function needKind(found: OpenedBackup['manifest']['database'], needed: OpenedBackup['manifest']['database']): void {
  if (found === needed) return;
  throw new UserError(
    found === 'folder'
      ? 'This backup is of an embedded database: restore it without DATABASE_URL, into a new DATA_DIR.'
      : 'This backup is of an external database: set DATABASE_URL to a new, empty database.',
  );
}

/** Runs `work` with the runtime of a restored database that no process uses yet. */
export async function withCopy<Value>(settings: ConnectedSettings, work: (runtime: Runtime) => Promise<Value>): Promise<Value> {
  const log = createLog({ level: 'silent', format: 'json', process: 'restore' });
  const runtime = buildRuntime({
    settings: { ...settings, DATABASE_POOL_SIZE: 4 },
    process: 'restore',
    secrets: createSecrets(settings),
    log,
    databaseNeed: 'writes',
  });
  try {
    return await work(runtime);
  } finally {
    await runtime.db.close();
  }
}

/** Compares the sums of a restored database, which has not been migrated yet, with those of the backup. */
export async function compareWith({ secrets }: OpenedBackup, settings: ConnectedSettings): Promise<Differences> {
  return withCopy(settings, ({ db }) => db.transaction(async (tx) => compareSums(secrets.sums, await readSums(tx)), { unlimited: true }));
}

async function holdCopy(settings: ConnectedSettings, actor: Actor): Promise<void> {
  await withCopy(settings, (runtime) => startHold(runtime, { actor, reason: 'restored from a backup' }));
}
