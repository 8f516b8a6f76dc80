import { type KeyAccess, may } from '@/lib/accounts/access/grant-access';
import { findBillDetails } from '@/lib/bills/get-store';
import type { BillDetails } from '@/lib/bills/last-attempt';
import { ALL_BILLS } from '@/lib/bills/list/filter';
import type { BillSelection } from '@/lib/bills/list/listing-sql';
import { listNewest, readListing } from '@/lib/bills/list/listing-store';
import { formatCursor } from '@/lib/bills/list/page-cursor';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { BillsQuery } from './list-schema';

interface BillsPage {
  readonly bills: readonly BillDetails[];
  /** The cursor of the next page, or null if there is none. */
  readonly cursor: string | null;
}

/**
 * The most bills that one request reads. More than that are read only by filters that few of the newest bills meet: the page then has fewer
 * bills, and a cursor.
 */
const READ_MAX = 2_000;

/**
 * Returns a merchant's bills, newest first, in the form in which the API returns a single bill. Includes the bills that checks of the
 * webhook receiver created. A page can have fewer bills than its limit, although there are more behind it.
 */
export async function listMerchantBills(
  { db }: Pick<Runtime, 'db'>,
  access: KeyAccess,
  { status, reference, mobile, metadata, from, to, after, limit }: BillsQuery,
  readMax = READ_MAX,
): Promise<Result<BillsPage, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  // PostgreSQL stores no text with this character, so no bill has such metadata.
  if (metadata && JSON.stringify(metadata).includes('\\u0000')) return ok({ bills: [], cursor: null });
  const { scope, billsOf } = access;
  const selection: BillSelection = {
    scope: { ...scope, billsOf },
    filter: { ...ALL_BILLS, statuses: status === undefined ? [] : [status], checks: true },
    period: { from: from ?? null, until: to ?? null },
    exact: { reference: reference ?? null, mobile: mobile ?? null, metadata: metadata ?? null },
  };
  const { rows, end } = await readListing(db, (tx) => listNewest(tx, selection, { cursor: after ?? null, limit, readMax }));
  const found = await findBillDetails(
    db,
    rows.map(({ id }) => ({ ...scope, id })),
  );
  return ok({
    bills: found.flatMap((bill) => bill ?? []),
    cursor: end === null ? null : formatCursor('created', { side: 'after', position: { id: end, value: 0n } }),
  });
}
