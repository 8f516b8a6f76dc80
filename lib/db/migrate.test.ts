import { expect, inject, test } from 'vitest';
import { testRuntime } from '@/lib/testing/runtime';
import { readCatalogue } from '@/lib/testing/schema/catalogue';
import { schemaDrift } from '@/lib/testing/schema/schema-drift';
import { migrate } from './migrate';

const runtime = testRuntime();

test('the migrations make what schema.prisma says', async () => {
  expect(await schemaDrift(runtime().settings.DATABASE_URL)).toBe('');
});

test('a difference would be noticed', async () => {
  await runtime().db.query({ text: 'ALTER TABLE merchant ADD COLUMN stray text' });
  expect(await schemaDrift(runtime().settings.DATABASE_URL)).toContain('DROP COLUMN "stray"');
  await runtime().db.query({ text: 'ALTER TABLE merchant DROP COLUMN stray' });
});

test('constraints, partial indexes, triggers and functions are those of prisma/catalogue.txt', async () => {
  await expect(await readCatalogue(runtime().db)).toMatchFileSnapshot('../../prisma/catalogue.txt');
});

test('migrating twice changes nothing', async () => {
  expect(await migrate(runtime().settings.DATABASE_URL)).toEqual([]);
});

test("the application's role is no superuser and may make neither roles nor databases", async () => {
  const rows = await runtime().db.query({
    text: 'SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles WHERE rolname = current_user',
  });
  expect(rows).toEqual([{ rolname: 'bili', rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }]);
  expect(inject('templateUrl')).toContain('//bili:');
});
