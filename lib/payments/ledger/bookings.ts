import { type BillChange, changeBills, type LockedBill, lockBills, lockFreeBills } from '@/lib/bills/change-bill';
import { reach } from '@/lib/config/fail-point';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { announceBills } from '@/lib/webhooks/announce-bill';

/**
 * The changes of one transaction to the bills that it has locked. They are written once, at the end of the transaction, so that the
 * status of a bill changes at most once and the webhook contains the final status.
 */
export interface Bookings {
  /** Adds a change to a bill. Throws `BillNotLocked` if the transaction has not locked the bill. */
  add(billId: string, change: Partial<BillChange>): void;
  /** Writes all changes to the bills, numbers their events and inserts the webhook deliveries. */
  write(): Promise<void>;
}

/** The transaction changes a bill that became affected only after `findBills` had read which bills to lock. */
class BillNotLocked extends Error {
  override readonly name = 'BillNotLocked';
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

const NOTHING: BillChange = { paid: 0n, released: 0n, payer: null, events: [] };
const MAX_TRANSACTIONS = 5;

function startBookings(runtime: Pick<Runtime, 'clock' | 'random'>, tx: Queryable, locked: readonly LockedBill[], now: Date): Bookings {
  const bills = new Map(locked.map((bill) => [bill.id, bill]));
  const changes = new Map<string, BillChange>();
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
      const booked = locked.flatMap((before) => {
        const change = changes.get(before.id);
        return change ? [{ before, change }] : [];
      });
      if (booked.length === 0) return;
      const changed = await changeBills(tx, booked, now);
      const announced = changed.flatMap(({ bill, statusEvent }) => (statusEvent === null ? [] : [{ bill, eventNumber: statusEvent }]));
      if (announced.length > 0) await announceBills(runtime, tx, announced, now);
      reach('bookings.announced');
    },
  };
}

/**
 * Locks bills, runs `work` and writes its bookings in one transaction. `findBills` runs before the bills are locked. If `work` then changes
 * a bill that is not locked, `findBills` and the transaction are repeated.
 */
export async function withBills<Value>(
  runtime: Needs,
  findBills: () => Promise<readonly string[]>,
  work: (tx: Queryable, bookings: Bookings, now: Date) => Promise<Value>,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      const ids = await findBills();
      return await bookInTransaction(runtime, (tx) => lockBills(tx, ids), work);
    } catch (error) {
      if (!(error instanceof BillNotLocked) || count === MAX_TRANSACTIONS) throw error;
    }
  }
}

/**
 * Like `withBills`, but never waits for bills. Bills that another transaction has locked are missing in `locked`. Throws `BillNotLocked` if
 * the work changes a bill that is not in `locked`.
 */
export async function withFreeBills<Value>(
  runtime: Needs,
  ids: readonly string[],
  work: (tx: Queryable, bookings: Bookings, now: Date, locked: ReadonlySet<string>) => Promise<Value>,
): Promise<Value> {
  return bookInTransaction(runtime, (tx) => lockFreeBills(tx, ids), work);
}

async function bookInTransaction<Value>(
  runtime: Needs,
  lock: (tx: Queryable) => Promise<LockedBill[]>,
  work: (tx: Queryable, bookings: Bookings, now: Date, locked: ReadonlySet<string>) => Promise<Value>,
): Promise<Value> {
  const done = await runtime.db.sqlTransaction(async (tx) => {
    const locked = await lock(tx);
    const now = runtime.clock();
    const bookings = startBookings(runtime, tx, locked, now);
    const value = await work(tx, bookings, now, new Set(locked.map(({ id }) => id)));
    await bookings.write();
    reach('bookings.written');
    return value;
  });
  reach('bookings.committed');
  return done;
}
