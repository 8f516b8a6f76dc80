import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { ReversalRequest } from './rules';
import type { ReversalState } from './state';

const COLUMNS = `r.id, r.environment, r.payment_id AS "paymentId", r.amount, r.whole, r.our_reference AS "ourReference", r.state,
  r.failure_reason AS "failureReason", r.send_count AS "sendCount", r.query_count AS "queryCount", r.lease_token AS "leaseToken", r.sent_at AS "sentAt"`;

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

export async function insertRequest(tx: Queryable, request: NewRequest): Promise<void> {
  const { id, environment, paymentId, amount, whole, ourReference, reason, requestedBy, now } = request;
  await tx.query(
    {
      text: `INSERT INTO reversal_request (id, environment, payment_id, amount, whole, our_reference, reason, requested_by, due_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    },
    [id, environment, paymentId, amount, whole, ourReference, reason, requestedBy, now],
  );
}

/** @returns the request about a payment that has not settled; there is at most one. */
export async function findOpenRequest(tx: Queryable, paymentId: string): Promise<ReversalRequest | undefined> {
  const [request] = await tx.query<ReversalRequest>(
    {
      text: `SELECT ${COLUMNS} FROM reversal_request r WHERE r.payment_id = $1 AND r.state IN ('QUEUED', 'SENDING', 'UNKNOWN') FOR UPDATE`,
    },
    [paymentId],
  );
  return request;
}

export async function findRequest(db: Queryable, id: string): Promise<ReversalRequest | undefined> {
  const [request] = await db.query<ReversalRequest>({ text: `SELECT ${COLUMNS} FROM reversal_request r WHERE r.id = $1` }, [id]);
  return request;
}

export interface ClaimedRequest extends ReversalRequest {
  /** The state before the claim; a queued one is now SENDING. */
  readonly previousState: ReversalState;
}

/** Takes due requests for one worker, as `claimAttempts` does: SENDING is committed before anybody calls a provider. */
export async function claimRequests(
  db: Queryable,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedRequest[]> {
  return db.query<ClaimedRequest>(
    {
      name: 'claim-reversals',
      text: `
WITH due AS (
  SELECT id, state FROM reversal_request
  WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE reversal_request r SET
  lease_until = $2,
  lease_token = r.lease_token + 1,
  state = CASE WHEN due.state = 'QUEUED' THEN 'SENDING'::reversal_state ELSE r.state END,
  send_count = r.send_count + (due.state = 'QUEUED')::int,
  query_count = r.query_count + (due.state <> 'QUEUED')::int,
  sent_at = CASE WHEN due.state = 'QUEUED' THEN $1 ELSE r.sent_at END
FROM due WHERE r.id = due.id
RETURNING ${COLUMNS}, due.state AS "previousState"`,
    },
    [now, leaseUntil, limit],
  );
}

/** Holds the lease for a call. @returns false when another worker has the request, or it has settled. */
export async function holdRequest(db: Queryable, request: ReversalRequest, leaseUntil: Date): Promise<boolean> {
  const rows = await db.query(
    { text: 'UPDATE reversal_request SET lease_until = $4 WHERE id = $1 AND state = $2 AND lease_token = $3 RETURNING 1 AS ours' },
    [request.id, request.state, request.leaseToken, leaseUntil],
  );
  return rows.length > 0;
}

/** Renews the lease of a call under way, also when a callback has settled the request meanwhile. @returns false when another worker has it. */
export async function renewRequest(db: Queryable, request: ReversalRequest, leaseUntil: Date): Promise<boolean> {
  const rows = await db.query(
    { text: 'UPDATE reversal_request SET lease_until = $3 WHERE id = $1 AND lease_token = $2 RETURNING 1 AS ours' },
    [request.id, request.leaseToken, leaseUntil],
  );
  return rows.length > 0;
}

/** Says what to do next with a request that has not settled. @returns false when it was settled, or taken over, meanwhile. */
export async function moveRequest(
  tx: Queryable,
  request: Pick<ReversalRequest, 'id' | 'leaseToken'>,
  { state, dueAt }: { state: ReversalState; dueAt: Date | null },
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `UPDATE reversal_request SET state = $3, due_at = $4, lease_until = NULL
             WHERE id = $1 AND lease_token = $2 AND state IN ('SENDING', 'UNKNOWN') RETURNING 1 AS moved`,
    },
    [request.id, request.leaseToken, state, dueAt],
  );
  return rows.length > 0;
}

/** @returns false when it had settled before. */
export async function settleRequest(
  tx: Queryable,
  id: string,
  { state, failureReason, now }: { state: 'SUCCEEDED' | 'FAILED'; failureReason: FailureReason | null; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `UPDATE reversal_request SET state = $2, failure_reason = $3, settled_at = $4, due_at = NULL, lease_until = NULL
             WHERE id = $1 AND state IN ('QUEUED', 'SENDING', 'UNKNOWN') RETURNING 1 AS settled`,
    },
    [id, state, failureReason, now],
  );
  return rows.length > 0;
}

/** Has the workers ask about an open request at once: a callback named our reference. @returns false when it is none of a reversal's. */
export async function hastenRequest(db: Queryable, accountId: string, ourReference: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    {
      text: `UPDATE reversal_request r SET due_at = CASE WHEN r.state = 'UNKNOWN' THEN least(r.due_at, $3) ELSE r.due_at END
             FROM payment p WHERE p.id = r.payment_id AND p.till_id = (SELECT till_id FROM provider_account WHERE id = $1) AND r.our_reference = $2
             RETURNING 1 AS ours`,
    },
    [accountId, ourReference, now],
  );
  return rows.length > 0;
}

/** A request as the operator sees it. */
interface ListedRequest extends ReversalRequest {
  readonly receipt: string;
  readonly reason: string;
  readonly requestedBy: string;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

/** @returns the newest requests, of every owner: for the operator. */
export async function listRequests(db: Queryable, limit: number): Promise<ListedRequest[]> {
  return db.query<ListedRequest>(
    {
      text: `SELECT ${COLUMNS}, p.provider_transaction_id AS receipt, r.reason, r.requested_by AS "requestedBy", r.created_at AS "createdAt", r.settled_at AS "settledAt"
             FROM reversal_request r JOIN payment p ON p.id = r.payment_id ORDER BY r.id DESC LIMIT $1`,
    },
    [limit],
  );
}
