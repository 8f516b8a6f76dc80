import { z } from 'zod';
import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, merchant, payment, pushAttempt, refund, review } from '@/lib/platform/db/generated/tables';
import { array, boolean, int4, nullable, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow, unnestFew } from '@/lib/platform/db/unnest';
import type { ReviewKind } from './rules';

/** The subject of a review. At least one field is set. */
interface ReviewSubject {
  readonly attemptId?: string;
  readonly paymentId?: string;
  readonly refundId?: string;
  /** A provider message that cannot be applied, and that belongs to no attempt and no reversal. */
  readonly messageId?: string;
}

const CLOSED = { kind: array(review.kind), subject: array(nullable(uuid)), resolvedBy: array(text), resolution: array(text) };
const CLOSE_REVIEWS = statement({
  name: 'close-reviews',
  prepared: true,
  text: `UPDATE review r SET resolved_at = $now, resolved_by = c.resolved_by, resolution = c.resolution
         FROM ${unnestFew(CLOSED, 'c')}
         WHERE r.kind = c.kind AND r.resolved_at IS NULL AND coalesce(r.attempt_id, r.reversal_request_id, r.payment_id, r.message_id) = c.subject
           AND NOT EXISTS (SELECT FROM push_attempt a, jsonb_path_query(r.data, '$.**.leftAccount') AS claim
             WHERE a.id = r.attempt_id AND claim #>> '{}' IS DISTINCT FROM a.provider_account_id::text)`,
  parameters: { ...CLOSED, now: timestamptz },
});

/** A settled question: if a review of this kind and subject is open, it must be closed. */
export interface SettledReview extends ReviewSubject {
  readonly kind: ReviewKind;
  readonly resolvedBy: string;
  readonly resolution: string;
}

/**
 * Closes the open review of each settled question, if there is one. Usually there is none. A claim at another account than the attempt's
 * stays open, because the outcome of the attempt says nothing about the money in that account.
 */
export async function closeReviews(tx: Queryable, settled: readonly SettledReview[], now: Date): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map((one) => ({ ...one, subject: subjectOf(one) }));
  await CLOSE_REVIEWS.rows(tx, { ...columnsOf(rows, CLOSED), now });
}

/** Returns the id of what a review is about. For each kind, an id has at most one open review. */
function subjectOf({ attemptId, refundId, paymentId, messageId }: ReviewSubject): string | null {
  return attemptId ?? refundId ?? paymentId ?? messageId ?? null;
}

const LOCK_CONCERNING = statement({
  name: 'lock a review that concerns a payment',
  text: `SELECT 1 AS concerns FROM review r
         WHERE r.id = $id AND r.resolved_at IS NULL AND r.kind NOT IN ('attempt_unresolved', 'refund_unresolved')
           AND (r.data->>'payment' = $paymentId::text
             OR EXISTS (SELECT 1 FROM payment e WHERE e.id = r.payment_id AND coalesce(e.reverses_id, e.id) = $paymentId::uuid)
             OR EXISTS (SELECT 1 FROM refund q WHERE q.id = r.reversal_request_id AND q.payment_id = $paymentId::uuid)
             OR EXISTS (SELECT 1 FROM payment p WHERE p.id = $paymentId::uuid AND p.attempt_id = r.attempt_id))
         FOR NO KEY UPDATE OF r`,
  parameters: { id: review.id, paymentId: text },
  columns: { concerns: int4 },
});

/**
 * Locks an open review if a correction of the payment may close it. Returns false if the review is not about this payment, one of its
 * reversals or its attempt. Also returns false for reviews of unknown attempts and reversals, which close when those are settled.
 */
export async function lockReviewOfPayment(tx: Queryable, id: string, paymentId: string): Promise<boolean> {
  return (await LOCK_CONCERNING.rows(tx, { id, paymentId })).length > 0;
}

