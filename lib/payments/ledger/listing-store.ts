import { lowestId } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { attemptState } from '@/lib/payments/sql-types';

/** SQL for the unmatched part of the payment `p`: what no bill has and what was not refunded outside Bili. */
const LEFT_OVER = '(unallocated_of(p.id) - coalesce((SELECT sum(k.amount) FROM refund_mark k WHERE k.payment_id = p.id), 0))::bigint';

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
  SELECT p.*, ${LEFT_OVER} AS unmatched FROM candidate p
)`;

const LIST_UNMATCHED = statement({
  name: 'list unmatched money',
  text: `${unmatchedFrom()}
         SELECT p.id, p.environment, c.label AS account, m.slug AS merchant, t.bill_id AS "billId", p.provider_transaction_id AS "transactionId",
           p.mobile, p.amount, p.unmatched, p.recorded_at AS "recordedAt"
         FROM unmatched p JOIN provider_account c ON c.id = p.provider_account_id
         LEFT JOIN merchant m ON m.id = coalesce(p.merchant_id, c.merchant_id) LEFT JOIN push_attempt t ON t.id = p.attempt_id
         WHERE p.unmatched > 0 ORDER BY p.recorded_at, p.id LIMIT $limit`,
  parameters: { limit: int8 },
  columns: {
    id: uuid,
    environment,
    account: neverNull(text),
    /** The slug of the attempt's merchant or of the account's owner; null if neither is known. */
    merchant: nullable(text),
    /** The bill of the attempt that collected the payment; null if the payment has no attempt. */
    billId: nullable(uuid),
    transactionId: text,
    mobile: nullable(text),
    amount: int8,
    unmatched: int8,
    recordedAt: timestamptz,
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
         FROM (SELECT p.id, p.recorded_at, e.bill_id, ${LEFT_OVER} AS unmatched
               FROM bill_event e JOIN payment p ON p.id = (e.data->>'payment')::uuid
               WHERE e.merchant_id = $merchantId AND e.environment = $environment AND e.type = 'payment.unmatched'
                 AND p.merchant_id = $merchantId AND p.environment = $environment
               UNION SELECT p.id, p.recorded_at, t.bill_id, ${LEFT_OVER}
               FROM payment p JOIN push_attempt t ON t.id = p.attempt_id
               WHERE p.id IN (SELECT payment_id FROM payment_correction) AND p.merchant_id = $merchantId AND p.environment = $environment
               UNION SELECT p.id, p.recorded_at, NULL, ${LEFT_OVER}
               FROM payment p
               WHERE p.provider_account_id = ANY (ARRAY(SELECT id FROM provider_account WHERE merchant_id = $merchantId AND environment = $environment))
                 AND p.attempt_id IS NULL AND p.kind = 'payment'
                 AND (NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id AND a.amount = p.amount)
                      OR p.id IN (SELECT payment_id FROM payment_correction))) p
         LEFT JOIN bill b ON b.id = p.bill_id WHERE p.unmatched > 0 ORDER BY p.recorded_at, p.id`,
  parameters: { merchantId: uuid, environment },
  columns: {
    paymentId: uuid,
    /** The bill of the attempt; null for a payment to the merchant's own account that has no attempt. */
    billId: nullable(uuid),
    reference: nullable(text),
    unmatched: int8,
    recordedAt: timestamptz,
  },
});

/**
 * Returns a merchant's unmatched payments, oldest first: second payments of attempts, by the events `payment.unmatched` of the merchant's
 * bills, and payments without an attempt to the merchant's own accounts. A completely allocated payment is neither. Only a correction can
 * make a part of it unmatched, because a reversal never increases the unmatched part.
 */
export async function listOwnUnmatched(db: Queryable, scope: Scope) {
  return LIST_OWN_UNMATCHED.rows(db, scope);
}

const LIST_UNKNOWN = statement({
  name: 'list unknown attempts',
  text: `SELECT a.id, a.environment, m.slug AS merchant, a.bill_id AS "billId", a.mobile, a.amount, a.our_reference AS "ourReference", a.state,
           a.failure_reason AS "failureReason", a.unknown_since AS "unknownSince", a.released_at AS "releasedAt", a.due_at AS "dueAt", a.created_at AS "createdAt"
         FROM push_attempt a JOIN merchant m ON m.id = a.merchant_id WHERE a.state = 'UNKNOWN' ORDER BY a.unknown_since, a.id`,
  parameters: {},
  columns: {
    id: uuid,
    environment,
    merchant: text,
    billId: uuid,
    mobile: text,
    amount: int8,
    ourReference: text,
    state: attemptState,
    failureReason: nullable(text),
    unknownSince: nullable(timestamptz),
    releasedAt: nullable(timestamptz),
    dueAt: nullable(timestamptz),
    createdAt: timestamptz,
  },
});

/** Returns the attempts of all merchants that are in the state UNKNOWN, the oldest first, for the operator. */
export async function listUnknownAttempts(db: Queryable) {
  return LIST_UNKNOWN.rows(db, {});
}
