import { type KeyAccess, may } from '@/lib/accounts/access/grant-access';
import { findBillDetails } from '@/lib/bills/get-store';
import type { BillDetails } from '@/lib/bills/last-attempt';
import { ALL_BILLS } from '@/lib/bills/list/filter';
import type { BillSelection } from '@/lib/bills/list/listing-sql';
import { listBillRows, planListing, readListing } from '@/lib/bills/list/listing-store';
import { formatCursor, positionOf } from '@/lib/bills/list/page-cursor';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { BillsQuery } from './list-schema';

interface BillsPage {
  readonly bills: readonly BillDetails[];
  /** The cursor of the next page, or null if there is none. */
  readonly cursor: string | null;
}

/**
 * Returns a merchant's bills, newest first, in the form in which the API returns a single bill. Includes the bills that checks of the
 * webhook receiver created.
 */
export async function listMerchantBills(
  { db }: Pick<Runtime, 'db'>,
  access: KeyAccess,
  { status, reference, from, to, after, limit }: BillsQuery,
): Promise<Result<BillsPage, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const { scope, billsOf } = access;
  const selection: BillSelection = {
    scope: { ...scope, billsOf },
    filter: { ...ALL_BILLS, statuses: status === undefined ? [] : [status], checks: true },
    period: { from: from ?? null, until: to ?? null },
    exactReference: reference ?? null,
  };
  const rows = await readListing(db, async (tx) => {
    const plan = await planListing(tx, selection, 'created');
    // One additional row shows whether there is another page.
    return listBillRows(tx, selection, plan, { key: 'created', descending: true, cursor: after ?? null, limit: limit + 1 });
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  const found = await findBillDetails(
    db,
    shown.map(({ id }) => ({ ...scope, id })),
  );
  return ok({
    bills: found.flatMap((bill) => bill ?? []),
    cursor: more ? formatCursor('created', { side: 'after', position: positionOf('created', last) }) : null,
  });
}
