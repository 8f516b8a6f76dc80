import type { Bill } from '@/lib/bills/rules';
import type { Scope } from '@/lib/core/scope';
import type { Database, Queryable } from '@/lib/db/database';

/**
 * Owed in order: behind one of the same bill that is still open it waits, blocked. Without an address it is kept, unsent. The
 * bill's row is locked by the caller, so its events have times that follow each other, whatever the clocks of several processes say.
 */
export async function insertDelivery(
  tx: Queryable,
  { id, bill, eventNumber, body, now }: { id: string; bill: Bill; eventNumber: number; body: Uint8Array; now: Date },
): Promise<void> {
  await tx.query(
    {
      text: `
WITH delivery AS (
  INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
  SELECT $1, $2, $3, e.id, $4, $5, $6, $7, start.state, CASE start.state WHEN 'PENDING' THEN $8::timestamptz END, greatest($8, before.latest)
  FROM webhook_endpoint e
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(d.ordered AND d.state IN ('PENDING', 'SENDING', 'BLOCKED')), false) AS is_open, max(d.created_at) AS latest
    FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.bill_id = $4) before
  CROSS JOIN LATERAL (
    SELECT (CASE WHEN e.url IS NULL THEN 'UNSENT' WHEN before.is_open THEN 'BLOCKED' ELSE 'PENDING' END)::delivery_state AS state) start
  WHERE e.merchant_id = $2 AND e.environment = $3
  RETURNING id, merchant_id, environment, created_at, event_number
)
INSERT INTO event_feed_entry (delivery_id, merchant_id, environment, created_at, event_number)
SELECT id, merchant_id, environment, created_at, event_number FROM delivery`,
    },
    [id, bill.merchantId, bill.environment, bill.id, eventNumber, bill.status, body, now],
  );
}

export type DeliveryTrigger = 'automatic' | 'manual' | 'bulk' | 'test' | 'check';

export interface ClaimedDelivery extends Scope {
  readonly id: string;
  readonly endpointId: string;
  readonly billId: string;
  readonly body: Buffer;
  readonly url: string;
  readonly encryptedSecret: Uint8Array;
  readonly encryptedPreviousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
  readonly ordered: boolean;
  readonly trigger: DeliveryTrigger;
  readonly triggeredBy: string | null;
  /** The run that has set it going again. */
  readonly redeliveryId: string | null;
  readonly attemptCount: number;
  readonly failureCount: number;
  /** Whether it had been acknowledged before. */
  readonly delivered: boolean;
  readonly createdAt: Date;
  readonly leaseToken: number;
  /** A first attempt at an endpoint that is well: it may use the room that is kept from all others. */
  readonly fresh: boolean;
}

interface ClaimOptions {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** How many of them may be retries, or go to an endpoint that has been failing. */
  readonly againLimit: number;
}

/** One worker claims at a time, so that an endpoint never gets more calls at once than it is meant to. Any number will do. */
const CLAIM_LOCK = 5_020_001;

/**
 * Takes due deliveries for one worker: of each endpoint as many as it has room for, first attempts and retries in turn, and those
 * first whose endpoint has the fewest calls in flight, so that whoever is slow holds nobody else up. A loose index scan finds the
 * endpoints that are owed something: a backlog costs no more than its first rows.
 */
export async function claimDeliveries(db: Database, { now, leaseUntil, limit, againLimit }: ClaimOptions): Promise<ClaimedDelivery[]> {
  return db.sqlTransaction(async (tx) => {
    // A claim that a crash of the database undoes is only made again.
    await tx.query({ name: 'lock-claim', text: "SELECT set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock($1)" }, [
      CLAIM_LOCK,
    ]);
    await tx.query({ name: 'put-back-deliveries', text: PUT_BACK }, [now]);
    return tx.query<ClaimedDelivery>({ name: 'claim-deliveries', text: CLAIM }, [now, leaseUntil, limit, againLimit]);
  });
}

