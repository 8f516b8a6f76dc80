import type { Queryable } from '@/lib/db/database';
import { boolean, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Attempt, Decision } from './rules';
import { attemptState } from './sql-types';

const HASTEN_QUERY = statement({
  name: 'ask about an attempt at once',
  text: `UPDATE push_attempt SET hinted = true, claimed_paid_at = CASE WHEN $claimsPaid THEN $now ELSE claimed_paid_at END,
           query_count = CASE WHEN state IN ('FAILED', 'EXPIRED') THEN 0 ELSE query_count END,
           due_at = CASE WHEN state = 'SENDING' THEN due_at ELSE least(due_at, $now) END
         WHERE id = $attemptId AND state IN ('SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') AND provider_account_id IS NOT NULL
         RETURNING 1 AS hastened`,
  parameters: { attemptId: uuid, now: timestamptz, claimsPaid: boolean },
  columns: { hastened: int4 },
});

/**
 * Has the workers ask about an attempt at once, also when they had given up, or when it had failed: money may come late. One
 * that a worker has just now is asked about again when it is done.
 * @param claimsPaid whether somebody whom nobody has to believe says that it is paid. @returns false when there is nothing to ask.
 */
export async function hastenQuery(
  db: Queryable,
  attemptId: string,
  { now, claimsPaid }: { now: Date; claimsPaid: boolean },
): Promise<boolean> {
  return (await HASTEN_QUERY.rows(db, { attemptId, now, claimsPaid })).length > 0;
}

const MOVE_ATTEMPT = statement({
  name: 'move an attempt',
  text: `UPDATE push_attempt SET state = $next::attempt_state, failure_reason = $failureReason, provider_reference = $providerReference,
           lease_until = NULL, call_token = NULL, lapsed_leases = 0,
           due_at = CASE WHEN hinted AND $next::attempt_state IN ('AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') THEN $now ELSE $dueAt::timestamptz END,
           query_count = CASE WHEN $next::attempt_state IN ('FAILED', 'EXPIRED') THEN 0 ELSE query_count END,
           settled_at = CASE WHEN $next::attempt_state IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED') THEN $now::timestamptz END,
           unknown_since = CASE WHEN $next::attempt_state = 'UNKNOWN' THEN $now::timestamptz END,
           acknowledged_at = coalesce(acknowledged_at, CASE WHEN $evidence = 'acknowledged' THEN $now::timestamptz END),
           answer_lost_at = coalesce(answer_lost_at, CASE WHEN $evidence = 'answer_lost' THEN $now::timestamptz END)
         WHERE id = $id AND state = $state RETURNING 1 AS moved`,
  parameters: {
    id: uuid,
    state: attemptState,
    next: attemptState,
    failureReason: nullable(text),
    providerReference: nullable(text),
    dueAt: nullable(timestamptz),
    now: timestamptz,
    evidence: nullable(text),
  },
  columns: { moved: int4 },
});

/** Compare-and-set. @returns whether the attempt was still in the state the decision was made for. */
export async function moveAttempt(tx: Queryable, { id, state }: Attempt, decision: Decision, now: Date): Promise<boolean> {
  return (await MOVE_ATTEMPT.rows(tx, { ...decision, id, state, next: decision.state, now })).length > 0;
}

const RESCHEDULE_ATTEMPT = statement({
  name: 'reschedule an attempt',
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

/** Ends a lease and says when to look next, unless another worker has taken the attempt since. */
export async function rescheduleAttempt(
  tx: Queryable,
  { id, state }: Attempt,
  leaseToken: number,
  { dueAt, providerReference, now }: Pick<Decision, 'dueAt' | 'providerReference'> & { now: Date },
): Promise<void> {
  await RESCHEDULE_ATTEMPT.rows(tx, { id, state, leaseToken, dueAt, providerReference, now });
}

const ASK_ANEW = statement({
  name: 'ask about a succeeded attempt',
  text: 'UPDATE push_attempt SET due_at = $now, query_count = 0 WHERE id = $id',
  parameters: { id: uuid, now: timestamptz },
  columns: {},
});

/** Has the workers ask the provider about an attempt that has succeeded. */
export async function askAnew(tx: Queryable, id: string, now: Date): Promise<void> {
  await ASK_ANEW.rows(tx, { id, now });
}

const MARK_ACKNOWLEDGED = statement({
  name: 'note that the provider has an attempt',
  text: 'UPDATE push_attempt SET acknowledged_at = coalesce(acknowledged_at, $now) WHERE id = $id',
  parameters: { id: uuid, now: timestamptz },
  columns: {},
});

/** Notes that the provider has an attempt's request. The caller has locked it. */
export async function markAcknowledged(tx: Queryable, id: string, now: Date): Promise<void> {
  await MARK_ACKNOWLEDGED.rows(tx, { id, now });
}

const MARK_RELEASED = statement({
  name: 'give up the reservation of an attempt',
  text: 'UPDATE push_attempt SET released_at = $now WHERE id = $id',
  parameters: { id: uuid, now: timestamptz },
  columns: {},
});

/** Gives up an attempt's reservation. The caller has locked it. */
export async function markReleased(tx: Queryable, id: string, now: Date): Promise<void> {
  await MARK_RELEASED.rows(tx, { id, now });
}
