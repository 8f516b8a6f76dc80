import { ATTEMPT_COLUMNS, SELECTED_ATTEMPT } from '@/lib/gateway/payments/store';
import { addMs } from '@/lib/platform/core/clock';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import type { Database } from '@/lib/platform/db/database';
import { pushAttempt } from '@/lib/platform/db/generated/tables';
import { boolean, int8, neverNull, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { BREAKER_FAILURES, CALL_LIMIT, PROMPT_WAIT_MS, QUERY_FAILURE_MS, QUERY_LIMIT } from '@/lib/providers/accounts/health-rules';
import { routeTo } from '@/lib/providers/accounts/route-store';

export type ClaimedAttempt = Awaited<ReturnType<typeof claimAttempts>>[number];

interface ClaimOptions {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** The maximum number of attempts to claim whose account already has FEW_CALLS calls in progress. If absent, only `limit` applies. */
  readonly crowdedLimit?: number;
}

/**
 * Claims due attempts for a worker and commits SENDING before any call to a provider. The number of parallel calls is limited for
 * each account, so that a provider that does not answer does not delay the others. A row whose lease has expired is due again. Its
 * fencing token grows with each claim, so that the previous worker cannot reschedule it.
 */
export async function claimAttempts(db: Database, { now, leaseUntil, limit, crowdedLimit = limit }: ClaimOptions) {
  return db.sqlTransaction(async (tx) => {
    await LOCK.rows(tx, { lock: BigInt(ADVISORY_LOCKS.claimAttempts) });
    const overdueBefore = addMs(now, -PROMPT_WAIT_MS);
    return CLAIM.rows(tx, { now, leaseUntil, limit: BigInt(limit), crowdedLimit: BigInt(crowdedLimit), overdueBefore });
  });
}

/** Calls of an account beyond this number are crowded: they cannot use the capacity that is reserved for other accounts. */
const FEW_CALLS = 5;
/** The maximum number of attempts that one claim puts into the queues of their accounts. The next claim continues with later attempts. */
const ROUTED_AT_ONCE = 1_000;

const LOCK = statement({
  name: 'lock-attempts',
  prepared: true,
  text: 'SELECT FROM pg_advisory_xact_lock($lock)',
  parameters: { lock: int8 },
});

/**
 * Returns SQL that is true if an attempt can be claimed: no worker has it, and its pause after failures in a row is over. This pause is 30
 * seconds after the first failure, 90 seconds after the second, 210 after the third and so on, up to about an hour.
 */
const free = (alias: string) =>
  `(${alias}.lease_until IS NULL OR ${alias}.lease_until + (power(2, least(${alias}.lapsed_leases, 7)) - 1) * interval '30 seconds' <= $now)`;

/** SQL that is true if nothing says that a provider may have a request of the attempt `a`. Only then can the attempt fail unsent. */
const NEVER_REACHED = '(a.answer_lost_at IS NULL AND a.claimed_paid_at IS NULL)';

/** SQL for a QUEUED attempt `a`. It is true if the prompt has waited too long and no provider may have a request of it. */
const OVERDUE = `a.due_at <= $overdueBefore AND ${NEVER_REACHED}`;

/** SQL that is true if an import of bills requested the attempt `a`. Its customer does not wait for the prompt. */
const IMPORTED = `EXISTS (SELECT 1 FROM bill_event e WHERE e.bill_id = a.bill_id AND e.number = 1 AND e.data ? 'import')`;

/** SQL for the account that sends the attempt `a`. */
const ROUTE = routeTo('a');

/** SQL for how many requests an account `p` with a limit per minute may make at once after a pause. */
const BURST = 'p.calls_per_minute / 6.0';
/**
 * SQL that is true for a claimed row whose work calls the provider. A prompt that is overdue or claimed to be paid is not sent, and an
 * interrupted one becomes unknown without a call.
 */
const LEADS_TO_CALL = `NOT overdue AND "previousState" <> 'SENDING' AND NOT ("previousState" = 'QUEUED' AND "claimedPaidAt" IS NOT NULL)`;

/**
 * SQL for how many requests an account `p` with a limit per minute may make now: a token bucket. The bucket holds a sixth of the limit and
 * gets five sixths of the limit per minute, evenly. Both together are the limit, so no minute has more requests than that.
 */
const EXACT_CALLS_LEFT = `least(${BURST}, coalesce(p.calls_left
    + extract(epoch FROM $now::timestamptz - p.calls_left_at) * p.calls_per_minute * 5 / 360.0, ${BURST}))`;
const CALLS_LEFT = `CASE WHEN p.calls_per_minute IS NOT NULL THEN greatest(floor(${EXACT_CALLS_LEFT})::int, 0) END`;

/**
 * Each account has a queue of prompts and a queue of status queries. For one of these queues, this SQL counts the due attempts in the other
 * queue of the account, up to `limit`. ORDER BY makes PostgreSQL use the index of the queues.
 */
const dueOthers = (limit: string) => `(SELECT count(*)::int FROM (SELECT 1 FROM push_attempt a
        WHERE a.call_account_id = parallel.account_id AND (a.state = 'QUEUED') = (NOT parallel.sends) AND a.due_at <= $now
        ORDER BY a.due_at LIMIT ${limit}) due)`;

/**
 * Claims due attempts. A prompt has waited too long if it was requested, or its next try was due, before `$overdueBefore`. The cause may
 * be a provider that does not answer, the account's limit of requests, retries or a busy worker. The prompt is then not sent, because the
 * customer has probably left. A prompt of an import waits longer, unless the provider does not answer.
 *
 * Each account has two queues with separate capacities: one for prompts to send and one for status queries. A loose index scan finds
 * the queues. A claim takes as many attempts from each queue as the queue has capacity left. While the circuit breaker of a queue is open,
 * only one attempt at a time is claimed from it, each after a pause. If the account has a limit of requests per minute, prompts use the
 * remaining requests first. While status queries are due, a quarter of the remaining requests is reserved for them. An attempt that is in
 * no queue yet is claimed at once if there is capacity. Otherwise it is put into its queue.
 *
 * Some conditions are written so that PostgreSQL cannot use an index that has an entry for each open attempt, or for each dead row of the
 * queue since the last VACUUM: `(state = 'QUEUED') = sends` and `coalesce(due_at <= $now, false)`.
 */
const CLAIM = statement({
  name: 'claim-attempts',
  prepared: true,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int8, crowdedLimit: int8, overdueBefore: timestamptz },
  columns: {
    ...ATTEMPT_COLUMNS,
    /** The state before the claim. A QUEUED attempt that can be sent is now SENDING. */
    previousState: pushAttempt.state,
    /** The account whose queue contained the attempt; null if no account serves its network. */
    accountId: pushAttempt.callAccountId,
    /** The attempt waited too long and was never sent. It must fail without being sent. */
    overdue: boolean,
    /** The provider of the account does not answer. */
    unanswered: boolean,
    /** The account already has FEW_CALLS calls in progress, so the attempt cannot use the capacity that is reserved for other accounts. */
    crowded: boolean,
    claimed: boolean,
    leaseUntil: neverNull(pushAttempt.leaseUntil),
  },
  text: `
WITH RECURSIVE queue AS (
  (SELECT call_account_id AS account_id, state = 'QUEUED' AS sends FROM push_attempt
   WHERE due_at IS NOT NULL AND call_account_id IS NOT NULL ORDER BY call_account_id, (state = 'QUEUED'), due_at LIMIT 1)
  UNION ALL
  SELECT next.account_id, next.sends FROM queue CROSS JOIN LATERAL (
    SELECT a.call_account_id AS account_id, a.state = 'QUEUED' AS sends FROM push_attempt a
    WHERE a.due_at IS NOT NULL AND a.call_account_id IS NOT NULL AND (a.call_account_id, (a.state = 'QUEUED')) > (queue.account_id, queue.sends)
    ORDER BY a.call_account_id, (a.state = 'QUEUED'), a.due_at LIMIT 1) next
), unrouted AS (
  SELECT a.id, a.due_at, a.state = 'QUEUED' AS sends, coalesce(a.provider_account_id, route.id) AS account_id,
    a.state = 'QUEUED' AND ${OVERDUE} AND coalesce(a.provider_account_id, route.id) IS NOT NULL AND NOT ${IMPORTED} AS overdue
  FROM (SELECT * FROM push_attempt b WHERE b.due_at <= $now AND b.call_account_id IS NULL AND ${free('b')} ORDER BY b.due_at LIMIT ${ROUTED_AT_ONCE}) a
  LEFT JOIN LATERAL (${ROUTE}) route ON a.provider_account_id IS NULL
), busy AS (
  SELECT call_account_id AS account_id, state = 'SENDING' AS sends, count(*)::int AS calls FROM push_attempt
  WHERE call_token IS NOT NULL AND lease_until > $now GROUP BY 1, 2
), parallel AS (
  SELECT q.account_id, q.sends, breaker.open, budget.calls_left, coalesce(busy.calls, 0) AS calls,
    CASE WHEN NOT breaker.open THEN least(coalesce(p.call_limit, ${CALL_LIMIT}), CASE WHEN NOT q.sends THEN ${QUERY_LIMIT} END)
      WHEN breaker.resting THEN 0 ELSE 1 END - coalesce(busy.calls, 0) AS free
  FROM (SELECT account_id, sends FROM queue UNION SELECT account_id, sends FROM unrouted) q
  JOIN provider_account p ON p.id = q.account_id
  LEFT JOIN busy ON busy.account_id = q.account_id AND busy.sends = q.sends
  LEFT JOIN provider_health own ON own.account_id = q.account_id AND own.kind = (CASE WHEN q.sends THEN 'send' ELSE 'query' END)::call_kind
  LEFT JOIN provider_health queries ON queries.account_id = q.account_id AND queries.kind = 'query'
  CROSS JOIN LATERAL (SELECT coalesce(own.failures, 0) >= ${BREAKER_FAILURES} AS open,
    coalesce(own.rest_until > $now, false) OR coalesce(q.sends AND queries.failures > 0
      AND queries.last_failure_at > $now::timestamptz - interval '${QUERY_FAILURE_MS} milliseconds', false) AS resting) breaker
  CROSS JOIN LATERAL (SELECT ${CALLS_LEFT} AS calls_left) budget
), capacity AS (
  SELECT account_id, sends, open, calls, least(free, CASE
      WHEN calls_left IS NULL THEN NULL
      WHEN sends THEN calls_left - ${dueOthers('1')} * (calls_left / 4)
      ELSE calls_left - least(calls_left - calls_left / 4, ${dueOthers('calls_left')}
        + (SELECT count(*)::int FROM unrouted u WHERE u.account_id = parallel.account_id AND u.sends)) END) AS free
  FROM parallel
), candidate AS (
  SELECT due.id, due.due_at, capacity.account_id, capacity.sends, false AS overdue, capacity.open FROM capacity CROSS JOIN LATERAL (
    SELECT a.id, a.due_at FROM push_attempt a
    WHERE a.call_account_id = capacity.account_id AND (a.state = 'QUEUED') = capacity.sends AND a.due_at <= $now AND ${free('a')}
      AND (a.due_at > $overdueBefore OR NOT capacity.sends OR NOT ${NEVER_REACHED} OR (NOT capacity.open AND ${IMPORTED}))
    ORDER BY a.due_at LIMIT greatest(capacity.free, 0)) due
  UNION ALL
  SELECT due.id, due.due_at, capacity.account_id, capacity.sends, true, capacity.open FROM capacity CROSS JOIN LATERAL (
    SELECT a.id, a.due_at FROM push_attempt a
    WHERE capacity.sends AND a.call_account_id = capacity.account_id AND (a.state = 'QUEUED') = capacity.sends AND ${OVERDUE} AND ${free('a')}
      AND (capacity.open OR NOT ${IMPORTED})
    ORDER BY a.due_at LIMIT ${CALL_LIMIT}) due
  UNION ALL
  SELECT u.id, u.due_at, u.account_id, u.sends, u.overdue, coalesce(c.open, false)
  FROM unrouted u LEFT JOIN capacity c ON c.account_id = u.account_id AND c.sends = u.sends
), ranked AS (
  SELECT candidate.*, coalesce(capacity.calls, 0) AS calls, capacity.free, CASE WHEN candidate.overdue OR candidate.account_id IS NULL THEN 0
    ELSE row_number() OVER (PARTITION BY candidate.account_id, candidate.sends, candidate.overdue ORDER BY candidate.due_at, candidate.id) END AS nth
  FROM candidate LEFT JOIN capacity ON capacity.account_id = candidate.account_id AND capacity.sends = candidate.sends
), positioned AS (
  SELECT id, due_at, calls + nth AS turn, calls + nth > ${FEW_CALLS} AS crowded,
    row_number() OVER (PARTITION BY calls + nth > ${FEW_CALLS} ORDER BY calls + nth, due_at, id) AS position
  FROM ranked WHERE nth = 0 OR nth <= free
), chosen AS (
  SELECT id, crowded FROM positioned WHERE NOT crowded OR position <= $crowdedLimit ORDER BY turn, due_at, id LIMIT $limit
), taken AS (
  SELECT a.id, a.state, candidate.account_id, candidate.open, candidate.overdue OR (a.state = 'QUEUED' AND candidate.account_id IS NOT NULL
      AND ${NEVER_REACHED} AND a.created_at <= $overdueBefore AND NOT ${IMPORTED}) AS overdue,
    chosen.id IS NOT NULL AS claimed, coalesce(chosen.crowded, false) AS crowded
  FROM push_attempt a JOIN candidate ON candidate.id = a.id LEFT JOIN chosen ON chosen.id = a.id
  WHERE a.id = ANY (ARRAY(SELECT id FROM chosen UNION SELECT id FROM unrouted WHERE account_id IS NOT NULL)) AND coalesce(a.due_at <= $now, false) AND ${free('a')}
  FOR UPDATE OF a SKIP LOCKED
), claimed AS (
  UPDATE push_attempt a SET
    call_account_id = taken.account_id,
    call_token = CASE WHEN taken.claimed THEN a.lease_token + 1 ELSE a.call_token END,
    lease_until = CASE WHEN taken.claimed THEN $leaseUntil::timestamptz ELSE a.lease_until END,
    lease_token = a.lease_token + taken.claimed::int,
    state = CASE WHEN sent.now THEN 'SENDING'::attempt_state ELSE a.state END,
    send_count = a.send_count + sent.now::int,
    query_count = a.query_count + (taken.claimed AND taken.state <> 'QUEUED')::int,
    hinted = a.hinted AND NOT taken.claimed,
    sent_at = CASE WHEN sent.now THEN $now ELSE a.sent_at END
  FROM taken CROSS JOIN LATERAL (
    SELECT taken.claimed AND taken.state = 'QUEUED' AND taken.account_id IS NOT NULL AND NOT taken.overdue AS now) sent
  WHERE a.id = taken.id
  RETURNING ${SELECTED_ATTEMPT}, taken.state AS "previousState", a.call_account_id AS "accountId", taken.overdue, taken.open AS unanswered, taken.crowded, taken.claimed,
    a.lease_until AS "leaseUntil"
), spent AS (
  UPDATE provider_account p SET calls_left = greatest(${EXACT_CALLS_LEFT} - made.calls, -${BURST}), calls_left_at = $now
  FROM (SELECT "accountId" AS account_id, count(*) AS calls FROM claimed WHERE claimed AND ${LEADS_TO_CALL} GROUP BY 1) made
  WHERE p.id = made.account_id AND p.calls_per_minute IS NOT NULL
)
SELECT * FROM claimed WHERE claimed`,
});
