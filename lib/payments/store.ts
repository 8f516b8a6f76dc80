import type { Queryable } from '@/lib/db/database';
import { boolean, int4, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { ATTEMPT_COLUMNS, SELECTED_ATTEMPT } from './attempt-columns';
import type { Attempt, Decision } from './rules';
import { attemptState } from './sql-types';

interface PromptFacts {
  /** It would ask for more than is left by now, rounded up to whole shillings. */
  readonly tooMuch: boolean;
  readonly merchantActive: boolean;
}

const READ_PROMPT_FACTS = statement({
  name: 'read-prompt-facts',
  prepared: true,
  text: `SELECT b.paid_amount + $amount::bigint >= b.amount + 100 AS "tooMuch", p.status = 'active' AS "merchantActive"
         FROM bill b JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment WHERE b.id = $billId`,
  parameters: { billId: uuid, amount: int8 },
  columns: { tooMuch: boolean, merchantActive: boolean },
});

/** @returns what may have changed about a prompt's bill while the prompt waited to be sent. */
export async function readPromptFacts(db: Queryable, attempt: Attempt): Promise<PromptFacts> {
  const facts = await READ_PROMPT_FACTS.first(db, attempt);
  if (!facts) throw new Error(`bill ${attempt.billId} does not exist`);
  return facts;
}

const FIND_BY_REFERENCE = statement({
  name: 'find an attempt by our reference',
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a JOIN provider_account c ON c.id = a.provider_account_id
         WHERE a.our_reference = $reference AND c.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)`,
  parameters: { reference: text, accountId: uuid },
  columns: ATTEMPT_COLUMNS,
});

/** @returns the attempt that a provider calls by our reference, if it went through this account or one that it renews. */
export async function findAttemptByReference(db: Queryable, accountId: string, reference: string): Promise<Attempt | undefined> {
  return FIND_BY_REFERENCE.first(db, { reference, accountId });
}

const FIND_BY_PROVIDER_REFERENCE = statement({
  name: "find an attempt by the provider's reference",
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a JOIN provider_account c ON c.id = a.provider_account_id
         WHERE a.provider_reference = $reference AND c.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
         ORDER BY a.id DESC LIMIT 1`,
  parameters: { reference: text, accountId: uuid },
  columns: ATTEMPT_COLUMNS,
});

/** @returns the attempt that a provider calls by its own reference, if it went through this account or one that it renews. */
export async function findAttemptByProviderReference(db: Queryable, accountId: string, reference: string): Promise<Attempt | undefined> {
  return FIND_BY_PROVIDER_REFERENCE.first(db, { reference, accountId });
}

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

const FIND_ATTEMPT = statement({
  name: 'find an attempt',
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.id = $id`,
  parameters: { id: uuid },
  columns: ATTEMPT_COLUMNS,
});

export async function findAttempt(db: Queryable, id: string): Promise<Attempt | undefined> {
  return FIND_ATTEMPT.first(db, { id });
}

const LOCK_ATTEMPT = statement({
  name: 'lock an attempt',
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.id = $id FOR UPDATE`,
  parameters: { id: uuid },
  columns: ATTEMPT_COLUMNS,
});

export async function lockAttempt(tx: Queryable, id: string): Promise<Attempt | undefined> {
  return LOCK_ATTEMPT.first(tx, { id });
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

const LIST_ATTEMPTS = statement({
  name: 'list-attempts',
  prepared: true,
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.bill_id = $billId ORDER BY a.id`,
  parameters: { billId: uuid },
  columns: ATTEMPT_COLUMNS,
});

/** @returns the attempts of one bill, oldest first. */
export async function listAttempts(db: Queryable, billId: string): Promise<Attempt[]> {
  return LIST_ATTEMPTS.rows(db, { billId });
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
