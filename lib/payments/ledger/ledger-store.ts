import type { Bill } from '@/lib/bills/rules';
import type { Connection, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { boolean, environment, int4, int8, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Attempt } from '@/lib/payments/rules';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { lockBalance } from './balance-store';
import { findPayment, type LedgerPayment, listBillsOf, PAYMENT_COLUMNS } from './payment-store';

/**
 * The result of inserting a payment. `inserted`: it is new. `known`: the ledger has it for this attempt. `unmatched`: the ledger has it
 * without an attempt or bill, so that it can be allocated. `conflict`: it belongs to another attempt or bill.
 */
export type Entered =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'known' | 'conflict'; readonly earlier: LedgerPayment }
  | { readonly kind: 'unmatched'; readonly earlier: LedgerPayment; readonly unmatched: bigint };

export const INSERTED = { inserted: int4 };

const INSERT_PAYMENT = statement({
  name: 'insert-payment',
  prepared: true,
  text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, late, amount_differs, recorded_at)
         VALUES ($id, $environment, $merchantId, $providerAccountId, $transactionId, 'payment', $attemptId, $amount, $mobile, $late, $amountDiffers, $recordedAt)
         ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
  parameters: { ...PAYMENT_COLUMNS, late: boolean, amountDiffers: boolean },
  columns: INSERTED,
});

type NewPayment = Omit<Parameters<typeof INSERT_PAYMENT.rows>[1], 'environment' | 'merchantId' | 'attemptId' | 'mobile'> & {
  readonly attempt: Attempt;
};

export async function insertPayment(tx: Queryable, { attempt, ...payment }: NewPayment): Promise<Entered> {
  const { providerAccountId, transactionId } = payment;
  const { environment, merchantId, mobile } = attempt;
  const rows = await INSERT_PAYMENT.rows(tx, { ...payment, environment, merchantId, attemptId: attempt.id, mobile });
  if (rows.length > 0) return { kind: 'inserted' };
  const earlier = await findPayment(tx, providerAccountId, transactionId);
  if (!earlier) throw new Error(`payment ${transactionId} was neither inserted nor found`);
  if (earlier.attemptId === attempt.id) return { kind: 'known', earlier };
  const { received, kept, unmatched, allocated, refundedOutside } = await lockBalance(tx, earlier);
  // The payment arrived without an attempt and was later allocated to this bill. Ledger rows never change, so it still has no attempt.
  if (earlier.attemptId === null && (await listBillsOf(tx, earlier.id)).includes(attempt.billId)) return { kind: 'known', earlier };
  const untouched = earlier.attemptId === null && allocated.length === 0 && kept === received && unmatched > 0n;
  return untouched && !refundedOutside ? { kind: 'unmatched', earlier, unmatched } : { kind: 'conflict', earlier };
}

/** Marks the unmatched part of a payment as refunded outside Bili. Returns false if it was already marked. */
export async function insertRefundMark({ prisma }: Connection, mark: Prisma.RefundMarkUncheckedCreateInput): Promise<boolean> {
  const { count } = await prisma.refundMark.createMany({ data: mark, skipDuplicates: true });
  return count > 0;
}

interface UnmatchedPayment extends Pick<LedgerPayment, 'id' | 'transactionId' | 'amount' | 'mobile' | 'recordedAt'> {
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
}

/** Inserts a payment that belongs to no merchant yet. Returns false if the ledger has its receipt. */
export async function insertUnmatchedPayment(db: Queryable, { account, ...payment }: UnmatchedPayment): Promise<boolean> {
  const { id: providerAccountId, environment } = account;
  const unmatched = { merchantId: null, attemptId: null, late: false, amountDiffers: false };
  return (await INSERT_PAYMENT.rows(db, { ...payment, ...unmatched, environment, providerAccountId })).length > 0;
}

const INSERT_ALLOCATION = statement({
  name: 'insert-allocation',
  prepared: true,
  text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
         VALUES ($id, $merchantId, $environment, $paymentId, $billId, $amount, $createdBy, $createdAt)`,
  parameters: {
    id: uuid,
    merchantId: uuid,
    environment,
    paymentId: uuid,
    billId: uuid,
    /** Senti; negative for a reversal. */
    amount: int8,
    /** `gateway`, or the person who allocated it. */
    createdBy: text,
    createdAt: timestamptz,
  },
  columns: {},
});

type NewAllocation = Omit<Parameters<typeof INSERT_ALLOCATION.rows>[1], 'merchantId' | 'environment' | 'billId'> & {
  readonly bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>;
};

export async function insertAllocation(tx: Queryable, { bill, ...allocation }: NewAllocation): Promise<void> {
  const { merchantId, environment } = bill;
  await INSERT_ALLOCATION.rows(tx, { ...allocation, merchantId, environment, billId: bill.id });
}
