import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, bytea, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { deliveryState, deliveryTrigger } from '@/lib/webhooks/sql-types';
import type { DeliveryState } from '@/lib/webhooks/state';
import type { DeliveryTrigger } from '@/lib/webhooks/store';
import { type DeliveryRow, ROW_COLUMNS, ROW_TABLES, ROW_TYPES } from './listing-store';

/** A delivery with everything that is known about it; its log apart. */
export interface DeliveryDetail extends DeliveryRow, Scope {
  /** Its number among all that happened to the bill. */
  readonly eventNumber: number;
  /** Exactly what is sent. */
  readonly body: Uint8Array;
  /** Whether it keeps its place among the bill's webhooks. */
  readonly ordered: boolean;
  /** Why the next attempt is made, or the last one was, and by whom. */
  readonly trigger: DeliveryTrigger;
  readonly triggeredBy: string | null;
  /** The run that has sent it again. */
  readonly redeliveryId: string | null;
  readonly failureCount: number;
  readonly lastAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly settledAt: Date | null;
}

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
    eventNumber: int4,
    body: bytea,
    ordered: boolean,
    trigger: deliveryTrigger,
    triggeredBy: nullable(text),
    redeliveryId: nullable(uuid),
    failureCount: int4,
    lastAttemptAt: nullable(timestamptz),
    deliveredAt: nullable(timestamptz),
    settledAt: nullable(timestamptz),
  },
});

/** @param scope null for the operator, who may see everything. */
export async function findDelivery(db: Queryable, scope: Scope | null, id: string): Promise<DeliveryDetail | undefined> {
  return FIND.first(db, { id, merchantId: scope?.merchantId ?? null, environment: scope?.environment ?? null });
}

export type UndeliveredCounts = Readonly<Record<Exclude<DeliveryState, 'DELIVERED'>, number>>;

const COUNT_UNDELIVERED = statement({
  name: 'count what is not delivered',
  text: `SELECT state, count(*)::int AS count FROM webhook_delivery WHERE endpoint_id = $id AND state = 'PENDING' GROUP BY state
         UNION ALL SELECT state, count(*)::int FROM webhook_delivery WHERE endpoint_id = $id AND state = 'SENDING' GROUP BY state
         UNION ALL SELECT state, count(*)::int FROM webhook_delivery
           WHERE merchant_id = $merchantId AND environment = $environment AND state IN ('BLOCKED', 'EXHAUSTED', 'UNSENT') GROUP BY state`,
  parameters: { id: uuid, merchantId: uuid, environment },
  columns: { state: deliveryState, count: int4 },
});

/** @returns how many deliveries are not delivered, by state: those on their way, and those that are kept. */
export async function countUndelivered(db: Queryable, endpoint: Scope & { readonly id: string }): Promise<UndeliveredCounts> {
  const rows = await COUNT_UNDELIVERED.rows(db, endpoint);
  const counted: Partial<UndeliveredCounts> = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { PENDING: 0, SENDING: 0, BLOCKED: 0, EXHAUSTED: 0, UNSENT: 0, ...counted };
}
