import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Scope } from '@/lib/platform/core/scope';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { webhookAttempt, webhookDelivery, webhookEndpoint } from '@/lib/platform/db/generated/tables';
import { array, arrays, boolean, int4, neverNull, nothing, nullable, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRows, unnestFew } from '@/lib/platform/db/unnest';
import type { DeliveryTrigger } from './state';

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
    ...pick(webhookEndpoint, 'id encryptedSecret encryptedPreviousSecret previousSecretUntil'),
    ...pick(
      webhookDelivery,
      `merchantId environment endpointId billId body ordered trigger triggeredBy attemptCount failureCount createdAt
    leaseToken`,
    ),
    url: neverNull(webhookEndpoint.url),
    /** The bulk redelivery that made the delivery due again. Null if none did. */
    redeliveryId: webhookDelivery.redeliveryId,
    /** Whether the receiver has already acknowledged the delivery. Then the claimed attempt is a redelivery. */
    delivered: boolean,
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

/** A row of the log of delivery attempts. Durations are in milliseconds. A duration is null if the call did not reach that step. */
export interface AttemptRow extends Scope {
  readonly id: string;
  /** Null for test webhooks and receiver checks, which belong to no delivery. */
  readonly deliveryId: string | null;
  readonly messageId: string;
  readonly number: number;
  readonly trigger: DeliveryTrigger;
  readonly triggeredBy: string | null;
  readonly url: string;
  readonly address: string | null;
  readonly startedAt: Date;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  /** The headers that differ between the delivery attempts of a delivery: the signature headers. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The body of a test webhook or receiver check. Null for a delivery, whose row contains the body. */
  readonly requestBody: Uint8Array | null;
  readonly httpStatus: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: Uint8Array;
  readonly errorClass: string | null;
  readonly errorData: Readonly<Record<string, string | number>>;
  readonly nextAttemptAt: Date | null;
}

const NEW_ATTEMPT = arrays(
  pick(
    webhookAttempt,
    `id merchantId environment deliveryId messageId number trigger triggeredBy url address startedAt dnsMs connectMs tlsMs firstByteMs
     durationMs httpStatus responseHeaders responseBody errorClass errorData nextAttemptAt requestHeaders requestBody`,
  ),
);
const INSERT_ATTEMPTS = statement({
  name: 'insert-webhook-attempts',
  text: insertRows('webhook_attempt', NEW_ATTEMPT),
  parameters: NEW_ATTEMPT,
  prepared: true,
});

/** Inserts delivery attempts into the log, all in one statement. */
export async function insertAttempts(tx: Queryable, rows: readonly AttemptRow[]): Promise<void> {
  await INSERT_ATTEMPTS.rows(tx, columnsOf(rows.map(encode), NEW_ATTEMPT));
}

function encode(row: AttemptRow) {
  return {
    ...row,
    requestHeaders: JSON.stringify(row.requestHeaders),
    requestBody: row.requestBody && Buffer.from(row.requestBody),
    responseHeaders: JSON.stringify(row.responseHeaders),
    responseBody: Buffer.from(row.responseBody),
    errorData: JSON.stringify(row.errorData),
  };
}

/** The result of a delivery attempt, for the row of the delivery. */
export interface Move {
  readonly id: string;
  readonly leaseToken: number;
  readonly state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED';
  readonly delivered: boolean;
  readonly startedAt: Date;
  /** The time of the next attempt; null unless the state is PENDING. */
  readonly dueAt: Date | null;
}

