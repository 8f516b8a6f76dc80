import { expect, test } from 'vitest';
import { testRuntime } from '@/lib/testing/runtime';
import { isDatabaseUnavailable } from './database';

const runtime = testRuntime();
const TERMINATE = { text: 'SELECT pg_terminate_backend($1)' };
const OWN_PID = { text: 'SELECT pg_backend_pid() AS pid' };

test('a connection that is lost in a transaction fails that transaction alone', async () => {
  const { db } = runtime();
  const lost = db.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>(OWN_PID);
    await db.query(TERMINATE, [own?.pid]);
    await tx.query({ text: 'SELECT 1' });
  });
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await db.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

test('what a failed transaction did is undone', async () => {
  const { db } = runtime();
  const failed = db.transaction(async (tx) => {
    await tx.query({ text: "INSERT INTO merchant (id, slug, name, created_at) VALUES (gen_random_uuid(), 'undone', 'Undone', now())" });
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await db.query({ text: "SELECT 1 FROM merchant WHERE slug = 'undone'" })).toEqual([]);
});

test('amounts are read as exact integers', async () => {
  expect(await runtime().db.query({ text: 'SELECT 9007199254740993::bigint AS senti' })).toEqual([{ senti: 9007199254740993n }]);
});
