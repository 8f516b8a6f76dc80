import type { BillInfo } from '@/lib/bills/bill-info';
import type { Bill } from '@/lib/bills/rules';
import { BILL_COLUMNS, BILL_TYPES, INFO_COLUMNS, INFO_TYPES } from '@/lib/bills/store';
import type { Database, Queryable } from '@/lib/db/database';
import { array, environment, nullable, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { indexScans } from './index-scans';
import { LIMITS } from './listing-limits';
import { type BillSelection, isExactScan, type ListScope } from './listing-sql';
import { type Page, type Plan, pageStatement, readEndStatement, scanCountsStatement } from './listing-statements';
import type { PageCursor, SortKey } from './page-cursor';

const settings = (name: string, pairs: Readonly<Record<string, string>>) =>
  statement({
    name,
    text: `SELECT ${Object.entries(pairs)
      .map(([setting, value]) => `set_config('${setting}', '${value}', true) AS ${setting}`)
      .join(', ')}`,
    parameters: {},
    columns: Object.fromEntries(Object.keys(pairs).map((setting) => [setting, text])),
  });

const BY_INDEXES = settings('read lists by indexes', {
  transaction_read_only: 'on',
  enable_seqscan: 'off',
});
export const IN_ORDER = settings('read a list in order', { enable_sort: 'off', enable_hashagg: 'off', enable_bitmapscan: 'off' });
export const IN_ANY_ORDER = settings('read a list in any order', { enable_sort: 'on', enable_hashagg: 'on', enable_bitmapscan: 'on' });

/**
 * Reads lists in a read-only transaction with index scans. Otherwise the planner would optimize for the whole list, and read every bill
 * to return one page.
 */
export async function readListing<Value>(db: Database, work: (tx: Queryable) => Promise<Value>): Promise<Value> {
  return db.sqlTransaction(async (tx) => {
    await BY_INDEXES.rows(tx, {});
    return work(tx);
  });
}

/**
 * Chooses the index scan with the fewest bills. Counting stops at a limit. If the scan finds few bills, all are fetched and sorted. If it
 * finds many, the page is read from the smallest index scan that has the order of the list. A small scan skips long periods without
 * matching bills.
 */
export async function planListing(tx: Queryable, selection: BillSelection, key: SortKey, limits = LIMITS): Promise<Plan> {
  const scans = indexScans(selection);
  const upTo = scans.length > 2 ? limits.comparedMax : limits.sortedMaxUnordered;
  const { statement: count, values } = scanCountsStatement(scans, upTo);
  const row = await count.first(tx, values);
  const [rarest, ...others] = scans.map((scan, index) => ({ scan, count: row?.counts[index] ?? 0 })).sort((a, b) => a.count - b.count);
  const inOrder = [rarest, ...others].find((one) => one?.scan.ordered === key);
  if (!rarest || !inOrder) throw new Error(`no index scan has the order of ${key}`);
  const most = rarest === inOrder ? limits.sortedMax : limits.sortedMaxUnordered;
  const countable = rarest.count <= most;
  const exact = isExactScan(selection);
  // An exact scan finds only bills of the list. If it also has the order of the list, nothing needs sorting, even if it finds few bills.
  if (!countable || (exact && rarest === inOrder)) return { scan: inOrder.scan, sortAll: false, exact, countable };
  return { scan: rarest.scan, sortAll: true, exact: false, countable };
}

/** Returns a plan in the order of the ids, for the few newest bills of a list. */
export function newestFirstPlan(selection: BillSelection): Plan {
  const scan = indexScans(selection).findLast(({ ordered }) => ordered === 'created');
  if (!scan) throw new Error('no index scan has the order of the ids');
  return { scan, sortAll: false, exact: false, countable: false };
}

/**
 * Returns a page of the newest bills without counting any. Reads at most `readMax` bills of one index scan, so that no filter is slow.
 * @returns the bills, and `end`: the id of the last bill that was read, if there may be more behind it.
 */
export async function listNewest(
  tx: Queryable,
  selection: BillSelection,
  { cursor, limit, readMax }: { readonly cursor: PageCursor | null; readonly limit: number; readonly readMax: number },
): Promise<{ readonly rows: readonly (Bill & BillInfo)[]; readonly end: string | null }> {
  const scan = indexScans(selection).find(({ ordered }) => ordered === 'created');
  if (!scan) throw new Error('no index scan has the order of the ids');
  const plan = { scan, sortAll: false, exact: false, countable: false };
  // One additional row shows whether there is another page.
  const page: Page = { key: 'created', descending: true, cursor, limit: limit + 1, readMax };
  const rows = await listBillRows(tx, selection, plan, page);
  if (rows.length > limit) return { rows: rows.slice(0, limit), end: rows[limit - 1]?.id ?? null };
  const { statement: end, values } = readEndStatement(plan, page);
  return { rows, end: (await end.first(tx, values))?.id ?? null };
}

/** Returns the bills of a page in the order of the list, also for a page before the cursor. */
export async function listBillRows(tx: Queryable, selection: BillSelection, plan: Plan, page: Page): Promise<(Bill & BillInfo)[]> {
  const { statement: list, values } = pageStatement(selection, plan, page);
  await (plan.sortAll ? IN_ANY_ORDER : IN_ORDER).rows(tx, {});
  const rows = await list.rows(tx, values);
  return page.cursor?.side === 'before' ? rows.reverse() : rows;
}

const FIND = statement({
  name: 'find bills of a scope',
  text: `SELECT ${BILL_COLUMNS}, ${INFO_COLUMNS} FROM bill b WHERE b.id = ANY ($ids) AND b.merchant_id = $merchantId AND b.environment = $environment
         AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf)`,
  parameters: { ids: array(uuid), merchantId: uuid, environment, billsOf: nullable(uuid) },
  columns: { ...BILL_TYPES, ...INFO_TYPES },
});

export async function findBillRows(
  tx: Queryable,
  { merchantId, environment, billsOf }: ListScope,
  ids: readonly string[],
): Promise<(Bill & BillInfo)[]> {
  return FIND.rows(tx, { ids, merchantId, environment, billsOf });
}
