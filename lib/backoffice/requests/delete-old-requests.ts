import { addMs, type Clock, DAY_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import { int4, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { KEPT, KEPT_REFUSED, RETENTION_DAYS } from './rules';

// PostgreSQL has no loose index scan, so a recursive query jumps from one merchant to the next. For each merchant, the rest of the
// statement skips $kept index entries to find the newest request to delete. Refused requests count apart from failed ones. MATERIALIZED,
// because PostgreSQL would otherwise skip the entries again for each row that it deletes.
const DELETE_OLD = statement({
  name: 'delete old API requests',
  text: `
WITH RECURSIVE owner AS (
  (SELECT merchant_id, environment, failed FROM api_request ORDER BY merchant_id, environment, failed LIMIT 1)
  UNION ALL
  SELECT later.merchant_id, later.environment, later.failed FROM owner o CROSS JOIN LATERAL (
    SELECT a.merchant_id, a.environment, a.failed FROM api_request a
    WHERE (a.merchant_id, a.environment, a.failed) > (o.merchant_id, o.environment, o.failed)
    ORDER BY a.merchant_id, a.environment, a.failed LIMIT 1
  ) later
),
last AS MATERIALIZED (
  SELECT o.*, k.refused, greatest($oldest::uuid, (
    SELECT a.id FROM api_request a
    WHERE a.merchant_id = o.merchant_id AND a.environment = o.environment AND a.failed = o.failed AND (a.refusal IS NOT NULL) = k.refused
    ORDER BY a.id DESC OFFSET k.kept LIMIT 1
  )) AS id FROM owner o JOIN (VALUES (false, $kept::int), (true, $keptRefused::int)) k (refused, kept) ON o.failed OR NOT k.refused
),
deleted AS (
  DELETE FROM api_request a USING last l
  WHERE a.merchant_id = l.merchant_id AND a.environment = l.environment AND a.failed = l.failed AND a.id <= l.id
    AND (a.refusal IS NOT NULL) = l.refused
  RETURNING 1
)
SELECT count(*)::int AS count FROM deleted`,
  parameters: { oldest: uuid, kept: int4, keptRefused: int4 },
  columns: { count: int4 },
});

/** Deletes the requests in the log that are older than a week, and those above the limit of each merchant. Returns how many. */
export async function deleteOldRequests({ db, clock }: { readonly db: Queryable; readonly clock: Clock }): Promise<number> {
  const oldest = lowestId(addMs(clock(), -RETENTION_DAYS * DAY_MS).getTime());
  return (await DELETE_OLD.first(db, { oldest, kept: KEPT, keptRefused: KEPT_REFUSED }))?.count ?? 0;
}
