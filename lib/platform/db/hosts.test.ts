import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTcpProxy } from '@/testing/fakes/tcp-proxy';
import { type Database, openDatabase } from './database';
import { type EmbeddedPostgres, startEmbedded } from './embedded';
import type { SessionNeed } from './session';

const PASSWORDS = { databasePassword: 'test', superuserPassword: 'test' };
const SETTINGS = ['fsync=off', 'shared_buffers=16MB'];
const WRITE = { text: 'CREATE TABLE IF NOT EXISTS written (at timestamptz)' };

let folder = '';
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;

/** Starts a primary, and a standby from a copy of it. */
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

const promote = { text: 'SELECT pg_promote()' };
const SHOW_PORT = { text: "SELECT current_setting('port') AS port" };
const portOf = (url: string) => new URL(url).port;

function open(url: string, need: SessionNeed = 'serves'): Database {
  return openDatabase({ url, poolSize: 2, applicationName: 'test', need, onError: () => undefined });
}

/** Returns a URL with the standby first and the primary second. */
function bothHosts(): string {
  const { host } = new URL(primary.ownerUrl);
  return primary.ownerUrl.replace(host, `${new URL(standby.ownerUrl).host},${host}`);
}

test('the first host that accepts writes is used, and after its loss the promoted standby', async () => {
  const db = open(`${bothHosts()}?target_session_attrs=read-write`);
  await db.query(WRITE);
  expect(await db.query(SHOW_PORT)).toEqual([{ port: portOf(primary.ownerUrl) }]);
  const reader = open(bothHosts(), 'answers');
  expect(await reader.query(SHOW_PORT)).toEqual([{ port: portOf(primary.ownerUrl) }]);

  await primary.stop();
  await expect(db.query(WRITE)).rejects.toThrow(/standby or in recovery.*ECONNREFUSED|ECONNREFUSED.*standby or in recovery/);
  expect(await reader.query(SHOW_PORT)).toEqual([{ port: portOf(standby.ownerUrl) }]);
  const superuser = new pg.Client(standby.superuserUrl);
  await superuser.connect();
  await superuser.query(promote);
  await superuser.end();
  await db.query(WRITE);
  expect(await db.query(SHOW_PORT)).toEqual([{ port: portOf(standby.ownerUrl) }]);
  for (const one of [db, reader]) await one.close();
});

test('if another server answers at the address, the sessions of the previous server are dropped', async () => {
  const old = await startEmbedded({ dataDir: join(folder, 'first'), ...PASSWORDS, settings: SETTINGS });
  const proxy = await startTcpProxy(Number(portOf(old.ownerUrl)));
  const db = open(proxy.throughProxy(old.ownerUrl));
  expect(await db.query(SHOW_PORT)).toEqual([{ port: portOf(old.ownerUrl) }]);
  proxy.pointAt(Number(portOf(standby.ownerUrl)));
  expect(await db.query(SHOW_PORT)).toEqual([{ port: portOf(old.ownerUrl) }]);
  const slow = { text: `${SHOW_PORT.text} FROM pg_sleep(0.5)` };
  const [first, second] = await Promise.allSettled([db.query(slow), db.query(slow)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('another server has taken over') } });
  expect(second).toMatchObject({ status: 'fulfilled', value: [{ port: portOf(standby.ownerUrl) }] });
  expect(await db.query(SHOW_PORT)).toEqual([{ port: portOf(standby.ownerUrl) }]);
  await db.close();
  proxy.close();
  await old.stop();
});
