import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, environment, int4, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { DeliveryState } from '@/lib/webhooks/state';

interface One {
  readonly scope: Scope;
  readonly deliveryId: string;
  readonly actor: string;
  readonly now: Date;
  /** Whether it is to come before all else that its endpoint is owed. */
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
 * Has one delivery sent now. What has settled, or was never sent, goes again from the beginning and outside of its bill's order;
 * what waits for its time keeps its place and its count. One that a worker has meanwhile is not touched.
 * @returns whether there was one to send.
 */
export async function reopenDelivery(tx: Queryable, { scope, ...one }: One): Promise<boolean> {
  const { merchantId, environment } = scope;
  return (await REOPEN.rows(tx, { ...one, merchantId, environment })).length > 0;
}

/** @returns the state of one delivery; undefined when the merchant has none of that id. */
export async function findDeliveryState(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  id: string,
): Promise<DeliveryState | undefined> {
  const row = await prisma.webhookDelivery.findUnique({ where: { id, merchantId, environment }, select: { state: true } });
  return row?.state;
}

const TAKE_BACK = statement({
  name: 'take deliveries back',
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
 * Takes back up to so many of what a run has set going and what waits to be sent: each is again what it was before. Those that
 * keep their bill's order are not a run's.
 * @returns how many there were.
 */
export async function returnDeliveries(tx: Queryable, redeliveryId: string, options: { now: Date; limit: number }): Promise<number> {
  return (await TAKE_BACK.rows(tx, { ...options, redeliveryId })).length;
}