/** What a worker had that is gone is due again. */
const PUT_BACK = `
UPDATE webhook_delivery SET state = 'PENDING', lease_until = NULL, priority = 1
WHERE id IN (SELECT id FROM webhook_delivery WHERE state = 'SENDING' AND lease_until <= $1 FOR UPDATE SKIP LOCKED)`;

const CLAIM = `
WITH RECURSIVE owed AS (
  (SELECT endpoint_id, priority, due_at FROM webhook_delivery WHERE state = 'PENDING' ORDER BY endpoint_id, priority, due_at LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, next.priority, next.due_at FROM owed CROSS JOIN LATERAL (
    SELECT d.endpoint_id, d.priority, d.due_at FROM webhook_delivery d
    WHERE d.state = 'PENDING' AND (d.endpoint_id, d.priority) > (owed.endpoint_id, owed.priority)
    ORDER BY d.endpoint_id, d.priority, d.due_at LIMIT 1) next
), busy AS (
  SELECT endpoint_id, count(*) AS in_flight FROM webhook_delivery WHERE state = 'SENDING' GROUP BY endpoint_id
), heads AS (
  SELECT head.id, head.due_at, head.priority = 0 AND e.failing_since IS NULL AS fresh, room.in_flight, room.free,
    row_number() OVER (PARTITION BY owed.endpoint_id ORDER BY head.nth, head.priority) AS nth
  FROM owed
  JOIN webhook_endpoint e ON e.id = owed.endpoint_id
  LEFT JOIN busy ON busy.endpoint_id = owed.endpoint_id
  CROSS JOIN LATERAL (SELECT coalesce(busy.in_flight, 0) AS in_flight,
    CASE WHEN e.breaker_step > 0 THEN 1 ELSE e.parallelism END - coalesce(busy.in_flight, 0) AS free) room
  CROSS JOIN LATERAL (
    SELECT d.id, d.due_at, d.priority, row_number() OVER (ORDER BY d.due_at, d.id) AS nth FROM webhook_delivery d
    WHERE d.endpoint_id = owed.endpoint_id AND d.priority = owed.priority AND d.state = 'PENDING' AND d.due_at <= $1
    ORDER BY d.due_at, d.id LIMIT greatest(room.free, 0)) head
  WHERE owed.due_at <= $1 AND e.status = 'active' AND e.url IS NOT NULL AND (e.rest_until IS NULL OR e.rest_until <= $1)
), fair AS (
  SELECT id, due_at, fresh, in_flight + nth AS turn, row_number() OVER (PARTITION BY fresh ORDER BY in_flight + nth, due_at, id) AS place
  FROM heads WHERE nth <= free
), taken AS (
  SELECT d.id, d.endpoint_id, f.fresh FROM fair f JOIN webhook_delivery d ON d.id = f.id
  WHERE d.id = ANY (ARRAY(SELECT id FROM fair WHERE fresh OR place <= $4 ORDER BY turn, due_at, id LIMIT $3)) AND d.state = 'PENDING'
  FOR UPDATE OF d SKIP LOCKED
)
UPDATE webhook_delivery d SET state = 'SENDING', lease_until = $2, lease_token = d.lease_token + 1
FROM taken JOIN webhook_endpoint e ON e.id = taken.endpoint_id
WHERE d.id = taken.id
RETURNING d.id, d.merchant_id AS "merchantId", d.environment, d.endpoint_id AS "endpointId", d.bill_id AS "billId", d.body, e.url,
  e.encrypted_secret AS "encryptedSecret", e.encrypted_previous_secret AS "encryptedPreviousSecret", e.previous_secret_until AS "previousSecretUntil",
  d.ordered, d.trigger, d.triggered_by AS "triggeredBy", d.redelivery_id AS "redeliveryId", d.attempt_count AS "attemptCount", d.failure_count AS "failureCount",
  d.delivered_at IS NOT NULL AS delivered, d.created_at AS "createdAt", d.lease_token AS "leaseToken", taken.fresh`;
