import { lowestId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, billEvent, merchant, payment, providerAccount, pushAttempt } from '@/lib/platform/db/generated/tables';
import { int4, int8, nullable, pick, select, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

/**
 * SQL for payments with an unmatched part. Nearly all payments are allocated to one bill completely: one
 * join excludes those, and sums are computed only for the rest and for corrected payments. The query takes 0.25 s for 400,000 payments.
 */
const unmatchedFrom = (only = '') => `
WITH candidate AS MATERIALIZED (
  SELECT p.* FROM payment p
  WHERE p.kind = 'payment' ${only} AND NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id AND a.amount = p.amount)
  UNION SELECT p.* FROM payment p
  WHERE p.id IN (SELECT payment_id FROM payment_correction) ${only}
), unmatched AS (
  SELECT p.*, unmatched_of(p.id) AS unmatched FROM candidate p
)`;

const LIST_UNMATCHED = statement({
  name: 'list unmatched money',
  text: `${unmatchedFrom()}
         SELECT p.id, p.environment, c.label AS account, m.slug AS merchant, coalesce(t.bill_id, i.bill_id) AS "billId", p.provider_transaction_id AS "transactionId",
           p.mobile, p.amount, p.unmatched, p.recorded_at AS "recordedAt"
         FROM unmatched p JOIN provider_account c ON c.id = p.provider_account_id
         LEFT JOIN merchant m ON m.id = coalesce(p.merchant_id, c.merchant_id) LEFT JOIN push_attempt t ON t.id = p.attempt_id
         LEFT JOIN instrument i ON i.id = p.instrument_id
         WHERE p.unmatched > 0 ORDER BY p.recorded_at, p.id LIMIT $limit`,
  parameters: { limit: int8 },
  columns: {
    ...pick(payment, 'id environment mobile amount recordedAt'),
    account: providerAccount.label,
    /** The slug of the attempt's merchant or of the account's owner; null if neither is known. */
    merchant: nullable(merchant.slug),
    /** The bill of the attempt or instrument that collected the payment; null if the payment has neither. */
    billId: nullable(pushAttempt.billId),
    transactionId: payment.providerTransactionId,
    unmatched: int8,
  },
});

/** Returns the oldest unmatched payments of all merchants, for the operator. Amounts are senti. */
export async function listUnmatched(db: Queryable, limit: number) {
  return LIST_UNMATCHED.rows(db, { limit: BigInt(limit) });
}

const COUNT_UNMATCHED = statement({
  name: 'count unmatched money',
  text: `${unmatchedFrom('AND p.id > $from')} SELECT count(*)::int AS n FROM (SELECT 1 FROM unmatched WHERE unmatched > 0 LIMIT $limit) found`,
  parameters: { from: uuid, limit: int8 },
  columns: { n: int4 },
});

/** Returns the number of unmatched payments, at most the limit. @param from only payments with a higher id are counted. */
export async function countUnmatched(db: Queryable, limit: number, from = lowestId(0)): Promise<number> {
  const counted = await COUNT_UNMATCHED.first(db, { from, limit: BigInt(limit) });
  if (!counted) throw new Error('the count of unmatched payments returned no row');
  return counted.n;
}

const LIST_OWN_UNMATCHED = statement({
  name: "list a merchant's unmatched money",
  text: `SELECT p.id AS "paymentId", b.id AS "billId", b.reference, p.unmatched, p.recorded_at AS "recordedAt"
         FROM (SELECT p.id, p.recorded_at, e.bill_id, unmatched_of(p.id) AS unmatched
               FROM bill_event e JOIN payment p ON p.id = (e.data->>'payment')::uuid
               WHERE e.merchant_id = $merchantId AND e.environment = $environment AND e.type = 'payment.unmatched'
                 AND p.merchant_id = $merchantId AND p.environment = $environment
               UNION SELECT p.id, p.recorded_at, t.bill_id, unmatched_of(p.id)
               FROM payment p JOIN push_attempt t ON t.id = p.attempt_id
               WHERE p.id IN (SELECT payment_id FROM payment_correction) AND p.merchant_id = $merchantId AND p.environment = $environment
               UNION SELECT p.id, p.recorded_at, i.bill_id, unmatched_of(p.id)
               FROM payment p JOIN instrument i ON i.id = p.instrument_id
               WHERE p.id IN (SELECT payment_id FROM payment_correction) AND p.merchant_id = $merchantId AND p.environment = $environment
               UNION SELECT p.id, p.recorded_at, NULL, unmatched_of(p.id)
               FROM payment p
               WHERE p.provider_account_id = ANY (ARRAY(SELECT id FROM provider_account WHERE merchant_id = $merchantId AND environment = $environment))
                 AND p.attempt_id IS NULL AND p.instrument_id IS NULL AND p.kind = 'payment'
                 AND (NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id AND a.amount = p.amount)
                      OR p.id IN (SELECT payment_id FROM payment_correction))) p
         LEFT JOIN bill b ON b.id = p.bill_id WHERE p.unmatched > 0 ORDER BY p.recorded_at, p.id`,
  parameters: pick(billEvent, 'merchantId environment'),
  columns: {
    paymentId: payment.id,
    /** The bill of the attempt or instrument; null for a payment to the merchant's own account that has neither. */
    billId: nullable(bill.id),
    reference: nullable(bill.reference),
    unmatched: int8,
    recordedAt: payment.recordedAt,
  },
});

/**
 * Returns a merchant's unmatched payments, oldest first: second payments of attempts, by the events `payment.unmatched` of the merchant's
 * bills, and payments without an attempt or instrument to the merchant's own accounts. A completely allocated payment is neither. Only a correction can
 * make a part of it unmatched, because a reversal never increases the unmatched part.
 */
export async function listOwnUnmatched(db: Queryable, scope: Scope) {
  return LIST_OWN_UNMATCHED.rows(db, scope);
}

const UNKNOWN_COLUMNS = pick(
  pushAttempt,
  'id environment billId mobile amount ourReference state failureReason unknownSince releasedAt dueAt createdAt',
);
const LIST_UNKNOWN = statement({
  name: 'list unknown attempts',
  text: `SELECT ${select(UNKNOWN_COLUMNS, 't.')}, m.slug AS merchant FROM push_attempt t JOIN merchant m ON m.id = t.merchant_id
         WHERE t.state = 'UNKNOWN' ORDER BY t.unknown_since, t.id`,
  columns: { ...UNKNOWN_COLUMNS, merchant: merchant.slug },
});

/** Returns the attempts of all merchants that are in the state UNKNOWN, the oldest first, for the operator. */
export async function listUnknownAttempts(db: Queryable) {
  return LIST_UNKNOWN.rows(db, {});
}