const RESOLVE_REVIEW = statement({
  name: 'resolve a review',
  text: `UPDATE review SET resolved_at = $now, resolved_by = $resolvedBy, resolution = $resolution WHERE id = $id AND resolved_at IS NULL
         RETURNING merchant_id AS "merchantId", environment`,
  parameters: { id: review.id, now: timestamptz, resolvedBy: text, resolution: text },
  columns: pick(review, 'merchantId environment'),
});

interface Resolved {
  readonly resolvedBy: string;
  readonly resolution: string;
  readonly now: Date;
}

/** Closes an open review and returns its merchant and environment; undefined if it was not open. */
export async function resolveOpenReview(db: Queryable, id: string, resolved: Resolved) {
  return RESOLVE_REVIEW.first(db, { ...resolved, id });
}

/** A review for the operator, with the ids that are needed to act on it. Amounts are senti. */
export type ListedReview = Awaited<ReturnType<typeof listReviews>>[number];

const LIST_REVIEWS = statement({
  name: 'list reviews',
  text: `SELECT r.id, r.kind, r.environment, m.slug AS merchant, a.bill_id AS "billId", r.attempt_id AS "attemptId", r.payment_id AS "paymentId",
           r.reversal_request_id AS "refundId", r.message_id AS "messageId", coalesce(r.payment_id::text, q.payment_id::text, r.data->>'payment',
             (SELECT o.id::text FROM payment o WHERE o.attempt_id = a.id AND o.kind = 'payment' ORDER BY o.id LIMIT 1)) AS "entryId",
           coalesce(p.amount, q.amount, a.amount) AS amount, r.data, r.opened_at AS "openedAt",
           r.resolved_at AS "resolvedAt", r.resolved_by AS "resolvedBy", r.resolution
         FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN payment p ON p.id = r.payment_id
         LEFT JOIN refund q ON q.id = r.reversal_request_id LEFT JOIN merchant m ON m.id = r.merchant_id
         WHERE $all OR r.resolved_at IS NULL ORDER BY r.opened_at, r.id`,
  parameters: { all: boolean },
  columns: {
    ...pick(
      review,
      `id kind environment attemptId paymentId refundId messageId data openedAt resolvedAt resolvedBy
    resolution`,
    ),
    merchant: nullable(merchant.slug),
    billId: nullable(pushAttempt.billId),
    /** The payment or reversal in the ledger that may be wrong, for `bili payment correct`; null if there is none. */
    entryId: nullable(text),
    amount: nullable(payment.amount),
  },
});

const dataSchema = z.record(z.string(), z.unknown());

/** Returns the open reviews, or all reviews with `all`; oldest first. */
export async function listReviews(db: Queryable, { all }: { all: boolean }) {
  const rows = await LIST_REVIEWS.rows(db, { all });
  return rows.map((row) => ({ ...row, data: dataSchema.parse(row.data) }));
}

// OFFSET 0 makes PostgreSQL find each bill with the index on its id. `billById` (lib/gateway/bills/store.ts) does the same, but this folder must not
// import lib/gateway/bills, which imports lib/gateway/payments, which imports this folder.
const LIST_OWN_REVIEWS = statement({
  name: "list a merchant's reviews",
  text: `SELECT r.id, r.kind, coalesce(q.amount, p.amount, a.amount) AS amount, b.id AS "billId", b.reference, r.opened_at AS "openedAt"
         FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN refund q ON q.id = r.reversal_request_id
         LEFT JOIN payment p ON p.id = coalesce(r.payment_id, q.payment_id) LEFT JOIN push_attempt pa ON pa.id = p.attempt_id
         LEFT JOIN LATERAL (SELECT * FROM bill WHERE id = coalesce(a.bill_id, pa.bill_id, (SELECT bill_id FROM instrument WHERE id = p.instrument_id)) OFFSET 0) b
           ON b.merchant_id = $merchantId AND b.environment = $environment
         WHERE r.merchant_id = $merchantId AND r.environment = $environment AND r.resolved_at IS NULL
         ORDER BY r.opened_at, r.id LIMIT 1000`,
  parameters: { merchantId: pushAttempt.merchantId, environment: review.environment },
  columns: {
    ...pick(review, 'id kind openedAt'),
    amount: nullable(refund.amount),
    billId: nullable(bill.id),
    reference: nullable(bill.reference),
  },
});

