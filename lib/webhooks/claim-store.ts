import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Database } from '@/lib/db/database';
import { boolean, bytea, environment, int4, neverNull, nothing, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { deliveryTrigger } from './sql-types';

interface ClaimOptions {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** The maximum number of claimed deliveries that are retries or go to failing endpoints. */
  readonly retryLimit: number;
}

const LOCK_CLAIM = statement({
  name: 'lock-claim',
  // If the database crashes and loses a claim, the delivery is claimed again, so the commit need not wait for the disk.
  text: `SELECT set_config('synchronous_commit', 'off', true) AS setting, pg_advisory_xact_lock(${ADVISORY_LOCKS.claimDeliveries}) AS locked`,
  parameters: {},
  columns: { setting: text, locked: nothing },
  prepared: true,
});

/** Makes deliveries whose lease has expired due again, because their worker has died. */
const RELEASE_EXPIRED = statement({
  name: 'release-expired-deliveries',
  text: `
UPDATE webhook_delivery SET state = 'PENDING', lease_until = NULL, priority = 1
WHERE id IN (SELECT id FROM webhook_delivery WHERE state = 'SENDING' AND lease_until <= $now FOR UPDATE SKIP LOCKED)`,
  parameters: { now: timestamptz },
  columns: {},
  prepared: true,
});

const CLAIM = statement({
  name: 'claim-deliveries',
  text: `
WITH RECURSIVE queue AS (
  (SELECT endpoint_id, priority, due_at FROM webhook_delivery WHERE state = 'PENDING' ORDER BY endpoint_id, priority, due_at LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, next.priority, next.due_at FROM queue CROSS JOIN LATERAL (
    SELECT d.endpoint_id, d.priority, d.due_at FROM webhook_delivery d
    WHERE d.state = 'PENDING' AND (d.endpoint_id, d.priority) > (queue.endpoint_id, queue.priority)
    ORDER BY d.endpoint_id, d.priority, d.due_at LIMIT 1) next
), busy AS (
  SELECT endpoint_id, count(*) AS in_flight FROM webhook_delivery WHERE state = 'SENDING' GROUP BY endpoint_id
), heads AS (
  SELECT head.id, head.due_at, head.priority = 0 AND e.failing_since IS NULL AS fresh, capacity.in_flight, capacity.free,
    row_number() OVER (PARTITION BY queue.endpoint_id ORDER BY head.nth, head.priority) AS nth
  FROM queue
  JOIN webhook_endpoint e ON e.id = queue.endpoint_id
  LEFT JOIN busy ON busy.endpoint_id = queue.endpoint_id
  CROSS JOIN LATERAL (SELECT coalesce(busy.in_flight, 0) AS in_flight,
    CASE WHEN e.breaker_step > 0 THEN 1 ELSE e.parallelism END - coalesce(busy.in_flight, 0) AS free) capacity
  CROSS JOIN LATERAL (
    SELECT d.id, d.due_at, d.priority, row_number() OVER (ORDER BY d.due_at, d.id) AS nth FROM webhook_delivery d
    WHERE d.endpoint_id = queue.endpoint_id AND d.priority = queue.priority AND d.state = 'PENDING' AND d.due_at <= $now
    ORDER BY d.due_at, d.id LIMIT greatest(capacity.free, 0)) head
  WHERE queue.due_at <= $now AND e.status = 'active' AND e.url IS NOT NULL AND (e.rest_until IS NULL OR e.rest_until <= $now)
), fair AS (
  SELECT id, due_at, fresh, in_flight + nth AS turn, row_number() OVER (PARTITION BY fresh ORDER BY in_flight + nth, due_at, id) AS position
  FROM heads WHERE nth <= free
), taken AS (
  SELECT d.id, d.endpoint_id, f.fresh FROM fair f JOIN webhook_delivery d ON d.id = f.id
  WHERE d.id = ANY (ARRAY(SELECT id FROM fair WHERE fresh OR position <= $retryLimit::int ORDER BY turn, due_at, id LIMIT $limit::int)) AND d.state = 'PENDING'
  FOR UPDATE OF d SKIP LOCKED
)
UPDATE webhook_delivery d SET state = 'SENDING', lease_until = $leaseUntil, lease_token = d.lease_token + 1
FROM taken JOIN webhook_endpoint e ON e.id = taken.endpoint_id
WHERE d.id = taken.id
RETURNING d.id, d.merchant_id AS "merchantId", d.environment, d.endpoint_id AS "endpointId", d.bill_id AS "billId", d.body, e.url,
  e.encrypted_secret AS "encryptedSecret", e.encrypted_previous_secret AS "encryptedPreviousSecret", e.previous_secret_until AS "previousSecretUntil",
  d.ordered, d.trigger, d.triggered_by AS "triggeredBy", d.redelivery_id AS "redeliveryId", d.attempt_count AS "attemptCount", d.failure_count AS "failureCount",
  d.delivered_at IS NOT NULL AS delivered, d.created_at AS "createdAt", d.lease_token AS "leaseToken", taken.fresh`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int4, retryLimit: int4 },
  // The statement has an outer join, so the test of declared statements assumes that every column can be null. Therefore each column
  // declares whether it can be null. In fact, the outer join makes only `busy.in_flight` null, which is not returned.
  columns: {
    id: neverNull(uuid),
    merchantId: neverNull(uuid),
    environment: neverNull(environment),
    endpointId: neverNull(uuid),
    billId: neverNull(uuid),
    body: neverNull(bytea),
    url: neverNull(text),
    encryptedSecret: neverNull(bytea),
    encryptedPreviousSecret: nullable(bytea),
    previousSecretUntil: nullable(timestamptz),
    ordered: neverNull(boolean),
    trigger: neverNull(deliveryTrigger),
    triggeredBy: nullable(text),
    /** The bulk redelivery that made the delivery due again. Null if none did. */
    redeliveryId: nullable(uuid),
    attemptCount: neverNull(int4),
    failureCount: neverNull(int4),
    /** Whether the receiver has already acknowledged the delivery. Then the claimed attempt is a redelivery. */
    delivered: boolean,
    createdAt: neverNull(timestamptz),
    leaseToken: neverNull(int4),
    /** Whether this is the first attempt of the delivery and the endpoint is not failing. `retryLimit` does not limit such deliveries. */
    fresh: boolean,
  },
  prepared: true,
});

export type ClaimedDelivery = Awaited<ReturnType<typeof CLAIM.rows>>[number];

/**
 * Claims due deliveries for one worker. No endpoint gets more calls at once than its parallelism allows. First attempts and retries of an
 * endpoint take turns. Endpoints with the fewest calls in flight come first, so that a slow endpoint does not delay the others. A loose
 * index scan finds the endpoints with pending deliveries, so the cost does not grow with the length of a backlog.
 */
export async function claimDeliveries(db: Database, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  return db.sqlTransaction(async (tx) => {
    await LOCK_CLAIM.rows(tx, {});
    await RELEASE_EXPIRED.rows(tx, options);
    return CLAIM.rows(tx, options);
  });
}
