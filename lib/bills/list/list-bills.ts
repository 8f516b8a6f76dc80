import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Bill } from '@/lib/bills/rules';
import { MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import type { BillFilter, BillQuery } from './filter';
import type { ListingLimits } from './listing-limits';
import type { Listed } from './listing-sql';
import type { Plan } from './listing-statements';
import { countBillRows, listBillRows, planListing, readListing } from './listing-store';
import { formatCursor, type PageCursor, placeOf, readCursor, sortOf } from './page-cursor';
import { periodInstants } from './period';

export interface BillPage {
  readonly bills: readonly Bill[];
  /** The pages before and after this one, as they stand in the address; null where there is none. */
  readonly previous: string | null;
  readonly next: string | null;
  /** How many there are on all pages; `many` is more than are counted, null is not known without reading them. */
  readonly total: number | 'many' | null;
  /** The place above the first page: what is newer has come since. */
  readonly newest: string;
  /** The address named a page that this list does not have: this is the first. */
  readonly lost: boolean;
}

interface ListBillsOptions extends Pick<BillQuery, 'filter' | 'sort' | 'size'> {
  readonly page: string | null;
  /** For tests: where it begins to read pages off an order. */
  readonly limits?: ListingLimits;
}

/** @returns a page of the bills that somebody may see: a merchant's, or a collector's own. */
export async function listBills(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { page, limits, ...query }: ListBillsOptions,
): Promise<Result<BillPage, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const now = clock();
  const listed = listedBills(access, query.filter, now);
  const { key } = sortOf(query);
  const cursor = page === null ? null : readCursor(key, page);
  const read = await readListing(db, async (tx) => {
    const plan = await planListing(tx, listed, key, limits);
    return { ...(await readPage(tx, listed, plan, query, cursor)), total: await totalOf(tx, listed, plan) };
  });
  // Where the newest is old, what was made since then and is none of the list's is not looked through again and again.
  const lately = lowestId(now.getTime() - MINUTE_MS);
  const newest = read.bills[0] !== undefined && read.bills[0].id > lately ? read.bills[0].id : lately;
  return ok({ ...read, newest, lost: page !== null && cursor === null });
}

/** @returns what the stores need to know of a list: whose bills, which, and when it is now. */
export function listedBills({ scope, billsOf }: Pick<MerchantAccess, 'scope' | 'billsOf'>, filter: BillFilter, now: Date): Listed {
  const period = filter.period === null ? { from: null, until: null } : periodInstants(filter.period, now);
  return { scope: { ...scope, billsOf }, filter, period };
}

async function readPage(
  tx: Queryable,
  listed: Listed,
  plan: Plan,
  query: BillQuery,
  cursor: PageCursor | null,
): Promise<Pick<BillPage, 'bills' | 'previous' | 'next'>> {
  const sort = sortOf(query);
  // One more than is shown tells whether there is more.
  const rows = await listBillRows(tx, listed, plan, { ...sort, cursor, limit: query.size + 1 });
  const more = rows.length > query.size;
  const backwards = cursor?.way === 'before';
  // What comes before does not fill a page: then this is the first, and is shown full.
  if (backwards && !more) return readPage(tx, listed, plan, query, null);
  const bills = backwards ? rows.slice(1) : rows.slice(0, query.size);
  const at = (way: PageCursor['way'], bill: Bill | undefined) =>
    bill === undefined ? null : formatCursor(sort.key, { way, place: placeOf(sort.key, bill) });
  return { bills, previous: cursor === null ? null : at('before', bills[0]), next: more ? at('after', bills.at(-1)) : null };
}

async function totalOf(tx: Queryable, listed: Listed, plan: Plan): Promise<BillPage['total']> {
  if (plan.countable) return countBillRows(tx, listed, plan);
  return plan.whole ? 'many' : null;
}
