import { type BillChange, changeBill, type LockedBill, lockBills } from '@/lib/bills/change-bill';
import { reach } from '@/lib/config/fail-point';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { announceBill } from '@/lib/webhooks/announce-bill';

type Change = Omit<BillChange, 'now'>;

/**
 * What one transaction changes on the bills it has locked. Written once, at its end: whatever money comes and goes in
 * between, a bill's status changes at most once, and what is announced is where it ended.
 */
export interface Bookings {
  /** Adds to what is changed on a bill. Throws `Raced` when the bill is not locked. */
  add(billId: string, change: Partial<Change>): void;
  /** Books everything on the bills, numbers their events and owes the merchants their webhooks. */
  write(): Promise<void>;
}

/** Between reading which bills are concerned and locking them, another one was. */
class Raced extends Error {
  override readonly name = 'Raced';
}

const NOTHING: Change = { paid: 0n, released: 0n, payer: null, events: [] };
const TRIES = 5;

function startBookings(runtime: Pick<Runtime, 'clock' | 'random'>, tx: Queryable, locked: readonly LockedBill[], now: Date): Bookings {
  const bills = new Map(locked.map((bill) => [bill.id, bill]));
  const changes = new Map<string, Change>();
  return {
    add(billId, { paid = 0n, released = 0n, payer = null, events = [] }) {
      if (!bills.has(billId)) throw new Raced(`bill ${billId} is not locked`);
      const before = changes.get(billId) ?? NOTHING;
      changes.set(billId, {
        paid: before.paid + paid,
        released: before.released + released,
        payer: before.payer ?? payer,
        events: [...before.events, ...events],
      });
    },
    async write() {
      for (const bill of locked) {
        const change = changes.get(bill.id);
        if (!change) continue;
        const changed = await changeBill(tx, bill, { ...change, now });
        if (changed.statusEvent !== null) await announceBill(runtime, tx, changed.bill, changed.statusEvent, now);
        reach('bookings.announced');
      }
    },
  };
}

/**
 * Runs a transaction over bills that have to be found out before they can be locked: again, when they were others by then.
 * @param findBills says which to lock; asked anew on every try.
 */
export async function withBills<Value>(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  findBills: () => Promise<readonly string[]>,
  work: (tx: Queryable, bookings: Bookings, now: Date) => Promise<Value>,
): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      const ids = await findBills();
      const done = await runtime.db.sqlTransaction(async (tx) => {
        const locked = await lockBills(tx, ids);
        const now = runtime.clock();
        const bookings = startBookings(runtime, tx, locked, now);
        const value = await work(tx, bookings, now);
        await bookings.write();
        reach('bookings.written');
        return value;
      });
      reach('bookings.committed');
      return done;
    } catch (error) {
      if (!(error instanceof Raced) || tries === TRIES) throw error;
    }
  }
}
