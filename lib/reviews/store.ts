import { z } from 'zod';
import { columnsOf } from '@/lib/core/columns-of';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, enumType, environment, int4, int8, jsonb, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnestFew } from '@/lib/db/unnest';
import { REVIEW_KINDS, type ReviewKind } from './rules';

export const reviewKind = enumType('review_kind', REVIEW_KINDS);

/** The subject of a review. At least one field is set. */
export interface ReviewSubject {
  readonly attemptId?: string;
  readonly paymentId?: string;
  readonly reversalRequestId?: string;
  /** A provider message that cannot be applied, and that belongs to no attempt and no reversal. */
  readonly messageId?: string;
}

const CLOSED = { kind: array(reviewKind), subject: array(nullable(uuid)), resolvedBy: array(text), resolution: array(text) };
const CLOSE_REVIEWS = statement({
  name: 'close-reviews',
  prepared: true,
  text: `UPDATE review r SET resolved_at = $now, resolved_by = c.resolved_by, resolution = c.resolution
         FROM ${unnestFew('$kind::review_kind[]', '$subject::uuid[]', '$resolvedBy::text[]', '$resolution::text[]')} AS c(kind, subject, resolved_by, resolution)
         WHERE r.kind = c.kind AND r.resolved_at IS NULL AND coalesce(r.attempt_id, r.reversal_request_id, r.payment_id, r.message_id) = c.subject
           AND NOT EXISTS (SELECT FROM push_attempt a, jsonb_path_query(r.data, '$.**.leftAccount') AS claim
             WHERE a.id = r.attempt_id AND claim #>> '{}' IS DISTINCT FROM a.provider_account_id::text)`,
  parameters: { ...CLOSED, now: timestamptz },
  columns: {},
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
export function subjectOf({ attemptId, reversalRequestId, paymentId, messageId }: ReviewSubject): string | null {
  return attemptId ?? reversalRequestId ?? paymentId ?? messageId ?? null;
}

const FIND_UNSETTLED = statement({
  name: 'find an unsettled review',
  text: `SELECT r.kind FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN reversal_request q ON q.id = r.reversal_request_id
         WHERE r.id = $id AND r.resolved_at IS NULL
           AND (r.kind = 'attempt_unresolved' AND a.state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN')
             OR r.kind = 'reversal_unresolved' AND q.state IN ('QUEUED', 'SENDING', 'UNKNOWN'))`,
  parameters: { id: uuid },
  columns: { kind: neverNull(reviewKind) },
});

/**
 * Returns the kind of an open review whose attempt or reversal is still open. Such a review may close only when the attempt or reversal is
 * settled.
 */
export async function findUnsettled(db: Queryable, id: string): Promise<'attempt_unresolved' | 'reversal_unresolved' | undefined> {
  const kind = (await FIND_UNSETTLED.first(db, { id }))?.kind;
  return kind === 'attempt_unresolved' || kind === 'reversal_unresolved' ? kind : undefined;
}

const LOCK_CONCERNING = statement({
  name: 'lock a review that concerns a payment',
  text: `SELECT 1 AS concerns FROM review r
         WHERE r.id = $id AND r.resolved_at IS NULL AND r.kind NOT IN ('attempt_unresolved', 'reversal_unresolved')
           AND (r.data->>'payment' = $paymentId::text
             OR EXISTS (SELECT 1 FROM payment e WHERE e.id = r.payment_id AND coalesce(e.reverses_id, e.id) = $paymentId::uuid)
             OR EXISTS (SELECT 1 FROM reversal_request q WHERE q.id = r.reversal_request_id AND q.payment_id = $paymentId::uuid)
             OR EXISTS (SELECT 1 FROM payment p WHERE p.id = $paymentId::uuid AND p.attempt_id = r.attempt_id))
         FOR NO KEY UPDATE OF r`,
  parameters: { id: uuid, paymentId: text },
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
  parameters: { id: uuid, now: timestamptz, resolvedBy: text, resolution: text },
  columns: { merchantId: nullable(uuid), environment },
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
           r.reversal_request_id AS "reversalRequestId", r.message_id AS "messageId", coalesce(r.payment_id::text, q.payment_id::text, r.data->>'payment',
             (SELECT o.id::text FROM payment o WHERE o.attempt_id = a.id AND o.kind = 'payment' ORDER BY o.id LIMIT 1)) AS "entryId",
           coalesce(p.amount, q.amount, a.amount) AS amount, r.data, r.opened_at AS "openedAt",
           r.resolved_at AS "resolvedAt", r.resolved_by AS "resolvedBy", r.resolution
         FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN payment p ON p.id = r.payment_id
         LEFT JOIN reversal_request q ON q.id = r.reversal_request_id LEFT JOIN merchant m ON m.id = r.merchant_id
         WHERE $all OR r.resolved_at IS NULL ORDER BY r.opened_at, r.id`,
  parameters: { all: boolean },
  columns: {
    id: neverNull(uuid),
    kind: neverNull(reviewKind),
    environment: neverNull(environment),
    merchant: nullable(text),
    billId: nullable(uuid),
    attemptId: nullable(uuid),
    paymentId: nullable(uuid),
    reversalRequestId: nullable(uuid),
    messageId: nullable(uuid),
    /** The payment or reversal in the ledger that may be wrong, for `bili payment correct`; null if there is none. */
    entryId: nullable(text),
    amount: nullable(int8),
    data: neverNull(jsonb),
    openedAt: neverNull(timestamptz),
    resolvedAt: nullable(timestamptz),
    resolvedBy: nullable(text),
    resolution: nullable(text),
  },
});

const dataSchema = z.record(z.string(), z.unknown());

/** Returns the open reviews, or all reviews with `all`; oldest first. */
export async function listReviews(db: Queryable, { all }: { all: boolean }) {
  const rows = await LIST_REVIEWS.rows(db, { all });
  return rows.map((row) => ({ ...row, data: dataSchema.parse(row.data) }));
}

// OFFSET 0 makes PostgreSQL find each bill with the index on its id. `billById` (lib/bills/store.ts) does the same, but this folder must not
// import lib/bills, which comes later in the order of the folders.
const LIST_OWN_REVIEWS = statement({
  name: "list a merchant's reviews",
  text: `SELECT r.id, r.kind, coalesce(q.amount, p.amount, a.amount) AS amount, b.id AS "billId", b.reference, r.opened_at AS "openedAt"
         FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN reversal_request q ON q.id = r.reversal_request_id
         LEFT JOIN payment p ON p.id = coalesce(r.payment_id, q.payment_id) LEFT JOIN push_attempt pa ON pa.id = p.attempt_id
         LEFT JOIN LATERAL (SELECT * FROM bill WHERE id = coalesce(a.bill_id, pa.bill_id) OFFSET 0) b
           ON b.merchant_id = $merchantId AND b.environment = $environment
         WHERE r.merchant_id = $merchantId AND r.environment = $environment AND r.resolved_at IS NULL
         ORDER BY r.opened_at, r.id LIMIT 1000`,
  parameters: { merchantId: uuid, environment },
  columns: {
    id: neverNull(uuid),
    kind: neverNull(reviewKind),
    amount: nullable(int8),
    billId: nullable(uuid),
    reference: nullable(text),
    openedAt: neverNull(timestamptz),
  },
});

/** Returns the open reviews about a merchant's money, oldest first, at most 1,000. */
export async function listOwnReviews(db: Queryable, scope: Scope) {
  return LIST_OWN_REVIEWS.rows(db, scope);
}
