import { webhookJson } from '@/lib/gateway/bills/bill-json';
import type { Bill } from '@/lib/gateway/bills/rules';
import { columnsOf } from '@/lib/platform/core/columns-of';
import { newId } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import { webhookDelivery } from '@/lib/platform/db/generated/tables';
import { arrays, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnestFew } from '@/lib/platform/db/unnest';
import type { Runtime } from '@/lib/platform/runtime/runtime';

const NEW = arrays(pick(webhookDelivery, 'id merchantId environment billId eventNumber billStatus body'));
const INSERT = statement({
  name: 'insert-deliveries',
  prepared: true,
  text: `
WITH delivery AS (
  INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
  SELECT n.id, n.merchant_id, n.environment, e.id, n.bill_id, n.event_number, n.bill_status, n.body, start.state,
    CASE start.state WHEN 'PENDING' THEN $now::timestamptz END, greatest($now, before.latest)
  FROM ${unnestFew(NEW, 'n')}
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
});

/**
 * Inserts the deliveries of events of different bills, with the exact bytes to send: UNSENT if the endpoint has no address, BLOCKED if an
 * earlier delivery of the bill must arrive first, else PENDING. Call it in the transaction that changes the status of the bills, and that
 * has locked them. `created_at` is never before the `created_at` of the bill's last delivery, even if clocks differ.
 */
export async function announceBills(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  events: readonly { readonly bill: Bill; readonly eventNumber: number }[],
  now: Date,
): Promise<void> {
  const rows = events.map(({ bill, eventNumber }) => ({
    id: newId(runtime),
    merchantId: bill.merchantId,
    environment: bill.environment,
    billId: bill.id,
    eventNumber,
    billStatus: bill.status,
    body: Buffer.from(webhookJson(bill)),
  }));
  await INSERT.rows(tx, { ...columnsOf(rows, NEW), now });
}
