import { messageId } from '@/lib/gateway/webhooks/rules';
import type { Queryable } from '@/lib/platform/db/database';
import type { Received } from '../fakes/start-receiver';

/** Returns the ids of the webhooks that a merchant must receive for each bill, in order, by bill id. */
export async function webhooksByBill(db: Queryable, merchantId: string): Promise<Map<string, string[]>> {
  const rows = await db.query<{ id: string; billId: string }>(
    { text: 'SELECT id, bill_id AS "billId" FROM webhook_delivery WHERE merchant_id = $1 ORDER BY bill_id, event_number' },
    [merchantId],
  );
  return new Map([...Map.groupBy(rows, ({ billId }) => billId)].map(([bill, owed]) => [bill, owed.map(({ id }) => messageId(id))]));
}

/** Returns the ids of received webhooks in the order of arrival, by bill id. */
export function arrivedByBill(received: readonly Received[]): Map<string, string[]> {
  const named = received.map(({ headers, body }) => ({ id: headers['webhook-id'] ?? '', billId: String(JSON.parse(body).bill.id) }));
  const byBill = [...Map.groupBy(named, ({ billId }) => billId)].map(([bill, came]) => [bill, came.map(({ id }) => id)] as const);
  return new Map(byBill.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the number of a merchant's deliveries in each state. */
export async function countByState(db: Queryable, merchantId: string): Promise<Record<string, number>> {
  const rows = await db.query<{ state: string; n: number }>(
    { text: 'SELECT state, count(*)::int AS n FROM webhook_delivery WHERE merchant_id = $1 GROUP BY state' },
    [merchantId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}
