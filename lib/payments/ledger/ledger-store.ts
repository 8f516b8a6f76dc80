import type { Bill } from '@/lib/bills/rules';
import { columnsOf } from '@/lib/core/columns-of';
import type { Senti } from '@/lib/core/money';
import type { Connection, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { array, boolean, environment, int4, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnest } from '@/lib/db/unnest';
import type { Attempt } from '@/lib/payments/rules';
import { findAccountOwner } from '@/lib/providers/accounts/account-store';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { lockBalance } from './balance-store';
import { findPayment, type LedgerPayment, listBillsOf } from './payment-store';

/**
 * The result of inserting a payment. `inserted`: it is new. `known`: the ledger has it for this attempt. `unmatched`: the ledger has it
 * without an attempt or bill, so that it can be allocated. `conflict`: it belongs to another attempt or bill.
 */
export type Entered =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'known' | 'conflict'; readonly earlier: LedgerPayment }
  | { readonly kind: 'unmatched'; readonly earlier: LedgerPayment; readonly unmatched: bigint };

export const INSERTED = { inserted: int4 };

const NEW_PAYMENT = {
  id: array(uuid),
  environment: array(environment),
  /** The merchant of each payment; null for a payment that belongs to no merchant yet. */
  merchantId: array(nullable(uuid)),
  providerAccountId: array(uuid),
  transactionId: array(text),
  attemptId: array(nullable(uuid)),
  amount: array(int8),
  mobile: array(nullable(text)),
  late: array(boolean),
  amountDiffers: array(boolean),
  fee: array(nullable(int8)),
  recordedAt: array(timestamptz),
  happenedAt: array(nullable(timestamptz)),
};
const INSERT_PAYMENTS = statement({
  name: 'insert-payments',
  prepared: true,
  text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, attempt_id, amount, mobile, late,
           amount_differs, fee, recorded_at, happened_at, kind)
         SELECT n.*, 'payment'::payment_kind FROM ${unnest('$id::uuid[]', '$environment::environment[]', '$merchantId::uuid[]', '$providerAccountId::uuid[]', '$transactionId::text[]', '$attemptId::uuid[]', '$amount::bigint[]', '$mobile::text[]', '$late::boolean[]', '$amountDiffers::boolean[]', '$fee::bigint[]', '$recordedAt::timestamptz[]', '$happenedAt::timestamptz[]')} AS n
         ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING id`,
  parameters: NEW_PAYMENT,
  columns: { id: uuid },
});

/** A payment of an attempt. */
interface NewPayment extends Pick<LedgerPayment, 'id' | 'providerAccountId' | 'transactionId' | 'amount' | 'recordedAt'> {
  readonly attempt: Attempt;
  readonly late: boolean;
  readonly amountDiffers: boolean;
  /** The fee that the provider kept of the amount; null if the provider does not report one. */
  readonly fee: Senti | null;
  /** When the customer paid, as the provider says; null if it does not say so. */
  readonly happenedAt: Date | null;
}

/** Inserts payments of attempts. Returns each payment with the result of its insertion. */
export async function insertPayments<Payment extends NewPayment>(
  tx: Queryable,
  payments: readonly Payment[],
): Promise<{ readonly payment: Payment; readonly entered: Entered }[]> {
  const rows = payments.map((payment) => {
    const { id: attemptId, environment, merchantId, mobile } = payment.attempt;
    const { id, providerAccountId, transactionId, amount, recordedAt, happenedAt, late, amountDiffers, fee } = payment;
    const reported = { id, providerAccountId, transactionId, amount, recordedAt, late, amountDiffers, fee };
    return { ...reported, happenedAt: notAfter(happenedAt, recordedAt), attemptId, environment, merchantId, mobile };
  });
  const inserted = new Set((await INSERT_PAYMENTS.rows(tx, columnsOf(rows, NEW_PAYMENT))).map(({ id }) => id));
  const results: { payment: Payment; entered: Entered }[] = [];
  for (const payment of payments)
    results.push({ payment, entered: inserted.has(payment.id) ? { kind: 'inserted' } : await findEarlier(tx, payment) });
  return results;
}

/** Returns the time that a provider reports; the time at which Bili recorded the money if the provider's clock is ahead. */
export function notAfter(happenedAt: Date | null, recordedAt: Date): Date | null {
  return happenedAt !== null && happenedAt > recordedAt ? recordedAt : happenedAt;
}

const INSERT_FEE = statement({
  name: 'insert the fee of a payment',
  text: `INSERT INTO payment_fee (payment_id, amount, recorded_at)
         SELECT id, $fee, $now FROM payment WHERE id = $paymentId AND fee IS NULL ON CONFLICT (payment_id) DO NOTHING`,
  parameters: { paymentId: uuid, fee: int8, now: timestamptz },
  columns: {},
});

/** Records the fee of a payment that was booked before its fee was known. Changes nothing if the fee is known. */
export async function recordFee(db: Queryable, fee: Parameters<typeof INSERT_FEE.rows>[1]): Promise<void> {
  await INSERT_FEE.rows(db, fee);
}

async function findEarlier(tx: Queryable, { attempt, providerAccountId, transactionId }: NewPayment): Promise<Entered> {
  const earlier = await findPayment(tx, providerAccountId, transactionId);
  if (!earlier) throw new Error(`payment ${transactionId} was neither inserted nor found`);
  if (earlier.attemptId === attempt.id) return { kind: 'known', earlier };
  const { received, unmatched } = await lockBalance(tx, earlier);
  // The payment arrived without an attempt and was later allocated to this bill. Ledger rows never change, so it still has no attempt.
  if (earlier.attemptId === null && (await listBillsOf(tx, earlier.id)).includes(attempt.billId)) return { kind: 'known', earlier };
  // Nothing of the payment was allocated, reversed or refunded outside Bili.
  const untouched = earlier.attemptId === null && unmatched === received && unmatched > 0n;
  return untouched ? { kind: 'unmatched', earlier, unmatched } : { kind: 'conflict', earlier };
}

/** Marks a part of a payment as refunded outside Bili. */
export async function insertRefundMark({ prisma }: Connection, mark: Prisma.RefundMarkUncheckedCreateInput): Promise<void> {
  await prisma.refundMark.create({ data: mark });
}

interface UnmatchedPayment extends Pick<LedgerPayment, 'id' | 'transactionId' | 'amount' | 'mobile' | 'recordedAt'> {
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
  /** The merchant of the bill that the payment names; absent if it names none. */
  readonly merchantId?: string | undefined;
  readonly fee?: Senti | null;
  readonly happenedAt?: Date | null;
}

/**
 * Inserts a payment without an attempt. It belongs to the merchant of the bill that it names, else to the merchant that owns the account.
 * Any other payment to an account of the operator belongs to no merchant yet. Returns false if the ledger already has its receipt number.
 */
export async function insertUnmatchedPayment(
  db: Connection,
  { account, merchantId: named, fee = null, happenedAt = null, ...payment }: UnmatchedPayment,
): Promise<boolean> {
  const { id: providerAccountId, environment } = account;
  const merchantId = named ?? (await findAccountOwner(db, providerAccountId));
  const unmatched = {
    merchantId,
    attemptId: null,
    late: false,
    amountDiffers: false,
    fee,
    happenedAt: notAfter(happenedAt, payment.recordedAt),
  };
  const row = { ...payment, ...unmatched, environment, providerAccountId };
  return (await INSERT_PAYMENTS.rows(db, columnsOf([row], NEW_PAYMENT))).length > 0;
}

const NEW_ALLOCATION = {
  id: array(uuid),
  merchantId: array(uuid),
  environment: array(environment),
  paymentId: array(uuid),
  billId: array(uuid),
  amount: array(int8),
  createdBy: array(text),
  createdAt: array(timestamptz),
};
const INSERT_ALLOCATIONS = statement({
  name: 'insert-allocations',
  prepared: true,
  text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
         SELECT * FROM ${unnest('$id::uuid[]', '$merchantId::uuid[]', '$environment::environment[]', '$paymentId::uuid[]', '$billId::uuid[]', '$amount::bigint[]', '$createdBy::text[]', '$createdAt::timestamptz[]')}`,
  parameters: NEW_ALLOCATION,
  columns: {},
});

/** A part of a payment for a bill. The amount is senti; negative for a reversal. */
interface NewAllocation {
  readonly id: string;
  readonly paymentId: string;
  readonly bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>;
  readonly amount: bigint;
  /** `gateway`, or the person who allocated the payment. */
  readonly createdBy: string;
  readonly createdAt: Date;
}

export async function insertAllocations(tx: Queryable, allocations: readonly NewAllocation[]): Promise<void> {
  const rows = allocations.map(({ bill: { id: billId, merchantId, environment }, ...allocation }) => ({
    ...allocation,
    billId,
    merchantId,
    environment,
  }));
  await INSERT_ALLOCATIONS.rows(tx, columnsOf(rows, NEW_ALLOCATION));
}
