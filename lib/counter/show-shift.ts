import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isUuid } from '@/lib/core/ids';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { type CounterSum, type EntryRow, listEntries, type NetworkSum, sumByNetwork, sumEntries } from './entry-store';
import { findShift, type Shift } from './shift-store';

/** A summary lists at most this many bills. Its sums include all of them. */
const LISTED = 500;

export interface ShiftSummary {
  readonly shift: Shift;
  readonly sum: CounterSum;
  readonly networks: readonly NetworkSum[];
  /** Oldest first. */
  readonly entries: readonly EntryRow[];
}

/** Returns the summary of one of the member's own shifts, with the present state of its bills. Returns null if there is no such shift. */
export async function showShift({ db }: ReadRuntime, access: MerchantAccess, id: string): Promise<ShiftSummary | null> {
  if (!may(access, 'counter.use') || !isUuid(id)) return null;
  const of = { ...access.scope, userId: access.user.id };
  const shift = await findShift(db, of, id);
  if (!shift) return null;
  const [sum, networks, entries] = await Promise.all([
    sumEntries(db, of, { since: shift.openedAt, shiftId: id }),
    sumByNetwork(db, of, id),
    listEntries(db, of, { shiftId: id, most: LISTED }),
  ]);
  return { shift, sum, networks, entries: entries.toReversed() };
}
