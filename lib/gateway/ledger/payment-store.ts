import type { Bill } from '@/lib/gateway/bills/rules';
import { networkByPrefix } from '@/lib/gateway/networks/store';
import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Queryable } from '@/lib/platform/db/database';
import { payment, paymentAllocation, providerAccount, reversalReceipt } from '@/lib/platform/db/generated/tables';
import { arrays, int4, neverNull, nullable, pick, select, text, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRows } from '@/lib/platform/db/unnest';
import type { PaymentSource } from './rules';

/** A payment in the ledger. The amount is senti, without corrections. */
export type LedgerPayment = NonNullable<Awaited<ReturnType<typeof findPaymentById>>>;

/** The columns of a payment, which are also the parameters of a new ledger entry. */
const PAYMENT_COLUMNS = {
  ...pick(payment, 'id environment merchantId providerAccountId source attemptId instrumentId amount mobile recordedAt'),
  transactionId: payment.providerTransactionId,
};
const SELECT_PAYMENT = `SELECT ${select(PAYMENT_COLUMNS, 'p.')} FROM payment p`;

const FIND_PAYMENT = statement({
  name: 'find a payment by its receipt',
  text: `${SELECT_PAYMENT} WHERE p.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
           AND p.provider_transaction_id = $transactionId AND p.kind = 'payment'`,
  parameters: { accountId: providerAccount.id, transactionId: payment.providerTransactionId },
  columns: PAYMENT_COLUMNS,
});

/** Returns the payment with a receipt number, from any account of the same till. */
export async function findPayment(db: Queryable, accountId: string, transactionId: string) {
  return FIND_PAYMENT.first(db, { accountId, transactionId });
}

const FIND_PAYMENT_BY_ID = statement({
  name: 'find a payment by its id',
  text: `${SELECT_PAYMENT} WHERE p.id = $id AND p.kind = 'payment'`,
  parameters: { id: payment.id },
  columns: PAYMENT_COLUMNS,
});

export async function findPaymentById(db: Queryable, id: string) {
  return FIND_PAYMENT_BY_ID.first(db, { id });
}

const FIND_PAYMENTS_BY_RECEIPT = statement({
  name: 'find the payments of any till by a receipt',
  text: `${SELECT_PAYMENT} WHERE p.till_id = ANY (ARRAY(SELECT id FROM provider_account WHERE id = till_id))
           AND p.provider_transaction_id = $transactionId AND p.kind = 'payment' ORDER BY p.id`,
  parameters: { transactionId: payment.providerTransactionId },
  columns: PAYMENT_COLUMNS,
});

/** Returns the payments with a receipt number. Receipt numbers are unique only within a till, so there may be several payments. */
export async function findPaymentsByReceipt(db: Queryable, transactionId: string) {
  return FIND_PAYMENTS_BY_RECEIPT.rows(db, { transactionId });
}

const FIND_PAYMENTS_OF_BILL = statement({
  name: 'find the payments of a bill',
  text: `${SELECT_PAYMENT} WHERE p.kind = 'payment'
           AND p.id IN (SELECT payment_id FROM payment_allocation WHERE bill_id = $billId
                        UNION SELECT q.id FROM payment q JOIN push_attempt t ON t.id = q.attempt_id WHERE t.bill_id = $billId
                        UNION SELECT q.id FROM payment q JOIN instrument i ON i.id = q.instrument_id WHERE i.bill_id = $billId)
         ORDER BY p.id`,
  parameters: { billId: paymentAllocation.billId },
  columns: PAYMENT_COLUMNS,
});

/** Returns the payments that were ever allocated to a bill, or that were collected by one of its attempts or instruments. */
export async function findPaymentsOfBill(db: Queryable, billId: string) {
  return FIND_PAYMENTS_OF_BILL.rows(db, { billId });
}

const FIND_PAID_REQUEST = statement({
  name: 'find what a payment pays',
  text: `SELECT t.bill_id AS "billId", t.our_reference AS "ourReference", t.mobile, t.network
         FROM payment p JOIN push_attempt t ON t.id = p.attempt_id WHERE p.id = $paymentId
         UNION ALL SELECT i.bill_id, i.our_reference, p.mobile, CASE WHEN p.mobile IS NOT NULL THEN ${networkByPrefix('p.mobile')} END
         FROM payment p JOIN instrument i ON i.id = p.instrument_id WHERE p.id = $paymentId`,
  parameters: { paymentId: payment.id },
  columns: {
    billId: neverNull(uuid),
    ourReference: neverNull(text),
    /** The number that paid, and its network: for an instrument by the prefix. Null if the provider did not name the number. */
    mobile: nullable(text),
    network: nullable(text),
  },
});

