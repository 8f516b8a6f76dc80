import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onlineStatements } from './migrate';
import { INITIAL_MIGRATION, MIGRATIONS_FOLDER, type Migration, readMigrations } from './migrations';

const migrations = await readMigrations();
/** Lines in the format of `sha256sum`. */
const released = (await readFile(join(dirname(MIGRATIONS_FOLDER), 'migrations.sha256'), 'utf8')).trimEnd().split('\n');
const checksumLine = ({ name, checksum }: Migration) => `${checksum}  prisma/migrations/${name}/migration.sql`;

describe('prisma/migrations.sha256', () => {
  test('has a line for each migration; if one is missing, add it: sha256sum prisma/migrations/NAME/migration.sql >> prisma/migrations.sha256', () => {
    const missing = migrations.filter(({ name }) => !released.some((line) => line.includes(`/${name}/`)));
    expect(missing.map(checksumLine)).toEqual([]);
  });

  test('agrees with every file (never edit a released migration; write a new one)', () => {
    expect(released.toSorted()).toEqual(migrations.map(checksumLine).toSorted());
  });
});

/** Tables that grow without limit. An ordinary CREATE INDEX would block writes to them for minutes. */
const LARGE = [
  'bill',
  'bill_event',
  'push_attempt',
  'provider_message',
  'payment',
  'payment_allocation',
  'webhook_delivery',
  'event_feed_entry',
  'idempotency_key',
  'audit_entry',
];
const BLOCKING_INDEX = /CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?"?\w+"? ON (?:ONLY )?"?(\w+)"?/gi;

/** Returns the large tables to which a migration would block writes. */
const blockedTables = ({ sql, inTransaction }: Pick<Migration, 'sql' | 'inTransaction'>) =>
  inTransaction ? [...sql.matchAll(BLOCKING_INDEX)].flatMap(([, table = '']) => (LARGE.includes(table) ? [table] : [])) : [];

test('an index on a large table is created concurrently, in a migration whose first line is "-- bili: no transaction"', () => {
  // The initial migration creates the tables, so it blocks no writes.
  const [initial, ...later] = migrations;
  expect(initial?.name).toBe(INITIAL_MIGRATION);
  expect(later.filter((migration) => blockedTables(migration).length > 0)).toEqual([]);
  const sql = 'CREATE INDEX "i" ON "bill"("id"); CREATE INDEX "j" ON "merchant"("id");';
  expect(blockedTables({ sql, inTransaction: true })).toEqual(['bill']);
});

test('a migration without a transaction has only statements that can be repeated', () => {
  for (const { sql } of migrations.filter(({ inTransaction }) => !inTransaction)) expect(onlineStatements(sql)).not.toEqual([]);
  expect(onlineStatements('-- bili: no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "bill"("id");')).toHaveLength(1);
  expect(() => onlineStatements('CREATE INDEX "i" ON "bill"("id");')).toThrow('may only CREATE INDEX CONCURRENTLY IF NOT EXISTS');
});
