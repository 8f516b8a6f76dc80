import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { type CounterSum, type EntryRow, listEntries, SHIFT, type Shift, sumByWay, sumEntries, type WaySum } from './counter-store';

/** A summary lists at most this many bills. Its sums include all of them. */
const LISTED = 500;

export interface ShiftSummary {
  readonly shift: Shift & {
    /** The name of the member whose shift it is. */
    readonly cashier: string;
    /** The cash by the ledger and as it was counted, when the shift was closed, senti. Null if the shift is open or took no cash. */
    readonly expectedCash: bigint | null;
    readonly countedCash: bigint | null;
  };
  readonly sum: CounterSum;
  readonly ways: readonly WaySum[];
  /** Oldest first. */
  readonly entries: readonly EntryRow[];
}

/**
 * Returns the summary of a shift, with the present state of its bills. Members see their own shifts, and those who see the audit log the
 * shifts of all members. Returns null if there is no such shift.
 */
export async function showShift({ db }: ReadRuntime, access: MerchantAccess, id: string): Promise<ShiftSummary | null> {
  if (!may(access, 'counter.use') || !isUuid(id)) return null;
  const own = may(access, 'audit.view') ? {} : { userId: access.user.id };
  const found = await db.prisma.counterShift.findFirst({
    where: { ...access.scope, ...own, id },
    select: { ...SHIFT, userId: true, expectedCash: true, countedCash: true, user: { select: { name: true } } },
  });
  if (!found) return null;
  const { userId, user, ...shift } = found;
  const of = { ...access.scope, userId };
  const [sum, ways, entries] = await Promise.all([
    sumEntries(db, of, { since: shift.openedAt, shiftId: id }),
    sumByWay(db, of, id),
    listEntries(db, of, { shiftId: id }, LISTED),
  ]);
  return { shift: { ...shift, cashier: user.name }, sum, ways, entries: entries.toReversed() };
}
