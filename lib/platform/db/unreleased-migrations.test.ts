import { expect, test } from 'vitest';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { statusByPrisma } from '@/testing/schema/apply-with-prisma';
import { recordUnreleased, UNRELEASED } from '@/testing/schema/unreleased';
import { migrate } from './migrate';
import { readMigrations } from './migrations';
import { compareSchema, schemaProblem } from './schema-version';
import { findUnreleasedMigrations, UNRELEASED_PROBLEM } from './unreleased-migrations';

const runtime = testRuntime();
const url = () => runtime().settings.MIGRATE_DATABASE_URL ?? '';
const records = () => runtime().db.query<{ name: string }>({ text: 'SELECT migration_name AS name FROM _prisma_migrations' });

test('in the database of the last development version, only the records of migrations are replaced', async () => {
  const migrations = (await readMigrations()).map(({ name }) => name);
  await makeBill(runtime(), await makeMerchant(runtime()));
  await recordUnreleased(runtime().owner);
  const before = await compareSchema(runtime().db);
  expect(before).toMatchObject({ missing: migrations, unknown: [], changed: [], unusable: null });
  expect(schemaProblem(before)).toContain('Run "npm run -s bili -- migrate" first');

  expect(await migrate(url())).toEqual(migrations);
  expect(await records()).toEqual(migrations.map((name) => ({ name })));
  expect(await runtime().db.query({ text: 'SELECT 1 FROM bill' })).toHaveLength(1);
  expect(schemaProblem(await compareSchema(runtime().db))).toBeUndefined();
  expect(await statusByPrisma(url())).toEqual([]);
  expect(await migrate(url())).toEqual([]);
});

test.each([
  ['lacks the last migration', UNRELEASED.slice(0, -1)],
  ['has only the first migration', UNRELEASED.slice(0, 1)],
  [
    'has another text of a migration',
    [{ ...UNRELEASED[0], name: '20261120000000_first', checksum: '0'.repeat(64) }, ...UNRELEASED.slice(1)],
  ],
  ['has one more migration', [...UNRELEASED, { name: '20261126000999_more', checksum: '0'.repeat(64) }]],
])('a database of a development version that %s is refused and not changed', async (_, migrations) => {
  await recordUnreleased(runtime().owner, migrations);
  const before = await records();
  await expect(migrate(url())).rejects.toThrow(UNRELEASED_PROBLEM);
  expect(await records()).toEqual(before);
  const compared = await compareSchema(runtime().db);
  expect(compared).toMatchObject({ unknown: [], unusable: UNRELEASED_PROBLEM });
  expect(schemaProblem(compared)).toBe(UNRELEASED_PROBLEM);
});

test('both texts of the edited migration are accepted', () => {
  const edited = UNRELEASED.map((migration) =>
    migration.name === '20261124000300_bill_list'
      ? { ...migration, checksum: '33b2f54d83429145d17e4b18dd2eec24b994867e1745b357ddc2f08c2e742d98' }
      : migration,
  );
  expect(edited).not.toEqual(UNRELEASED);
  expect([UNRELEASED, edited].map(findUnreleasedMigrations)).toEqual(['complete', 'complete']);
  expect(findUnreleasedMigrations([])).toBe('none');
});
