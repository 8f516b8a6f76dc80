import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { migrate } from './migrate';
import { INITIAL_MIGRATION } from './migrations';
import { compareSchema, schemaProblem } from './schema-version';

const runtime = testRuntime();
const url = () => runtime().settings.MIGRATE_DATABASE_URL ?? '';
const rows = (text: string) => runtime().owner.query({ text });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-migrations-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
}

const recorded = async (name: string) =>
  (await rows(`SELECT 1 FROM _prisma_migrations WHERE migration_name = '${name}' AND finished_at IS NOT NULL`)).length;

/** Resolves as soon as a statement that starts with this text waits for a lock. */
async function waitUntilBlocked(statement: string): Promise<void> {
  const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '${statement}%' AND wait_event_type = 'Lock'`;
  await expect.poll(() => rows(text), { interval: 20 }).toHaveLength(1);
}

const ONLINE = '-- bili: no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_test"\n  ON "bill"("amount");\n';
const validity = () => rows("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('bill_test')");

describe('an index of a migration without a transaction', () => {
  test('is built while bills are created, and a killed build is repeated', async () => {
    const merchant = await makeMerchant(runtime());
    await write('9001_online', ONLINE);
    const { db } = runtime();
    // The concurrent build of the index waits for this transaction, which has written to the table. Other statements must not wait for the
    // build.
    await db.transaction(async (tx) => {
      await tx.query({ text: 'SELECT 1 FROM bill FOR UPDATE' });
      await tx.query({ text: "UPDATE bill SET amount = amount WHERE reference = 'none'" });
      const first = migrate(url(), { folder });
      first.catch(() => undefined);
      await waitUntilBlocked('CREATE INDEX CONCURRENTLY');
      await makeBill(runtime(), merchant);
      await rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'");
      await expect(first).rejects.toThrow('The migration 9001_online could not be applied');
      expect(await validity()).toEqual([{ valid: false }]);
      expect(await recorded('9001_online')).toBe(0);
    });
    expect(await migrate(url(), { folder })).toEqual(['9001_online']);
    expect(await validity()).toEqual([{ valid: true }]);
    expect(await migrate(url(), { folder })).toEqual([]);
  });
});

describe('a migration in a transaction', () => {
  test('stops waiting for a lock so that other statements can continue, and retries', async () => {
    await write('9002_column', 'ALTER TABLE merchant ADD COLUMN test_column text;');
    const { db } = runtime();
    let waiting: Promise<string[]> | undefined;
    await db.transaction(async (tx) => {
      await tx.query({ text: 'SELECT 1 FROM merchant' });
      await expect(migrate(url(), { folder, patienceMs: 0 })).rejects.toThrow('a long transaction holds a lock on a table');
      waiting = migrate(url(), { folder });
      await waitUntilBlocked('ALTER TABLE merchant');
      // This statement fails if it waits for more than 5 seconds.
      await rows('SELECT count(*) FROM merchant');
    });
    expect(await waiting).toEqual(['9002_column']);
  });

  test('that fails changes nothing, and can be applied after it is corrected', async () => {
    await write('9003_wrong', 'CREATE TABLE half_done (id int); SELECT no_such_column FROM merchant;');
    await expect(migrate(url(), { folder })).rejects.toThrow('The migration 9003_wrong could not be applied: column "no_such_column"');
    expect(await rows("SELECT to_regclass('half_done')::text AS found")).toEqual([{ found: null }]);
    // Prisma's engine leaves an unfinished row like this one if it is killed.
    await rows("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('half', 'none', '9003_wrong')");
    await write('9003_wrong', 'CREATE TABLE half_done (id int);');
    expect(await migrate(url(), { folder })).toEqual(['9003_wrong']);
  });

  test('is applied once by processes that migrate at the same time', async () => {
    await write('9004_once', 'CREATE TABLE once_only (id int);');
    const applied = await Promise.all([migrate(url(), { folder }), migrate(url(), { folder }), migrate(url(), { folder })]);
    expect(applied.flat()).toEqual(['9004_once']);
  });
});

test('a database with tables of another program is refused', async () => {
  const other = new URL(inject('superuserUrl'));
  await rows('CREATE SCHEMA other');
  await rows('CREATE TABLE other.theirs (id int)');
  other.href = url();
  other.searchParams.set('options', '-c search_path=other');
  await expect(migrate(other.href, { folder })).rejects.toThrow("The database has tables that are not Bili's, for example theirs");
});

test('the migrations of program and database are compared by name and checksum', async () => {
  const { db } = runtime();
  await rows("DELETE FROM _prisma_migrations WHERE migration_name LIKE '900%'");
  const same = { empty: false, missing: [], unknown: [], changed: [], unusable: null };
  expect(await compareSchema(db)).toEqual(same);
  expect(schemaProblem(await compareSchema(db))).toBeUndefined();

  await rows(`UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name = '${INITIAL_MIGRATION}'`);
  expect(await compareSchema(db)).toMatchObject({ ...same, changed: [{ name: INITIAL_MIGRATION }] });

  await rows(`UPDATE _prisma_migrations SET migration_name = '99990101000000_later' WHERE migration_name = '${INITIAL_MIGRATION}'`);
  const compared = await compareSchema(db);
  expect(compared).toEqual({ ...same, missing: [INITIAL_MIGRATION], unknown: ['99990101000000_later'] });
  expect(schemaProblem(compared)).toBe(
    `The database is older than this version of Bili: it lacks the migration ${INITIAL_MIGRATION}. Run "npm run -s bili -- migrate" first.`,
  );
});
