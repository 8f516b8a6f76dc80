import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { eastAfricanDayStart } from '@/lib/core/east-african-day';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { type CounterSum, type EntryRow, findEntryOfBill, listEntries, sumEntries } from './entry-store';
import { findOpenShift, type Shift } from './shift-store';

/** How many bills of the shift the page lists. */
const LISTED = 30;

export interface CounterView {
  /** The open shift with the number and sums of its bills. Null before the first bill. */
  readonly shift: (Shift & { readonly sum: CounterSum }) | null;
  /** The number and sums of the bills that the member has entered today. The day starts at midnight in East Africa. */
  readonly today: CounterSum;
  /** The newest bills of the shift. */
  readonly entries: readonly EntryRow[];
}

/** Returns the present state of a member's counter. Returns null if the member's role may not use the counter. */
export async function showCounter({ db, clock }: ReadRuntime, access: MerchantAccess): Promise<CounterView | null> {
  if (!may(access, 'counter.use')) return null;
  const of = { ...access.scope, userId: access.user.id };
  const today = sumEntries(db, of, { since: eastAfricanDayStart(clock()), shiftId: null });
  const shift = await findOpenShift(db, of);
  if (!shift) return { shift: null, today: await today, entries: [] };
  const [sum, entries] = await Promise.all([
    sumEntries(db, of, { since: shift.openedAt, shiftId: shift.id }),
    listEntries(db, of, { shiftId: shift.id, most: LISTED }),
  ]);
  return { shift: { ...shift, sum }, today: await today, entries };
}

/** Returns a bill that the member entered at the counter. Returns null if there is none. */
export async function showEntry({ db }: ReadRuntime, access: MerchantAccess, billId: string): Promise<EntryRow | null> {
  if (!may(access, 'counter.use')) return null;
  return (await findEntryOfBill(db, { ...access.scope, userId: access.user.id }, billId)) ?? null;
}
