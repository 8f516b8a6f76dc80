import type { Environment, Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { ReviewKind } from './rules';

/** What a review is about: at least one of them. */
export interface ReviewSubject {
  readonly attemptId?: string;
  readonly paymentId?: string;
  readonly reversalRequestId?: string;
}

/** Closes the reviews of one kind about an attempt, a reversal or a payment that has settled after all. */
export async function closeReviews(
  tx: Queryable,
  { kind, attemptId, reversalRequestId, paymentId }: ReviewSubject & { kind: ReviewKind },
  { resolvedBy, resolution, now }: { resolvedBy: string; resolution: string; now: Date },
): Promise<void> {
  await tx.query(
    {
      text: `UPDATE review SET resolved_at = $3, resolved_by = $4, resolution = $5
             WHERE kind = $1 AND resolved_at IS NULL AND coalesce(attempt_id, reversal_request_id, payment_id) = $2`,
    },
    [kind, attemptId ?? reversalRequestId ?? paymentId, now, resolvedBy, resolution],
  );
}

/** @returns the kind of an open review that only the end of its attempt or reversal may close, while that is still open itself. */
export async function findUnsettled(db: Queryable, id: string): Promise<'attempt_unresolved' | 'reversal_unresolved' | undefined> {
  const [review] = await db.query<{ kind: 'attempt_unresolved' | 'reversal_unresolved' }>(
    {
      text: `SELECT r.kind FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN reversal_request q ON q.id = r.reversal_request_id
             WHERE r.id = $1 AND r.resolved_at IS NULL
               AND (r.kind = 'attempt_unresolved' AND a.state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN')
                 OR r.kind = 'reversal_unresolved' AND q.state IN ('QUEUED', 'SENDING', 'UNKNOWN'))`,
    },
    [id],
  );
  return review?.kind;
}

/**
 * Locks an open review. @returns whether it is about this payment, one of its reversals or the attempt that it came for, and may
 * be closed by correcting that: one about an attempt or a reversal that nobody knows the end of is closed by settling it.
 */
export async function concernsPayment(tx: Queryable, id: string, paymentId: string): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `SELECT 1 AS concerns FROM review r
             WHERE r.id = $1 AND r.resolved_at IS NULL AND r.kind NOT IN ('attempt_unresolved', 'reversal_unresolved')
               AND (r.data->>'payment' = $2::text
                 OR EXISTS (SELECT 1 FROM payment e WHERE e.id = r.payment_id AND coalesce(e.reverses_id, e.id) = $2::uuid)
                 OR EXISTS (SELECT 1 FROM reversal_request q WHERE q.id = r.reversal_request_id AND q.payment_id = $2::uuid)
                 OR EXISTS (SELECT 1 FROM payment p WHERE p.id = $2::uuid AND p.attempt_id = r.attempt_id))
             FOR NO KEY UPDATE OF r`,
    },
    [id, paymentId],
  );
  return rows.length > 0;
}

/** @returns whose review it is; undefined when it was not open. */
export async function resolveOpenReview(
  db: Queryable,
  id: string,
  { resolvedBy, resolution, now }: { resolvedBy: string; resolution: string; now: Date },
): Promise<{ merchantId: string | null; environment: Environment } | undefined> {
  const [review] = await db.query<{ merchantId: string | null; environment: Environment }>(
    {
      text: `UPDATE review SET resolved_at = $2, resolved_by = $3, resolution = $4 WHERE id = $1 AND resolved_at IS NULL
             RETURNING merchant_id AS "merchantId", environment`,
    },
    [id, now, resolvedBy, resolution],
  );
  return review;
}

/** A review as the operator sees it, with what it takes to act on it. Amounts are senti. */
export interface ListedReview {
  readonly id: string;
  readonly kind: ReviewKind;
  readonly environment: Environment;
  readonly merchant: string | null;
  readonly billId: string | null;
  readonly attemptId: string | null;
  readonly paymentId: string | null;
  readonly reversalRequestId: string | null;
  /** The payment or the reversal of the ledger that is in doubt, if there is one: what `bili payment correct` takes. */
  readonly entryId: string | null;
  readonly amount: bigint | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly resolution: string | null;
}

/** @returns the open ones, oldest first; or, with `all`, every one. */
export async function listReviews(db: Queryable, { all }: { all: boolean }): Promise<ListedReview[]> {
  return db.query<ListedReview>(
    {
      text: `SELECT r.id, r.kind, r.environment, m.slug AS merchant, a.bill_id AS "billId", r.attempt_id AS "attemptId", r.payment_id AS "paymentId",
               r.reversal_request_id AS "reversalRequestId", coalesce(r.payment_id::text, q.payment_id::text, r.data->>'payment',
                 (SELECT o.id::text FROM payment o WHERE o.attempt_id = a.id AND o.kind = 'payment' ORDER BY o.id LIMIT 1)) AS "entryId",
               coalesce(p.amount, q.amount, a.amount) AS amount, r.data, r.opened_at AS "openedAt",
               r.resolved_at AS "resolvedAt", r.resolved_by AS "resolvedBy", r.resolution
             FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN payment p ON p.id = r.payment_id
             LEFT JOIN reversal_request q ON q.id = r.reversal_request_id LEFT JOIN merchant m ON m.id = r.merchant_id
             WHERE $1 OR r.resolved_at IS NULL ORDER BY r.opened_at, r.id`,
    },
    [all],
  );
}

/** A review about a merchant's own money. */
interface OwnReview extends Pick<ListedReview, 'id' | 'kind' | 'amount' | 'billId' | 'openedAt'> {
  readonly reference: string | null;
}

/** @returns the oldest that are open about a merchant's money, a thousand at most. */
export async function listOwnReviews(db: Queryable, { merchantId, environment }: Scope): Promise<OwnReview[]> {
  return db.query<OwnReview>(
    {
      text: `SELECT r.id, r.kind, coalesce(q.amount, p.amount, a.amount) AS amount, b.id AS "billId", b.reference, r.opened_at AS "openedAt"
             FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN reversal_request q ON q.id = r.reversal_request_id
             LEFT JOIN payment p ON p.id = coalesce(r.payment_id, q.payment_id) LEFT JOIN push_attempt pa ON pa.id = p.attempt_id
             LEFT JOIN bill b ON b.id = coalesce(a.bill_id, pa.bill_id) AND b.merchant_id = $1 AND b.environment = $2
             WHERE r.merchant_id = $1 AND r.environment = $2 AND r.resolved_at IS NULL ORDER BY r.opened_at, r.id LIMIT 1000`,
    },
    [merchantId, environment],
  );
}
