import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';

/** What was sent under one webhook-id, and when. */
export interface SentDelivery {
  readonly body: Uint8Array;
  readonly tries: readonly Date[];
}

/** @returns a delivery of the merchant's with the times of its last tries, oldest first. */
export async function findSentDelivery(db: Queryable, scope: Scope, id: string, maxTries: number): Promise<SentDelivery | undefined> {
  const [delivery] = await db.query<SentDelivery>(
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

/** A secret of one of a merchant's endpoints, as it is kept. */
export interface StoredSecret extends Scope {
  readonly encryptedSecret: Uint8Array;
  readonly encryptedPreviousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
}

/** @returns the secrets of a merchant's endpoints in both environments. */
export async function findSecrets(db: Queryable, merchantId: string): Promise<StoredSecret[]> {
  return db.query<StoredSecret>(
    {
      text: `SELECT merchant_id AS "merchantId", environment, encrypted_secret AS "encryptedSecret",
               encrypted_previous_secret AS "encryptedPreviousSecret", previous_secret_until AS "previousSecretUntil"
             FROM webhook_endpoint WHERE merchant_id = $1`,
    },
    [merchantId],
  );
}
