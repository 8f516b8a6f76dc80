import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from './database';
import { type EmbeddedPostgres, startEmbedded } from './embedded';

const PASSWORDS = { databasePassword: 'test', superuserPassword: 'test' };
const SETTINGS = ['fsync=off', 'shared_buffers=16MB'];
const WRITE = { text: 'CREATE TABLE IF NOT EXISTS written (at timestamptz)' };

let folder = '';
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;

/** A primary, and a standby made of a copy of it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-hosts-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const made = await startEmbedded({ dataDir: first, ...PASSWORDS, settings: SETTINGS });
  await made.stop();
  await cp(first, second, { recursive: true, preserveTimestamps: true });
  await writeFile(join(second, 'postgres', 'standby.signal'), '');
  primary = await startEmbedded({ dataDir: first, ...PASSWORDS, settings: SETTINGS });
  standby = await startEmbedded({ dataDir: second, ...PASSWORDS, settings: SETTINGS });
});
afterAll(async () => {
  await standby.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the first host that can be written to is used, and the promoted standby once it is lost', async () => {
  const url = new URL(primary.url);
  const [host, standbyHost] = [url.host, new URL(standby.url).host];
  const address = primary.url.replace(host, `${standbyHost},${host}`);
  const db = openDatabase({
    url: `${address}?target_session_attrs=read-write`,
    poolSize: 2,
    applicationName: 'test',
    onError: () => undefined,
  });
  const port = async () => (await db.query<{ port: string }>({ text: "SELECT current_setting('port') AS port" }))[0]?.port;
  await db.query(WRITE);
  expect(await port()).toBe(url.port);

  await primary.stop();
  await expect(db.query(WRITE)).rejects.toThrow(/standby or in recovery.*ECONNREFUSED|ECONNREFUSED.*standby or in recovery/);
  const superuser = new pg.Client(standby.superuserUrl);
  await superuser.connect();
  await superuser.query('SELECT pg_promote()');
  await superuser.end();
  await db.query(WRITE);
  expect(await port()).toBe(new URL(standby.url).port);
  await db.close();
});
