import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

/** What was sent under one webhook-id, and when. */
interface SentWebhook {
  readonly body: Uint8Array;
  readonly tries: readonly Date[];
}

/** @returns a delivery of the merchant's with the times of its last tries, oldest first. */
export async function findSentWebhook(db: Queryable, scope: Scope, id: string, maxTries: number): Promise<SentWebhook | undefined> {
  const [delivery] = await db.query<SentWebhook>(
    {
      text: `SELECT d.body, ARRAY(
               SELECT started_at FROM (
                 SELECT a.started_at FROM webhook_attempt a WHERE a.delivery_id = d.id ORDER BY a.started_at DESC LIMIT $4) last
               ORDER BY started_at) AS tries
             FROM webhook_delivery d WHERE d.id = $1 AND d.merchant_id = $2 AND d.environment = $3`,
    },
    [id, scope.merchantId, scope.environment, maxTries],
  );
  return delivery;
}
