import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { BillQuery } from './filter';
import { selectBills } from './list-bills';
import { findBillRows, listBillRows, newestFirstPlan, readListing } from './listing-store';
import { type ListedBill, withNewestAttempts } from './newest-attempts';
import { sortOf } from './page-cursor';

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
  return readListing(db, async (tx) => {
    const found = await findBillRows(tx, selection.scope, ids.filter(isUuid).slice(0, IDS_MAX));
    const bills = await withNewestAttempts(tx, selection.scope, found);
    if (newest === null || !isUuid(newest) || key !== 'created' || !descending) return ok({ bills, newer: 0 });
    const cursor = { side: 'before', position: { id: newest, value: 0n } } as const;
    const newer = await listBillRows(tx, selection, newestFirstPlan(selection), { key, descending, cursor, limit: NEW_COUNTED });
    return ok({ bills, newer: newer.length });
  });
}
