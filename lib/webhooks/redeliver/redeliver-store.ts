import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, environment, int4, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { DeliveryState } from '@/lib/webhooks/state';

interface Reopening {
  readonly scope: Scope;
  readonly deliveryId: string;
  readonly actor: string;
  readonly now: Date;
  /** True while the endpoint's circuit breaker is open. The delivery is then sent first, to find out whether the endpoint works again. */
  readonly asProbe: boolean;
}

const REOPEN = statement({
  name: 'send a delivery again',
  text: `UPDATE webhook_delivery d SET state = 'PENDING', trigger = 'manual', triggered_by = $actor, redelivery_id = NULL, settled_at = NULL,
           due_at = CASE WHEN $asProbe::boolean THEN least($now::timestamptz, (
             SELECT first.due_at FROM webhook_delivery first
             WHERE first.endpoint_id = d.endpoint_id AND first.state = 'PENDING' AND first.priority = 0 ORDER BY first.due_at LIMIT 1
           )) - interval '1 ms' ELSE $now END,
           ordered = ordered AND state = 'PENDING', priority = CASE WHEN $asProbe THEN 0 WHEN state = 'PENDING' THEN priority ELSE 1 END,
           failure_count = CASE state WHEN 'PENDING' THEN failure_count ELSE 0 END
         WHERE id = $deliveryId AND merchant_id = $merchantId AND environment = $environment
           AND state IN ('DELIVERED', 'EXHAUSTED', 'UNSENT', 'PENDING')
         RETURNING id`,
  parameters: { deliveryId: uuid, merchantId: uuid, environment, actor: text, now: timestamptz, asProbe: boolean },
  columns: { id: uuid },
});

/**
 * Makes a delivery due now. If the delivery has ended or was never sent, its retries start from the beginning, and it need not arrive in
 * the order of the bill's events any more. If it waits for a retry, its order and its number of failures stay as they are. Blocked
 * deliveries, and those that are being sent, do not change.
 * @returns whether the delivery was made due.
 */
export async function reopenDelivery(tx: Queryable, { scope, ...one }: Reopening): Promise<boolean> {
  const { merchantId, environment } = scope;
  return (await REOPEN.rows(tx, { ...one, merchantId, environment })).length > 0;
}

/** Returns the state of a delivery, or undefined if the merchant has none with that id. */
export async function findDeliveryState(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  id: string,
): Promise<DeliveryState | undefined> {
  const row = await prisma.webhookDelivery.findUnique({ where: { id, merchantId, environment }, select: { state: true } });
  return row?.state;
}

const RETURN_DELIVERIES = statement({
  name: 'return deliveries of a redelivery',
  text: `UPDATE webhook_delivery SET due_at = NULL, redelivery_id = NULL, trigger = 'automatic', triggered_by = NULL,
           failure_count = CASE WHEN delivered_at IS NULL THEN attempt_count ELSE 0 END,
           state = (CASE WHEN delivered_at IS NOT NULL THEN 'DELIVERED' WHEN attempt_count > 0 THEN 'EXHAUSTED' ELSE 'UNSENT' END)::delivery_state,
           settled_at = CASE WHEN delivered_at IS NOT NULL OR attempt_count > 0 THEN $now::timestamptz END
         WHERE id IN (
           SELECT id FROM webhook_delivery
           WHERE redelivery_id = $redeliveryId AND state = 'PENDING' AND NOT ordered ORDER BY id LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id`,
  parameters: { redeliveryId: uuid, now: timestamptz, limit: int4 },
  columns: { id: uuid },
});

/**
 * Returns at most `limit` pending deliveries of a bulk redelivery to the state that they had before the bulk redelivery. Deliveries that
 * must arrive in the order of their bill's events are not included, because a bulk redelivery never makes them due.
 * @returns the number of deliveries whose state was restored.
 */
export async function returnDeliveries(tx: Queryable, redeliveryId: string, options: { now: Date; limit: number }): Promise<number> {
  return (await RETURN_DELIVERIES.rows(tx, { ...options, redeliveryId })).length;
}
