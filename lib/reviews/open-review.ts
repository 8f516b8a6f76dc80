import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, environment, int4, jsonb, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { ReviewKind } from './rules';
import { type ReviewSubject, reviewKind, subjectOf } from './store';

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

const INSERT_REVIEW = statement({
  name: 'insert a review',
  text: `INSERT INTO review (id, environment, merchant_id, kind, attempt_id, payment_id, reversal_request_id, message_id, data, opened_at)
         VALUES ($id, $environment, $merchantId, $kind, $attemptId, $paymentId, $reversalRequestId, $messageId, $data, $openedAt)
         ON CONFLICT DO NOTHING RETURNING 1 AS opened`,
  parameters: {
    id: uuid,
    environment,
    merchantId: nullable(uuid),
    kind: reviewKind,
    attemptId: nullable(uuid),
    paymentId: nullable(uuid),
    reversalRequestId: nullable(uuid),
    messageId: nullable(uuid),
    data: jsonb,
    openedAt: timestamptz,
  },
  columns: { opened: int4 },
});

async function insertReview(tx: Queryable, review: NewReview): Promise<boolean> {
  const { attemptId = null, paymentId = null, reversalRequestId = null, messageId = null } = review;
  return (await INSERT_REVIEW.rows(tx, { ...review, attemptId, paymentId, reversalRequestId, messageId })).length > 0;
}

const LOCK_OPEN_REVIEW = statement({
  name: 'lock the open review of a subject',
  text: `SELECT id, data @> $data::jsonb OR coalesce(data->'more' @> jsonb_build_array($data::jsonb), false) AS known FROM review
         WHERE kind = $kind AND coalesce(attempt_id, reversal_request_id, payment_id, message_id) = $subject AND resolved_at IS NULL FOR NO KEY UPDATE`,
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

/** Adds the fact to the open review, unless the review has it. Returns undefined if no review is open. */
async function addFact(tx: Queryable, { kind, data, ...about }: NewReview): Promise<{ added: boolean } | undefined> {
  const open = await LOCK_OPEN_REVIEW.first(tx, { kind, subject: subjectOf(about), data });
  if (!open) return undefined;
  if (open.known) return { added: false };
  await ADD_FACT.rows(tx, { id: open.id, data, most: MAX_ADDED_FACTS });
  return { added: true };
}
