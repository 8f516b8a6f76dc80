import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import { UserError } from '@/lib/cli/terminal/output';
import { readServerFacts } from '@/lib/entry/doctor/store';
import { readVersion } from '@/lib/platform/config/version';
import { DAY_MS } from '@/lib/platform/core/clock';
import { type Connection, type Database, openDatabase } from '@/lib/platform/db/database';
import { SELECT_APPLIED } from '@/lib/platform/db/migration-table';
import { appliedSchema } from '@/lib/platform/db/migrations';
import { text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { withSession } from '@/lib/platform/db/with-session';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { archiveDatabaseFolder } from './copy-folder';
import { encrypt, Meter } from './encryption';
import type { BackupStore } from './folder-store';
import { type BackupSecrets, backupName, DATABASE_PART, MANIFEST, type Manifest, nameTime, SECRETS_PART } from './format';
import { joined, listNames } from './open-backup';
import { dumpDatabase, findTool } from './postgres-tools';
import { rangeOf, readHeads, readSums, type SumRanges } from './sums';

const EXPORT_SNAPSHOT = statement({
  name: 'export the snapshot of a transaction',
  text: 'SELECT pg_export_snapshot() AS snapshot',
  columns: { snapshot: text },
});

interface Options {
  readonly store: BackupStore;
  readonly recipients: readonly string[];
  /** The URL of the embedded server for the superuser. Absent for an external database. */
  readonly superuserUrl?: string;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;
type Contents = Pick<BackupSecrets, 'heads'> & { readonly sums: SumRanges };

/** A database on its way into a backup. `contents` is known when the stream has ended. */
interface Source {
  readonly database: Manifest['database'];
  readonly stream: Readable;
  readonly contents: () => Promise<Contents>;
}

/** The ages of incomplete backups that are deleted: one that is younger may be in progress. */
const ABANDONED_MS = 2 * DAY_MS;

/**
 * Makes a backup of the database and of what is needed to use it, encrypted for the recipients. The backup is complete when its manifest is
 * written; a backup that fails is deleted.
 */
export async function makeBackup(runtime: Needs, { store, recipients, superuserUrl }: Options): Promise<Manifest> {
  const { db, clock, random, settings } = runtime;
  const startedAt = clock();
  const name = backupName(startedAt, random(4));
  const { postgres, migration } = await readVersions(db);
  const files = superuserUrl === undefined ? {} : await readFiles(settings.DATA_DIR);
  try {
    const written = await withSource(runtime, { superuserUrl, postgres }, async ({ database, stream, contents }) => {
      const part = await writePart({ store, recipients, name }, DATABASE_PART, stream);
      const { sums, heads } = await contents();
      const secrets = { secretKey: settings.SECRET_KEY, secretKeyOther: settings.SECRET_KEY_OTHER, files, sums, heads };
      const content = JSON.stringify(secrets, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
      return { database, parts: [part, await writePart({ store, recipients, name }, SECRETS_PART, Readable.from([Buffer.from(content)]))] };
    });
    const times = { startedAt: startedAt.toISOString(), endedAt: clock().toISOString() };
    const manifest: Manifest = { format: 1, name, version: readVersion(), postgres, migration, ...times, ...written };
    await store.write(`${name}/${MANIFEST}`, Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]));
    return manifest;
  } catch (error) {
    await store.remove(name).catch(() => undefined);
    throw error;
  }
}

/**
 * Deletes all complete backups but the newest ones, and incomplete ones that nobody writes any more. Returns the names of those deleted.
 * @param keep how many to keep, at least 1.
 * @param proven the name of a backup that is kept anyway, because a drill has restored it.
 */
export async function deleteOldBackups(
  store: BackupStore,
  { keep, proven, now }: { readonly keep: number; readonly proven: string | null; readonly now: Date },
): Promise<string[]> {
  const { complete, incomplete } = await listNames(store);
  const abandoned = incomplete.filter((name) => now.getTime() - (nameTime(name)?.getTime() ?? now.getTime()) > ABANDONED_MS);
  const old = complete.slice(0, -Math.max(1, keep)).filter((name) => name !== proven);
  for (const name of [...abandoned, ...old]) await store.remove(name);
  return [...abandoned, ...old];
}

async function readVersions(db: Database): Promise<Pick<Manifest, 'postgres' | 'migration'>> {
  const { version } = await readServerFacts(db);
  const applied = appliedSchema.parse(await db.query({ text: SELECT_APPLIED }));
  return { postgres: Math.floor(version / 10_000), migration: applied.at(-1)?.name ?? '' };
}

/** Returns the files of DATA_DIR that a restored copy needs: the passwords, the addresses and the credentials of the demo merchant. */
async function readFiles(dataDir: string): Promise<Record<string, string>> {
  const names = (await readdir(dataDir)).filter((name) => /^[\w-]+\.json$/.test(name) && name !== 'instance.json');
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(dataDir, name), 'utf8')] as const)));
}