/** Returns the open reviews about a merchant's money, oldest first, at most 1,000. */
export async function listOwnReviews(db: Queryable, scope: Scope) {
  return LIST_OWN_REVIEWS.rows(db, scope);
}

interface NewReview extends ReviewSubject {
  readonly id: string;
  readonly environment: Environment;
  /** Null if the money belongs to no merchant yet. */
  readonly merchantId: string | null;
  readonly kind: ReviewKind;
  /** The fact to review. Amounts are senti as text. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly openedAt: Date;
}

/** `added`: the fact was added to the open review of the same kind and subject. `repeated`: that review already had the fact. */
type Opened = 'opened' | 'added' | 'repeated';

/** The maximal number of added facts in `data.more`. Further facts are only counted in `data.omitted`. */
const MAX_ADDED_FACTS = 20;
const MAX_ROUNDS = 5;

/** Opens a review of a fact, or adds the fact to the open review of the same kind and subject. */
export async function openReview(tx: Queryable, review: NewReview): Promise<Opened> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    if (await insertReview(tx, review)) return 'opened';
    const open = await addFact(tx, review);
    if (open) return open.added ? 'added' : 'repeated';
    // The open review was resolved between the two statements, so the next round opens a new one.
  }
  throw new Error(`a review of the kind ${review.kind} was neither inserted nor found`);
}

const NEW_REVIEW = pick(review, 'id environment merchantId kind attemptId paymentId refundId messageId data openedAt');
const INSERT_REVIEW = statement({
  name: 'insert a review',
  text: `${insertRow('review', NEW_REVIEW)} ON CONFLICT DO NOTHING RETURNING 1 AS opened`,
  parameters: NEW_REVIEW,
  columns: { opened: int4 },
});

async function insertReview(tx: Queryable, review: NewReview): Promise<boolean> {
  const { attemptId = null, paymentId = null, refundId = null, messageId = null } = review;
  return (await INSERT_REVIEW.rows(tx, { ...review, attemptId, paymentId, refundId, messageId })).length > 0;
}

const LOCK_OPEN_REVIEW = statement({
  name: 'lock the open review of a subject',
  text: `SELECT id, data @> $data::jsonb OR coalesce(data->'more' @> jsonb_build_array($data::jsonb), false) AS known FROM review
         WHERE kind = $kind AND coalesce(attempt_id, reversal_request_id, payment_id, message_id) = $subject AND resolved_at IS NULL FOR NO KEY UPDATE`,
  parameters: { ...pick(review, 'kind data'), subject: nullable(uuid) },
  columns: { id: review.id, known: boolean },
});

const ADD_FACT = statement({
  name: 'add a fact to a review',
  text: `UPDATE review SET data = CASE WHEN jsonb_array_length(coalesce(data->'more', '[]')) < $most
           THEN data || jsonb_build_object('more', coalesce(data->'more', '[]') || jsonb_build_array($data::jsonb))
           ELSE data || jsonb_build_object('omitted', coalesce((data->>'omitted')::int, 0) + 1) END
         WHERE id = $id`,
  parameters: { ...pick(review, 'id data'), most: int4 },
});

/** Adds the fact to the open review, unless the review has it. Returns undefined if no review is open. */
async function addFact(tx: Queryable, { kind, data, ...about }: NewReview): Promise<{ added: boolean } | undefined> {
  const open = await LOCK_OPEN_REVIEW.first(tx, { kind, subject: subjectOf(about), data });
  if (!open) return undefined;
  if (open.known) return { added: false };
  await ADD_FACT.rows(tx, { id: open.id, data, most: MAX_ADDED_FACTS });
  return { added: true };
}
