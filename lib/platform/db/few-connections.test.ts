import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '@/testing/database';
import { type Database, openDatabase } from './database';
import { sentenceOf } from './errors';

const url = testDatabase();
const ONE = { text: 'SELECT 1 AS one' };
const SLOW = { text: 'SELECT pg_sleep(0.05), 1 AS one' };
const COUNT = { text: 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1' };
const LIMIT = 3;

let opened: Database[] = [];
let reported: unknown[] = [];

function open(applicationName: string, poolSize = 6): Database {
  const db = openDatabase({ url: url(), poolSize, applicationName, onError: (error) => reported.push(error) });
  opened.push(db);
  return db;
}

async function limitConnections(db: Database, limit: number): Promise<void> {
  await db.query({ text: `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT ${limit}', current_database()); END $$` });
}

beforeEach(async () => {
  const admin = open('admin', 1);
  await limitConnections(admin, LIMIT);
  await closeAll();
});
afterEach(async () => {
  const [first] = opened;
  if (first) await limitConnections(first, -1);
  await closeAll();
});

async function closeAll(): Promise<void> {
  for (const db of opened) await db.close();
  opened = [];
  reported = [];
}

const many = (db: Database, count: number) => Promise.allSettled(Array.from({ length: count }, () => db.query(SLOW)));
const refused = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.filter(({ status }) => status === 'rejected').length;

test('a process that gets fewer connections than its pool size works with them and reports the reason', async () => {
  const db = open('web');
  expect(await db.query(ONE)).toEqual([{ one: 1 }]);
  expect(refused(await many(db, 30))).toBe(0);
  expect(refused(await Promise.allSettled(Array.from({ length: 30 }, () => db.transaction((tx) => tx.query(SLOW)))))).toBe(0);
  expect(refused(await Promise.allSettled(Array.from({ length: 30 }, () => db.prisma.merchant.count())))).toBe(0);
  expect(reported.length).toBeGreaterThan(0);
  expect(sentenceOf(reported[0])).toContain('SQLSTATE 53300');
});

test('a busy process with all connections closes one, so that another process can connect', async () => {
  const worker = open('worker');
  await worker.query(ONE);
  let busy = true;
  const work = Promise.all(
    Array.from({ length: 12 }, async () => {
      while (busy) await worker.query(SLOW);
    }),
  );
  const webConnects = async () => {
    await expect.poll(() => worker.query(COUNT, ['worker'])).toEqual([{ count: LIMIT }]);
    const web = open('web');
    await expect.poll(() => web.query(ONE).catch(sentenceOf)).toEqual([{ one: 1 }]);
    busy = false;
  };
  // If a statement of the worker fails, `work` rejects, and so the test fails.
  await Promise.all([webConnects(), work]).finally(() => {
    busy = false;
  });
});

test('a process opens all its connections again when the server accepts them', async () => {
  const db = open('web');
  await db.query(ONE);
  await many(db, 30);
  await limitConnections(db, -1);
  await expect.poll(async () => (await many(db, 12).then(() => db.query<{ count: number }>(COUNT, ['web'])))[0]?.count).toBe(6);
});
