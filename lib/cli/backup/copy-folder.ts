import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { z } from 'zod';
import { syncFolder } from '@/lib/cli/terminal/files';
import { UserError } from '@/lib/cli/terminal/output';
import { unpack } from './postgres-tools';

/** The types of the messages of BASE_BACKUP: PostgreSQL's documentation, "Streaming Replication Protocol". */
const NEW_ARCHIVE = 'n'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);

const messageSchema = z.object({ chunk: z.instanceof(Buffer) });

/**
 * Copies the data folder of a running PostgreSQL into a new folder. A killed copy leaves `<to>.part`. Everything is on the disk when this
 * returns.
 * @param url the URL for a role that may replicate.
 */
export async function copyDatabaseFolder(url: string, to: string): Promise<void> {
  if (existsSync(to)) throw new UserError(`${to} exists already: choose another folder.`);
  const part = `${to}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  await unpack(archiveDatabaseFolder(url), part);
  for (const entry of await readdir(part, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await (entry.isDirectory() ? syncFolder(path) : syncFile(path));
  }
  await syncFolder(part);
  await rename(part, to);
  await syncFolder(dirname(to));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Copies the data folder of a running PostgreSQL (15 or later) as a tar archive, with the WAL that makes it consistent: PostgreSQL's own
 * BASE_BACKUP, which `pg_basebackup` uses. The copy has the state of the moment at which the stream ends. However long the reader takes,
 * the server keeps the WAL that the copy needs: the slot exists as long as the connection.
 * @param url the URL for a role that may replicate.
 */
export function archiveDatabaseFolder(url: string): Readable {
  const replication = new URL(url);
  replication.searchParams.set('replication', 'true');
  const client = new pg.Client({ connectionString: replication.href, application_name: 'bili-backup' });
  const { connection } = client;
  const archive = new Readable({
    read: () => connection.stream.resume(),
    destroy: (error, done) => {
      // While PostgreSQL sends the archive, it reads nothing, so the connection cannot be ended in an orderly way.
      if (error) connection.stream.destroy();
      client.end().then(
        () => done(error),
        () => done(error),
      );
    },
  });
  client.on('error', (error) => archive.destroy(error));
  let archives = 0;
  connection.on('copyData', (message: unknown) => {
    const { chunk } = messageSchema.parse(message);
    if (chunk[0] === NEW_ARCHIVE) archives += 1;
    // A tablespace outside of the data folder has an archive of its own. Bili creates none.
    if (archives > 1) archive.destroy(new Error('the database has a tablespace outside of its folder, so its folder is not a backup'));
    // The driver uses the memory of the chunk again.
    else if (chunk[0] === DATA && !archive.push(Buffer.from(chunk.subarray(1)))) connection.stream.pause();
  });
  client
    .connect()
    .then(() => client.query(`CREATE_REPLICATION_SLOT bili_${randomBytes(8).toString('hex')} TEMPORARY PHYSICAL (RESERVE_WAL)`))
    .then(() => client.query("BASE_BACKUP (LABEL 'bili', CHECKPOINT 'fast', WAL true, MANIFEST 'no')"))
    .then(() => archive.push(null))
    .catch((error: Error) => archive.destroy(error));
  return archive;
}
