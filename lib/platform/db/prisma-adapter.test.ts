import { expect, test } from 'vitest';
import { testRuntime } from '@/testing/runtime';
import { openDatabase } from './database';
import { isBusy, isDatabaseUnavailable, postgresError } from './errors';

const runtime = testRuntime();

const LOCK = 'SELECT pg_advisory_xact_lock($1::int)::text AS locked';

test('errors of a statement through Prisma are those of PostgreSQL', async () => {
  const { db } = runtime();
  const caught = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);
  expect(postgresError(await caught(db.prisma.$queryRawUnsafe('SELECT 1 / $1::int', 0)))).toMatchObject({ code: '22012' });
  await db.transaction(async (tx) => {
    await tx.query({ text: LOCK }, [7]);
    const error = await caught(
      db.transaction(async (other) => {
        await other.query({ text: "SET LOCAL lock_timeout = '20ms'" });
        await other.prisma.$queryRawUnsafe(LOCK, 7);
      }),
    );
    expect(isBusy(error)).toBe(true);
  });
  const nowhere = openDatabase({ url: 'postgres://127.0.0.1:9/none', poolSize: 1, applicationName: 'test', onError: () => undefined });
  const lost = await caught(nowhere.prisma.$queryRawUnsafe(LOCK, 7));
  await nowhere.close();
  expect([isDatabaseUnavailable(lost), isBusy(lost)]).toEqual([true, false]);
});
