import { reach } from '@/lib/config/fail-point';
import type { Queryable } from '@/lib/db/database';
import { array, environment, int4, int8, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { type Bill, billStatus } from './rules';
import { billStatus as billStatusType } from './sql-types';
import { BILL_COLUMNS, BILL_TYPES } from './store';

/** A bill that this transaction has locked. */
export interface LockedBill extends Bill {
  readonly eventCount: number;
}

export interface BillChange {
  /** Senti that were paid now. */
  readonly paid: bigint;
  /** Senti by which the reservation shrinks. Negative when an attempt is added. */
  readonly released: bigint;
  /** The paying number. It becomes the bill's number if the bill has none. */
  readonly payer: string | null;
  readonly events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
  readonly now: Date;
}

const LOCK = statement({
  name: 'lock-bills',
  prepared: true,
  text: `SELECT ${BILL_COLUMNS}, b.event_count AS "eventCount" FROM bill b WHERE b.id = ANY ($ids) ORDER BY b.id FOR UPDATE`,
  parameters: { ids: array(uuid) },
  columns: { ...BILL_TYPES, eventCount: int4 },
});

const CHANGE = statement({
  name: 'change-bill',
  prepared: true,
  text: `WITH events AS (
           INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
           SELECT $id, $before + e.position::int, $merchantId, $environment, e.event ->> 'type', e.event -> 'data', $now
           FROM jsonb_array_elements($events) WITH ORDINALITY AS e(event, position)
         )
         UPDATE bill SET paid_amount = $paidAmount, reserved_amount = $reservedAmount, status = $status, mobile = $mobile, paid_at = $paidAt,
           event_count = $eventCount, version = version + 1
         WHERE id = $id`,
  parameters: {
    id: uuid,
    paidAmount: int8,
    reservedAmount: int8,
    status: billStatusType,
    mobile: nullable(text),
    paidAt: nullable(timestamptz),
    eventCount: int4,
    merchantId: uuid,
    environment,
    /** The number of the bill's events before this change. */
    before: int4,
    /** An array of events. */
    events: jsonb,
    now: timestamptz,
  },
  columns: {},
});

/** Locks a bill. All decisions about its money are made under this lock. */
export async function lockBill(tx: Queryable, id: string): Promise<LockedBill> {
  const [bill] = await lockBills(tx, [id]);
  if (!bill) throw new Error(`bill ${id} does not exist`);
  return bill;
}

/** Locks bills in the order of their ids, which prevents deadlocks. */
export async function lockBills(tx: Queryable, ids: readonly string[]): Promise<LockedBill[]> {
  return LOCK.rows(tx, { ids });
}

/**
 * Changes a locked bill and numbers its events. A change of status adds an event of its own.
 * Returns the changed bill, and the number of the status event or null.
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
  // The driver would send an array as an array of PostgreSQL, not as JSON.
  await CHANGE.rows(tx, { ...bill, before: before.eventCount, events: JSON.stringify(events), now: change.now });
  reach('bill.changed');
  return { bill, statusEvent: changed ? bill.eventCount : null };
}
