import { reach } from '@/lib/config/fail-point';
import type { Queryable } from '@/lib/db/database';
import { type Bill, billStatus } from './rules';
import { BILL_COLUMNS } from './store';

/** A bill that this transaction has locked. */
export interface LockedBill extends Bill {
  readonly eventCount: number;
}

export interface BillChange {
  /** Senti that were paid now, and senti that open prompts ask for no more (negative: one more asks). */
  readonly paid: bigint;
  readonly released: bigint;
  /** The number that paid, for a bill that had none. */
  readonly payer: string | null;
  readonly events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
  readonly now: Date;
}

/** Locks the row that everything about a bill's money is decided under. */
export async function lockBill(tx: Queryable, id: string): Promise<LockedBill> {
  const [bill] = await lockBills(tx, [id]);
  if (!bill) throw new Error(`bill ${id} does not exist`);
  return bill;
}

/** Locks several, always in the same order, so that nobody waits in a circle. */
export async function lockBills(tx: Queryable, ids: readonly string[]): Promise<LockedBill[]> {
  return tx.query<LockedBill>(
    { text: `SELECT ${BILL_COLUMNS}, b.event_count AS "eventCount" FROM bill b WHERE b.id = ANY ($1::uuid[]) ORDER BY b.id FOR UPDATE` },
    [ids],
  );
}

/**
 * Books a change on a locked bill and numbers its events; a change of status adds an event of its own.
 * @returns the bill as it is now, and the number of the status event, if there is one.
 */
export async function changeBill(
  tx: Queryable,
  before: LockedBill,
  change: BillChange,
): Promise<{ bill: LockedBill; statusEvent: number | null }> {
  const paidAmount = before.paidAmount + change.paid;
  const status = billStatus(before.amount, paidAmount);
  const changed = status !== before.status;
  const events = changed
    ? [...change.events, { type: `bill.${status.toLowerCase()}`, data: { paidAmount: paidAmount.toString() } }]
    : change.events;
  const bill: LockedBill = {
    ...before,
    paidAmount,
    status,
    reservedAmount: before.reservedAmount - change.released,
    mobile: before.mobile ?? change.payer,
    paidAt: before.paidAt ?? (status === 'FULLY_PAID' ? change.now : null),
    eventCount: before.eventCount + events.length,
  };
  await tx.query(
    {
      text: `UPDATE bill SET paid_amount = $2, reserved_amount = $3, status = $4, mobile = $5, paid_at = $6, event_count = $7, version = version + 1
             WHERE id = $1`,
    },
    [bill.id, bill.paidAmount, bill.reservedAmount, bill.status, bill.mobile, bill.paidAt, bill.eventCount],
  );
  reach('bill.changed');
  for (const [index, event] of events.entries()) {
    await tx.query(
      { text: 'INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at) VALUES ($1, $2, $3, $4, $5, $6, $7)' },
      [bill.id, before.eventCount + index + 1, bill.merchantId, bill.environment, event.type, event.data, change.now],
    );
  }
  reach('bill.events_numbered');
  return { bill, statusEvent: changed ? bill.eventCount : null };
}
