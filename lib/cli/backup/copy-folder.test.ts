import { once } from 'node:events';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbedded } from '@/lib/platform/db/embedded';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { archiveDatabaseFolder, copyDatabaseFolder } from './copy-folder';

const PASSWORDS = { databasePassword: 'test', superuserPassword: 'test' };

let folder = '';
let running: EmbeddedPostgres;
beforeAll(async () => {
  folder = await makeDatabaseFolder('bili-copy-');
  // Little WAL is kept, and checkpoints are frequent, so that a copy without a slot would lack segments.
  running = await start('original', ['max_wal_size=32MB', 'min_wal_size=32MB', 'checkpoint_timeout=30s']);
});
afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (name: string, settings: readonly string[] = []) =>
  startEmbedded({ dataDir: join(folder, name), ...PASSWORDS, settings: ['fsync=off', 'shared_buffers=16MB', ...settings] });

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const copyTo = (name: string) => copyDatabaseFolder(running.superuserUrl, join(folder, name, 'postgres'));

test('a copy that was made while rows were written has every row that was committed before, and no half transaction', async () => {
  const writer = await connect(running.ownerUrl);
  await writer.query('CREATE TABLE kept (id int PRIMARY KEY, pair int NOT NULL, filling text NOT NULL)');
  let committed = 0;
  let copied = false;
  const writing = (async () => {
    while (!copied) {
      const first = committed + 1;
      await writer.query(
        `INSERT INTO kept SELECT id, id / 2, repeat(md5(id::text), 500) FROM generate_series(${first}, ${first + 99}) AS id;
         UPDATE kept SET filling = reverse(filling) WHERE id % 7 = 0 AND id > ${first - 300}`,
      );
      committed = first + 99;
    }
  })();
  while (committed < 1_000) await new Promise(setImmediate);
  const before = committed;
  await copyTo('copied');
  copied = true;
  await writing;
  await writer.end();

  const second = await start('copied');
  const reader = await connect(second.ownerUrl);
  const { rows } = await reader.query('SELECT count(*)::int AS rows, max(id) AS last, count(*)::int % 100 AS half FROM kept');
  expect(rows).toEqual([{ rows: rows[0].last, last: rows[0].last, half: 0 }]);
  expect(rows[0].last).toBeGreaterThanOrEqual(before);
  expect(rows[0].last).toBeLessThanOrEqual(committed);
  // Reads every row and every index.
  await reader.query('REINDEX TABLE kept');
  await reader.end();
  await second.stop();
});

test('a copy does not replace an existing folder, leaves no slot, and repeats a killed copy', async () => {
  await copyTo('again');
  await expect(copyTo('again')).rejects.toThrow('exists already');
  await rm(join(folder, 'again', 'postgres', 'PG_VERSION'));
  await rename(join(folder, 'again', 'postgres'), join(folder, 'again', 'postgres.part'));
  await copyTo('again');
  expect(await readdir(join(folder, 'again'))).toEqual(['postgres']);
  const files = await readdir(join(folder, 'again', 'postgres'));
  expect(files).toContain('backup_label');
  expect(files).not.toContain('postmaster.pid');
  const client = await connect(running.superuserUrl);
  expect((await client.query('SELECT 1 FROM pg_replication_slots')).rows).toEqual([]);
  await client.end();
});

test('a reader that waits while the server writes more than it keeps gets a complete archive', async () => {
  const archive = archiveDatabaseFolder(running.superuserUrl);
  await once(archive, 'readable');
  const writer = await connect(running.ownerUrl);
  await writer.query('CREATE TABLE later AS SELECT repeat(md5(id::text), 100) AS filling FROM generate_series(1, 50_000) AS id');
  await writer.end();
  const owner = await connect(running.superuserUrl);
  for (let count = 0; count < 12; count += 1) await owner.query('SELECT pg_switch_wal(); CHECKPOINT');
  await owner.end();
  let size = 0;
  for await (const chunk of archive) size += chunk.length;
  expect(size).toBeGreaterThan(20_000_000);
});
