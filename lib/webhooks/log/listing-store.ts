import type { Bill } from '@/lib/bills/rules';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { idRange } from '@/lib/webhooks/redelivery-rules';
import type { DeliveryTrigger } from '@/lib/webhooks/store';

export const DELIVERY_STATES = ['BLOCKED', 'PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery, for people. */
export interface DeliveryRow {
  readonly id: string;
  readonly billId: string;
  readonly reference: string;
  readonly billStatus: Bill['status'];
  readonly state: DeliveryState;
  readonly attemptCount: number;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
}

/** Which deliveries: all of what is given holds; null, or left out, does not matter. */
export interface DeliveryFilter {
  readonly billId?: string | null;
  /** Of one of these bills. */
  readonly billIds?: readonly string[] | null;
  /** That tell one of these. */
  readonly billStatuses?: readonly Bill['status'][] | null;
  /** Sent, or to be sent, for one of these reasons. */
  readonly triggers?: readonly DeliveryTrigger[] | null;
  readonly states?: readonly DeliveryState[] | null;
  /** Only those that have been tried in vain since they were last set going, and have not been delivered ever. */
  readonly failed?: boolean;
  /** Created from this instant, and before that one. */
  readonly from?: Date | null;
  readonly to?: Date | null;
}

interface DeliveryListing extends DeliveryFilter {
  /** Only those older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

const ROW_COLUMNS = `d.id, d.bill_id AS "billId", b.reference, d.bill_status AS "billStatus", d.state, d.attempt_count AS "attemptCount", d.due_at AS "dueAt",
  d.created_at AS "createdAt"`;
const ROW_TABLES = 'webhook_delivery d JOIN bill b ON b.id = d.bill_id AND b.merchant_id = d.merchant_id AND b.environment = d.environment';

/** @returns deliveries newest first. */
export async function listDeliveryRows(db: Queryable, scope: Scope, filter: DeliveryListing): Promise<DeliveryRow[]> {
  const { billId = null, billIds = null, billStatuses = null, triggers = null, states = null, failed = false } = filter;
  const { from = null, to = null, before, limit } = filter;
  const ids = idRange({ from, to });
  return db.query<DeliveryRow>(
    {
      text: `SELECT ${ROW_COLUMNS} FROM ${ROW_TABLES}
             WHERE d.merchant_id = $1 AND d.environment = $2 AND d.id > $3 AND d.id < $4 AND ($5::uuid IS NULL OR d.id < $5)
               AND ($6::uuid IS NULL OR d.bill_id = $6) AND ($7::delivery_state[] IS NULL OR d.state = ANY ($7))
               AND ($8::timestamptz IS NULL OR d.created_at >= $8) AND ($9::timestamptz IS NULL OR d.created_at < $9)
               AND (NOT $10::boolean OR d.delivered_at IS NULL AND d.failure_count > 0) AND ($12::uuid[] IS NULL OR d.bill_id = ANY ($12))
               AND ($13::bill_status[] IS NULL OR d.bill_status = ANY ($13)) AND ($14::delivery_trigger[] IS NULL OR d.trigger = ANY ($14))
             ORDER BY d.id DESC LIMIT $11`,
    },
    [
      scope.merchantId,
      scope.environment,
      ids.after,
      ids.before,
      before,
      billId,
      states,
      from,
      to,
      failed,
      limit,
      billIds,
      billStatuses,
      triggers,
    ],
  );
}

/** @returns the ids of a merchant's bills with a reference. */
export async function findBillIds(db: Queryable, scope: Scope, reference: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    { text: 'SELECT id FROM bill WHERE merchant_id = $1 AND environment = $2 AND reference = $3 ORDER BY id DESC LIMIT $4' },
    [scope.merchantId, scope.environment, reference, limit],
  );
  return rows.map(({ id }) => id);
}

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

/** @param scope null for the operator, who may see everything. */
export async function findDelivery(db: Queryable, scope: Scope | null, id: string): Promise<DeliveryDetail | undefined> {
  const [delivery] = await db.query<DeliveryDetail>(
    {
      text: `SELECT ${ROW_COLUMNS}, d.merchant_id AS "merchantId", d.environment, d.event_number AS "eventNumber", d.body, d.ordered, d.trigger,
               d.triggered_by AS "triggeredBy", d.redelivery_id AS "redeliveryId", d.failure_count AS "failureCount", d.last_attempt_at AS "lastAttemptAt",
               d.delivered_at AS "deliveredAt", d.settled_at AS "settledAt"
             FROM ${ROW_TABLES} WHERE d.id = $1 AND ($2::uuid IS NULL OR d.merchant_id = $2) AND ($3::environment IS NULL OR d.environment = $3)`,
    },
    [id, scope?.merchantId ?? null, scope?.environment ?? null],
  );
  return delivery;
}

/** @returns how many deliveries are not delivered, by state: those on their way, and those that are kept. */
export async function countUndelivered(
  db: Queryable,
  { id, merchantId, environment }: Scope & { readonly id: string },
): Promise<UndeliveredCounts> {
  const rows = await db.query<{ state: DeliveryState; count: number }>(
    {
      text: `SELECT state, count(*)::int AS count FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'PENDING' GROUP BY state
             UNION ALL SELECT state, count(*)::int FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'SENDING' GROUP BY state
             UNION ALL SELECT state, count(*)::int FROM webhook_delivery
               WHERE merchant_id = $2 AND environment = $3 AND state IN ('BLOCKED', 'EXHAUSTED', 'UNSENT') GROUP BY state`,
    },
    [id, merchantId, environment],
  );
  const counted: Partial<UndeliveredCounts> = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { PENDING: 0, SENDING: 0, BLOCKED: 0, EXHAUSTED: 0, UNSENT: 0, ...counted };
}

export type UndeliveredCounts = Readonly<Record<Exclude<DeliveryState, 'DELIVERED'>, number>>;
