import { expect, test } from 'vitest';
import { testRuntime } from '@/testing/runtime';
import { openDatabase } from './database';
import { isDatabaseUnavailable } from './errors';
import { SESSION_SETTINGS } from './session';

const runtime = testRuntime();
const TERMINATE = { text: 'SELECT pg_terminate_backend($1)' };
const OWN_PID = { text: 'SELECT pg_backend_pid() AS pid' };

test('a connection that is lost in a transaction fails only that transaction', async () => {
  const { db } = runtime();
  const lost = db.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>(OWN_PID);
    await db.query(TERMINATE, [own?.pid]);
    await tx.query({ text: 'SELECT 1' });
  });
  await expect(lost).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await db.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

test('a failed transaction is rolled back', async () => {
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

test('every session has the settings and the application name', async () => {
  const { db } = runtime();
  const rows = await db.query<{ name: string; setting: string }>(
    { text: 'SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name' },
    [[...Object.keys(SESSION_SETTINGS), 'application_name']],
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    ...SESSION_SETTINGS,
    application_name: 'bili-test',
  });
});

test('Prisma writes and reads timestamps correctly in a session with another time zone', async () => {
  const db = openDatabase({ url: runtime().settings.DATABASE_URL, poolSize: 1, applicationName: 'test', onError: () => undefined });
  await db.query({ text: "SET TimeZone = 'Africa/Dar_es_Salaam'" });
  const createdAt = new Date('2026-11-22T00:15:51.123Z');
  await db.prisma.merchant.create({ data: { id: crypto.randomUUID(), slug: 'zone', name: 'Zone', createdAt } });
  expect(await db.prisma.merchant.findFirst({ where: { createdAt }, select: { slug: true, createdAt: true } })).toEqual({
    slug: 'zone',
    createdAt,
  });
  expect(await db.query({ text: "SELECT created_at AS at FROM merchant WHERE slug = 'zone'" })).toEqual([{ at: createdAt }]);
  await db.close();
});