const MOVE_ROW = {
  ...arrays(pick(webhookDelivery, 'id leaseToken state dueAt')),
  delivered: array(boolean),
  startedAt: array(webhookAttempt.startedAt),
};
const MOVE = statement({
  name: 'move-deliveries',
  text: `UPDATE webhook_delivery d SET state = m.state, due_at = m.due_at, lease_until = NULL, attempt_count = d.attempt_count + 1,
           failure_count = CASE WHEN m.delivered THEN 0 ELSE d.failure_count + 1 END, priority = 1, last_attempt_at = m.started_at,
           trigger = CASE WHEN m.state = 'PENDING' THEN 'automatic' ELSE d.trigger END, triggered_by = CASE WHEN m.state <> 'PENDING' THEN d.triggered_by END,
           delivered_at = CASE WHEN m.delivered THEN coalesce(d.delivered_at, $now) ELSE d.delivered_at END,
           settled_at = CASE WHEN m.state <> 'PENDING' THEN $now::timestamptz END
         FROM ${unnestFew(MOVE_ROW, 'm')}
         WHERE d.id = m.id AND d.lease_token = m.lease_token AND d.state = 'SENDING' RETURNING d.id`,
  parameters: { ...MOVE_ROW, now: timestamptz },
  columns: { id: webhookDelivery.id },
  prepared: true,
});

/**
 * Changes the state of the deliveries whose lease this worker still holds.
 * @returns their ids. Another worker has claimed the other deliveries.
 */
export async function moveDeliveries(tx: Queryable, moves: readonly Move[], now: Date): Promise<Set<string>> {
  const rows = await MOVE.rows(tx, { ...columnsOf(moves, MOVE_ROW), now });
  return new Set(rows.map(({ id }) => id));
}

const BILL_ROW = arrays(pick(webhookDelivery, 'endpointId billId'));
const UNBLOCK = statement({
  name: 'unblock-deliveries',
  text: `UPDATE webhook_delivery d SET state = 'PENDING', due_at = $now
         FROM ${unnestFew(BILL_ROW, 's')}
         CROSS JOIN LATERAL (
           SELECT b.id FROM webhook_delivery b WHERE b.bill_id = s.bill_id AND b.endpoint_id = s.endpoint_id AND b.state = 'BLOCKED'
           ORDER BY b.event_number LIMIT 1) next
         WHERE d.id = next.id`,
  parameters: { ...BILL_ROW, now: timestamptz },
  prepared: true,
});

/**
 * Makes the next blocked delivery of each bill due. A delivery is blocked if an earlier delivery of its bill must arrive first. The
 * caller must lock the bills, as for `announceBills`.
 */
export async function unblockNext(
  tx: Queryable,
  settled: readonly { readonly endpointId: string; readonly billId: string }[],
  now: Date,
): Promise<void> {
  await UNBLOCK.rows(tx, { ...columnsOf(settled, BILL_ROW), now });
}

const MAKE_DUE = statement({
  name: 'make deliveries due',
  text: `UPDATE webhook_delivery SET due_at = $now WHERE id IN (
           SELECT id FROM webhook_delivery
           WHERE endpoint_id = $endpointId AND state = 'PENDING' AND priority = 1 AND due_at > $now AND last_attempt_at < $before
           ORDER BY due_at, id LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id`,
  parameters: { endpointId: webhookDelivery.endpointId, before: timestamptz, now: timestamptz, limit: int4 },
  columns: { id: webhookDelivery.id },
});

/**
 * Makes waiting retries of an endpoint due now.
 * @param options.before only deliveries whose last attempt started before this time are made due.
 * @param options.limit the maximum number of deliveries.
 * @returns the number of deliveries that were made due.
 */
export async function makeDeliveriesDue(
  tx: Queryable,
  options: { endpointId: string; before: Date; now: Date; limit: number },
): Promise<number> {
  return (await MAKE_DUE.rows(tx, options)).length;
}

const firstDue = (priority: 0 | 1) =>
  `(SELECT due_at FROM webhook_delivery WHERE endpoint_id = $endpointId AND state = 'PENDING' AND priority = ${priority} ORDER BY due_at LIMIT 1)`;

const NEXT_DUE = statement({
  name: 'find when the next delivery of an endpoint is due',
  text: `SELECT least(${firstDue(0)}, ${firstDue(1)}) AS next`,
  parameters: { endpointId: webhookDelivery.endpointId },
  columns: { next: nullable(timestamptz) },
});

/** Returns when the next pending delivery of an endpoint is due, or null if none is pending. */
export async function findNextDue(tx: Queryable, endpointId: string): Promise<Date | null> {
  const row = await NEXT_DUE.first(tx, { endpointId });
  return row?.next ?? null;
}
