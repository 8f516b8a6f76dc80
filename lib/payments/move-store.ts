import { columnsOf } from '@/lib/core/columns-of';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnestFew } from '@/lib/db/unnest';
import type { Attempt, Decision } from './rules';
import { attemptState } from './sql-types';

const MOVED = {
  id: array(uuid),
  state: array(attemptState),
  next: array(attemptState),
  failureReason: array(nullable(text)),
  providerReference: array(nullable(text)),
  dueAt: array(nullable(timestamptz)),
  evidence: array(nullable(text)),
  leaves: array(boolean),
};
const MOVE_ATTEMPTS = statement({
  name: 'move-attempts',
  prepared: true,
  text: `UPDATE push_attempt a SET state = m.next, failure_reason = m.failure_reason, provider_reference = m.provider_reference,
           lease_until = NULL, call_token = NULL, lapsed_leases = 0,
           due_at = CASE WHEN a.hinted AND m.next IN ('AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') THEN $now ELSE m.due_at END,
           query_count = CASE WHEN m.next IN ('FAILED', 'EXPIRED') THEN 0 ELSE a.query_count END,
           settled_at = CASE WHEN m.next IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED') THEN $now::timestamptz END,
           unknown_since = CASE WHEN m.next = 'UNKNOWN' THEN $now::timestamptz END,
           acknowledged_at = coalesce(a.acknowledged_at, CASE WHEN m.evidence = 'acknowledged' THEN $now::timestamptz END),
           answer_lost_at = coalesce(a.answer_lost_at, CASE WHEN m.evidence = 'answer_lost' THEN $now::timestamptz END),
           refused_account_ids = CASE WHEN m.leaves THEN array_append(a.refused_account_ids, coalesce(a.provider_account_id, a.call_account_id)) ELSE a.refused_account_ids END,
           provider_account_id = CASE WHEN NOT m.leaves THEN a.provider_account_id END,
           call_account_id = CASE WHEN NOT m.leaves THEN a.call_account_id END,
           send_count = CASE WHEN m.leaves THEN 0 ELSE a.send_count END
         FROM ${unnestFew('$id::uuid[]', '$state::attempt_state[]', '$next::attempt_state[]', '$failureReason::text[]', '$providerReference::text[]', '$dueAt::timestamptz[]', '$evidence::text[]', '$leaves::boolean[]')}
           AS m(id, state, next, failure_reason, provider_reference, due_at, evidence, leaves)
         WHERE a.id = m.id AND a.state = m.state RETURNING a.id`,
  parameters: { ...MOVED, now: timestamptz },
  columns: { id: uuid },
});

/**
 * Applies decisions about different attempts by compare-and-set.
 * @returns the ids of the moved attempts. Attempts that are missing have left the state for which the decision was made.
 */
export async function moveAttempts(
  tx: Queryable,
  moves: readonly { readonly attempt: Pick<Attempt, 'id' | 'state'>; readonly decision: Decision }[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = moves.map(({ attempt: { id, state }, decision }) => ({ ...decision, id, state, next: decision.state }));
  return new Set((await MOVE_ATTEMPTS.rows(tx, { ...columnsOf(rows, MOVED), now })).map(({ id }) => id));
}

const RESCHEDULE_ATTEMPT = statement({
  name: 'reschedule-attempt',
  prepared: true,
  text: `UPDATE push_attempt SET due_at = CASE WHEN hinted THEN $now ELSE $dueAt::timestamptz END, provider_reference = $providerReference,
           lease_until = NULL, call_token = NULL, lapsed_leases = 0
         WHERE id = $id AND state = $state AND lease_token = $leaseToken`,
  parameters: {
    id: uuid,
    state: attemptState,
    leaseToken: int4,
    dueAt: nullable(timestamptz),
    providerReference: nullable(text),
    now: timestamptz,
  },
  columns: {},
});

/** Ends a lease and sets the next due time, unless another worker has claimed the attempt since. */
export async function rescheduleAttempt(
  tx: Queryable,
  { id, state }: Attempt,
  leaseToken: number,
  { dueAt, providerReference, now }: Pick<Decision, 'dueAt' | 'providerReference'> & { now: Date },
): Promise<void> {
  await RESCHEDULE_ATTEMPT.rows(tx, { id, state, leaseToken, dueAt, providerReference, now });
}

const QUERY_AGAIN = statement({
  name: 'make a status query of a settled attempt due',
  text: 'UPDATE push_attempt SET due_at = $now, query_count = 0 WHERE id = $id',
  parameters: { id: uuid, now: timestamptz },
  columns: {},
});

/** Makes a status query of a settled attempt due now. */
export async function queryAgain(tx: Queryable, id: string, now: Date): Promise<void> {
  await QUERY_AGAIN.rows(tx, { id, now });
}

const MARK_ACKNOWLEDGED = statement({
  name: 'record that the provider has an attempt',
  text: 'UPDATE push_attempt SET acknowledged_at = coalesce(acknowledged_at, $now) WHERE id = $id',
  parameters: { id: uuid, now: timestamptz },
  columns: {},
});

/** Records that the provider has an attempt's request. The caller has locked the attempt. */
export async function markAcknowledged(tx: Queryable, id: string, now: Date): Promise<void> {
  await MARK_ACKNOWLEDGED.rows(tx, { id, now });
}

const MARK_RELEASED = statement({
  name: 'release the reservation of an attempt',
  text: 'UPDATE push_attempt SET released_at = $now WHERE id = $id',
  parameters: { id: uuid, now: timestamptz },
  columns: {},
});

/** Releases an attempt's reservation. The caller has locked the attempt. */
export async function markReleased(tx: Queryable, id: string, now: Date): Promise<void> {
  await MARK_RELEASED.rows(tx, { id, now });
}
