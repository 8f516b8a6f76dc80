import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Bill } from '@/lib/bills/rules';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { BillQuery } from './filter';
import { listedBills } from './list-bills';
import { findBillRows, listBillRows, newestPlan, readListing } from './listing-store';
import { sortOf } from './page-cursor';

/** So many new bills are counted. */
export const NEW_COUNTED = 100;
/** As many as a page has at most. */
const IDS_MAX = 100;

interface RefreshBillsOptions {
  readonly query: BillQuery;
  /** The bills on screen. */
  readonly ids: readonly string[];
  /** The first of them, where newer ones would stand above it; null where they would not. */
  readonly newest: string | null;
}

/** @returns how the bills on somebody's screen stand now, also those that a filter would not show any more, and how many are newer. */
export async function refreshBills(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { query, ids, newest }: RefreshBillsOptions,
): Promise<Result<{ readonly bills: readonly Bill[]; readonly newer: number }, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const listed = listedBills(access, query.filter, clock());
  const { key, descending } = sortOf(query);
  return readListing(db, async (tx) => {
    const bills = await findBillRows(tx, listed.scope, ids.filter(isUuid).slice(0, IDS_MAX));
    if (newest === null || !isUuid(newest) || key !== 'created' || !descending) return ok({ bills, newer: 0 });
    const cursor = { way: 'before', place: { id: newest, value: 0n } } as const;
    const newer = await listBillRows(tx, listed, newestPlan(listed), { key, descending, cursor, limit: NEW_COUNTED });
    return ok({ bills, newer: newer.length });
  });
}
