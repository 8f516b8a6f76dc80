import type { Queryable } from '@/lib/db/database';
import { environment, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { LedgerPayment } from './payment-store';

/** Returns SQL for the amount of the payment or reversal `entry` including its corrections, senti. */
export function correctedAmount(entry: string): string {
  return `(${entry}.amount + coalesce((SELECT sum(correction.amount) FROM payment_correction note JOIN payment correction ON correction.id = note.id
      WHERE note.payment_id = coalesce(${entry}.reverses_id, ${entry}.id) AND note.corrects_id = ${entry}.id), 0))::bigint`;
}

const LIST_CORRECTIONS = statement({
  name: 'list the corrections of a payment',
  text: `SELECT k.id, c.corrects_id AS "correctsId", k.amount, c.reason, c.created_by AS "createdBy", k.recorded_at AS "recordedAt"
         FROM payment_correction c JOIN payment k ON k.id = c.id WHERE c.payment_id = $paymentId ORDER BY k.id`,
  parameters: { paymentId: uuid },
  columns: {
    id: uuid,
    /** The id of the corrected payment or reversal. */
    correctsId: uuid,
    /** The change of the amount, senti; negative if the earlier amount was too high. */
    amount: int8,
    reason: text,
    createdBy: text,
    recordedAt: timestamptz,
  },
});

/** Returns the corrections of a payment and of its reversals, oldest first. */
export async function listCorrections(db: Queryable, paymentId: string) {
  return LIST_CORRECTIONS.rows(db, { paymentId });
}

const FIND_CORRECTABLE = statement({
  name: 'find an entry to correct',
  text: `SELECT id, coalesce(reverses_id, id) AS "paymentId" FROM payment WHERE id = $id AND kind IN ('payment', 'reversal')`,
  parameters: { id: uuid },
  columns: { id: uuid, paymentId: uuid },
});

/** Finds a payment or reversal that a person may correct. `paymentId` is the id of the payment itself, or of the reversed payment. */
export async function findCorrectable(db: Queryable, id: string) {
  return FIND_CORRECTABLE.first(db, { id });
}

export type BillShare = Awaited<ReturnType<typeof listAttached>>[number];

/** Amounts are senti. */
const SHARE_COLUMNS = { billId: uuid, merchantId: uuid, amount: int8 };

const LIST_TAKEN = statement({
  name: 'list the amounts that a reversal took from bills',
  text: `SELECT a.bill_id AS "billId", a.merchant_id AS "merchantId", -sum(a.amount)::bigint AS amount FROM payment_allocation a
         WHERE a.payment_id = $reversalId OR a.payment_id IN (SELECT id FROM payment_correction WHERE corrects_id = $reversalId
           AND payment_id = (SELECT reverses_id FROM payment WHERE id = $reversalId))
         GROUP BY a.bill_id, a.merchant_id HAVING sum(a.amount) < 0 ORDER BY max(a.id::text COLLATE "C") DESC`,
  parameters: { reversalId: uuid },
  columns: SHARE_COLUMNS,
});

/** Returns the amounts that a reversal, with its corrections, took from bills. The bill that lost money last comes first. */
export async function listTaken(db: Queryable, reversalId: string): Promise<BillShare[]> {
  return LIST_TAKEN.rows(db, { reversalId });
}

const LIST_ATTACHED = statement({
  name: 'list the bills to which a payment was allocated',
  text: `SELECT bill_id AS "billId", merchant_id AS "merchantId", sum(amount)::bigint AS amount FROM payment_allocation
         WHERE payment_id = $paymentId GROUP BY bill_id, merchant_id ORDER BY bill_id`,
  parameters: { paymentId: uuid },
  columns: SHARE_COLUMNS,
});

/** Returns how much of a payment was allocated to each bill. Later changes by reversals and corrections are not included. */
export async function listAttached(db: Queryable, paymentId: string) {
  return LIST_ATTACHED.rows(db, { paymentId });
}

const REDUCE_REVERSED_AMOUNT = statement({
  name: 'reduce the reversed amount of a bill',
  text: 'UPDATE bill SET reversed_amount = reversed_amount - $amount WHERE id = $billId',
  parameters: { billId: uuid, amount: int8 },
  columns: {},
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
  text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, recorded_at)
         VALUES ($id::uuid, $environment, $merchantId, $providerAccountId, $id::text, 'correction', $attemptId, $amount, $mobile, $now)`,
  parameters: {
    id: uuid,
    environment,
    merchantId: nullable(uuid),
    providerAccountId: uuid,
    attemptId: nullable(uuid),
    amount: int8,
    mobile: nullable(text),
    now: timestamptz,
  },
  columns: {},
});

const INSERT_CORRECTION = statement({
  name: 'insert a correction',
  text: `INSERT INTO payment_correction (id, payment_id, corrects_id, reason, created_by, review_id)
         VALUES ($id, $paymentId, $correctsId, $reason, $createdBy, $reviewId)`,
  parameters: { id: uuid, paymentId: uuid, correctsId: uuid, reason: text, createdBy: text, reviewId: nullable(uuid) },
  columns: {},
});

type NewCorrection = Omit<Parameters<typeof INSERT_CORRECTION.rows>[1], 'paymentId'> & { readonly amount: bigint; readonly now: Date };

export async function insertCorrection(tx: Queryable, payment: LedgerPayment, correction: NewCorrection): Promise<void> {
  await INSERT_ENTRY.rows(tx, { ...payment, ...correction });
  await INSERT_CORRECTION.rows(tx, { ...correction, paymentId: payment.id });
}
