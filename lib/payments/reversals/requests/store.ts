import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, enumType, environment, int4, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { ReversalRequest } from './rules';
import { REVERSAL_STATES, type ReversalState } from './state';

const reversalState = enumType('reversal_state', REVERSAL_STATES);
const OURS = { ours: int4 };

const SELECTED = `r.id, r.environment, r.payment_id AS "paymentId", r.amount, r.whole, r.our_reference AS "ourReference", r.state,
  r.failure_reason AS "failureReason", r.send_count AS "sendCount", r.query_count AS "queryCount", r.lease_token AS "leaseToken", r.sent_at AS "sentAt"`;
const COLUMNS = {
  id: uuid,
  environment,
  paymentId: uuid,
  amount: int8,
  whole: boolean,
  ourReference: text,
  state: reversalState,
  failureReason: nullable(text),
  sendCount: int4,
  queryCount: int4,
  leaseToken: int4,
  sentAt: nullable(timestamptz),
};

interface NewRequest {
  readonly id: string;
  readonly environment: Environment;
  readonly paymentId: string;
  readonly amount: bigint;
  readonly whole: boolean;
  readonly ourReference: string;
  readonly reason: string;
  readonly requestedBy: string;
  readonly now: Date;
}

const INSERT_REQUEST = statement({
  name: 'insert a reversal request',
  text: `INSERT INTO reversal_request (id, environment, payment_id, amount, whole, our_reference, reason, requested_by, due_at, created_at)
         VALUES ($id, $environment, $paymentId, $amount, $whole, $ourReference, $reason, $requestedBy, $now, $now)`,
  parameters: {
    id: uuid,
    environment,
    paymentId: uuid,
    amount: int8,
    whole: boolean,
    ourReference: text,
    reason: text,
    requestedBy: text,
    now: timestamptz,
  },
  columns: {},
});

export async function insertRequest(tx: Queryable, request: NewRequest): Promise<void> {
  await INSERT_REQUEST.rows(tx, request);
}

const LOCK_OPEN_REQUEST = statement({
  name: 'lock the open reversal request of a payment',
  text: `SELECT ${SELECTED} FROM reversal_request r WHERE r.payment_id = $paymentId AND r.state IN ('QUEUED', 'SENDING', 'UNKNOWN') FOR UPDATE`,
  parameters: { paymentId: uuid },
  columns: COLUMNS,
});

/** @returns the request about a payment that has not settled; there is at most one. */
export async function findOpenRequest(tx: Queryable, paymentId: string): Promise<ReversalRequest | undefined> {
  return LOCK_OPEN_REQUEST.first(tx, { paymentId });
}

const FIND_REQUEST = statement({
  name: 'find a reversal request',
  text: `SELECT ${SELECTED} FROM reversal_request r WHERE r.id = $id`,
  parameters: { id: uuid },
  columns: COLUMNS,
});

export async function findRequest(db: Queryable, id: string): Promise<ReversalRequest | undefined> {
  return FIND_REQUEST.first(db, { id });
}

export interface ClaimedRequest extends ReversalRequest {
  /** The state before the claim; a queued one is now SENDING. */
  readonly previousState: ReversalState;
}

