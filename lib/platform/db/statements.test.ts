import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { testRuntime } from '@/testing/runtime';
import { bill, merchant } from './generated/tables';
import '@/testing/schema/listing-variants';
import { type Catalogue, checkStatement, readCatalogue } from '@/testing/schema/check-statement';
import { readSourceFiles } from '@/testing/structure/source-files';
import { enumType, int4, int8, neverNull, nullable, type Types, text, timestamptz, uuid } from './sql-types';
import { declaredStatements, variant } from './statement';

const runtime = testRuntime();
let client: pg.Client;
let catalogue: Catalogue;
beforeAll(async () => {
  client = new pg.Client(runtime().settings.DATABASE_URL);
  await client.connect();
  catalogue = await readCatalogue(client);
});
afterAll(() => client.end());

test('every declared statement agrees with the database', { timeout: 120_000 }, async () => {
  const declaring = readSourceFiles().filter(({ isProduct, text }) => isProduct && /\b(statement|registerVariants)\(/.test(text));
  for (const { path } of declaring) await import(/* @vite-ignore */ join(PROJECT_ROOT, path));
  const wrong: string[] = [];
  for (const declared of declaredStatements) wrong.push(...(await checkStatement(client, catalogue, declared)));
  expect(wrong).toEqual([]);
  const names = declaredStatements.map(({ name, text }) => `${name}: ${text}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('an error in a declaration is reported with the name of the statement', async () => {
  const check = (body: string, parameters: Types, columns: Types) =>
    checkStatement(client, catalogue, variant({ name: 'tried', text: body, parameters, columns }));
  expect(await check('SELECT id, name FROM merchant WHERE slug = $slug', { slug: text }, { id: uuid, name: text })).toEqual([]);
  expect(await check('SELECT renamed FROM merchant', {}, { renamed: text })).toEqual(['tried: column "renamed" does not exist']);
  expect(await check('SELECT id FROM merchant WHERE slug = $slug', { slug: int4 }, { name: text })).toEqual([
    'tried: parameter slug is text, declared as integer',
    'tried: it returns (id), declared are (name)',
  ]);
  expect(await check('SELECT name FROM merchant', {}, { name: nullable(text) })).toEqual([
    'tried: column name is never null, and is declared as if it could be',
  ]);
  const paidAt = 'SELECT paid_at AS "paidAt" FROM bill WHERE paid_at IS NOT NULL';
  expect(await check(paidAt, {}, { paidAt: timestamptz })).toEqual(['tried: column paidAt may be null, and is not declared so']);
  expect(await check(paidAt, {}, { paidAt: neverNull(timestamptz) })).toEqual([]);
  expect(await check('SELECT environment FROM bill', {}, { environment: enumType('environment', ['sandbox', 'test']) })).toEqual([
    'tried: column environment has the values live,sandbox, declared as sandbox,test',
  ]);
  expect(await check('SELECT count(*) AS count FROM bill', {}, { count: int8 })).toEqual([]);
  expect(await check('SELECT created_at AS at FROM bill', {}, { at: bill.paidAt })).toEqual([
    'tried: column at is created_at, declared as paid_at',
    'tried: column at is never null, and is declared as if it could be',
  ]);
  const joined = 'SELECT b.id, m.slug FROM bill b LEFT JOIN merchant m ON m.id = b.merchant_id';
  expect(await check(joined, {}, { id: bill.id, slug: merchant.slug })).toEqual(['tried: column slug may be null, and is not declared so']);
  expect(await check(joined, {}, { id: bill.id, slug: nullable(merchant.slug) })).toEqual([]);
  const other = `WITH other AS (SELECT id, slug FROM merchant) SELECT o.slug FROM bill b LEFT JOIN other o ON o.id = b.merchant_id`;
  expect(await check(other, {}, { slug: merchant.slug })).toEqual(['tried: column slug may be null, and is not declared so']);
});

test('a statement with an undeclared parameter throws immediately', () => {
  expect(() => variant({ name: 'tried', text: 'SELECT $one, $two', parameters: { one: text }, columns: {} })).toThrow(
    'statement "tried" does not declare its parameter $two',
  );
});
