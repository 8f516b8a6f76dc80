import { describe, expect, test } from 'vitest';
import { readMigrations, readReleasedChecksums } from './migrations';
import { onlineStatements } from './online-statements';

const migrations = await readMigrations();
const released = await readReleasedChecksums();

/** Tables that grow without end: an ordinary CREATE INDEX would block their writes for minutes. */
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
/** From this one on. */
const FIRST_ONLINE = '20261126';
const BLOCKING_INDEX = /CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?"?\w+"? ON (?:ONLY )?"?(\w+)"?/gi;

describe('prisma/migrations.sha256', () => {
  test('has a line for each migration; if one is missing, add it: sha256sum prisma/migrations/NAME/migration.sql >> prisma/migrations.sha256', () => {
    const missing = migrations.filter(({ name }) => !released.has(name));
    expect(missing.map(({ name, checksum }) => `${checksum}  prisma/migrations/${name}/migration.sql`)).toEqual([]);
  });

  test('agrees with every file: a released migration is never edited; write a new one instead', () => {
    const edited = migrations.filter(({ name, checksum }) => released.has(name) && !released.get(name)?.includes(checksum));
    expect(edited.map(({ name }) => name)).toEqual([]);
    const names = migrations.map(({ name }) => name);
    expect([...released.keys()].filter((name) => !names.includes(name))).toEqual([]);
  });

  test('accepts two texts only for the one that was edited after its release, and repaired by 20261126000500_prompts_index', () => {
    expect([...released].filter(([, checksums]) => checksums.length > 1).map(([name]) => name)).toEqual(['20261124000300_bill_list']);
  });
});

test('an index on a large table is created concurrently, in a migration whose first line is "-- bili: no transaction"', () => {
  const blocking = migrations
    .filter(({ name, inTransaction }) => name >= FIRST_ONLINE && inTransaction)
    .flatMap(({ name, sql }) => [...sql.matchAll(BLOCKING_INDEX)].map(([text, table = '']) => ({ name, text, table })))
    .filter(({ table }) => LARGE.includes(table));
  expect(blocking).toEqual([]);
});

test('a migration without a transaction has only statements that can be repeated', () => {
  const online = migrations.filter(({ inTransaction }) => !inTransaction);
  expect(online.map(({ name }) => name)).toContain('20261126000500_prompts_index');
  for (const { sql } of online) expect(onlineStatements(sql).length).toBeGreaterThan(0);
  expect(() => onlineStatements('CREATE INDEX "i" ON "bill"("id");')).toThrow('may only CREATE INDEX CONCURRENTLY IF NOT EXISTS');
});
