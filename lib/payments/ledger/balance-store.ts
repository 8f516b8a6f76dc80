import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { type CorrectionRow, correctedAmount, listCorrections } from './correction-store';

/** A payment of the ledger. Amounts are senti, as they were recorded. */
export interface LedgerPayment {
  readonly id: string;
  readonly environment: Environment;
  /** Null for money that is no merchant's yet. */
  readonly merchantId: string | null;
  readonly providerAccountId: string;
  readonly transactionId: string;
  readonly attemptId: string | null;
  readonly amount: bigint;
  readonly mobile: string | null;
  readonly recordedAt: Date;
}

/** A reversal in the ledger. */
interface ReversalRow {
  readonly id: string;
  /** The provider's receipt; the payment's own while the provider has named none. */
  readonly transactionId: string;
  /** What the provider named it when it was already booked; null as long as it has not. */
  readonly laterReceipt: string | null;
  /** With its corrections. */
  readonly amount: bigint;
}

/** Where a payment's money is now. */
export interface Balance {
  readonly payment: LedgerPayment;
  /** What came, with corrections. */
  readonly received: bigint;
  readonly reversals: readonly ReversalRow[];
  /** Of the payment and of its reversals. */
  readonly corrections: readonly CorrectionRow[];
  /** What each bill has of it, newest first; never 0. */
  readonly allocated: readonly { readonly billId: string; readonly merchantId: string; readonly amount: bigint }[];
  /** What came and did not go back. */
  readonly kept: bigint;
  /** What no bill has of that. */
  readonly unmatched: bigint;
  /** What is unmatched is refunded outside the gateway. */
  readonly refundedOutside: boolean;
}

const PAYMENT_COLUMNS = `p.id, p.environment, p.merchant_id AS "merchantId", p.provider_account_id AS "providerAccountId",
  p.provider_transaction_id AS "transactionId", p.attempt_id AS "attemptId", p.amount, p.mobile, p.recorded_at AS "recordedAt"`;

const SELECT_REVERSAL = `SELECT r.id, r.provider_transaction_id AS "transactionId", n.provider_transaction_id AS "laterReceipt",
  ${correctedAmount('r')} AS amount FROM payment r LEFT JOIN reversal_receipt n ON n.payment_id = r.id`;

/** @returns the payment under a provider's receipt: of an account, or of one that it renews. */
export async function findPayment(db: Queryable, accountId: string, transactionId: string): Promise<LedgerPayment | undefined> {
  const [payment] = await db.query<LedgerPayment>(
    {
      text: `SELECT ${PAYMENT_COLUMNS} FROM payment p
             WHERE p.till_id = (SELECT till_id FROM provider_account WHERE id = $1) AND p.provider_transaction_id = $2 AND p.kind = 'payment'`,
    },
    [accountId, transactionId],
  );
  return payment;
}

export async function findPaymentById(db: Queryable, id: string): Promise<LedgerPayment | undefined> {
  const [payment] = await db.query<LedgerPayment>(
    { text: `SELECT ${PAYMENT_COLUMNS} FROM payment p WHERE p.id = $1 AND p.kind = 'payment'` },
    [id],
  );
  return payment;
}

/** Receipts are unique within a till: two providers may use the same. */
export async function findPaymentsByReceipt(db: Queryable, transactionId: string): Promise<LedgerPayment[]> {
  return db.query<LedgerPayment>(
    {
      text: `SELECT ${PAYMENT_COLUMNS} FROM payment p
             WHERE p.till_id = ANY (ARRAY(SELECT id FROM provider_account WHERE id = till_id)) AND p.provider_transaction_id = $1 AND p.kind = 'payment'
             ORDER BY p.id`,
    },
    [transactionId],
  );
}

/** @returns the payments that a bill has or had something of, or that came for one of its prompts. */
export async function findPaymentsOfBill(db: Queryable, billId: string): Promise<LedgerPayment[]> {
  return db.query<LedgerPayment>(
    {
      text: `SELECT ${PAYMENT_COLUMNS} FROM payment p WHERE p.kind = 'payment'
               AND p.id IN (SELECT payment_id FROM payment_allocation WHERE bill_id = $1
                            UNION SELECT q.id FROM payment q JOIN push_attempt t ON t.id = q.attempt_id WHERE t.bill_id = $1)
             ORDER BY p.id`,
    },
    [billId],
  );
}

/** @returns the bills that have had anything of a payment. */
export async function listBillsOf(db: Queryable, paymentId: string): Promise<string[]> {
  const rows = await db.query<{ billId: string }>(
    { text: 'SELECT DISTINCT bill_id AS "billId" FROM payment_allocation WHERE payment_id = $1 ORDER BY bill_id' },
    [paymentId],
  );
  return rows.map(({ billId }) => billId);
}

/** @returns the reversal of a payment that has this receipt, from the start or since. */
export async function findReversal(db: Queryable, paymentId: string, receipt: string): Promise<ReversalRow | undefined> {
  const [reversal] = await db.query<ReversalRow>(
    {
      text: `${SELECT_REVERSAL} WHERE r.reverses_id = $1 AND (r.provider_transaction_id = $2 OR n.provider_transaction_id = $2)`,
    },
    [paymentId, receipt],
  );
  return reversal;
}

/** Locks a payment, after the bills concerned: what is done with its money is decided one after the other. */
export async function lockBalance(tx: Queryable, payment: LedgerPayment): Promise<Balance> {
  await tx.query({ text: 'SELECT 1 FROM payment WHERE id = $1 FOR UPDATE' }, [payment.id]);
  return readBalance(tx, payment);
}

export async function readBalance(db: Queryable, payment: LedgerPayment): Promise<Balance> {
  const reversals = await db.query<ReversalRow>(
    {
      text: `${SELECT_REVERSAL} WHERE r.reverses_id = $1 ORDER BY r.id`,
    },
    [payment.id],
  );
  const allocated = await db.query<{ billId: string; merchantId: string; amount: bigint }>(
    {
      text: `SELECT a.bill_id AS "billId", a.merchant_id AS "merchantId", sum(a.amount)::bigint AS amount
             FROM payment_allocation a
             WHERE a.payment_id IN (SELECT $1::uuid UNION ALL SELECT id FROM payment WHERE reverses_id = $1
                                    UNION ALL SELECT id FROM payment_correction WHERE payment_id = $1)
             GROUP BY a.bill_id, a.merchant_id HAVING sum(a.amount) <> 0 ORDER BY max(a.id::text COLLATE "C") FILTER (WHERE a.amount > 0) DESC`,
    },
    [payment.id],
  );
  const marks = await db.query({ text: 'SELECT 1 AS marked FROM refund_mark WHERE payment_id = $1' }, [payment.id]);
  const corrections = await listCorrections(db, payment.id);
  const received = payment.amount + sum(corrections.filter(({ correctsId }) => correctsId === payment.id));
  const kept = received - sum(reversals);
  const unmatched = kept - sum(allocated);
  return { payment, received, reversals, corrections, allocated, kept, unmatched, refundedOutside: marks.length > 0 };
}

function sum(rows: readonly { readonly amount: bigint }[]): bigint {
  return rows.reduce((total, { amount }) => total + amount, 0n);
}
