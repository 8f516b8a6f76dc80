import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { ReviewKind } from './rules';
import type { ReviewSubject } from './store';

interface NewReview extends ReviewSubject {
  readonly id: string;
  readonly environment: Environment;
  /** Null for money that is no merchant's yet. */
  readonly merchantId: string | null;
  readonly kind: ReviewKind;
  /** The fact that a person has to look at. Amounts are senti as text. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly openedAt: Date;
}

/** `added`: a review of this kind and subject was open, and now has this fact too. `repeated`: it had this very fact. */
type Opened = 'opened' | 'added' | 'repeated';

/** How many further facts one review keeps. Those beyond are counted in `data.omitted`. */
const MORE_AT_MOST = 20;
const TRIES = 5;

/** Asks a person to look at a fact: opens a review, or adds the fact to the one that is open about the same subject. */
export async function openReview(tx: Queryable, review: NewReview): Promise<Opened> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if (await insertReview(tx, review)) return 'opened';
    const open = await addFact(tx, review);
    if (open) return open.added ? 'added' : 'repeated';
    // The review was resolved between the two statements.
  }
  throw new Error(`a review ${review.kind} is neither new nor open`);
}

async function insertReview(
  tx: Queryable,
  { id, environment, merchantId, kind, attemptId, paymentId, reversalRequestId, data, openedAt }: NewReview,
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO review (id, environment, merchant_id, kind, attempt_id, payment_id, reversal_request_id, data, opened_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING 1 AS opened`,
    },
    [id, environment, merchantId, kind, attemptId ?? null, paymentId ?? null, reversalRequestId ?? null, data, openedAt],
  );
  return rows.length > 0;
}

/** @returns whether the open review did not have the fact before; undefined when none is open. */
async function addFact(
  tx: Queryable,
  { kind, attemptId, paymentId, reversalRequestId, data }: NewReview,
): Promise<{ added: boolean } | undefined> {
  const [open] = await tx.query<{ id: string; known: boolean }>(
    {
      text: `SELECT id, data @> $3::jsonb OR coalesce(data->'more' @> jsonb_build_array($3::jsonb), false) AS known FROM review
             WHERE kind = $1 AND coalesce(attempt_id, reversal_request_id, payment_id) = $2 AND resolved_at IS NULL FOR NO KEY UPDATE`,
    },
    [kind, attemptId ?? reversalRequestId ?? paymentId, data],
  );
  if (!open) return undefined;
  if (open.known) return { added: false };
  await tx.query(
    {
      text: `UPDATE review SET data = CASE WHEN jsonb_array_length(coalesce(data->'more', '[]')) < $3
               THEN data || jsonb_build_object('more', coalesce(data->'more', '[]') || jsonb_build_array($2::jsonb))
               ELSE data || jsonb_build_object('omitted', coalesce((data->>'omitted')::int, 0) + 1) END
             WHERE id = $1`,
    },
    [open.id, data, MORE_AT_MOST],
  );
  return { added: true };
}
