import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const FIND = statement({
  name: 'find the body and the attempts of a webhook-id',
  text: `SELECT d.body, ARRAY(
           SELECT started_at FROM (
             SELECT a.started_at FROM webhook_attempt a WHERE a.delivery_id = d.id ORDER BY a.started_at DESC LIMIT $maxAttempts::int) last
           ORDER BY started_at) AS "attemptTimes"
         FROM webhook_delivery d WHERE d.id = $id AND d.merchant_id = $merchantId AND d.environment = $environment`,
  parameters: { id: uuid, merchantId: uuid, environment, maxAttempts: int4 },
  columns: { body: bytea, attemptTimes: array(timestamptz) },
});

/** Returns the body of a merchant's delivery, and the start times of the delivery's last attempts, oldest first. */
export async function findSentWebhook(
  db: Queryable,
  scope: Scope,
  id: string,
  maxAttempts: number,
): Promise<Awaited<ReturnType<typeof FIND.rows>>[number] | undefined> {
  return FIND.first(db, { ...scope, id, maxAttempts });
}
