import type { Bill } from '@/lib/bills/rules';
import { billStatus } from '@/lib/bills/sql-types';
import { billById } from '@/lib/bills/store';
import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, boolean, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { idRange } from '@/lib/webhooks/redelivery-rules';
import { deliveryState, deliveryTrigger } from '@/lib/webhooks/sql-types';
import type { DeliveryState } from '@/lib/webhooks/state';
import type { DeliveryTrigger } from '@/lib/webhooks/store';

/** Selects deliveries that meet all given conditions. A condition that is null or missing does not filter. */
export interface DeliveryFilter {
  readonly billId?: string | null;
  readonly billIds?: readonly string[] | null;
  readonly billStatuses?: readonly Bill['status'][] | null;
  /** The reason for the next or last attempt. */
  readonly triggers?: readonly DeliveryTrigger[] | null;
  readonly states?: readonly DeliveryState[] | null;
  /**
   * True: only deliveries that the receiver has never accepted and that have failed at least once since their creation or last redelivery.
   */
  readonly failed?: boolean;
  /** Created from `from` (inclusive) to `to` (exclusive). */
  readonly from?: Date | null;
  readonly to?: Date | null;
}

interface DeliveryListing extends DeliveryFilter {
  /** Only deliveries with an id below this one. Null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** The columns of a delivery in {@link ROW_TABLES}. */
export const ROW_COLUMNS = `d.id, d.bill_id AS "billId", b.reference, d.bill_status AS "billStatus", d.state, d.attempt_count AS "attemptCount",
  d.due_at AS "dueAt", d.created_at AS "createdAt"`;
export const ROW_TYPES = {
  id: uuid,
  billId: uuid,
  reference: text,
  billStatus,
  state: deliveryState,
  attemptCount: int4,
  dueAt: nullable(timestamptz),
  createdAt: timestamptz,
};
export const ROW_TABLES = `webhook_delivery d
         JOIN LATERAL ${billById('d.bill_id')} ON b.merchant_id = d.merchant_id AND b.environment = d.environment`;

const LIST = statement({
  name: 'list deliveries',
  text: `SELECT ${ROW_COLUMNS} FROM ${ROW_TABLES}
         WHERE d.merchant_id = $merchantId AND d.environment = $environment AND d.id > $after AND d.id < $until
           AND ($before::uuid IS NULL OR d.id < $before)
           AND ($billId::uuid IS NULL OR d.bill_id = $billId) AND ($states::delivery_state[] IS NULL OR d.state = ANY ($states))
           AND ($from::timestamptz IS NULL OR d.created_at >= $from) AND ($to::timestamptz IS NULL OR d.created_at < $to)
           AND (NOT $failed::boolean OR d.delivered_at IS NULL AND d.failure_count > 0)
           AND ($billIds::uuid[] IS NULL OR d.bill_id = ANY ($billIds))
           AND ($billStatuses::bill_status[] IS NULL OR d.bill_status = ANY ($billStatuses))
           AND ($triggers::delivery_trigger[] IS NULL OR d.trigger = ANY ($triggers))
         ORDER BY d.id DESC LIMIT $limit::int`,
  parameters: {
    merchantId: uuid,
    environment,
    after: uuid,
    until: uuid,
    before: nullable(uuid),
    billId: nullable(uuid),
    states: nullable(array(deliveryState)),
    from: nullable(timestamptz),
    to: nullable(timestamptz),
    failed: boolean,
    limit: int4,
    billIds: nullable(array(uuid)),
    billStatuses: nullable(array(billStatus)),
    triggers: nullable(array(deliveryTrigger)),
  },
  columns: ROW_TYPES,
});

export type DeliveryRow = Awaited<ReturnType<typeof LIST.rows>>[number];

export async function listDeliveryRows(
  db: Queryable,
  { merchantId, environment }: Scope,
  { billId = null, billIds = null, billStatuses = null, triggers = null, states = null, ...filter }: DeliveryListing,
): Promise<DeliveryRow[]> {
  const { failed = false, from = null, to = null, before, limit } = filter;
  const ids = idRange({ from, to });
  const lists = { billIds, billStatuses, triggers, states };
  const range = { after: ids.after, until: ids.before, from, to };
  return LIST.rows(db, { merchantId, environment, before, billId, failed, limit, ...lists, ...range });
}

/** Returns the ids of a merchant's bills that have a reference, newest first. */
export async function findBillIds(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  reference: string,
  limit: number,
): Promise<string[]> {
  const where = { merchantId, environment, reference };
  const rows = await prisma.bill.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, take: limit });
  return rows.map(({ id }) => id);
}
