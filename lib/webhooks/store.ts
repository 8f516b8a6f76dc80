import type { Bill } from '@/lib/bills/rules';
import { billStatus } from '@/lib/bills/sql-types';
import { columnsOf } from '@/lib/core/columns-of';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnestFew } from '@/lib/db/unnest';

const NEW = {
  id: array(uuid),
  merchantId: array(uuid),
  environment: array(environment),
  billId: array(uuid),
  eventNumber: array(int4),
  billStatus: array(billStatus),
  body: array(bytea),
};
const INSERT = statement({
  name: 'insert-deliveries',
  prepared: true,
  text: `
WITH delivery AS (
  INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
  SELECT n.id, n.merchant_id, n.environment, e.id, n.bill_id, n.event_number, n.bill_status, n.body, start.state,
    CASE start.state WHEN 'PENDING' THEN $now::timestamptz END, greatest($now, before.latest)
  FROM ${unnestFew('$id::uuid[]', '$merchantId::uuid[]', '$environment::environment[]', '$billId::uuid[]', '$eventNumber::int[]', '$billStatus::bill_status[]', '$body::bytea[]')}
    AS n(id, merchant_id, environment, bill_id, event_number, bill_status, body)
  JOIN webhook_endpoint e ON e.merchant_id = n.merchant_id AND e.environment = n.environment
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(d.ordered AND d.state IN ('PENDING', 'SENDING', 'BLOCKED')), false) AS is_open, max(d.created_at) AS latest
    FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.bill_id = n.bill_id) before
  CROSS JOIN LATERAL (
    SELECT (CASE WHEN e.url IS NULL THEN 'UNSENT' WHEN before.is_open THEN 'BLOCKED' ELSE 'PENDING' END)::delivery_state AS state) start
  RETURNING id, merchant_id, environment, created_at, event_number
)
INSERT INTO event_feed_entry (delivery_id, merchant_id, environment, created_at, event_number)
SELECT id, merchant_id, environment, created_at, event_number FROM delivery`,
  parameters: { ...NEW, now: timestamptz },
  columns: {},
});

/** A delivery to insert, with the exact bytes to send. */
interface NewDelivery {
  readonly id: string;
  readonly bill: Bill;
  readonly eventNumber: number;
  readonly body: Buffer;
}

/**
 * Inserts deliveries of different bills: UNSENT if the endpoint has no address, BLOCKED if an earlier delivery of the bill must arrive
 * first, else PENDING. The caller must lock the bills. `created_at` is never before the `created_at` of the bill's last delivery, even if
 * clocks differ.
 */
export async function insertDeliveries(tx: Queryable, deliveries: readonly NewDelivery[], now: Date): Promise<void> {
  const rows = deliveries.map(({ bill: { id: billId, merchantId, environment, status: billStatus }, ...delivery }) => ({
    ...delivery,
    billId,
    merchantId,
    environment,
    billStatus,
  }));
  await INSERT.rows(tx, { ...columnsOf(rows, NEW), now });
}

export type DeliveryTrigger = 'automatic' | 'manual' | 'bulk' | 'test' | 'check';
