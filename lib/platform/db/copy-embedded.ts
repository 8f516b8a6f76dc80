import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { ExpectedError } from '@/lib/platform/config/expected-error';

interface CopyOptions {
  /** The running server, for its superuser. */
  readonly superuserUrl: string;
  /** The data folder of that server. */
  readonly folder: string;
  /** The copy. It must not exist. A killed copy leaves `<to>.part`. */
  readonly to: string;
}

/**
 * What PostgreSQL's documentation says to leave out of a base backup: files of the running process, and files that a start creates
 * again. Of these folders, only the content is left out.
 */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*|backup_manifest)$/;
const EMPTY: readonly string[] = ['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'];
const WAL = 'pg_wal';
const CONTROL = join('global', 'pg_control');

const segmentSchema = z.tuple([z.object({ segment: z.string() })]);
const stopSchema = z.tuple([z.object({ segment: z.string(), label: z.string() })]);

/**
 * Copies the data folder of a running server with PostgreSQL's low-level API for base backups. The copy contains the WAL that a start of
 * it needs, and has what was committed when the copy ended. Everything is on the disk when this returns.
 * Source: https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function copyEmbedded({ superuserUrl, folder, to }: CopyOptions): Promise<void> {
  if (existsSync(to)) throw new ExpectedError(`${to} exists already: choose another folder.`);
  const part = `${to}.part`;
  await rm(part, { recursive: true, force: true });
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The server keeps all WAL from now on, until this session ends.
    await client.query(`SELECT pg_create_physical_replication_slot('bili_copy_' || pg_backend_pid(), true, true)`);
    const started = await client.query(`SELECT pg_walfile_name(pg_backup_start('bili', true)) AS segment`);
    const [{ segment: first }] = segmentSchema.parse(started.rows);
    await copyFolder(folder, part, (path) => path !== CONTROL && path !== WAL);
    // Last, as PostgreSQL's own tools do.
    await copySynced(join(folder, CONTROL), join(part, CONTROL));
    const stopped = await client.query(
      'SELECT pg_walfile_name(lsn) AS segment, labelfile AS label FROM pg_backup_stop(wait_for_archive => false)',
    );
    const [{ segment: last, label }] = stopSchema.parse(stopped.rows);
    await copyWal(join(folder, WAL), join(part, WAL), (name) => name >= first && name <= last);
    await writeSynced(join(part, 'backup_label'), label);
  } finally {
    await client.end();
  }
  await syncFolder(part);
  await rename(part, to);
  await syncFolder(dirname(to));
}

/** Copies a folder with what `wanted` accepts. Its paths are relative to the folder. Files that disappear meanwhile are skipped. */
async function copyFolder(from: string, to: string, wanted: (path: string) => boolean, inside = ''): Promise<void> {
  await mkdir(join(to, inside), { recursive: true, mode: 0o700 });
  for (const entry of await readdir(join(from, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name);
    if (LEFT_OUT.test(entry.name) || !wanted(path)) continue;
    if (entry.isDirectory()) await copyFolder(from, to, (below) => !EMPTY.includes(path) && wanted(below), path);
    else if (entry.isFile()) await copySynced(join(from, path), join(to, path)).catch(ignoreMissing);
    else throw new Error(`${join(from, path)} is neither a file nor a folder, so it cannot be copied`);
  }
  await syncFolder(join(to, inside));
}

/** Copies the segments of the WAL that `wanted` accepts, and the histories of timelines. */
async function copyWal(from: string, to: string, wanted: (segment: string) => boolean): Promise<void> {
  for (const folder of [to, join(to, 'archive_status'), join(to, 'summaries')]) await mkdir(folder, { mode: 0o700 });
  for (const name of await readdir(from)) {
    if (name.endsWith('.history') || (/^[0-9A-F]{24}$/.test(name) && wanted(name))) await copySynced(join(from, name), join(to, name));
  }
  await syncFolder(to);
}

async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder survive a power failure. Windows cannot open folders, and needs it less. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
