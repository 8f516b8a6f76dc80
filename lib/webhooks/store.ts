import type { Bill } from '@/lib/bills/rules';
import { billStatus } from '@/lib/bills/sql-types';
import type { Queryable } from '@/lib/db/database';
import { bytea, environment, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const INSERT = statement({
  name: 'insert-delivery',
  prepared: true,
  text: `
WITH delivery AS (
  INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
  SELECT $id, $merchantId, $environment, e.id, $billId, $eventNumber, $billStatus, $body, start.state,
    CASE start.state WHEN 'PENDING' THEN $now::timestamptz END, greatest($now, before.latest)
  FROM webhook_endpoint e
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(d.ordered AND d.state IN ('PENDING', 'SENDING', 'BLOCKED')), false) AS is_open, max(d.created_at) AS latest
    FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.bill_id = $billId) before
  CROSS JOIN LATERAL (
    SELECT (CASE WHEN e.url IS NULL THEN 'UNSENT' WHEN before.is_open THEN 'BLOCKED' ELSE 'PENDING' END)::delivery_state AS state) start
  WHERE e.merchant_id = $merchantId AND e.environment = $environment
  RETURNING id, merchant_id, environment, created_at, event_number
)
INSERT INTO event_feed_entry (delivery_id, merchant_id, environment, created_at, event_number)
SELECT id, merchant_id, environment, created_at, event_number FROM delivery`,
  parameters: {
    id: uuid,
    merchantId: uuid,
    environment,
    billId: uuid,
    eventNumber: int4,
    billStatus,
    body: bytea,
    now: timestamptz,
  },
  columns: {},
});

/**
 * Inserts a delivery: BLOCKED while an earlier delivery of the bill is open, UNSENT if the endpoint has no address, else PENDING.
 * The caller must lock the bill. `created_at` is never before that of the bill's last delivery, even if clocks differ.
 */
export async function insertDelivery(
  tx: Queryable,
  { id, bill, eventNumber, body, now }: { id: string; bill: Bill; eventNumber: number; body: Buffer; now: Date },
): Promise<void> {
  const { id: billId, merchantId, environment, status } = bill;
  await INSERT.rows(tx, { id, merchantId, environment, billId, eventNumber, billStatus: status, body, now });
}

export type DeliveryTrigger = 'automatic' | 'manual' | 'bulk' | 'test' | 'check';
