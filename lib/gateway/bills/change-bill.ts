import { reach } from '@/lib/platform/config/fail-point';
import { columnsOf } from '@/lib/platform/core/columns-of';
import { knownMobile } from '@/lib/platform/core/mobile';
import type { Queryable } from '@/lib/platform/db/database';
import { bill } from '@/lib/platform/db/generated/tables';
import { array, arrays, boolean, int4, jsonb, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnestFew } from '@/lib/platform/db/unnest';
import { type Bill, billStatus } from './rules';
import { BILL_COLUMNS, BILL_TYPES } from './store';

/** A bill that this transaction has locked. */
export interface LockedBill extends Bill {
  readonly eventCount: number;
  readonly expiresAt: Date | null;
}

export interface BillChange {
  /** The senti that this change adds to the bill's paid amount. */
  readonly paid: bigint;
  /** The senti that this change subtracts from the bill's reserved amount. Negative when an attempt is added. */
  readonly released: bigint;
  /** The phone number that pays. It becomes the bill's number if the bill has none. */
  readonly payer: string | null;
  readonly events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}

const LOCK = statement({
  name: 'lock-bills',
  prepared: true,
  text: `SELECT ${BILL_COLUMNS}, b.event_count AS "eventCount", b.expires_at AS "expiresAt" FROM bill b WHERE b.id = ANY ((SELECT $ids::uuid[])::uuid[]) ORDER BY b.id FOR UPDATE`,
  parameters: { ids: array(bill.id) },
  columns: { ...BILL_TYPES, ...pick(bill, 'eventCount expiresAt') },
});

const LOCK_FREE = statement({
  name: 'lock-free-bills',
  prepared: true,
  text: `${LOCK.text} SKIP LOCKED`,
  parameters: LOCK.parameters,
  columns: LOCK.columns,
});

const CHANGED = {
  ...arrays(pick(bill, 'id paidAmount reservedAmount status mobile paidAt eventCount merchantId environment')),
  /** How many events each bill had before this change. */
  before: array(int4),
  /** Whether payment instruments follow the change: whether the remaining amount may have changed, or the bill may be closed. */
  follows: array(boolean),
  /** The new events: for each bill, a JSON array of its events. */
  events: array(jsonb),
};
const CHANGE = statement({
  name: 'change-bills',
  prepared: true,
  text: `WITH change AS MATERIALIZED (
           SELECT * FROM ${unnestFew(CHANGED, 'c')}
         ), events AS (
           INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
           SELECT c.id, c.before + e.position::int, c.merchant_id, c.environment, e.event ->> 'type', e.event -> 'data', $now
           FROM change c CROSS JOIN jsonb_array_elements(c.events) WITH ORDINALITY AS e(event, position)
         ), followed AS (
           UPDATE instrument i SET due_at = $now, hinted = true
           FROM change c WHERE c.follows AND i.bill_id = c.id AND i.state IN ('SENDING', 'UNKNOWN', 'ACTIVE')
         )
         UPDATE bill b SET paid_amount = c.paid_amount, reserved_amount = c.reserved_amount, status = c.status, mobile = c.mobile,
           paid_at = c.paid_at, event_count = c.event_count, version = b.version + 1
         FROM change c WHERE b.id = c.id`,
  parameters: { ...CHANGED, now: timestamptz },
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

/** Locks those of the bills that no other transaction has locked, without waiting. Returns the locked bills. */
export async function lockFreeBills(tx: Queryable, ids: readonly string[]): Promise<LockedBill[]> {
  return LOCK_FREE.rows(tx, { ids });
}

/** A changed bill. `statusEvent` is the number of the event about the new status; null if the status has not changed. */
interface ChangedBill {
  readonly bill: LockedBill;
  readonly statusEvent: number | null;
}

/** Changes a locked bill: see {@link changeBills}. */
export async function changeBill(tx: Queryable, before: LockedBill, { now, ...change }: BillChange & { now: Date }): Promise<ChangedBill> {
  const [changed] = await changeBills(tx, [{ before, change }], now);
  if (!changed) throw new Error(`bill ${before.id} was not changed`);
  return changed;
}

/**
 * Changes locked bills and numbers their events. A change of the status adds another event. The next step of each payment instrument
 * becomes due if the remaining amount may have changed, because instruments follow it. Returns the changed bills in the order of `changes`.
 */
export async function changeBills(
  tx: Queryable,
  changes: readonly { readonly before: LockedBill; readonly change: BillChange }[],
  now: Date,
): Promise<ChangedBill[]> {
  const changed = changes.map(({ before, change }) => ({
    ...changedBill(before, change, now),
    before: before.eventCount,
    follows: change.paid !== 0n || change.events.some(({ type }) => type.startsWith('bill.')),
  }));
  // Each bill's events are one JSON text, because the driver would send an array as an array of PostgreSQL.
  const rows = changed.map(({ bill, before, follows, events }) => ({ ...bill, before, follows, events: JSON.stringify(events) }));
  await CHANGE.rows(tx, { ...columnsOf(rows, CHANGED), now });
  reach('bill.changed');
  return changed;
}

function changedBill(before: LockedBill, change: BillChange, now: Date): ChangedBill & Pick<BillChange, 'events'> {
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
    mobile: before.mobile ?? knownMobile(change.payer),
    paidAt: before.paidAt ?? (status === 'FULLY_PAID' ? now : null),
    eventCount: before.eventCount + events.length,
  };
  return { bill, statusEvent: changed ? bill.eventCount : null, events };
}
