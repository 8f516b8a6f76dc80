import { expect, inject, test } from 'vitest';
import { testRuntime } from '@/testing/runtime';
import { readCatalogue } from '@/testing/schema/catalogue';
import { schemaDrift } from '@/testing/schema/schema-drift';
import { migrate } from './migrate';

const runtime = testRuntime();
/** The database for the role that owns the tables. */
const url = () => runtime().settings.MIGRATE_DATABASE_URL ?? '';

test('the migrations create the schema of schema.prisma', async () => {
  expect(await schemaDrift(url())).toBe('');
});

test('everything that Prisma does not compare agrees with prisma/catalogue.txt', async () => {
  await expect(await readCatalogue(runtime().db)).toMatchFileSnapshot('../../../prisma/catalogue.txt');
});

test('migrating twice changes nothing', async () => {
  expect(await migrate(url())).toEqual([]);
});

test("the application's role is not a superuser and cannot create roles or databases", async () => {
  const rows = await runtime().db.query({
    text: 'SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles WHERE rolname = current_user',
  });
  expect(rows).toEqual([{ rolname: 'bili', rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }]);
  expect(inject('applicationUrl')).toContain('//bili:');
});

test.each([
  'ALTER TABLE audit_entry DISABLE TRIGGER USER',
  'ALTER TABLE payment DISABLE TRIGGER payment_append_only',
  'DROP TRIGGER audit_entry_kept ON audit_entry',
  'TRUNCATE audit_entry',
  'DROP TABLE payment CASCADE',
  'DROP FUNCTION forbid_change CASCADE',
  'CREATE TABLE mine (id int)',
  "SET session_replication_role = 'replica'",
  'SET ROLE bili_owner',
  'DELETE FROM _prisma_migrations',
  "SELECT add_webhook_attempt_partition('bill', now(), now())",
  "SELECT drop_webhook_attempt_partition('audit_entry')",
  "SELECT drop_webhook_attempt_partition('webhook_attempt_2026_01_05; DROP TABLE bill')",
])("the application's role may not: %s", async (text) => {
  await expect(runtime().db.query({ text })).rejects.toThrow(/must be owner|permission denied|is not a name of a partition/);
});

test('tables of later migrations can be used by the application as well', async () => {
  await runtime().owner.query({ text: 'CREATE TABLE later (id int)' });
  await runtime().db.query({ text: 'INSERT INTO later VALUES (1)' });
  expect(await runtime().db.query({ text: 'SELECT id FROM later' })).toEqual([{ id: 1 }]);
  await runtime().owner.query({ text: 'DROP TABLE later' });
});

/** Changes of the database, and a part of the statement by which Prisma's comparison would undo each. */
const FOUND_BY_PRISMA: readonly [string, string][] = [
  ['ALTER TABLE merchant ADD COLUMN stray text', 'DROP COLUMN "stray"'],
  ['ALTER TABLE bill_note DROP COLUMN text', 'ADD COLUMN     "text" TEXT NOT NULL'],
  ['ALTER TABLE bill_import ALTER COLUMN row_count TYPE bigint', 'ALTER COLUMN "row_count" SET DATA TYPE INTEGER'],
  ['ALTER TABLE receipt ALTER COLUMN created_at TYPE timestamptz(6)', 'ALTER COLUMN "created_at" SET DATA TYPE TIMESTAMPTZ(3)'],
  ['ALTER TABLE saved_view ALTER COLUMN query DROP NOT NULL', 'ALTER COLUMN "query" SET NOT NULL'],
  ['ALTER TABLE api_key_day ALTER COLUMN uses SET DEFAULT 5', 'ALTER COLUMN "uses" SET DEFAULT 0'],
  ['ALTER TABLE mail ALTER COLUMN tries DROP DEFAULT', 'ALTER COLUMN "tries" SET DEFAULT 0'],
  ['ALTER TABLE bill_event DROP CONSTRAINT bill_event_pkey', 'ADD CONSTRAINT "bill_event_pkey" PRIMARY KEY ("bill_id", "number")'],
  ['ALTER TABLE membership DROP CONSTRAINT membership_user_id_fkey', 'ADD CONSTRAINT "membership_user_id_fkey"'],
  ['DROP INDEX session_user_id_idx', 'CREATE INDEX "session_user_id_idx"'],
  ["ALTER TYPE refusal_state ADD VALUE 'STRAY'", "CREATE TYPE \"refusal_state_new\" AS ENUM ('REQUESTED', 'ACTIVE', 'LIFTED')"],
];
/** Changes that Prisma does not compare, and a part of the text with which `readCatalogue` shows each. */
const FOUND_BY_CATALOGUE: readonly [string, string][] = [
  ['ALTER TABLE api_key ALTER COLUMN networks DROP NOT NULL', 'column api_key.networks text[]\n'],
  ['ALTER TABLE receipt ALTER COLUMN code TYPE text COLLATE "C"', 'column receipt.code text not null collate "C"'],
  ['ALTER TABLE payment ALTER CONSTRAINT payment_till_id_fkey DEFERRABLE', 'ON DELETE RESTRICT DEFERRABLE'],
  ['CREATE INDEX stray ON bill_note(bill_id) WHERE bill_id IS NULL', 'CREATE INDEX stray ON public.bill_note'],
  ['CREATE INDEX stray_order ON mail(kind text_pattern_ops)', 'CREATE INDEX stray_order ON public.mail'],
  ['ALTER TABLE payment DISABLE TRIGGER payment_append_only', 'EXECUTE FUNCTION keep_payment() (disabled)'],
  ["ALTER TYPE profile_status ADD VALUE 'stray' BEFORE 'active'", 'enum profile_status: pending, stray, active'],
  ['ALTER TABLE throttle SET UNLOGGED', 'table throttle unlogged'],
  ['ALTER TABLE mail ENABLE ROW LEVEL SECURITY', 'table mail row security'],
  ['CREATE VIEW stray_view AS SELECT 1 AS one', 'view or sequence stray_view'],
];

// This must be the last test of the file, because it changes the database that all tests of the file use.
test('one of the two comparisons finds every kind of difference', async () => {
  for (const [sql] of [...FOUND_BY_PRISMA, ...FOUND_BY_CATALOGUE]) await runtime().owner.query({ text: sql });
  const drift = await schemaDrift(url());
  for (const [, seen] of FOUND_BY_PRISMA) expect(drift).toContain(seen);
  const catalogue = await readCatalogue(runtime().db);
  for (const [, seen] of FOUND_BY_CATALOGUE) expect(catalogue).toContain(seen);
});
