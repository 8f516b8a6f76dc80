import type { Queryable } from '@/lib/db/database';
import { boolean, enumType, environment, int4, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { FailureReason } from '@/lib/providers/port/outcome';
import { closeReviews } from '@/lib/reviews/store';
import type { ReversalRequest } from './rules';
import { REVERSAL_STATES, type ReversalState } from './state';

export const reversalState = enumType('reversal_state', REVERSAL_STATES);
export const OURS = { ours: int4 };

export const SELECTED = `r.id, r.environment, r.payment_id AS "paymentId", r.amount, r.whole, r.our_reference AS "ourReference", r.state,
  r.failure_reason AS "failureReason", r.send_count AS "sendCount", r.query_count AS "queryCount", r.lease_token AS "leaseToken", r.sent_at AS "sentAt"`;
export const COLUMNS = {
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

export async function insertRequest(tx: Queryable, request: Parameters<typeof INSERT_REQUEST.rows>[1]): Promise<void> {
  await INSERT_REQUEST.rows(tx, request);
}

const LOCK_OPEN_REQUEST = statement({
  name: 'lock the open reversal request of a payment',
  text: `SELECT ${SELECTED} FROM reversal_request r WHERE r.payment_id = $paymentId AND r.state IN ('QUEUED', 'SENDING', 'UNKNOWN') FOR UPDATE`,
  parameters: { paymentId: uuid },
  columns: COLUMNS,
});

/** Locks and returns the open request of a payment. There is at most one. */
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

const MOVE_REQUEST = statement({
  name: 'move a reversal request',
  text: `UPDATE reversal_request SET state = $state, due_at = $dueAt, lease_until = NULL
         WHERE id = $id AND lease_token = $leaseToken AND state IN ('SENDING', 'UNKNOWN') RETURNING 1 AS ours`,
  parameters: { id: uuid, leaseToken: int4, state: reversalState, dueAt: nullable(timestamptz) },
  columns: OURS,
});

/** Sets the state and the due time of an open request. Returns false if it is settled, or if another worker has claimed it. */
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

interface End {
  readonly state: 'SUCCEEDED' | 'FAILED';
  readonly failureReason: FailureReason | null;
  readonly now: Date;
  readonly by: string;
}

/** Settles a request and closes its review. Returns false if it was already settled. */
export async function endRequest(tx: Queryable, id: string, { state, failureReason, now, by }: End): Promise<boolean> {
  const settled = await SETTLE_REQUEST.rows(tx, { id, state, failureReason, now });
  if (settled.length === 0) return false;
  const resolution = `the reversal is ${state}`;
  await closeReviews(tx, [{ kind: 'reversal_unresolved', reversalRequestId: id, resolvedBy: by, resolution }], now);
  return true;
}

const MAKE_REQUEST_DUE = statement({
  name: 'make a status query of a reversal request due',
  text: `UPDATE reversal_request r SET due_at = CASE WHEN r.state = 'UNKNOWN' THEN least(r.due_at, $now) ELSE r.due_at END
         FROM payment p WHERE p.id = r.payment_id AND p.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
           AND r.our_reference = $ourReference
         RETURNING 1 AS ours`,
  parameters: { accountId: uuid, ourReference: text, now: timestamptz },
  columns: OURS,
});

/**
 * Makes a status query due now if the reversal request is in UNKNOWN. Returns false if the till of the account has no reversal request with
 * this reference.
 */
export async function makeRequestDue(db: Queryable, accountId: string, ourReference: string, now: Date): Promise<boolean> {
  return (await MAKE_REQUEST_DUE.rows(db, { accountId, ourReference, now })).length > 0;
}

const LIST_REQUESTS = statement({
  name: 'list reversal requests',
  text: `SELECT ${SELECTED}, p.provider_transaction_id AS receipt, r.reason, r.requested_by AS "requestedBy", r.created_at AS "createdAt", r.settled_at AS "settledAt"
         FROM reversal_request r JOIN payment p ON p.id = r.payment_id ORDER BY r.id DESC LIMIT $limit`,
  parameters: { limit: int8 },
  columns: { ...COLUMNS, receipt: text, reason: text, requestedBy: text, createdAt: timestamptz, settledAt: nullable(timestamptz) },
});

/** Returns the newest requests of all merchants, for the operator. */
export async function listRequests(db: Queryable, limit: number) {
  return LIST_REQUESTS.rows(db, { limit: BigInt(limit) });
}
