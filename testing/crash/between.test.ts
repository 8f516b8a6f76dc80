// @module-tag full

import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '@/lib/platform/db/migrate';
import { startPgBouncer } from '@/testing/fakes/pgbouncer';
import { startTcpProxy } from '@/testing/fakes/tcp-proxy';
import { makeBill } from '@/testing/runtime';
import { expectAllIsWell } from './invariants';
import { drain, endLeases } from './settle';
import { hasDied, testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
const world = testWorld(0.02);
const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const databaseUrl = () => world().runtime.settings.DATABASE_URL;

async function startProxy() {
  const proxy = await startTcpProxy(Number(new URL(databaseUrl()).port));
  opened.push(() => proxy.close());
  return proxy;
}

/** Returns a function that creates a bill with an attempt. The reference of the bill is also the Idempotency-Key. */
async function creator(): Promise<(reference: string) => Promise<{ status: number; id: string }>> {
  const { merchant, sandboxUrl } = world();
  const { id, secret } = await merchant.key('sandbox');
  return async (reference) => {
    const answer = await fetch(`${sandboxUrl}/api/v3/bills/create`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json', 'idempotency-key': reference },
      body: JSON.stringify({ amount: 5000, reference, mobile: '0712345007' }),
    });
    return { status: answer.status, id: (await answer.json()).id };
  };
}

const billsLike = (prefix: string) =>
  world().runtime.db.query<{ id: string; status: string }>({ text: 'SELECT id, status FROM bill WHERE reference LIKE $1' }, [
    `${prefix}-%`,
  ]);

describe('through PgBouncer in transaction mode', () => {
  async function startPooler() {
    const pooler = await startPgBouncer({ databaseUrl: databaseUrl(), poolMode: 'transaction', settings: ['default_pool_size=5'] });
    opened.push(() => pooler.stop());
    await migrate(pooler.url);
    // `migrate` has also closed the idle connections of the test's own pool. Queries can fail until the pool has replaced them.
    const { db } = world().runtime;
    const askAll = () => Promise.all(Array.from({ length: 10 }, () => db.query({ text: 'SELECT pg_sleep(0.01)' }))).catch(() => []);
    await expect.poll(askAll).toHaveLength(10);
    return { DATABASE_URL: pooler.url };
  }

  test('many parallel, repeated creates make one paid bill each', async () => {
    const env = await startPooler();
    const create = await creator();
    const running = [await world().start('web', null, env), await world().start('worker', null, env)];
    const keys = Array.from({ length: 20 }, (_, index) => `MANY-${index}`);
    const answers = await Promise.all([...keys, ...keys].map(create));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await drain(world(), { callbacks: true });
    const bills = await billsLike('MANY');
    expect(bills.map(({ id }) => id).toSorted()).toEqual([...new Set(answers.map(({ id }) => id))].toSorted());
    expect(bills.map(({ status }) => status)).toEqual(keys.map(() => 'FULLY_PAID'));
    for (const one of running) await one.kill('SIGTERM');
    await expectAllIsWell(world());
  });

  test('web and worker are killed, and nothing is lost or done twice', async () => {
    const env = await startPooler();
    const create = await creator();
    const dying = await world().start('web', 'create.committed', env);
    await expect(create('DEATH-1')).rejects.toThrow(TypeError);
    await hasDied(dying, 'create.committed');
    const web = await world().start('web', null, env);
    expect((await create('DEATH-1')).status).toBe(200);
    for (const death of ['attempt.called', 'payment.entered', 'bookings.written', 'bookings.committed'] as const) {
      await makeBill(world().runtime, world().merchant, { mobile: '0712345007' });
      await hasDied(await world().start('worker', death, env), death);
      await endLeases(world());
    }
    const worker = await world().start('worker', null, env);
    await drain(world(), { callbacks: true });
    for (const one of [web, worker]) await one.kill('SIGTERM');
    expect(await billsLike('DEATH')).toMatchObject([{ status: 'FULLY_PAID' }]);
    await expectAllIsWell(world());
  });
});

describe('over two hosts', () => {
  test('web and worker switch to the second host when the first is lost, and back', async () => {
    const [first, second] = [await startProxy(), await startProxy()];
    await second.accept('refuse');
    const { host } = new URL(databaseUrl());
    const hosts = `127.0.0.1:${first.port},127.0.0.1:${second.port}`;
    const env = { DATABASE_URL: `${databaseUrl().replace(host, hosts)}?target_session_attrs=read-write` };
    const create = await creator();
    const running = [await world().start('web', null, env), await world().start('worker', null, env)];
    for (const [lost, other] of [
      [first, second],
      [second, first],
    ] as const) {
      await other.accept('pass');
      await lost.accept('refuse');
      lost.reset();
      // A request that is sent while the connections are lost gets 503 and is repeated with its Idempotency-Key.
      const reference = `HOSTS-${lost.port}`;
      await expect.poll(async () => (await create(reference)).status).toBe(200);
      await drain(world(), { callbacks: true });
    }
    for (const one of running) await one.kill('SIGTERM');
    expect(await billsLike('HOSTS')).toMatchObject([{ status: 'FULLY_PAID' }, { status: 'FULLY_PAID' }]);
    await expectAllIsWell(world());
  });
});

test('a primary that dies without a word costs web and worker seconds', { timeout: 200_000 }, async () => {
  const proxy = await startProxy();
  const env = { DATABASE_URL: proxy.throughProxy(databaseUrl()) };
  const create = await creator();
  const running = [await world().start('web', null, env), await world().start('worker', null, env)];
  await Promise.all(Array.from({ length: 10 }, (_, index) => create(`SILENT-${index}`)));
  proxy.blackHole();
  const died = performance.now();
  const stuck = Promise.all(Array.from({ length: 10 }, (_, index) => create(`STUCK-${index}`)));
  const readiness = async () => (await fetch(`${world().sandboxUrl}/readyz`)).status;
  // Requests on dead connections get 503. All other requests use new connections.
  const answers = (await stuck).map(({ status }) => status);
  expect(answers).toContain(503);
  expect(answers.filter((status) => status !== 503 && status !== 200)).toEqual([]);
  await expect.poll(readiness).toBe(200);
  await expect.poll(async () => (await create('SILENT-after')).status).toBe(200);
  expect(performance.now() - died).toBeLessThan(30_000);
  const paid = async () => (await billsLike('SILENT')).filter(({ status }) => status === 'FULLY_PAID').length;
  // PostgreSQL releases the locks of a dead connection after half a minute. The timeout is longer, because the machine may be busy.
  await expect.poll(paid, { timeout: 100_000 }).toBe(11);
  // A dead connection may also hold the lock for claiming deliveries, so the remaining work can take longer than usual.
  await drain(world(), { callbacks: true });
  for (const one of running) await one.kill('SIGTERM');
  await expectAllIsWell(world());
});
