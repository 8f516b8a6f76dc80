import type { Queryable } from '@/lib/db/database';
import { bytea, int8, jsonb, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { RawCallback } from '@/lib/providers/port/port';
import { storedHeaders } from './unhandled-store';

const LIST_CALLBACKS = statement({
  name: 'list the callbacks about an attempt',
  text: `SELECT headers, body FROM provider_message WHERE attempt_id = $attemptId AND kind = 'callback'
         ORDER BY received_at DESC, id DESC LIMIT $limit`,
  parameters: { attemptId: uuid, limit: int8 },
  columns: { headers: jsonb, body: bytea },
});

/** Returns the newest callbacks about an attempt, newest first. */
export async function listCallbacks(db: Queryable, attemptId: string, limit: number): Promise<RawCallback[]> {
  const rows = await LIST_CALLBACKS.rows(db, { attemptId, limit: BigInt(limit) });
  return rows.map(({ headers, body }) => ({ headers: storedHeaders.parse(headers), body: new Uint8Array(body) }));
}
