import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, environment, int4, jsonb, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { ReviewKind } from './rules';
import { reviewKind } from './sql-types';
import { type ReviewSubject, subjectOf } from './store';

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

const INSERT_REVIEW = statement({
  name: 'insert a review',
  text: `INSERT INTO review (id, environment, merchant_id, kind, attempt_id, payment_id, reversal_request_id, data, opened_at)
         VALUES ($id, $environment, $merchantId, $kind, $attemptId, $paymentId, $reversalRequestId, $data, $openedAt)
         ON CONFLICT DO NOTHING RETURNING 1 AS opened`,
  parameters: {
    id: uuid,
    environment,
    merchantId: nullable(uuid),
    kind: reviewKind,
    attemptId: nullable(uuid),
    paymentId: nullable(uuid),
    reversalRequestId: nullable(uuid),
    data: jsonb,
    openedAt: timestamptz,
  },
  columns: { opened: int4 },
});

async function insertReview(tx: Queryable, { attemptId, paymentId, reversalRequestId, ...review }: NewReview): Promise<boolean> {
  const subject = { attemptId: attemptId ?? null, paymentId: paymentId ?? null, reversalRequestId: reversalRequestId ?? null };
  return (await INSERT_REVIEW.rows(tx, { ...review, ...subject })).length > 0;
}

const LOCK_OPEN_REVIEW = statement({
  name: 'lock the open review of a subject',
  text: `SELECT id, data @> $data::jsonb OR coalesce(data->'more' @> jsonb_build_array($data::jsonb), false) AS known FROM review
         WHERE kind = $kind AND coalesce(attempt_id, reversal_request_id, payment_id) = $subject AND resolved_at IS NULL FOR NO KEY UPDATE`,
  parameters: { kind: reviewKind, subject: nullable(uuid), data: jsonb },
  columns: { id: uuid, known: boolean },
});

const ADD_FACT = statement({
  name: 'add a fact to a review',
  text: `UPDATE review SET data = CASE WHEN jsonb_array_length(coalesce(data->'more', '[]')) < $most
           THEN data || jsonb_build_object('more', coalesce(data->'more', '[]') || jsonb_build_array($data::jsonb))
           ELSE data || jsonb_build_object('omitted', coalesce((data->>'omitted')::int, 0) + 1) END
         WHERE id = $id`,
  parameters: { id: uuid, data: jsonb, most: int4 },
  columns: {},
});

/** @returns whether the open review did not have the fact before; undefined when none is open. */
async function addFact(tx: Queryable, { kind, data, ...about }: NewReview): Promise<{ added: boolean } | undefined> {
  const open = await LOCK_OPEN_REVIEW.first(tx, { kind, subject: subjectOf(about), data });
  if (!open) return undefined;
  if (open.known) return { added: false };
  await ADD_FACT.rows(tx, { id: open.id, data, most: MORE_AT_MOST });
  return { added: true };
}
