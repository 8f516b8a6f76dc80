import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { type CashierLink, findNewestLink } from '@/lib/identity/accounts/cashier-store';
import type { Brand } from '@/lib/identity/merchants/brand-rules';
import { findBrand } from '@/lib/identity/merchants/brand-store';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { eastAfricanDayStart } from '@/lib/platform/core/east-african-day';
import type { Senti } from '@/lib/platform/core/money';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { type CounterSum, type EntryRow, findOpenShift, listEntries, type Shift, sumCash, sumEntries } from './counter-store';

/** How long a cashier's page tells of a new link. */
const LINK_SHOWN_MS = 7 * DAY_MS;
/** How many bills of the shift the page lists. */
const LISTED = 30;

export interface CounterView {
  /** The open shift with the number and sums of its bills, and the cash that the member took for them. Null before the first bill. */
  readonly shift: (Shift & { readonly sum: CounterSum; readonly cash: Senti }) | null;
  /** The number and sums of the bills that the member has entered today. The day starts at midnight in East Africa. */
  readonly today: CounterSum;
  /** The newest bills of the shift. */
  readonly entries: readonly EntryRow[];
  /** A link that somebody made for this cashier in the last days, by which somebody else could act under the cashier's name. */
  readonly newLink: CashierLink | null;
}

/** Returns the present state of a member's counter. Returns null if the member's role may not use the counter. */
export async function showCounter({ db, clock }: ReadRuntime, access: MerchantAccess): Promise<CounterView | null> {
  if (!may(access, 'counter.use')) return null;
  const of = { ...access.scope, userId: access.user.id };
  const today = sumEntries(db, of, { since: eastAfricanDayStart(clock()), shiftId: null });
  const link = findNewestLink(db, { merchantId: of.merchantId, userId: of.userId, since: addMs(clock(), -LINK_SHOWN_MS) });
  const shift = await findOpenShift(db, of);
  if (!shift) return { shift: null, today: await today, entries: [], newLink: await link };
  const [sum, cash, entries] = await Promise.all([
    sumEntries(db, of, { since: shift.openedAt, shiftId: shift.id }),
    sumCash(db, shift.id, access.actor.name),
    listEntries(db, of, { shiftId: shift.id }, LISTED),
  ]);
  return { shift: { ...shift, sum, cash }, today: await today, entries, newLink: await link };
}

/** Returns how the shop looks, for the header of the counter. Undefined if the member's role may not use the counter. */
export async function showShop({ db }: ReadRuntime, access: MerchantAccess): Promise<Brand | undefined> {
  return may(access, 'counter.use') ? findBrand(db, access.scope.merchantId) : undefined;
}

/** Returns a bill that the member entered at the counter. Returns null if there is none. */
export async function showEntry({ db }: ReadRuntime, access: MerchantAccess, billId: string): Promise<EntryRow | null> {
  if (!may(access, 'counter.use')) return null;
  const [entry] = await listEntries(db, { ...access.scope, userId: access.user.id }, { billId });
  return entry ?? null;
}
