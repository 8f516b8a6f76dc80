import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

/** @returns the first answer kept for a key, unless it has expired. */
export async function findRemembered(
  db: Queryable,
  scope: Scope,
  key: string,
  now: Date,
): Promise<{ requestHash: Uint8Array; response: string } | undefined> {
  const [row] = await db.query<{ requestHash: Uint8Array; response: string }>(
    {
      text: `SELECT request_hash AS "requestHash", response FROM idempotency_key
             WHERE merchant_id = $1 AND environment = $2 AND key = $3 AND expires_at > $4`,
    },
    [scope.merchantId, scope.environment, key, now],
  );
  return row;
}

/** Forgets answers kept long enough. @returns how many went, at most a thousand at a time. */
export async function deleteExpiredKeys(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(
    {
      text: `DELETE FROM idempotency_key WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency_key WHERE expires_at <= $1 LIMIT 1000)) AND expires_at <= $1
             RETURNING 1 AS gone`,
    },
    [now],
  );
  return rows.length;
}
