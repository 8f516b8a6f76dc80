import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '@/testing/database';
import { applyWithPrisma, statusByPrisma } from '@/testing/schema/apply-with-prisma';
import { migrate } from './migrate';
import { readMigrations } from './migrations';

const [ours, theirs] = [testDatabase('template0'), testDatabase('template0')];

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const COLUMNS = `SELECT attname, format_type(atttypid, atttypmod) AS type, attnotnull, pg_get_expr(adbin, adrelid) AS default
  FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = '_prisma_migrations'::regclass AND attnum > 0 ORDER BY attnum`;
const CONSTRAINTS =
  "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '_prisma_migrations'::regclass AND contype <> 'n'";
const ROWS = `SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count, length(id) AS id_length,
  started_at <= finished_at AND finished_at <= clock_timestamp() AND started_at > now() - interval '1 minute' AS times_fit
  FROM _prisma_migrations ORDER BY migration_name`;

test("the records of migrations are the same as those of Prisma's own engine", async () => {
  const names = (await readMigrations()).map(({ name }) => name);
  expect(await migrate(ours())).toEqual(names);
  expect(await applyWithPrisma(theirs())).toEqual(names);
  for (const sql of [COLUMNS, CONSTRAINTS, ROWS]) {
    const expected = await query(theirs(), sql);
    expect(expected).not.toEqual([]);
    expect(await query(ours(), sql)).toEqual(expected);
  }
  expect(await query(ours(), ROWS)).toMatchObject(names.map((name) => ({ migration_name: name, times_fit: true })));
});

test("after our migrations Prisma's engine has nothing to apply, and the other way round", async () => {
  expect(await statusByPrisma(ours())).toEqual([]);
  expect(await applyWithPrisma(ours())).toEqual([]);
  expect(await migrate(theirs())).toEqual([]);
});
