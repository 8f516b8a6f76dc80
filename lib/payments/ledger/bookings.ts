import { type BillChange, changeBill, type LockedBill, lockBills } from '@/lib/bills/change-bill';
import { reach } from '@/lib/config/fail-point';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { announceBill } from '@/lib/webhooks/announce-bill';

type Change = Omit<BillChange, 'now'>;

/**
 * The changes of one transaction to the bills that it has locked. They are written once, at the end of the transaction, so that the
 * status of a bill changes at most once and the webhook contains the final status.
 */
export interface Bookings {
  /** Adds a change to a bill. Throws `BillNotLocked` if the transaction has not locked the bill. */
  add(billId: string, change: Partial<Change>): void;
  /** Writes all changes to the bills, numbers their events and inserts the webhook deliveries. */
  write(): Promise<void>;
}

/** The transaction changes a bill that became affected only after `findBills` had read which bills to lock. */
class BillNotLocked extends Error {
  override readonly name = 'BillNotLocked';
}

const NOTHING: Change = { paid: 0n, released: 0n, payer: null, events: [] };
const MAX_TRANSACTIONS = 5;

function startBookings(runtime: Pick<Runtime, 'clock' | 'random'>, tx: Queryable, locked: readonly LockedBill[], now: Date): Bookings {
  const bills = new Map(locked.map((bill) => [bill.id, bill]));
  const changes = new Map<string, Change>();
  return {
    add(billId, { paid = 0n, released = 0n, payer = null, events = [] }) {
      if (!bills.has(billId)) throw new BillNotLocked(`bill ${billId} is not locked`);
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
 * Locks bills, runs `work` and writes its bookings in one transaction. `findBills` runs before the locks are taken. If other bills are
 * affected by then, the transaction is repeated with a new call of `findBills`.
 */
export async function withBills<Value>(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  findBills: () => Promise<readonly string[]>,
  work: (tx: Queryable, bookings: Bookings, now: Date) => Promise<Value>,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
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
      if (!(error instanceof BillNotLocked) || count === MAX_TRANSACTIONS) throw error;
    }
  }
}
