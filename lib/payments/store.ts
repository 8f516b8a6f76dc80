import type { Queryable } from '@/lib/db/database';
import type { Attempt, Decision } from './rules';

/** The columns of an Attempt, of a table aliased `a`. */
export const ATTEMPT_COLUMNS = `a.id, a.merchant_id AS "merchantId", a.environment, a.bill_id AS "billId", a.provider_account_id AS "providerAccountId",
  a.mobile, a.network, a.amount, a.our_reference AS "ourReference", a.provider_reference AS "providerReference", a.state,
  a.failure_reason AS "failureReason", a.send_count AS "sendCount", a.query_count AS "queryCount", a.lease_token AS "leaseToken",
  a.created_at AS "createdAt", a.sent_at AS "sentAt", a.unknown_since AS "unknownSince", a.released_at AS "releasedAt", a.settled_at AS "settledAt",
  a.acknowledged_at AS "acknowledgedAt", a.answer_lost_at AS "answerLostAt", a.claimed_paid_at AS "claimedPaidAt"`;

interface PromptFacts {
  /** It would ask for more than is left by now, rounded up to whole shillings. */
  readonly tooMuch: boolean;
  readonly merchantActive: boolean;
}

/** @returns what may have changed about a prompt's bill while the prompt waited to be sent. */
export async function readPromptFacts(db: Queryable, { billId, amount }: Attempt): Promise<PromptFacts> {
  const [facts] = await db.query<PromptFacts>(
    {
      name: 'read-prompt-facts',
      text: `SELECT b.paid_amount + $2::bigint >= b.amount + 100 AS "tooMuch", p.status = 'active' AS "merchantActive"
             FROM bill b JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment WHERE b.id = $1`,
    },
    [billId, amount],
  );
  if (!facts) throw new Error(`bill ${billId} does not exist`);
  return facts;
}

/** @returns the attempt that a provider calls by our reference, if it went through this account or one that it renews. */
export async function findAttemptByReference(db: Queryable, accountId: string, reference: string): Promise<Attempt | undefined> {
  const [attempt] = await db.query<Attempt>(
    {
      text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a JOIN provider_account c ON c.id = a.provider_account_id
             WHERE a.our_reference = $1 AND c.till_id = (SELECT till_id FROM provider_account WHERE id = $2)`,
    },
    [reference, accountId],
  );
  return attempt;
}

/** @returns the attempt that a provider calls by its own reference, if it went through this account or one that it renews. */
export async function findAttemptByProviderReference(db: Queryable, accountId: string, reference: string): Promise<Attempt | undefined> {
  const [attempt] = await db.query<Attempt>(
    {
      text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a JOIN provider_account c ON c.id = a.provider_account_id
             WHERE a.provider_reference = $1 AND c.till_id = (SELECT till_id FROM provider_account WHERE id = $2) ORDER BY a.id DESC LIMIT 1`,
    },
    [reference, accountId],
  );
  return attempt;
}

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
  const rows = await db.query(
    {
      text: `UPDATE push_attempt SET hinted = true, claimed_paid_at = CASE WHEN $3 THEN $2 ELSE claimed_paid_at END,
               query_count = CASE WHEN state IN ('FAILED', 'EXPIRED') THEN 0 ELSE query_count END,
               due_at = CASE WHEN state = 'SENDING' THEN due_at ELSE least(due_at, $2) END
             WHERE id = $1 AND state IN ('SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') AND provider_account_id IS NOT NULL
             RETURNING 1 AS hastened`,
    },
    [attemptId, now, claimsPaid],
  );
  return rows.length > 0;
}

export async function findAttempt(db: Queryable, id: string): Promise<Attempt | undefined> {
  const [attempt] = await db.query<Attempt>({ text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a WHERE a.id = $1` }, [id]);
  return attempt;
}

export async function lockAttempt(tx: Queryable, id: string): Promise<Attempt | undefined> {
  const [attempt] = await tx.query<Attempt>({ text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a WHERE a.id = $1 FOR UPDATE` }, [id]);
  return attempt;
}

/** Compare-and-set. @returns whether the attempt was still in the state the decision was made for. */
export async function moveAttempt(tx: Queryable, attempt: Attempt, decision: Decision, now: Date): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `UPDATE push_attempt SET state = $3::attempt_state, failure_reason = $4, provider_reference = $5, lease_until = NULL, call_token = NULL, lapsed_leases = 0,
               due_at = CASE WHEN hinted AND $3::attempt_state IN ('AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') THEN $7 ELSE $6::timestamptz END,
               query_count = CASE WHEN $3::attempt_state IN ('FAILED', 'EXPIRED') THEN 0 ELSE query_count END,
               settled_at = CASE WHEN $3::attempt_state IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED') THEN $7::timestamptz END,
               unknown_since = CASE WHEN $3::attempt_state = 'UNKNOWN' THEN $7::timestamptz END,
               acknowledged_at = coalesce(acknowledged_at, CASE WHEN $8 = 'acknowledged' THEN $7::timestamptz END),
               answer_lost_at = coalesce(answer_lost_at, CASE WHEN $8 = 'answer_lost' THEN $7::timestamptz END)
             WHERE id = $1 AND state = $2 RETURNING 1 AS moved`,
    },
    [attempt.id, attempt.state, decision.state, decision.failureReason, decision.providerReference, decision.dueAt, now, decision.evidence],
  );
  return rows.length > 0;
}

/** Ends a lease and says when to look next, unless another worker has taken the attempt since. */
export async function rescheduleAttempt(
  tx: Queryable,
  attempt: Attempt,
  leaseToken: number,
  { dueAt, providerReference, now }: Pick<Decision, 'dueAt' | 'providerReference'> & { now: Date },
): Promise<void> {
  await tx.query(
    {
      text: `UPDATE push_attempt SET due_at = CASE WHEN hinted THEN $6 ELSE $4::timestamptz END, provider_reference = $5,
               lease_until = NULL, call_token = NULL, lapsed_leases = 0
             WHERE id = $1 AND state = $2 AND lease_token = $3`,
    },
    [attempt.id, attempt.state, leaseToken, dueAt, providerReference, now],
  );
}

/** @returns the attempts of one bill, oldest first. */
export async function listAttempts(db: Queryable, billId: string): Promise<Attempt[]> {
  return db.query<Attempt>(
    { name: 'list-attempts', text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a WHERE a.bill_id = $1 ORDER BY a.id` },
    [billId],
  );
}

/** Has the workers ask the provider about an attempt that has succeeded. */
export async function askAnew(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE push_attempt SET due_at = $2, query_count = 0 WHERE id = $1' }, [id, now]);
}

/** Notes that the provider has an attempt's request. The caller has locked it. */
export async function markAcknowledged(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE push_attempt SET acknowledged_at = coalesce(acknowledged_at, $2) WHERE id = $1' }, [id, now]);
}

/** Gives up an attempt's reservation. The caller has locked it. */
export async function markReleased(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE push_attempt SET released_at = $2 WHERE id = $1' }, [id, now]);
}
