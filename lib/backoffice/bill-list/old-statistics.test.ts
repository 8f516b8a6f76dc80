import { beforeAll, expect, test } from 'vitest';
import { keysOf, partsOf } from '@/lib/backoffice/search/search-entry';
import { findBills, findEntries } from '@/lib/backoffice/search/search-store';
import { parseMobile } from '@/lib/platform/core/mobile';
import type { Queryable } from '@/lib/platform/db/database';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { ALL_BILLS, type BillFilter } from './bill-query';
import { selectBills } from './list-bills';
import { findPage, summaryStatement, tabsStatement } from './list-store';
import { listNewest } from './listing-store';

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
             SELECT $2, id, id, merchant_id, environment, lower(reference) FROM bill WHERE merchant_id = $1`,
    },
    [shop.merchant.id, keysOf({ ...shop.scope('sandbox'), createdById: null }, 0, partsOf('text', 'many'))],
  );
});

const selectionOf = (filter: Partial<BillFilter> = {}) =>
  selectBills({ scope: shop.scope('sandbox'), billsOf: null }, { ...ALL_BILLS, ...filter }, runtime().clock());
const PAGE = { key: 'created', descending: true, cursor: null, limit: 50 } as const;
const MOBILE = parseMobile('0744000001');
const scopeOf = () => ({ ...shop.scope('sandbox'), billsOf: null });

/** `most`: the most bills that it may read. */
type Read = readonly [name: string, most: number, read: (db: Queryable) => Promise<unknown>];
const STATEMENTS: readonly Read[] = [
  ['a page of a list', 2 * PAGE.limit, (db) => findPage(db, selectionOf(), PAGE)],
  ['a page that collects bills', 2 * BILLS, (db) => findPage(db, selectionOf({ reference: 'MANY' }), PAGE)],
  ['a page that collects too many bills', 3 * PAGE.limit + 10, (db) => findPage(db, selectionOf({ reference: 'MANY' }), PAGE, 50)],
  [
    'the sums of a list',
    2 * BILLS,
    (db) => {
      const { statement, values } = summaryStatement(selectionOf(), selectionOf());
      return statement.rows(db, values);
    },
  ],
  [
    'the bills of each tab',
    7 * BILLS,
    (db) => {
      const { statement, values } = tabsStatement(selectionOf(), 50);
      return statement.rows(db, values);
    },
  ],
  ...[{}, { reference: 'MANY-7' }, { mobile: MOBILE }].map(
    (exact): Read => [
      `a page of the API with ${JSON.stringify(exact)}`,
      2 * 100,
      (db) => {
        const { period } = selectionOf();
        const selection = { scope: scopeOf(), statuses: [], period, exact: { reference: null, mobile: null, metadata: null, ...exact } };
        return listNewest(db, selection, { cursor: null, limit: 49, readMax: 100 });
      },
    ],
  ),
  ['a search by amount', 2 * BILLS, (db) => findBills(db, scopeOf(), { lookup: 'amount', text: 500_000n, limit: 25 })],
  ['a search by fragments', 2 * 25, (db) => findEntries(db, scopeOf(), { kind: 'text', fragment: 'many', entries: 0n, limit: 25 })],
];

/** Returns how many rows of a table a function reads. */
async function rowsRead(table: string, read: (db: Queryable) => Promise<unknown>): Promise<number> {
  const { db, scans } = explaining(runtime().db);
  await read(db);
  return scans.filter((scan) => scan.table === table).reduce((sum, { rows }) => sum + rows, 0);
}

test.each(STATEMENTS)('%s does not read more bills than necessary, although the statistics are old', async (_, most, read) => {
  const rows = await rowsRead('bill', read);
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(most);
});

const FILTERS: readonly Partial<BillFilter>[] = [{ network: 'vodacom' }, { mobile: MOBILE }, { failed: true }, { reason: 'wrong_pin' }];

test.each(FILTERS)('a page filtered by %j reads each attempt at most twice, although the statistics are old', async (filter) => {
  const rows = await rowsRead('push_attempt', (db) => findPage(db, selectionOf(filter), PAGE));
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(2 * BILLS);
});
