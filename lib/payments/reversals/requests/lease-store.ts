import type { Queryable } from '@/lib/db/database';
import { int4, int8, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { ReversalRequest } from './rules';
import { COLUMNS, OURS, reversalState, SELECTED } from './store';

export type ClaimedRequest = Awaited<ReturnType<typeof claimRequests>>[number];

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
  columns: {
    ...COLUMNS,
    /** The state before the claim. A QUEUED request is now SENDING. */
    previousState: reversalState,
  },
});

/** Claims due requests for a worker. As in `claimAttempts`, SENDING is committed before any call to a provider. */
export async function claimRequests(db: Queryable, { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number }) {
  return CLAIM_REQUESTS.rows(db, { now, leaseUntil, limit: BigInt(limit) });
}

const HOLD_REQUEST = statement({
  name: 'hold a reversal request',
  text: `UPDATE reversal_request SET lease_until = $leaseUntil
         WHERE id = $id AND state = $state AND lease_token = $leaseToken RETURNING 1 AS ours`,
  parameters: { id: uuid, state: reversalState, leaseToken: int4, leaseUntil: timestamptz },
  columns: OURS,
});

/** Extends the lease before the worker calls the provider. Returns false if another worker has the request, or if it is settled. */
export async function holdRequest(db: Queryable, { id, state, leaseToken }: ReversalRequest, leaseUntil: Date): Promise<boolean> {
  return (await HOLD_REQUEST.rows(db, { id, state, leaseToken, leaseUntil })).length > 0;
}

const RENEW_REQUEST = statement({
  name: 'renew the lease of a reversal request',
  text: 'UPDATE reversal_request SET lease_until = $leaseUntil WHERE id = $id AND lease_token = $leaseToken RETURNING 1 AS ours',
  parameters: { id: uuid, leaseToken: int4, leaseUntil: timestamptz },
  columns: OURS,
});

/**
 * Extends the lease while the worker waits for the provider's answer, even if a callback has settled the request meanwhile. Returns false
 * if another worker has the request.
 */
export async function renewRequest(db: Queryable, { id, leaseToken }: ReversalRequest, leaseUntil: Date): Promise<boolean> {
  return (await RENEW_REQUEST.rows(db, { id, leaseToken, leaseUntil })).length > 0;
}
