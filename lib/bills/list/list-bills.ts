import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { BillInfo } from '@/lib/bills/bill-info';
import type { Bill } from '@/lib/bills/rules';
import { MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import type { BillFilter, BillQuery } from './filter';
import type { ListingLimits } from './listing-limits';
import type { BillSelection } from './listing-sql';
import type { Plan } from './listing-statements';
import { listBillRows, planListing, readListing } from './listing-store';
import { type ListedBill, withNewestAttempts } from './newest-attempts';
import { formatCursor, type PageCursor, positionOf, readCursor, sortOf } from './page-cursor';
import { periodInstants } from './period';
import { type ListSummary, summarizeList } from './summarize-list';

export interface BillPage {
  readonly bills: readonly ListedBill[];
  /** The cursors of the previous and the next page, as they appear in the address; null if there is no such page. */
  readonly previous: string | null;
  readonly next: string | null;
  /**
   * The number of bills on all pages. `many`: an index finds exactly these bills, but they are too many to count. Null: the indexes also
   * find other bills, and there are too many to read them all and count those that match.
   */
  readonly total: number | 'many' | null;
  readonly summary: ListSummary;
  /** An id. Bills with a higher id were created after this page was read. */
  readonly newest: string;
  /** Whether the address had a cursor that does not belong to this list. The first page is shown instead. */
  readonly pageInvalid: boolean;
}

interface ListBillsOptions extends Pick<BillQuery, 'filter' | 'sort' | 'size'> {
  readonly page: string | null;
  /** Set by tests only. */
  readonly limits?: ListingLimits;
}

/** Returns a page of the bills that a member may see: all of the merchant, or a collector's own. */
export async function listBills(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { page, limits, ...query }: ListBillsOptions,
): Promise<Result<BillPage, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const now = clock();
  const selection = selectBills(access, query.filter, now);
  const { key } = sortOf(query);
  const cursor = page === null ? null : readCursor(key, page);
  const read = await readListing(db, async (tx) => {
    const plan = await planListing(tx, selection, key, limits);
    const rows = await readPage(tx, selection, plan, query, cursor);
    const summary = await summarizeList(tx, selection, plan, limits);
    const bills = await withNewestAttempts(tx, selection.scope, rows.bills);
    return { ...rows, bills, summary, total: totalOf(summary, plan) };
  });
  // To count new bills, a refresh reads all bills with an id above `newest`, also those that do not match the filter. If the newest bill of
  // the list is old, these could be very many. So `newest` is at least the lowest id of one minute ago.
  const recentId = lowestId(now.getTime() - MINUTE_MS);
  const newest = read.bills[0] !== undefined && read.bills[0].id > recentId ? read.bills[0].id : recentId;
  return ok({ ...read, newest, pageInvalid: page !== null && cursor === null });
}

export function selectBills({ scope, billsOf }: Pick<MerchantAccess, 'scope' | 'billsOf'>, filter: BillFilter, now: Date): BillSelection {
  const period = filter.period === null ? { from: null, until: null } : periodInstants(filter.period, now);
  return { scope: { ...scope, billsOf }, filter, period };
}

function totalOf({ totals }: ListSummary, { exact }: Plan): BillPage['total'] {
  return totals?.count ?? (exact ? 'many' : null);
}

async function readPage(
  tx: Queryable,
  selection: BillSelection,
  plan: Plan,
  query: BillQuery,
  cursor: PageCursor | null,
): Promise<Pick<BillPage, 'previous' | 'next'> & { readonly bills: readonly (Bill & BillInfo)[] }> {
  const sort = sortOf(query);
  // One additional row shows whether there is another page.
  const rows = await listBillRows(tx, selection, plan, { ...sort, cursor, limit: query.size + 1 });
  const more = rows.length > query.size;
  const backwards = cursor?.side === 'before';
  // There are too few rows before the cursor to fill a page. Instead of them, the first page of the list is read, which is full.
  if (backwards && !more) return readPage(tx, selection, plan, query, null);
  const bills = backwards ? rows.slice(1) : rows.slice(0, query.size);
  const at = (side: PageCursor['side'], bill: Bill | undefined) =>
    bill === undefined ? null : formatCursor(sort.key, { side, position: positionOf(sort.key, bill) });
  return { bills, previous: cursor === null ? null : at('before', bills[0]), next: more ? at('after', bills.at(-1)) : null };
}