/** Returns the attempt or instrument of a payment; undefined if the payment has neither. */
export async function findPaidRequest(db: Queryable, { id: paymentId }: Pick<LedgerPayment, 'id'>) {
  return FIND_PAID_REQUEST.first(db, { paymentId });
}

const LIST_BILLS = statement({
  name: 'list the bills of a payment',
  text: 'SELECT DISTINCT bill_id AS "billId" FROM payment_allocation WHERE payment_id = $paymentId ORDER BY bill_id',
  parameters: { paymentId: paymentAllocation.paymentId },
  columns: { billId: paymentAllocation.billId },
});

/** Returns the bills to which a payment was ever allocated. */
export async function listBillsOf(db: Queryable, paymentId: string): Promise<string[]> {
  return (await LIST_BILLS.rows(db, { paymentId })).map(({ billId }) => billId);
}

/** Returns the time that a provider reports; the time at which Bili recorded the money if the provider's clock is ahead. */
export function notAfter(happenedAt: Date | null, recordedAt: Date): Date | null {
  return happenedAt !== null && happenedAt > recordedAt ? recordedAt : happenedAt;
}

const NEW_ALLOCATION = arrays(pick(paymentAllocation, 'id merchantId environment paymentId billId amount createdBy createdAt'));
const INSERT_ALLOCATIONS = statement({
  name: 'insert-allocations',
  prepared: true,
  text: insertRows('payment_allocation', NEW_ALLOCATION),
  parameters: NEW_ALLOCATION,
});

/** A part of a payment for a bill. The amount is senti; negative for a reversal or refund. */
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

const INSERT_RETURN = statement({
  name: 'insert a reversal or refund',
  text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, source, attempt_id, instrument_id, amount, mobile, reverses_id, recorded_at, happened_at)
         VALUES ($id, $environment, $merchantId, $providerAccountId, $transactionId, $kind, $source, $attemptId, $instrumentId, $amount, $mobile, $reversesId, $recordedAt, $happenedAt)
         ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
  parameters: { ...PAYMENT_COLUMNS, ...pick(payment, 'kind source happenedAt'), reversesId: uuid },
  columns: { inserted: int4 },
});

interface NewReturn extends Pick<LedgerPayment, 'id' | 'transactionId' | 'amount' | 'recordedAt'> {
  readonly payment: LedgerPayment;
  readonly kind: 'reversal' | 'refund';
  readonly source: PaymentSource;
  /** The account from which the money went; by default that of the payment. */
  readonly providerAccountId?: string;
  /** When the money went back, as the provider or a person says; null if nobody says so. */
  readonly happenedAt: Date | null;
}

/** Inserts a ledger entry about money that went back. Returns false if the ledger already has an entry with this receipt number. */
export async function insertReturn(tx: Queryable, { payment, ...entry }: NewReturn): Promise<boolean> {
  const rows = await INSERT_RETURN.rows(tx, { ...payment, ...entry, reversesId: payment.id });
  return rows.length > 0;
}

const INSERT_RECEIPT = statement({
  name: 'insert the receipt of a reversal',
  text: `INSERT INTO reversal_receipt (payment_id, provider_transaction_id, recorded_at) VALUES ($reversalId, $receipt, $recordedAt)
         ON CONFLICT (payment_id) DO NOTHING`,
  parameters: {
    reversalId: reversalReceipt.paymentId,
    receipt: reversalReceipt.providerTransactionId,
    recordedAt: reversalReceipt.recordedAt,
  },
});

const FIND_RECEIPT = statement({
  name: 'find the receipt of a reversal',
  text: 'SELECT 1 AS found FROM reversal_receipt WHERE payment_id = $reversalId AND provider_transaction_id = $receipt',
  parameters: { reversalId: reversalReceipt.paymentId, receipt: reversalReceipt.providerTransactionId },
  columns: { found: int4 },
});

/**
 * Records the receipt number of a reversal that was booked without one. Only the first number is recorded, because a second number belongs
 * to another reversal. Returns true if the recorded number is the given one.
 */
export async function recordReversalReceipt(
  db: Queryable,
  receipt: { readonly reversalId: string; readonly receipt: string; readonly recordedAt: Date },
): Promise<boolean> {
  await INSERT_RECEIPT.rows(db, receipt);
  return (await FIND_RECEIPT.rows(db, receipt)).length > 0;
}
