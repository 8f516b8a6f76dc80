import { beforeAll, expect, test } from 'vitest';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { readListing } from '@/lib/bills/list/listing-store';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { seedBills } from '@/lib/demo/seed-bills';
import { accessOf } from '@/lib/testing/data/access';
import { makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { explaining } from '@/lib/testing/schema/explain';
import { findEntries, readSize } from './find-store';
import { indexSearch } from './index-search';
import { searchBills } from './search-bills';
import { keysOf, partsToFind } from './search-keys';
import { listReceiptNumbers, listTail } from './search-store';

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
}, 120_000);

/** Runs a search for a fragment. Returns its table scans, each with the number of rows that it read. */
async function scansFor({ scope }: TestMerchant, fragment: string) {
  const one = { ...scope('sandbox'), billsOf: null };
  const bucket = 0;
  const keys = partsToFind('text', fragment).map((parts) => keysOf({ ...one, createdById: null }, bucket, parts));
  return readListing(runtime().db, async (tx) => {
    const { db, scans } = explaining(tx);
    await readSize(db, one);
    await findEntries(db, one, { keys, contains: fragment, limit: 25 });
    await listTail(db, one);
    await listReceiptNumbers(db, one, ['00000000-0000-7000-8000-000000000000']);
    return scans;
  });
}

test('a search reads only entries of the merchant that match, by indexes', async () => {
  const [sample] = await runtime().db.query<{ reference: string }>(
    { text: 'SELECT reference FROM bill WHERE merchant_id = $1 ORDER BY id OFFSET 700 LIMIT 1' },
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
    expect({ fragment, read: read <= most }).toEqual({ fragment, read: true });
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