async function withSource<Value>(
  { db, settings }: Needs,
  { superuserUrl, postgres }: { readonly superuserUrl: string | undefined; readonly postgres: number },
  work: (source: Source) => Promise<Value>,
): Promise<Value> {
  if (superuserUrl === undefined) return withDump(settings, postgres, work);
  // The copy has the state of some moment between these two readings.
  const [before, heads] = await atOneMoment(db, async (tx) => [await readSums(tx), await readHeads(tx)] as const);
  const stream = joined(archiveDatabaseFolder(superuserUrl), createZstdCompress());
  const contents = async () => ({ heads, sums: rangeOf(before, await atOneMoment(db, readSums)) });
  return work({ database: 'folder', stream, contents });
}

/** Dumps an external database, and reads its sums in the same snapshot. */
async function withDump<Value>(
  { DATABASE_URL, MIGRATE_DATABASE_URL = DATABASE_URL, POSTGRES_TOOLS: folder }: Needs['settings'],
  postgres: number,
  work: (source: Source) => Promise<Value>,
): Promise<Value> {
  const because = `the server is version ${postgres}`;
  const tool = await findTool('pg_dump', { folder, least: postgres, because });
  const { url, pooled } = await withSession(MIGRATE_DATABASE_URL, 'writes', async (session, hostUrl) => ({
    url: hostUrl,
    pooled: session.pooled,
  }));
  if (pooled)
    throw new UserError('pg_dump needs a direct connection to PostgreSQL, and this one leads to a pooler: set MIGRATE_DATABASE_URL.');
  const db = openDatabase({ url, poolSize: 1, applicationName: 'bili-backup', need: 'answers', onError: () => undefined });
  try {
    return await atOneMoment(db, async (tx) => {
      const exported = await EXPORT_SNAPSHOT.first(tx, {});
      const stream = dumpDatabase(tool, { url, snapshot: exported?.snapshot ?? '' });
      // Both read the whole database, at the same time.
      const reading = Promise.all([readSums(tx), readHeads(tx)]);
      reading.catch((error: Error) => stream.destroy(error));
      const contents = async () => {
        const [sums, heads] = await reading;
        return { heads, sums: rangeOf(sums, sums) };
      };
      return work({ database: 'dump', stream, contents });
    });
  } finally {
    await db.close();
  }
}

/** Runs queries that all see the database as it is at one moment. */
async function atOneMoment<Value>(db: Database, work: (tx: Connection) => Promise<Value>): Promise<Value> {
  return db.transaction(
    async (tx) => {
      await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' });
      await tx.query({ text: 'SET LOCAL idle_in_transaction_session_timeout = 0' });
      return work(tx);
    },
    { unlimited: true },
  );
}

async function writePart(
  { store, recipients, name }: Omit<Options, 'superuserUrl'> & { readonly name: string },
  part: Manifest['parts'][number]['name'],
  plain: Readable,
): Promise<Manifest['parts'][number]> {
  const meter = new Meter();
  await store.write(`${name}/${part}`, joined(await encrypt(plain, recipients), meter));
  return { name: part, size: meter.size, sha256: meter.sha256() };
}
