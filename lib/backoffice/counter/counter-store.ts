import { correctedAmount } from '@/lib/gateway/ledger/balance-store';
import type { Senti } from '@/lib/platform/core/money';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { CounterShift } from '@/lib/platform/db/generated/client';
import { bill, counterEntry, counterShift, payment, paymentAllocation, pushAttempt } from '@/lib/platform/db/generated/tables';
import { int4, neverNull, nullable, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';

/** A member in a merchant's environment, whose shifts and entries are read or changed. */
export interface CounterOf extends Scope {
  readonly userId: string;
}

const OF = 'e.merchant_id = $merchantId AND e.environment = $environment AND e.user_id = $userId';
const OF_TYPES = pick(counterEntry, 'merchantId environment userId');

const ENTRY = pick(counterEntry, 'merchantId environment userId entryId shiftId number billId createdAt');
const INSERT_ENTRY = statement({ name: 'insert an entry of the counter', text: insertRow('counter_entry', ENTRY), parameters: ENTRY });

interface NewEntry {
  readonly entryId: string;
  readonly shiftId: string;
  readonly number: number;
  readonly billId: string;
  readonly createdAt: Date;
}

/** Inserts an entry. Throws a violation of `counter_entry_pkey` if the member has already sent an entry with this id. */
export async function insertEntry(on: Queryable, { merchantId, environment: where, userId }: CounterOf, entry: NewEntry): Promise<void> {
  await INSERT_ENTRY.rows(on, { merchantId, environment: where, userId, ...entry });
}

/** The columns of a {@link Shift}. */
export const SHIFT = { id: true, code: true, openedAt: true, closedAt: true } as const;
export type Shift = Pick<CounterShift, keyof typeof SHIFT>;

export async function findOpenShift({ prisma }: Connection, of: CounterOf): Promise<Shift | null> {
  return prisma.counterShift.findFirst({ where: { ...of, closedAt: null }, select: SHIFT });
}

const LOCK_SHIFT = statement({
  name: 'lock a shift',
  text: `SELECT code, opened_at AS "openedAt", closed_at AS "closedAt" FROM counter_shift e WHERE ${OF} AND id = $id FOR NO KEY UPDATE`,
  parameters: { ...OF_TYPES, id: counterShift.id },
  columns: pick(counterShift, 'code openedAt closedAt'),
});

/** Locks a member's shift until the transaction ends, and returns it. Returns undefined if there is none. */
export async function lockShift(tx: Queryable, { merchantId, environment: where, userId }: CounterOf, id: string) {
  return LOCK_SHIFT.first(tx, { merchantId, environment: where, userId, id });
}

/** A bill of the counter, with the newest attempt and what was paid in cash. */
export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number];

/** Returns entries of a member, newest first: the entry with an id, the entry of a bill, or the newest entries of a shift. */
export async function listEntries(
  { prisma }: Connection,
  of: CounterOf,
  which: { readonly entryId: string } | { readonly billId: string } | { readonly shiftId: string },
  most = 1,
) {
  const rows = await prisma.counterEntry.findMany({
    where: { ...of, ...which },
    select: {
      entryId: true,
      number: true,
      bill: {
        select: {
          ...{ id: true, reference: true, amount: true, paidAmount: true, status: true, createdAt: true, paidAt: true },
          ...{ closedAt: true, mobile: true, reservedAmount: true },
          allocations: { where: { payment: { source: 'cash' } }, select: { amount: true } },
          attempts: { select: { mobile: true, network: true, state: true, failureReason: true }, orderBy: { id: 'desc' }, take: 1 },
        },
      },
    },
    orderBy: { number: 'desc' },
    take: most,
  });
  return rows.map(({ bill: { id: billId, attempts, allocations, ...bill }, ...entry }) => {
    const [attempt] = attempts;
    const { network = null, state: attemptState = null, failureReason = null } = attempt ?? {};
    const cashAmount = allocations.reduce((sum, { amount }) => sum + amount, 0n);
    return { ...entry, ...bill, billId, mobile: attempt?.mobile ?? bill.mobile, network, attemptState, failureReason, cashAmount };
  });
}

