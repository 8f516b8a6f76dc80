import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { bytea, environment, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const FIND = statement({
  name: 'find a stored answer',
  text: `SELECT request_hash AS "requestHash", response FROM idempotency_key
         WHERE merchant_id = $merchantId AND environment = $environment AND key = $key AND expires_at > $now`,
  parameters: { merchantId: uuid, environment, key: text, now: timestamptz },
  columns: { requestHash: bytea, response: text },
});

/** Returns the stored answer to the first request with an idempotency key, unless the answer has expired. */
export async function findStoredAnswer(
  db: Queryable,
  { merchantId, environment }: Scope,
  key: string,
  now: Date,
): Promise<{ requestHash: Uint8Array; response: string } | undefined> {
  return FIND.first(db, { merchantId, environment, key, now });
}

const DELETE_EXPIRED = statement({
  name: 'delete expired idempotency keys',
  text: `DELETE FROM idempotency_key
         WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency_key WHERE expires_at <= $now LIMIT 1000)) AND expires_at <= $now
         RETURNING key`,
  parameters: { now: timestamptz },
  columns: { key: text },
});

/** Deletes expired keys with their answers, at most 1000 at a time. Returns how many were deleted. */
export async function deleteExpiredKeys(db: Queryable, now: Date): Promise<number> {
  return (await DELETE_EXPIRED.rows(db, { now })).length;
}
