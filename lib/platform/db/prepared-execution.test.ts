import { expect, test } from 'vitest';
import { testRuntime } from '@/testing/runtime';
import type { Queryable } from './database';

const runtime = testRuntime();

/** Runs a prepared statement twice in one session: the first execution prepares it, the second one is a PreparedExecution. */
async function runTwice<Row extends Record<string, unknown>>(name: string, text: string, values: readonly unknown[]): Promise<Row[][]> {
  const run = (tx: Queryable) => tx.query<Row>({ name, text }, values);
  return runtime().db.sqlTransaction(async (tx) => [await run(tx), await run(tx)]);
}

test('the second execution of a prepared statement returns the same as the first', async () => {
  const values = ['æ "1"', 7n, true, new Date('2026-11-20T08:00:00.123Z'), Buffer.from([0, 255]), ['a', null, 'b,"c'], null, 1.5];
  const [first, second] = await runTwice(
    'every type',
    `SELECT $1::text AS a, $2::bigint AS b, $3::boolean AS c, $4::timestamptz AS d, $5::bytea AS e, $6::text[] AS f, $7::text AS g, $8::float8 AS h
     FROM generate_series(1, 2)`,
    values,
  );
  const row = { a: values[0], b: 7n, c: true, d: values[3], e: values[4], f: values[5], g: null, h: 1.5 };
  expect(first).toEqual([row, row]);
  expect(second).toEqual(first);
});

test.each(['0044-03-15 12:00:00+00', '12026-01-01 00:00:00.5+00', '0044-03-15 12:00:00+00 BC', '2026-11-20 08:00:00.123456+00'])(
  'the instant %s is read exactly',
  async (text) => {
    const [first, second] = await runTwice<{ seconds: number; at: Date }>(
      `instant ${text}`,
      'SELECT extract(epoch FROM $1::timestamptz)::float8 AS seconds, $1::timestamptz AS at',
      [text],
    );
    const [{ seconds, at } = { seconds: Number.NaN, at: new Date(0) }] = first ?? [];
    expect(at.getTime()).toBe(Math.floor(seconds * 1_000));
    expect(second).toEqual(first);
  },
);

test('an error in the second execution leaves the session usable', async () => {
  const { db } = runtime();
  const divide = (by: number) => db.query({ name: 'divide', text: 'SELECT 6 / $1::int AS result' }, [by]);
  expect(await divide(2)).toEqual([{ result: 3 }]);
  expect(await divide(3)).toEqual([{ result: 2 }]);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  await expect(db.query({ name: 'divide', text: 'SELECT 6 / $1::int AS result' }, [new Date(Number.NaN)])).rejects.toThrow(RangeError);
  expect(await divide(6)).toEqual([{ result: 1 }]);
});

test('two statements with one name are refused', async () => {
  const { db } = runtime();
  expect(await db.query({ name: 'same name', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  await expect(db.query({ name: 'same name', text: 'SELECT 2 AS two' })).rejects.toThrow('must be unique');
});
