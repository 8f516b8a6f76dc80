import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, bytea, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { deliveryState, deliveryTrigger } from '@/lib/webhooks/sql-types';
import type { DeliveryState } from '@/lib/webhooks/state';
import { ROW_COLUMNS, ROW_TABLES, ROW_TYPES } from './listing-store';

const FIND = statement({
  name: 'find a delivery',
  text: `SELECT ${ROW_COLUMNS}, d.merchant_id AS "merchantId", d.environment, d.event_number AS "eventNumber", d.body, d.ordered, d.trigger,
           d.triggered_by AS "triggeredBy", d.redelivery_id AS "redeliveryId", d.failure_count AS "failureCount", d.last_attempt_at AS "lastAttemptAt",
           d.delivered_at AS "deliveredAt", d.settled_at AS "settledAt"
         FROM ${ROW_TABLES}
         WHERE d.id = $id AND ($merchantId::uuid IS NULL OR d.merchant_id = $merchantId) AND ($environment::environment IS NULL OR d.environment = $environment)`,
  parameters: { id: uuid, merchantId: nullable(uuid), environment: nullable(environment) },
  columns: {
    ...ROW_TYPES,
    merchantId: uuid,
    environment,
    /** The number of the delivery's event in the history of its bill. */
    eventNumber: int4,
    /** The exact bytes that are sent. */
    body: bytea,
    /**
     * Whether the delivery must arrive in the order of the bill's events. A redelivery makes this false, unless the delivery was waiting
     * for a retry.
     */
    ordered: boolean,
    /** Why the next attempt is made. If no attempt will be made: why the last one was made. `triggeredBy` is who requested this attempt. */
    trigger: deliveryTrigger,
    triggeredBy: nullable(text),
    /** The bulk redelivery that made the delivery due again. Null if none did. */
    redeliveryId: nullable(uuid),
    failureCount: int4,
    lastAttemptAt: nullable(timestamptz),
    deliveredAt: nullable(timestamptz),
    settledAt: nullable(timestamptz),
  },
});

/** A delivery with all its fields, without its log of attempts. */
export type DeliveryDetail = Awaited<ReturnType<typeof FIND.rows>>[number];

/** Finds a delivery by its id. @param scope null for the operator, who may see all merchants. */
export async function findDelivery(db: Queryable, scope: Scope | null, id: string): Promise<DeliveryDetail | undefined> {
  return FIND.first(db, { id, merchantId: scope?.merchantId ?? null, environment: scope?.environment ?? null });
}

export type UndeliveredCounts = Readonly<Record<Exclude<DeliveryState, 'DELIVERED'>, number>>;

const COUNT_UNDELIVERED = statement({
  name: 'count undelivered deliveries',
  text: `SELECT state, count(*)::int AS count FROM webhook_delivery WHERE endpoint_id = $id AND state = 'PENDING' GROUP BY state
         UNION ALL SELECT state, count(*)::int FROM webhook_delivery WHERE endpoint_id = $id AND state = 'SENDING' GROUP BY state
         UNION ALL SELECT state, count(*)::int FROM webhook_delivery
           WHERE merchant_id = $merchantId AND environment = $environment AND state IN ('BLOCKED', 'EXHAUSTED', 'UNSENT') GROUP BY state`,
  parameters: { id: uuid, merchantId: uuid, environment },
  columns: { state: deliveryState, count: int4 },
});

export async function countUndelivered(db: Queryable, endpoint: Scope & { readonly id: string }): Promise<UndeliveredCounts> {
  const rows = await COUNT_UNDELIVERED.rows(db, endpoint);
  const counted: Partial<UndeliveredCounts> = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { PENDING: 0, SENDING: 0, BLOCKED: 0, EXHAUSTED: 0, UNSENT: 0, ...counted };
}
