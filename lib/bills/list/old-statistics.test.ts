import { beforeAll, expect, test } from 'vitest';
import { findEntries } from '@/lib/bills/search/find-store';
import { findBills } from '@/lib/bills/search/search-store';
import { parseMobile } from '@/lib/core/mobile';
import type { Queryable } from '@/lib/db/database';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { explaining } from '@/lib/testing/schema/explain';
import { ALL_BILLS, type BillFilter } from './filter';
import { indexScans } from './index-scans';
import { selectBills } from './list-bills';
import { ANY_VALUES, type BillSelection } from './listing-sql';
import { listBillRows, listNewest, newestFirstPlan, readListing } from './listing-store';
import { newestOfTabsStatement, summaryStatement, totalsStatement } from './summary-statements';

const runtime = testRuntime();
const BILLS = 3_000;
let shop: TestMerchant;

beforeAll(async () => {
  // When the statistics are made, the merchant has no bills. So the planner expects that no index finds more than one of them.
  await makeBill(runtime(), await makeMerchant(runtime()));
  await runtime().owner.query({ text: 'ANALYZE bill, push_attempt' });
  shop = await makeMerchant(runtime());
  await runtime().db.query(
    {
      text: `INSERT INTO bill (id, merchant_id, environment, amount, reference, mobile, created_at)
             SELECT (lpad(to_hex(1790000000000 + n), 12, '0') || '7000a000000000000000')::uuid, $1, 'sandbox', 500000, 'MANY-' || n % 9, '0744000001', now()
             FROM generate_series(1, $2) n`,
    },
    [shop.merchant.id, BILLS],
  );
  await runtime().db.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, failure_reason, created_at, settled_at)
             SELECT gen_random_uuid(), merchant_id, environment, id, 'api', '0744000001', 'vodacom', amount, upper(left(md5(id::text), 20)), 'FAILED', 'wrong_pin', now(), now()
             FROM bill WHERE merchant_id = $1`,
    },
    [shop.merchant.id],
  );
  await runtime().db.query(
    {
      text: `INSERT INTO search_entry (keys, id, bill_id, merchant_id, environment, text)
             SELECT '{1}', id, id, merchant_id, environment, lower(reference) FROM bill WHERE merchant_id = $1`,
    },
    [shop.merchant.id],
  );
});

const selectionOf = () => selectBills({ scope: shop.scope('sandbox'), billsOf: null }, ALL_BILLS, runtime().clock());

function scanOf(selection: BillSelection) {
  const [scan] = indexScans(selection);
  if (!scan) throw new Error('every list has an index scan');
  return scan;
}

const STATEMENTS: readonly [string, number, (db: Queryable) => Promise<unknown>][] = [
  [
    'a page of a list',
    50,
    (db) => listBillRows(db, selectionOf(), newestFirstPlan(selectionOf()), { key: 'created', descending: true, cursor: null, limit: 50 }),
  ],
  ...[{}, { reference: 'MANY-7' }, { mobile: parseMobile('0744000001') }].map((exact): (typeof STATEMENTS)[number] => [
    `a page of the API with ${JSON.stringify(exact)}`,
    100,
    (db) => {
      const selection = { ...selectionOf(), exact: { ...ANY_VALUES, ...exact } };
      return listNewest(db, selection, { cursor: null, limit: 49, readMax: 100 });
    },
  ]),
  [
    'the sums of a list and its tabs',
    BILLS,
    async (db) => {
      const { statement, values } = summaryStatement(selectionOf(), scanOf(selectionOf()));
      await statement.rows(db, values);
    },
  ],
  [
    'the sums of a list',
    BILLS,
    async (db) => {
      const { statement, values } = totalsStatement(selectionOf(), scanOf(selectionOf()));
      await statement.rows(db, values);
    },
  ],
  [
    'the newest bills of each tab',
    5 * 50,
    async (db) => {
      const { statement, values } = newestOfTabsStatement(selectionOf(), 50);
      await statement.rows(db, values);
    },
  ],
  ['a search by amount', BILLS, (db) => findBills(db, selectionOf().scope, { lookup: 'amount', text: 500_000n, limit: 25 })],
  ['a search by fragments', 25, (db) => findEntries(db, selectionOf().scope, { keys: [[1]], contains: 'many', limit: 25 })],
];

/** Returns how many rows of a table a function reads. */
async function rowsRead(table: string, read: (db: Queryable) => Promise<unknown>): Promise<number> {
  return readListing(runtime().db, async (tx) => {
    const { db, scans } = explaining(tx);
    await read(db);
    return scans.filter((scan) => scan.table === table).reduce((sum, { rows }) => sum + rows, 0);
  });
}

test.each(STATEMENTS)('%s: each bill is read once by its id, although the statistics are old', async (_, bills, read) => {
  const rows = await rowsRead('bill', read);
  expect(rows).toBeGreaterThan(0);
  // The index scan of the list and the lookups by id.
  expect(rows).toBeLessThanOrEqual(2 * bills);
});

const FILTERS: readonly Partial<BillFilter>[] = [
  { network: 'vodacom' },
  { mobile: parseMobile('0744000001') },
  { failed: true },
  { reason: 'wrong_pin' },
];

test.each(FILTERS)('a page filtered by %j reads only the attempts of its bills, although the statistics are old', async (filter) => {
  const selection = selectBills({ scope: shop.scope('sandbox'), billsOf: null }, { ...ALL_BILLS, ...filter }, runtime().clock());
  const page = { key: 'created', descending: true, cursor: null, limit: 50 } as const;
  const rows = await rowsRead('push_attempt', (db) => listBillRows(db, selection, newestFirstPlan(selection), page));
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(2 * page.limit);
});