const CLAIM_REQUESTS = statement({
  name: 'claim-reversals',
  prepared: true,
  text: `
WITH due AS (
  SELECT id, state FROM reversal_request
  WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now)
  ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE reversal_request r SET
  lease_until = $leaseUntil,
  lease_token = r.lease_token + 1,
  state = CASE WHEN due.state = 'QUEUED' THEN 'SENDING'::reversal_state ELSE r.state END,
  send_count = r.send_count + (due.state = 'QUEUED')::int,
  query_count = r.query_count + (due.state <> 'QUEUED')::int,
  sent_at = CASE WHEN due.state = 'QUEUED' THEN $now ELSE r.sent_at END
FROM due WHERE r.id = due.id
RETURNING ${SELECTED}, due.state AS "previousState"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int8 },
  columns: { ...COLUMNS, previousState: reversalState },
});

/** Takes due requests for one worker, as `claimAttempts` does: SENDING is committed before anybody calls a provider. */
export async function claimRequests(
  db: Queryable,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedRequest[]> {
  return CLAIM_REQUESTS.rows(db, { now, leaseUntil, limit: BigInt(limit) });
}

const HOLD_REQUEST = statement({
  name: 'hold a reversal request',
  text: `UPDATE reversal_request SET lease_until = $leaseUntil
         WHERE id = $id AND state = $state AND lease_token = $leaseToken RETURNING 1 AS ours`,
  parameters: { id: uuid, state: reversalState, leaseToken: int4, leaseUntil: timestamptz },
  columns: OURS,
});

/** Holds the lease for a call. @returns false when another worker has the request, or it has settled. */
export async function holdRequest(db: Queryable, { id, state, leaseToken }: ReversalRequest, leaseUntil: Date): Promise<boolean> {
  return (await HOLD_REQUEST.rows(db, { id, state, leaseToken, leaseUntil })).length > 0;
}

const RENEW_REQUEST = statement({
  name: 'renew the lease of a reversal request',
  text: 'UPDATE reversal_request SET lease_until = $leaseUntil WHERE id = $id AND lease_token = $leaseToken RETURNING 1 AS ours',
  parameters: { id: uuid, leaseToken: int4, leaseUntil: timestamptz },
  columns: OURS,
});

/** Renews the lease of a call under way, also when a callback has settled the request meanwhile. @returns false when another worker has it. */
export async function renewRequest(db: Queryable, { id, leaseToken }: ReversalRequest, leaseUntil: Date): Promise<boolean> {
  return (await RENEW_REQUEST.rows(db, { id, leaseToken, leaseUntil })).length > 0;
}

const MOVE_REQUEST = statement({
  name: 'move a reversal request',
  text: `UPDATE reversal_request SET state = $state, due_at = $dueAt, lease_until = NULL
         WHERE id = $id AND lease_token = $leaseToken AND state IN ('SENDING', 'UNKNOWN') RETURNING 1 AS ours`,
  parameters: { id: uuid, leaseToken: int4, state: reversalState, dueAt: nullable(timestamptz) },
  columns: OURS,
});

/** Says what to do next with a request that has not settled. @returns false when it was settled, or taken over, meanwhile. */
export async function moveRequest(
  tx: Queryable,
  { id, leaseToken }: Pick<ReversalRequest, 'id' | 'leaseToken'>,
  { state, dueAt }: { state: ReversalState; dueAt: Date | null },
): Promise<boolean> {
  return (await MOVE_REQUEST.rows(tx, { id, leaseToken, state, dueAt })).length > 0;
}

const SETTLE_REQUEST = statement({
  name: 'settle a reversal request',
  text: `UPDATE reversal_request SET state = $state, failure_reason = $failureReason, settled_at = $now, due_at = NULL, lease_until = NULL
         WHERE id = $id AND state IN ('QUEUED', 'SENDING', 'UNKNOWN') RETURNING 1 AS ours`,
  parameters: { id: uuid, state: reversalState, failureReason: nullable(text), now: timestamptz },
  columns: OURS,
});

/** @returns false when it had settled before. */
export async function settleRequest(
  tx: Queryable,
  id: string,
  { state, failureReason, now }: { state: 'SUCCEEDED' | 'FAILED'; failureReason: FailureReason | null; now: Date },
): Promise<boolean> {
  return (await SETTLE_REQUEST.rows(tx, { id, state, failureReason, now })).length > 0;
}

const HASTEN_REQUEST = statement({
  name: 'ask about a reversal request at once',
  text: `UPDATE reversal_request r SET due_at = CASE WHEN r.state = 'UNKNOWN' THEN least(r.due_at, $now) ELSE r.due_at END
         FROM payment p WHERE p.id = r.payment_id AND p.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
           AND r.our_reference = $ourReference
         RETURNING 1 AS ours`,
  parameters: { accountId: uuid, ourReference: text, now: timestamptz },
  columns: OURS,
});

/** Has the workers ask about an open request at once: a callback named our reference. @returns false when it is none of a reversal's. */
export async function hastenRequest(db: Queryable, accountId: string, ourReference: string, now: Date): Promise<boolean> {
  return (await HASTEN_REQUEST.rows(db, { accountId, ourReference, now })).length > 0;
}

/** A request as the operator sees it. */
interface ListedRequest extends ReversalRequest {
  readonly receipt: string;
  readonly reason: string;
  readonly requestedBy: string;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

const LIST_REQUESTS = statement({
  name: 'list reversal requests',
  text: `SELECT ${SELECTED}, p.provider_transaction_id AS receipt, r.reason, r.requested_by AS "requestedBy", r.created_at AS "createdAt", r.settled_at AS "settledAt"
         FROM reversal_request r JOIN payment p ON p.id = r.payment_id ORDER BY r.id DESC LIMIT $limit`,
  parameters: { limit: int8 },
  columns: { ...COLUMNS, receipt: text, reason: text, requestedBy: text, createdAt: timestamptz, settledAt: nullable(timestamptz) },
});

/** @returns the newest requests, of every owner: for the operator. */
export async function listRequests(db: Queryable, limit: number): Promise<ListedRequest[]> {
  return LIST_REQUESTS.rows(db, { limit: BigInt(limit) });
}
