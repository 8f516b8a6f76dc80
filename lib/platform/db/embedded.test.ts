import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { type EmbeddedPostgres, findRunningEmbedded, startEmbedded } from './embedded';
import { migrate } from './migrate';

const PASSWORDS = { databasePassword: 'test', superuserPassword: 'test' };

let folder = '';
let original = '';
let running: EmbeddedPostgres;
beforeAll(async () => {
  folder = await makeDatabaseFolder('bili-embedded-');
  original = join(folder, 'original');
  running = await start(original);
});
afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (dataDir: string) =>
  startEmbedded({ dataDir, ...PASSWORDS, settings: ['fsync=off', 'full_page_writes=off', 'shared_buffers=16MB'] });

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Copies the data folder while its server runs. */
async function copyOriginal(name: string): Promise<string> {
  await rows(running.superuserUrl, 'CHECKPOINT');
  const copy = join(folder, name);
  await cp(original, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

const pidOf = async (dataDir: string) => (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');

test('a server is found in its own folder, by any path, and not in a copy of the folder', async () => {
  expect(await findRunningEmbedded(original, PASSWORDS)).toMatchObject({ url: running.url, ownerUrl: running.ownerUrl });
  expect(await findRunningEmbedded(join(folder, 'other', '..', 'original'), PASSWORDS)).toMatchObject({ url: running.url });
  const copy = await copyOriginal('found');
  expect(await findRunningEmbedded(copy, PASSWORDS)).toBeUndefined();
});

test('a copy of a running folder starts beside the original, which keeps running', async () => {
  const copy = await copyOriginal('copied');
  const second = await start(copy);
  expect(new URL(second.url).port).not.toBe(new URL(running.url).port);
  for (const server of [running, second]) expect(await rows(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await findRunningEmbedded(copy, PASSWORDS)).toMatchObject({ url: second.url });
  await second.stop();
  expect(await rows(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.each(['of another server', 'of a process that is no server'])('a lock file with the id %s is a leftover', async (name) => {
  const dataDir = await copyOriginal(`leftover ${name}`);
  const [pid = '', , ...others] = await pidOf(original);
  const used = name === 'of another server' ? pid : String(process.ppid);
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), [used, join(dataDir, 'postgres'), ...others].join('\n'));
  expect(await findRunningEmbedded(dataDir, PASSWORDS)).toBeUndefined();
  const second = await start(dataDir);
  expect(await rows(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await rows(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await second.stop();
});

test('variables of libpq do not reach the embedded database', async () => {
  const variables = { PGSSLMODE: 'require', PGOPTIONS: '-c search_path=shop', PGUSER: 'shop' };
  Object.assign(process.env, variables);
  expect(await findRunningEmbedded(original, PASSWORDS)).toMatchObject({ url: running.url });
  Object.assign(process.env, variables);
  const second = await start(join(folder, 'variables'));
  expect(await rows(second.url, 'SHOW search_path')).toEqual([{ search_path: '"$user", public' }]);
  expect(Object.keys(variables).filter((name) => name in process.env)).toEqual([]);
  await second.stop();
});

test('a folder of another major version is not opened', async () => {
  const dataDir = await copyOriginal('version');
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await expect(start(dataDir)).rejects.toThrow(/PostgreSQL 17.*PostgreSQL 18.*database upgrade/);
});

test('the tables of a folder of an older version, whose only role owned them, get an owner', async () => {
  const dataDir = join(folder, 'older');
  const first = await start(dataDir);
  await migrate(first.ownerUrl, { applicationUrl: first.url });
  const inDatabase = first.superuserUrl.replace(/\/postgres$/, '/bili');
  await rows(inDatabase, 'REASSIGN OWNED BY bili_owner TO bili; DROP OWNED BY bili_owner; DROP ROLE bili_owner');
  expect(await findRunningEmbedded(dataDir, PASSWORDS)).toMatchObject({ url: first.url, ownerUrl: first.url });
  await first.stop();

  const second = await start(dataDir);
  await migrate(second.ownerUrl, { applicationUrl: second.url });
  expect(await rows(second.url, 'SELECT count(*)::int AS merchants FROM merchant')).toEqual([{ merchants: 0 }]);
  const owners = `SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION SELECT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = 'public'::regnamespace`;
  expect(await rows(second.url, owners)).toEqual([{ owner: 'bili_owner' }]);
  await expect(rows(second.url, 'ALTER TABLE audit_entry DISABLE TRIGGER USER')).rejects.toThrow('must be owner');
  await second.stop();
});
