import { isUuid } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, payment, paymentAllocation, paymentCorrection, paymentFee, reversalReceipt } from '@/lib/platform/db/generated/tables';
import { boolean, nullable, pick, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findPaymentById, findPaymentsByReceipt, findPaymentsOfBill, type LedgerPayment } from './payment-store';
import type { BillShare } from './rules';

/** Returns SQL for the amount of the ledger entry `entry` including its corrections, senti. */
export function correctedAmount(entry: string): string {
  return `(${entry}.amount + coalesce((SELECT sum(correction.amount) FROM payment_correction note JOIN payment correction ON correction.id = note.id
      WHERE note.payment_id = coalesce(${entry}.reverses_id, ${entry}.id) AND note.corrects_id = ${entry}.id), 0))::bigint`;
}

const LIST_CORRECTIONS = statement({
  name: 'list the corrections of a payment',
  text: `SELECT k.id, c.corrects_id AS "correctsId", k.amount, c.reason, c.created_by AS "createdBy", k.recorded_at AS "recordedAt"
         FROM payment_correction c JOIN payment k ON k.id = c.id WHERE c.payment_id = $paymentId ORDER BY k.id`,
  parameters: { paymentId: paymentCorrection.paymentId },
  columns: {
    ...pick(payment, 'id recordedAt'),
    /** The id of the corrected payment, reversal or refund. */
    correctsId: paymentCorrection.correctsId,
    /** The change of the amount, senti; negative if the earlier amount was too high. */
    amount: payment.amount,
    ...pick(paymentCorrection, 'reason createdBy'),
  },
});

/** Amounts are senti. */
const SHARE_COLUMNS = { ...pick(paymentAllocation, 'billId merchantId'), amount: payment.amount };

const LIST_TAKEN = statement({
  name: 'list the amounts that a reversal took from bills',
  text: `SELECT a.bill_id AS "billId", a.merchant_id AS "merchantId", -sum(a.amount)::bigint AS amount FROM payment_allocation a
         WHERE a.payment_id = $reversalId OR a.payment_id IN (SELECT id FROM payment_correction WHERE corrects_id = $reversalId
           AND payment_id = (SELECT reverses_id FROM payment WHERE id = $reversalId))
         GROUP BY a.bill_id, a.merchant_id HAVING sum(a.amount) < 0 ORDER BY max(a.id::text COLLATE "C") DESC`,
  parameters: { reversalId: paymentAllocation.paymentId },
  columns: SHARE_COLUMNS,
});

/** Returns the amounts that a reversal or refund, with its corrections, took from bills. The bill that lost money last comes first. */
export async function listTaken(db: Queryable, reversalId: string): Promise<BillShare[]> {
  return LIST_TAKEN.rows(db, { reversalId });
}

const LIST_ATTACHED = statement({
  name: 'list the bills to which a payment was allocated',
  text: `SELECT bill_id AS "billId", merchant_id AS "merchantId", sum(amount)::bigint AS amount FROM payment_allocation
         WHERE payment_id = $paymentId GROUP BY bill_id, merchant_id ORDER BY bill_id`,
  parameters: { paymentId: paymentAllocation.paymentId },
  columns: SHARE_COLUMNS,
});

/** Returns how much of a payment was allocated to each bill. Later changes by reversals and corrections are not included. */
export async function listAttached(db: Queryable, paymentId: string): Promise<BillShare[]> {
  return LIST_ATTACHED.rows(db, { paymentId });
}

const REDUCE_REVERSED_AMOUNT = statement({
  name: 'reduce the reversed amount of a bill',
  text: 'UPDATE bill SET reversed_amount = reversed_amount - $amount WHERE id = $billId',
  parameters: { billId: bill.id, amount: bill.amount },
});

/**
 * Reduces a bill's reversed amount after the correction of a reversal. A negative share increases the amount. New reversals need no call of
 * this function: a trigger adds them to the amount.
 */
export async function reduceReversedAmount(tx: Queryable, share: BillShare): Promise<void> {
  await REDUCE_REVERSED_AMOUNT.rows(tx, share);
}

