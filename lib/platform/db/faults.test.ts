import { afterEach, describe, expect, test } from 'vitest';
import { testDatabase } from '@/testing/database';
import { startTcpProxy, type TcpProxy } from '@/testing/fakes/tcp-proxy';
import { type Database, openDatabase } from './database';
import { isDatabaseUnavailable } from './errors';
import type { WatchLimits } from './watch-sessions';

const url = testDatabase();
const opened: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const FAST: WatchLimits = { everyMs: 50, silenceMs: 300, answerMs: 60_000 };
const ONE = { text: 'SELECT 1 AS one' };

function open(address: string, limits: WatchLimits = FAST, poolSize = 4): Database {
  const db = openDatabase({ url: address, poolSize, applicationName: 'test', onError: () => undefined, connectMs: 2_000, limits });
  opened.push(db);
  return db;
}

async function openProxied(limits?: WatchLimits): Promise<{ db: Database; proxy: TcpProxy }> {
  const proxy = await startTcpProxy(Number(new URL(url()).port));
  opened.push(proxy);
  const db = open(proxy.throughProxy(url()), limits);
  const sleep = { text: 'SELECT pg_sleep(0.05)' };
  await Promise.all([1, 2, 3, 4].map(() => db.query(sleep)));
  expect(proxy.passing()).toBe(4);
  return { db, proxy };
}

describe('a server that dies without closing its connections', () => {
  test('is detected, and new connections work immediately', async () => {
    const { db, proxy } = await openProxied();
    proxy.blackHole();
    const stuck = Array.from({ length: 4 }, () => db.query(ONE));
    const outcomes = await Promise.allSettled(stuck);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: expect.toSatisfy(isDatabaseUnavailable) });
    expect(await db.query(ONE)).toEqual([{ one: 1 }]);
  });

  test('fails a transaction and a Prisma query as unavailable', async () => {
    const { db, proxy } = await openProxied();
    const inTransaction = db.transaction(async (tx) => {
      proxy.blackHole();
      await tx.query(ONE);
    });
    await expect(inTransaction).rejects.toSatisfy(isDatabaseUnavailable);
    await expect(db.prisma.merchant.count()).rejects.toSatisfy(isDatabaseUnavailable);
    await expect(db.prisma.$transaction([db.prisma.merchant.count()])).rejects.toSatisfy(isDatabaseUnavailable);
  });

  test('and is still unreachable fails every statement at its time limit', async () => {
    const { db, proxy } = await openProxied({ ...FAST, answerMs: 600 });
    await proxy.accept('hang');
    proxy.blackHole();
    await expect(db.query(ONE)).rejects.toThrow('did not answer a statement in time');
    await proxy.accept('pass');
    await expect.poll(() => db.query(ONE).catch(() => null)).toEqual([{ one: 1 }]);
  });

  test('does not prevent closing the pool', async () => {
    const { db, proxy } = await openProxied();
    proxy.blackHole();
    await db.close();
  });
});

test('while a server answers nobody, statements fail at once, and work again when it answers', async () => {
  const { db, proxy } = await openProxied({ ...FAST, stallMs: 200 });
  await proxy.accept('hang');
  proxy.blackHole();
  // FAST drops no statement for a minute if no server answers.
  await expect(db.query(ONE)).rejects.toThrow('the server does not answer');
  const asked = performance.now();
  await expect(db.query(ONE)).rejects.toSatisfy(isDatabaseUnavailable);
  await expect(db.transaction((tx) => tx.query(ONE))).rejects.toThrow('the server does not answer');
  await expect(db.prisma.merchant.count()).rejects.toSatisfy(isDatabaseUnavailable);
  expect(performance.now() - asked).toBeLessThan(FAST.answerMs);
  await proxy.accept('pass');
  await expect.poll(() => db.query(ONE).catch(() => null)).toEqual([{ one: 1 }]);
});

