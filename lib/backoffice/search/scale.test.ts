import { beforeAll, expect, test } from 'vitest';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { accessOf } from '@/testing/data/access';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { indexSearch } from './index-search';
import { searchBills } from './search-bills';
import { findEntries, listTail, readSize } from './search-store';

// @module-tag full
const runtime = testRuntime();
const BILLS = 12_000;
const FEW = 40;
let large: TestMerchant;
let small: TestMerchant;
let access: MerchantAccess;

beforeAll(async () => {
  large = await makeMerchant(runtime());
  small = await makeMerchant(runtime(), 'Ndogo');
  access = await accessOf(runtime(), large, large.email);
  for (const [{ scope }, bills] of [
    [large, BILLS],
    [small, FEW],
  ] as const)
    await seedBills(runtime(), { scope: scope('sandbox'), uniqueReferences: false, bills, onProgress: () => undefined });
  // Bills are indexed a moment after they were created. With this clock, that moment is over for all bills.
  const later = { ...runtime(), clock: () => addMs(new Date(), MINUTE_MS) };
  while (await indexSearch(later));
  await runtime().owner.query({ text: 'VACUUM (ANALYZE) search_entry' });
});

/** Runs a search for a fragment. Returns its table scans, each with the number of rows that it read. */
async function scansFor({ scope }: TestMerchant, fragment: string) {
  const one = { ...scope('sandbox'), billsOf: null };
  const { db, scans } = explaining(runtime().db);
  const entries = await readSize(db, one);
  await findEntries(db, one, { kind: 'text', fragment, entries, limit: 25 });
  await findEntries(db, one, { kind: 'receipt', fragment, entries, limit: 25 });
  await listTail(db, one);
  return scans;
}

test('a search reads only entries of the merchant that match, by indexes', async () => {
  const [sample] = await runtime().db.query<{ reference: string }>(
    { text: 'SELECT reference FROM bill WHERE merchant_id = $1 ORDER BY id OFFSET 7345 LIMIT 1' },
    [large.merchant.id],
  );
  const rare = sample?.reference.toLowerCase().replaceAll('-', '').slice(-6) ?? '';
  for (const [merchant, fragment, most] of [
    [large, rare, 60],
    [large, 'nosuchthing', 0],
    [small, 'ord', 3 * FEW],
    [small, rare, 3 * FEW],
  ] as const) {
    const scans = await scansFor(merchant, fragment);
    expect(scans.filter(({ kind, table }) => kind === 'Seq Scan' && !/^search_s/.test(table))).toEqual([]);
    const read = scans.filter(({ table }) => ['search_entry', 'bill'].includes(table)).reduce((sum, { rows }) => sum + rows, 0);
    expect(read, fragment).toBeLessThanOrEqual(most);
  }
});

test('the entries are complete, and each bill is found by a part of its reference', async () => {
  const [counts] = await runtime().db.query<{ bills: number; entries: number; sizes: number }>({
    text: `SELECT (SELECT count(*)::int FROM bill) AS bills, (SELECT count(*)::int FROM search_entry e JOIN bill b ON b.id = e.id) AS entries,
             (SELECT sum(entries)::int FROM search_size) - (SELECT count(*)::int FROM search_entry) AS sizes`,
  });
  expect(counts).toEqual({ bills: BILLS + FEW, entries: BILLS + FEW, sizes: 0 });
  const samples = await runtime().db.query<{ id: string; reference: string }>(
    { text: 'SELECT id, reference FROM bill WHERE merchant_id = $1 ORDER BY md5(id::text) LIMIT 20' },
    [large.merchant.id],
  );
  for (const { id, reference } of samples) {
    const found = await searchBills(runtime(), access, { typed: reference.slice(1), shown: 25 });
    const ids = found.ok && found.value.groups.find(({ kind }) => kind === 'reference')?.matches.map(({ bill }) => bill.id);
    expect(ids).toContain(id);
  }
});

test('the newest of many matches come first', async () => {
  const found = await searchBills(runtime(), access, { typed: 'ord', shown: 5 });
  const newest = await runtime().db.query<{ id: string }>(
    { text: "SELECT id FROM bill WHERE merchant_id = $1 AND reference LIKE 'ORD%' ORDER BY id DESC LIMIT 5" },
    [large.merchant.id],
  );
  expect(
    found.ok && found.value.groups.map(({ kind, matches, more }) => ({ kind, ids: matches.map(({ bill }) => bill.id), more })),
  ).toEqual([{ kind: 'reference', ids: newest.map(({ id }) => id), more: true }]);
});
