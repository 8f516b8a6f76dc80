import { Readable } from 'node:stream';
import pg from 'pg';
import { z } from 'zod';

/** The types of the messages of BASE_BACKUP: PostgreSQL's documentation, "Streaming Replication Protocol". */
const NEW_ARCHIVE = 'n'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);

const messageSchema = z.object({ chunk: z.instanceof(Buffer) });

/**
 * Copies the data folder of a running PostgreSQL (15 or later) as a tar archive, with the WAL that makes it consistent: PostgreSQL's own
 * BASE_BACKUP, which `pg_basebackup` uses. The copy has the state of the moment at which the stream ends.
 * @param url the URL for a role that may replicate.
 */
export function copyDatabaseFolder(url: string): Readable {
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
    .then(() => client.query("BASE_BACKUP (LABEL 'bili', CHECKPOINT 'fast', WAL true, MANIFEST 'no')"))
    .then(() => archive.push(null))
    .catch((error: Error) => archive.destroy(error));
  return archive;
}