const INSERT_ENTRY = statement({
  name: 'insert the entry of a correction',
  text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, source, attempt_id, instrument_id,
           amount, mobile, recorded_at)
         VALUES ($id::uuid, $environment, $merchantId, $providerAccountId, $id::text, 'correction',
           (SELECT source FROM payment WHERE id = $correctsId), $attemptId, $instrumentId, $amount, $mobile, $now)`,
  parameters: {
    ...pick(payment, 'id environment merchantId providerAccountId attemptId instrumentId amount mobile'),
    correctsId: paymentCorrection.correctsId,
    now: timestamptz,
  },
});

const CORRECTION = pick(paymentCorrection, 'id paymentId correctsId reason createdBy reviewId');
const INSERT_CORRECTION = statement({
  name: 'insert a correction',
  text: insertRow('payment_correction', CORRECTION),
  parameters: CORRECTION,
});

type NewCorrection = Omit<Parameters<typeof INSERT_CORRECTION.rows>[1], 'paymentId'> & { readonly amount: bigint; readonly now: Date };

export async function insertCorrection(tx: Queryable, payment: LedgerPayment, correction: NewCorrection): Promise<void> {
  await INSERT_ENTRY.rows(tx, { ...payment, ...correction });
  await INSERT_CORRECTION.rows(tx, { ...correction, paymentId: payment.id });
}

/** The distribution of a payment's money. Amounts are senti. `left`: what could still go back. */
export type Balance = Awaited<ReturnType<typeof readBalance>>;

const SELECT_RETURN = `SELECT r.id, r.kind, r.provider_transaction_id AS "transactionId", n.provider_transaction_id AS "laterReceipt",
  ${correctedAmount('r')} AS amount FROM payment r LEFT JOIN reversal_receipt n ON n.payment_id = r.id`;
const RETURN_COLUMNS = {
  id: payment.id,
  /** `reversal`, or `refund` for money that went back another way. */
  kind: payment.kind,
  /** The receipt number of the reversal or refund; that of the payment if a reversal was booked without a number. */
  transactionId: payment.providerTransactionId,
  /** The receipt number that the provider gave after the reversal was booked; null if it gave none. */
  laterReceipt: nullable(reversalReceipt.providerTransactionId),
  /** Senti, including corrections. */
  amount: payment.amount,
};

const FIND_REVERSAL = statement({
  name: 'find a reversal of a payment by its receipt',
  text: `${SELECT_RETURN} WHERE r.reverses_id = $paymentId AND r.kind = 'reversal' AND (r.provider_transaction_id = $receipt OR n.provider_transaction_id = $receipt)`,
  parameters: { paymentId: reversalReceipt.paymentId, receipt: payment.providerTransactionId },
  columns: RETURN_COLUMNS,
});

/** Returns the reversal of a payment by the reversal's receipt number, even if the provider gave the number only after the booking. */
export async function findReversal(db: Queryable, paymentId: string, receipt: string) {
  return FIND_REVERSAL.first(db, { paymentId, receipt });
}

const LOCK_PAYMENT = statement({
  name: 'lock a payment',
  text: 'SELECT id FROM payment WHERE id = $id FOR UPDATE',
  parameters: { id: payment.id },
  columns: { id: payment.id },
});

/** Locks a payment, so that only one transaction at a time decides about its money. The caller has locked the bills before. */
export async function lockBalance(tx: Queryable, payment: LedgerPayment): Promise<Balance> {
  await LOCK_PAYMENT.rows(tx, payment);
  return readBalance(tx, payment);
}

const LIST_RETURNS = statement({
  name: 'list the reversals and refunds of a payment',
  text: `${SELECT_RETURN} WHERE r.reverses_id = $paymentId ORDER BY r.id`,
  parameters: { paymentId: reversalReceipt.paymentId },
  columns: RETURN_COLUMNS,
});

const LIST_ALLOCATED = statement({
  name: 'list the allocations of a payment',
  text: `SELECT a.bill_id AS "billId", a.merchant_id AS "merchantId", sum(a.amount)::bigint AS amount
         FROM payment_allocation a
         WHERE a.payment_id IN (SELECT $paymentId::uuid UNION ALL SELECT id FROM payment WHERE reverses_id = $paymentId
                                UNION ALL SELECT id FROM payment_correction WHERE payment_id = $paymentId)
         GROUP BY a.bill_id, a.merchant_id HAVING sum(a.amount) <> 0 ORDER BY max(a.id::text COLLATE "C") FILTER (WHERE a.amount > 0) DESC`,
  parameters: { paymentId: paymentCorrection.paymentId },
  columns: pick(paymentAllocation, 'billId merchantId amount'),
});

const READ_EXTRAS = statement({
  name: 'read the fee of a payment',
  text: `SELECT coalesce(p.fee, (SELECT amount FROM payment_fee WHERE payment_id = p.id)) AS fee, p.happened_at AS "happenedAt"
         FROM payment p WHERE p.id = $paymentId`,
  parameters: { paymentId: paymentFee.paymentId },
  columns: pick(payment, 'fee happenedAt'),
});

export async function readBalance(db: Queryable, payment: LedgerPayment) {
  const about = { paymentId: payment.id };
  const returns = await LIST_RETURNS.rows(db, about);
  const reversals = returns.filter(({ kind }) => kind === 'reversal');
  /** What went back another way than by a reversal. */
  const refunds = returns.filter(({ kind }) => kind === 'refund');
  /** The amounts that are allocated to bills, the newest allocation first. Bills with an amount of 0 are left out. */
  const allocated = await LIST_ALLOCATED.rows(db, about);
  /** The corrections of the payment, and of its reversals and refunds. */
  const corrections = await LIST_CORRECTIONS.rows(db, about);
  /** The amount of the payment, including its corrections. */
  const received = payment.amount + sum(corrections.filter(({ correctsId }) => correctsId === payment.id));
  /** The received amount less all reversals. */
  const kept = received - sum(reversals);
  const unallocated = kept - sum(allocated);
  const { fee = null, happenedAt = null } = (await READ_EXTRAS.first(db, about)) ?? {};
  const given = sum(refunds);
  /** The part of `kept` that went back as refunds. A later reversal or correction may have taken money that was refunded. */
  const refunded = given < unallocated ? given : unallocated;
  /** The part of the refunds for which nothing of the payment is left: the customer got too much back. */
  const overRefunded = given - refunded;
  /** The part of `kept` that no bill has and that did not go back. */
  const unmatched = unallocated - refunded;
  const left = kept - refunded;
  return { payment, received, reversals, refunds, corrections, allocated, kept, left, unmatched, refunded, overRefunded, fee, happenedAt };
}

function sum(rows: readonly { readonly amount: bigint }[]): bigint {
  return rows.reduce((total, { amount }) => total + amount, 0n);
}

const HAS_PAYMENT = statement({
  name: 'whether an attempt has a payment',
  text: `SELECT EXISTS (SELECT 1 FROM payment p WHERE p.attempt_id = $attemptId AND p.kind = 'payment' AND ${correctedAmount('p')} > 0) AS has`,
  parameters: { attemptId: uuid },
  columns: { has: boolean },
});

/** Tells whether the ledger has money of an attempt. A payment that a person corrected to 0 does not count. */
export async function hasPayment(db: Queryable, attemptId: string): Promise<boolean> {
  return (await HAS_PAYMENT.first(db, { attemptId }))?.has ?? false;
}

/** Returns the balances of the payments that `name` identifies: the id of a payment, the id of a bill, or a receipt number. */
export async function showPayments({ db }: Pick<Runtime, 'db'>, name: string): Promise<Balance[]> {
  const payments = isUuid(name) ? await findByUuid(db, name) : await findPaymentsByReceipt(db, name);
  return Promise.all(payments.map((payment) => readBalance(db, payment)));
}

async function findByUuid(db: Runtime['db'], id: string): Promise<LedgerPayment[]> {
  const payment = await findPaymentById(db, id);
  return payment ? [payment] : findPaymentsOfBill(db, id);
}
