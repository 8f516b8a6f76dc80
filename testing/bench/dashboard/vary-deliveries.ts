import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';

/** Sets the address of a merchant's endpoint. Call this before you create bills: without an address, their deliveries become UNSENT. */
export async function setAddress(db: Queryable, merchantId: string): Promise<void> {
  await db.query({ text: "UPDATE webhook_endpoint SET url = 'https://hooks.example.com/bili' WHERE merchant_id = $1" }, [merchantId]);
}

/** The changes that make a few old deliveries unusual: the worst case for a filter that reads deliveries from newest to oldest. */
const ODD: readonly (readonly [how: string, change: string])[] = [
  ['exhausted', "state = 'EXHAUSTED', delivered_at = NULL, failure_count = 12"],
  ['waiting', "state = 'PENDING', delivered_at = NULL, failure_count = 3, settled_at = NULL, due_at = now() + interval '1 day'"],
  ['sent again by hand', "trigger = 'manual', triggered_by = 'user:bench'"],
  ['of bills not paid any more', "bill_status = 'NOT_PAID'"],
];
const EACH = 30;

/** Makes a merchant's deliveries realistic: a few are unusual, and each delivery of the last 90 days has a delivery attempt. */
export async function varyDeliveries(tx: Queryable, { merchantId, environment }: Scope): Promise<void> {
  for (const [index, [, change]] of ODD.entries()) {
    await tx.query(
      {
        text: `UPDATE webhook_delivery SET ${change} WHERE id IN (SELECT id FROM webhook_delivery WHERE merchant_id = $1 AND environment = $2 ORDER BY id OFFSET $3 LIMIT $4)`,
      },
      [merchantId, environment, index * EACH, EACH],
    );
  }
  await tx.query(
    {
      text: `INSERT INTO webhook_attempt (id, started_at, merchant_id, environment, delivery_id, message_id, number, trigger, url, address, duration_ms, http_status, response_headers, response_body, error_data)
             SELECT gen_random_uuid(), d.created_at, d.merchant_id, d.environment, d.id, d.id::text, 1, 'automatic', 'https://hooks.example.com/bili', '192.0.2.7', 120, 200, '{}', 'ok', '{}'
             FROM webhook_delivery d WHERE d.merchant_id = $1 AND d.environment = $2 AND d.created_at > now() - interval '90 days'`,
    },
    [merchantId, environment],
  );
}

/** Updates the planner's statistics. */
export async function tidyDeliveries(db: Queryable): Promise<void> {
  for (const table of ['webhook_delivery', 'webhook_attempt']) await db.query({ text: `VACUUM (ANALYZE) ${table}` });
}
