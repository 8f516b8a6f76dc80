import { describe, expect, test } from 'vitest';
import { waitForAll } from '@/lib/platform/queues/work-together';
import { testRuntime } from '@/testing/runtime';
import { openDatabase } from './database';
import { isDatabaseUnavailable, postgresError } from './errors';

const runtime = testRuntime();
const data = (slug: string) => ({ id: crypto.randomUUID(), slug, name: 'Shop', createdAt: new Date() });
const COUNT = { text: 'SELECT count(*)::int AS count FROM merchant WHERE slug LIKE $1' };

test('Prisma and SQL share the transaction: they use one session, and each sees the changes of the other', async () => {
  const { db } = runtime();
  const seen = await db.transaction(async (tx) => {
    await tx.prisma.merchant.create({ data: data('shared-1') });
    await tx.query({ text: "INSERT INTO merchant (id, slug, name, created_at) VALUES (gen_random_uuid(), 'shared-2', 'Shop', now())" });
    const [own] = await tx.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
    const [prismas] = await tx.prisma.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    return {
      samePid: own?.pid === prismas?.pid,
      prisma: await tx.prisma.merchant.count({ where: { slug: { startsWith: 'shared-' } } }),
      sql: await tx.query(COUNT, ['shared-%']),
      outside: await db.query(COUNT, ['shared-%']),
    };
  });
  expect(seen).toEqual({ samePid: true, prisma: 2, sql: [{ count: 2 }], outside: [{ count: 0 }] });
  expect(await db.query(COUNT, ['shared-%'])).toEqual([{ count: 2 }]);
});

test('a rollback undoes the changes of both, and the original error is thrown', async () => {
  const { db } = runtime();
  const reason = new Error('changed my mind');
  const failed = db.transaction(async (tx) => {
    await tx.prisma.merchant.create({ data: data('undone-1') });
    await tx.query({ text: "INSERT INTO merchant (id, slug, name, created_at) VALUES (gen_random_uuid(), 'undone-2', 'Shop', now())" });
    throw reason;
  });
  await expect(failed).rejects.toBe(reason);
  expect(await db.query(COUNT, ['undone-%'])).toEqual([{ count: 0 }]);
});

test('parallel transactions are isolated, although Prisma batches queries of the same moment', async () => {
  const { db } = runtime();
  const slugs = Array.from({ length: 8 }, (_, n) => `apart-${n}`);
  const found = await Promise.all(
    slugs.map((slug) =>
      db.transaction(async (tx) => {
        await tx.prisma.merchant.create({ data: data(slug) });
        const all = await Promise.all(slugs.map((other) => tx.prisma.merchant.findUnique({ where: { slug: other } })));
        return all.filter((merchant) => merchant !== null).map((merchant) => merchant.slug);
      }),
    ),
  );
  // Each transaction finds its own merchant. It may also find the merchants of transactions that have already been committed.
  for (const [index, seen] of found.entries()) expect(seen).toContain(slugs[index]);
  const first = await db.transaction(async (tx) => {
    await tx.prisma.merchant.create({ data: data('apart-secret') });
    return Promise.all([
      tx.prisma.merchant.findUnique({ where: { slug: 'apart-secret' } }),
      db.prisma.merchant.findUnique({ where: { slug: 'apart-secret' } }),
    ]);
  });
  expect(first.map((merchant) => merchant?.slug ?? null)).toEqual(['apart-secret', null]);
});

test("an error of a Prisma statement contains PostgreSQL's error, inside and outside a transaction", async () => {
  const { db } = runtime();
  await db.prisma.merchant.create({ data: data('taken') });
  const within = await db.transaction((tx) => tx.prisma.merchant.create({ data: data('taken') })).catch((error: unknown) => error);
  const outside = await db.prisma.merchant.create({ data: data('taken') }).catch((error: unknown) => error);
  const plain = await db
    .query({ text: "INSERT INTO merchant (id, slug, name, created_at) VALUES (gen_random_uuid(), 'taken', 'Shop', now())" })
    .catch((error: unknown) => error);
  expect([within, outside].map(postgresError)).toEqual([postgresError(plain), postgresError(plain)]);
});

test('a connection that is lost during a Prisma query is reported as unavailable', async () => {
  const { settings } = runtime();
  const db = openDatabase({ url: settings.DATABASE_URL, poolSize: 2, applicationName: 'test', onError: () => undefined });
  const lost = db.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
    await runtime().db.query({ text: 'SELECT pg_terminate_backend($1)' }, [own?.pid]);
    await tx.prisma.merchant.count();
  });
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await db.prisma.merchant.count()).toBeGreaterThanOrEqual(0);
  await db.close();
});

describe('statements that start in the same moment', () => {
  const insert = (slug: string) => ({
    text: `INSERT INTO merchant (id, slug, name, created_at) VALUES (gen_random_uuid(), '${slug}', 'Shop', now())`,
  });

  test('run in their order', async () => {
    const [count] = await runtime().db.sqlTransaction(async (tx) => {
      const inserted = [tx.query(insert('order-1')), tx.query(insert('order-2'))];
      const counted = tx.query(COUNT, ['order-%']);
      await waitForAll(inserted);
      return counted;
    });
    expect(count).toEqual({ count: 2 });
  });

  test('have no effect if one of them fails, and its error is thrown', async () => {
    const failed = runtime().db.sqlTransaction((tx) =>
      waitForAll([tx.query(insert('failed-1')), tx.query({ text: 'SELECT 1 / 0' }), tx.query(insert('failed-2'))]),
    );
    await expect(failed).rejects.toThrow('division by zero');
    expect(await runtime().db.query(COUNT, ['failed-%'])).toEqual([{ count: 0 }]);
  });
});

test('a statement that follows the end of its transaction is refused', async () => {
  const { db } = runtime();
  const { promise: rolledBack, resolve: rollBack } = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;
  const failed = db.sqlTransaction(async (tx) => {
    late = rolledBack.then(() => tx.query(COUNT, ['%']));
    late.catch(() => undefined);
    await tx.query({ text: 'SELECT 1 / 0' });
  });
  await expect(failed).rejects.toThrow('division by zero');
  rollBack();
  await expect(late).rejects.toThrow('after the end of its transaction');
});

test('an empty transaction ends', async () => {
  expect(await runtime().db.sqlTransaction(async () => 'nothing')).toBe('nothing');
});
