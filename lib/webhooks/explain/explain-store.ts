import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** What was sent under one webhook-id, and when. */
interface SentWebhook {
  readonly body: Uint8Array;
  readonly tries: readonly Date[];
}

const FIND = statement({
  name: 'find what was sent under a webhook-id',
  text: `SELECT d.body, ARRAY(
           SELECT started_at FROM (
             SELECT a.started_at FROM webhook_attempt a WHERE a.delivery_id = d.id ORDER BY a.started_at DESC LIMIT $maxTries::int) last
           ORDER BY started_at) AS tries
         FROM webhook_delivery d WHERE d.id = $id AND d.merchant_id = $merchantId AND d.environment = $environment`,
  parameters: { id: uuid, merchantId: uuid, environment, maxTries: int4 },
  columns: { body: bytea, tries: array(timestamptz) },
});

/** @returns a delivery of the merchant's with the times of its last tries, oldest first. */
export async function findSentWebhook(db: Queryable, scope: Scope, id: string, maxTries: number): Promise<SentWebhook | undefined> {
  return FIND.first(db, { ...scope, id, maxTries });
}
