import type { Bill } from '@/lib/gateway/bills/rules';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { isUuid, lowestId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import {
  type BillFilter,
  type BillQuery,
  formatCursor,
  type PageCursor,
  periodInstants,
  positionOf,
  readCursor,
  sortOf,
} from './bill-query';
import { type BillSelection, findListed, findPage, type ListedBill, type ListSummary, summarize } from './list-store';

export interface BillPage extends ListSummary {
  readonly bills: readonly ListedBill[];
  /** The cursors of the previous and the next page, as they appear in the address; null if there is no such page. */
  readonly previous: string | null;
  readonly next: string | null;
  /** An id. Bills with a higher id were created after this page was read. */
  readonly newest: string;
  /** Whether the address had a cursor that does not belong to this list. The first page is shown instead. */
  readonly pageInvalid: boolean;
}

interface ListBillsOptions extends Pick<BillQuery, 'filter' | 'sort' | 'size'> {
  readonly page: string | null;
  /** Set by tests only. */
  readonly limits?: { readonly collected: number; readonly summed: number; readonly counted: number };
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
  const cursor = page === null ? null : readCursor(sortOf(query).key, page);
  const [read, summary] = await Promise.all([
    readPage(db, selection, query, cursor, limits?.collected),
    summarize(db, selection, limits ?? {}),
  ]);
  // To count new bills, a refresh reads all bills with an id above `newest`, also those that do not match the filter. If the newest bill of
  // the list is old, these could be very many. So `newest` is at least the lowest id of one minute ago.
  const recentId = lowestId(now.getTime() - MINUTE_MS);
  const newest = read.bills[0] !== undefined && read.bills[0].id > recentId ? read.bills[0].id : recentId;
  return ok({ ...read, ...summary, newest, pageInvalid: page !== null && cursor === null });
}

export function selectBills({ scope, billsOf }: Pick<MerchantAccess, 'scope' | 'billsOf'>, filter: BillFilter, now: Date): BillSelection {
  const period = filter.period === null ? { from: null, until: null } : periodInstants(filter.period, now);
  return { scope, billsOf, filter, period };
}

async function readPage(
  db: Connection,
  selection: BillSelection,
  query: BillQuery,
  cursor: PageCursor | null,
  collected: number | undefined,
): Promise<Pick<BillPage, 'bills' | 'previous' | 'next'>> {
  const sort = sortOf(query);
  // One additional bill shows whether there is another page.
  const ids = await findPage(db, selection, { ...sort, cursor, limit: query.size + 1 }, collected);
  const more = ids.length > query.size;
  const backwards = cursor?.side === 'before';
  // There are too few bills before the cursor to fill a page. Instead of them, the first page of the list is read, which is full.
  if (backwards && !more) return readPage(db, selection, query, null, collected);
  const bills = await findListed(db, selection, backwards ? ids.slice(1) : ids.slice(0, query.size));
  const at = (side: PageCursor['side'], bill: Bill | undefined) =>
    bill === undefined ? null : formatCursor(sort.key, { side, position: positionOf(sort.key, bill) });
  return { bills, previous: cursor === null ? null : at('before', bills[0]), next: more ? at('after', bills.at(-1)) : null };
}

/** Returns those of the bills that a member may see, in the order of their ids, as the bill list shows them. */
export async function findBillsById(
  { db }: Pick<Runtime, 'db'>,
  access: MerchantAccess,
  ids: readonly string[],
): Promise<readonly ListedBill[]> {
  return may(access, 'bills.view') ? findListed(db, access, ids) : [];
}

/** New bills are counted up to this number. */
export const NEW_COUNTED = 100;
/** The largest page size. */
const IDS_MAX = 100;

interface RefreshBillsOptions {
  readonly query: BillQuery;
  /** The bills on the screen. */
  readonly ids: readonly string[];
  /** The id above which new bills are counted; null if new bills would not appear at the top of this page. */
  readonly newest: string | null;
}

/** Returns the current data of the bills on the screen, including those that no longer match the filter, and the number of newer bills. */
export async function refreshBills(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { query, ids, newest }: RefreshBillsOptions,
): Promise<Result<{ readonly bills: readonly ListedBill[]; readonly newer: number }, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const selection = selectBills(access, query.filter, clock());
  const { key, descending } = sortOf(query);
  const bills = await findListed(db, selection, ids.filter(isUuid).slice(0, IDS_MAX));
  if (newest === null || !isUuid(newest) || key !== 'created' || !descending) return ok({ bills, newer: 0 });
  const cursor = { side: 'before', position: { id: newest, value: 0n } } as const;
  const newer = await findPage(db, selection, { key, descending, cursor, limit: NEW_COUNTED });
  return ok({ bills, newer: newer.length });
}
