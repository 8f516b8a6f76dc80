import type { Queryable } from '@/lib/db/database';
import { environment, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const LIST_EXPIRED = statement({
  name: 'list expired bills',
  text: `SELECT id, merchant_id AS "merchantId", environment FROM bill
         WHERE expires_at IS NOT NULL AND status <> 'FULLY_PAID' AND closed_at IS NULL AND expires_at <= $now AND reserved_amount = 0
         ORDER BY expires_at LIMIT $limit::int`,
  parameters: { now: timestamptz, limit: int4 },
  columns: { id: uuid, merchantId: uuid, environment },
});

/** Returns bills of all merchants that have expired and are still open, oldest first. Bills with an open attempt are left out. */
export async function listExpired(db: Queryable, now: Date, limit: number): Promise<Awaited<ReturnType<typeof LIST_EXPIRED.rows>>> {
  return LIST_EXPIRED.rows(db, { now, limit });
}