describe('a session that ends before its next use', () => {
  const PID = { text: 'SELECT pg_backend_pid() AS pid' };

  /**
   * Lets the server answer a statement and then end the only session, while other work waits for that session. The proxy delays the answer
   * and the end of the session, so that the process reads both at the same time.
   */
  async function endBetween<Value>(waiting: (db: Database) => Promise<Value>): Promise<Promise<Value>> {
    const proxy = await startTcpProxy(Number(new URL(url()).port));
    opened.push(proxy);
    const db = open(proxy.throughProxy(url()), FAST, 1);
    const admin = open(url());
    const [own] = await db.query<{ pid: number }>(PID);
    const sessions = () => admin.query({ text: 'SELECT state, query FROM pg_stat_activity WHERE pid = $1' }, [own?.pid]);
    proxy.hold();
    const answered = db.query(ONE);
    const handedOn = waiting(db);
    handedOn.catch(() => undefined);
    await expect.poll(sessions).toEqual([{ state: 'idle', query: ONE.text }]);
    await admin.query({ text: 'SELECT pg_terminate_backend($1)' }, [own?.pid]);
    await expect.poll(sessions).toEqual([]);
    proxy.flow();
    expect(await answered).toEqual([{ one: 1 }]);
    return handedOn;
  }

  test.each<[string, (db: Database) => Promise<unknown>]>([
    ['a transaction', (db) => db.transaction((tx) => tx.query(ONE))],
    ['a transaction of Prisma', (db) => db.prisma.$transaction([db.prisma.merchant.count()])],
    ['a statement', (db) => db.query(ONE)],
  ])('fails %s as unavailable, and does not end the process', async (_name, waiting) => {
    await expect(endBetween(waiting)).rejects.toSatisfy(isDatabaseUnavailable);
  });
});

describe('a slow statement', () => {
  test('is not dropped while the server works on it', async () => {
    const db = open(url());
    expect(await db.query({ text: 'SELECT pg_sleep(1.2), 1 AS one' })).toMatchObject([{ one: 1 }]);
  });

  test('has no time limit in an unlimited transaction', async () => {
    const db = open(url(), { ...FAST, answerMs: 400 });
    const slow = { text: 'SELECT pg_sleep(1), 1 AS one' };
    await expect(db.query(slow)).rejects.toSatisfy(isDatabaseUnavailable);
    expect(await db.transaction((tx) => tx.query(slow), { unlimited: true })).toMatchObject([{ one: 1 }]);
  });
});

describe('a query with a time limit', () => {
  test('fails in time if the server does not answer', async () => {
    const { db, proxy } = await openProxied({ ...FAST, silenceMs: 10_000 });
    proxy.blackHole();
    const startedAt = performance.now();
    await expect(db.runWithin(200, () => db.query(ONE))).rejects.toSatisfy(isDatabaseUnavailable);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    proxy.reset();
  });

  test('has no result, but does not fail, while all connections are busy and answer', async () => {
    const db = open(url());
    // 60 queries of 50 ms take at least 750 ms on the pool's four sessions. That is more than the limit of 500 ms.
    const work = Array.from({ length: 60 }, () => db.query({ text: 'SELECT pg_sleep(0.05)' }));
    expect(await db.runWithin(500, () => db.query(ONE))).toBeUndefined();
    await Promise.all(work);
  });
});

describe('a read-only server', () => {
  const change = (db: Database, value: string) =>
    db.query({ text: `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${value}', current_database()); END $$` });

  test('refuses a write, and the session is replaced by a new one that may write', async () => {
    const db = open(url(), FAST, 1);
    await db.query({ text: 'SET default_transaction_read_only = on' });
    const write = { text: 'DELETE FROM merchant WHERE false' };
    await expect(db.query(write)).rejects.toSatisfy(isDatabaseUnavailable);
    await db.query(write);
    await db.query({ text: 'SET default_transaction_read_only = on' });
    await expect(db.transaction((tx) => tx.query(write))).rejects.toSatisfy(isDatabaseUnavailable);
    await db.transaction((tx) => tx.query(write));
    await db.query({ text: 'SET default_transaction_read_only = on' });
    await expect(db.prisma.merchant.deleteMany({ where: { slug: 'none' } })).rejects.toSatisfy(isDatabaseUnavailable);
    await db.prisma.merchant.deleteMany({ where: { slug: 'none' } });
  });

  test('gets no new session until it accepts writes again', async () => {
    const admin = open(url());
    await change(admin, 'SET default_transaction_read_only = on');
    const db = open(url());
    await expect(db.query(ONE)).rejects.toThrow('the server is read-only');
    await change(admin, 'RESET default_transaction_read_only');
    expect(await db.query(ONE)).toEqual([{ one: 1 }]);
  });
});

test('deadlocks, serialization failures and time limits count as unavailable, and the session can still be used', async () => {
  const db = open(url(), FAST, 1);
  const raise = (code: string) => db.query({ text: `DO $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '${code}'; END $$` });
  const [before] = await db.query({ text: 'SELECT pg_backend_pid() AS pid' });
  for (const code of ['40001', '40P01', '55P03', '57014']) await expect(raise(code)).rejects.toSatisfy(isDatabaseUnavailable);
  await expect(raise('23505')).rejects.not.toSatisfy(isDatabaseUnavailable);
  expect(await db.query({ text: 'SELECT pg_backend_pid() AS pid' })).toEqual([before]);
});
