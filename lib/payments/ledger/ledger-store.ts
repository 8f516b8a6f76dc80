import type { Bill } from '@/lib/bills/rules';
import type { Queryable } from '@/lib/db/database';
import type { Attempt } from '@/lib/payments/rules';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { findPayment, type LedgerPayment, listBillsOf, lockBalance } from './balance-store';

interface NewPayment {
  readonly id: string;
  readonly attempt: Attempt;
  readonly providerAccountId: string;
  readonly transactionId: string;
  readonly amount: bigint;
  readonly late: boolean;
  readonly amountDiffers: boolean;
  readonly recordedAt: Date;
}

/**
 * What the ledger has to say to a payment: it was written now; it is there for this attempt; it is there and nobody's, so
 * that it can be this attempt's; or it is another's.
 */
export type Entered =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'known' | 'conflict'; readonly earlier: LedgerPayment }
  | { readonly kind: 'unmatched'; readonly earlier: LedgerPayment; readonly unmatched: bigint };

export async function insertPayment(
  tx: Queryable,
  { id, attempt, providerAccountId, transactionId, amount, late, amountDiffers, recordedAt }: NewPayment,
): Promise<Entered> {
  const rows = await tx.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, late, amount_differs, recorded_at)
             VALUES ($1, $2, $3, $4, $5, 'payment', $6, $7, $8, $9, $10, $11)
             ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
    },
    [
      id,
      attempt.environment,
      attempt.merchantId,
      providerAccountId,
      transactionId,
      attempt.id,
      amount,
      attempt.mobile,
      late,
      amountDiffers,
      recordedAt,
    ],
  );
  if (rows.length > 0) return { kind: 'inserted' };
  const earlier = await findPayment(tx, providerAccountId, transactionId);
  if (!earlier) throw new Error(`payment ${transactionId} is neither new nor there`);
  if (earlier.attemptId === attempt.id) return { kind: 'known', earlier };
  const { received, kept, unmatched, allocated, refundedOutside } = await lockBalance(tx, earlier);
  // It was nobody's, and has been booked on this attempt's bill since: the row of the ledger does not change.
  if (earlier.attemptId === null && (await listBillsOf(tx, earlier.id)).includes(attempt.billId)) return { kind: 'known', earlier };
  const untouched = earlier.attemptId === null && allocated.length === 0 && kept === received && unmatched > 0n;
  return untouched && !refundedOutside ? { kind: 'unmatched', earlier, unmatched } : { kind: 'conflict', earlier };
}

/** @returns false when the ledger has a reversal under this receipt already. */
export async function insertReversal(
  tx: Queryable,
  {
    id,
    payment,
    transactionId,
    amount,
    recordedAt,
  }: { id: string; payment: LedgerPayment; transactionId: string; amount: bigint; recordedAt: Date },
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, reverses_id, recorded_at)
             VALUES ($1, $2, $3, $4, $5, 'reversal', $6, $7, $8, $9, $10)
             ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
    },
    [
      id,
      payment.environment,
      payment.merchantId,
      payment.providerAccountId,
      transactionId,
      payment.attemptId,
      amount,
      payment.mobile,
      payment.id,
      recordedAt,
    ],
  );
  return rows.length > 0;
}

/**
 * Notes what the provider calls a reversal that was booked before it had a name; once, for then the name is another one's.
 * @returns whether this is its name now.
 */
export async function nameReversal(
  db: Queryable,
  { reversalId, receipt, recordedAt }: { reversalId: string; receipt: string; recordedAt: Date },
): Promise<boolean> {
  await db.query(
    {
      text: `INSERT INTO reversal_receipt (payment_id, provider_transaction_id, recorded_at) VALUES ($1, $2, $3)
             ON CONFLICT (payment_id) DO NOTHING`,
    },
    [reversalId, receipt, recordedAt],
  );
  const rows = await db.query({ text: 'SELECT 1 AS named FROM reversal_receipt WHERE payment_id = $1 AND provider_transaction_id = $2' }, [
    reversalId,
    receipt,
  ]);
  return rows.length > 0;
}

/** Says that what is unmatched of a payment is refunded outside the gateway. @returns false when it was said before. */
export async function insertRefundMark(
  tx: Queryable,
  { paymentId, reason, createdBy, createdAt }: { paymentId: string; reason: string; createdBy: string; createdAt: Date },
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO refund_mark (payment_id, reason, created_by, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (payment_id) DO NOTHING RETURNING 1 AS marked`,
    },
    [paymentId, reason, createdBy, createdAt],
  );
  return rows.length > 0;
}

export async function insertUnmatchedPayment(
  db: Queryable,
  {
    id,
    account,
    transactionId,
    amount,
    mobile,
    recordedAt,
  }: {
    id: string;
    account: Pick<ProviderAccount, 'id' | 'environment'>;
    transactionId: string;
    amount: bigint;
    mobile: string | null;
    recordedAt: Date;
  },
): Promise<boolean> {
  const rows = await db.query(
    {
      text: `INSERT INTO payment (id, environment, provider_account_id, provider_transaction_id, kind, amount, mobile, recorded_at)
             VALUES ($1, $2, $3, $4, 'payment', $5, $6, $7)
             ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
    },
    [id, account.environment, account.id, transactionId, amount, mobile, recordedAt],
  );
  return rows.length > 0;
}

interface NewAllocation {
  readonly id: string;
  readonly paymentId: string;
  readonly bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>;
  /** Senti; negative for a reversal's. */
  readonly amount: bigint;
  /** `gateway`, or who allocated it by hand. */
  readonly createdBy: string;
  readonly createdAt: Date;
}

export async function insertAllocation(tx: Queryable, { id, paymentId, bill, amount, createdBy, createdAt }: NewAllocation): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    },
    [id, bill.merchantId, bill.environment, paymentId, bill.id, amount, createdBy, createdAt],
  );
}