const SUM_ENTRIES = statement({
  name: 'sum the entries since',
  text: `SELECT count(*)::int AS bills, (count(*) FILTER (WHERE b.status = 'FULLY_PAID'))::int AS paid, coalesce(sum(b.amount), 0)::bigint AS amount,
           coalesce(sum(b.paid_amount), 0)::bigint AS "paidAmount"
         FROM counter_entry e JOIN bill b ON b.id = e.bill_id
         WHERE ${OF} AND e.created_at >= $since AND ($shiftId::uuid IS NULL OR e.shift_id = $shiftId)`,
  parameters: { ...OF_TYPES, since: timestamptz, shiftId: nullable(counterEntry.shiftId) },
  columns: { bills: neverNull(int4), paid: neverNull(int4), ...pick(bill, 'amount paidAmount') },
});

export type CounterSum = Awaited<ReturnType<typeof SUM_ENTRIES.rows>>[number];

/** Returns the number and sums of the bills that a member has entered since an instant. `shiftId`: only those of this shift. */
export async function sumEntries(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  { since, shiftId }: { readonly since: Date; readonly shiftId: string | null },
): Promise<CounterSum> {
  const sum = await SUM_ENTRIES.first(on, { merchantId, environment: where, userId, since, shiftId });
  return sum ?? { bills: 0, paid: 0, amount: 0n, paidAmount: 0n };
}

const SUM_BY_WAY = statement({
  name: 'sum a shift by way',
  text: `SELECT o.source, t.network, count(DISTINCT b.id)::int AS bills, sum(l.amount)::bigint AS amount
         FROM counter_entry e JOIN bill b ON b.id = e.bill_id JOIN payment_allocation l ON l.bill_id = b.id
         JOIN payment p ON p.id = l.payment_id LEFT JOIN payment_correction c ON c.id = p.id
         JOIN payment o ON o.id = coalesce(c.payment_id, p.reverses_id, p.id) LEFT JOIN push_attempt t ON t.id = o.attempt_id
         WHERE ${OF} AND e.shift_id = $shiftId GROUP BY o.source, t.network ORDER BY amount DESC, o.source, t.network`,
  parameters: { ...OF_TYPES, shiftId: counterEntry.shiftId },
  columns: {
    ...pick(payment, 'source'),
    network: nullable(pushAttempt.network),
    bills: neverNull(int4),
    amount: paymentAllocation.amount,
  },
});

export type WaySum = Awaited<ReturnType<typeof SUM_BY_WAY.rows>>[number];

/**
 * Returns what a shift's bills received through each network, in cash and in other ways, less what went back. `network` is null if it is
 * not known, and for money that a person received.
 */
export async function sumByWay(on: Queryable, { merchantId, environment: where, userId }: CounterOf, shiftId: string): Promise<WaySum[]> {
  return SUM_BY_WAY.rows(on, { merchantId, environment: where, userId, shiftId });
}

const SUM_CASH = statement({
  name: 'sum the cash of a shift',
  text: `SELECT coalesce(sum(${correctedAmount('p')}), 0)::bigint AS amount FROM payment p
         WHERE p.kind = 'payment' AND p.source = 'cash' AND p.id IN (
           SELECT l.payment_id FROM counter_entry e JOIN payment_allocation l ON l.bill_id = e.bill_id
           WHERE e.shift_id = $shiftId AND l.created_by = $by)`,
  parameters: { shiftId: counterEntry.shiftId, by: paymentAllocation.createdBy },
  columns: { amount: neverNull(payment.amount) },
});

/** Returns the cash that a person recorded for the bills of a shift, after corrections. @param by the name of the actor. */
export async function sumCash(on: Queryable, shiftId: string, by: string): Promise<Senti> {
  return (await SUM_CASH.first(on, { shiftId, by }))?.amount ?? 0n;
}
