import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';

/** What the audit log calls the beginning and the end of a check; both carry the check's id. */
export const CHECK_STARTED = 'webhook.check_started';
export const CHECK_ENDED = 'webhook.checked';

/**
 * @param sinceId an id of the time before which a check that has not ended counts as broken off.
 * @returns whether a check of the endpoint is under way.
 */
export async function isCheckRunning(tx: Queryable, { merchantId, environment }: Scope, sinceId: string): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `WITH recent AS (SELECT action, data ->> 'check' AS name FROM audit_entry WHERE merchant_id = $1 AND id >= $3 AND environment = $2 AND action IN ($4, $5))
             SELECT 1 AS running FROM recent s WHERE s.action = $4 AND NOT EXISTS (SELECT 1 FROM recent e WHERE e.action = $5 AND e.name = s.name) LIMIT 1`,
    },
    [merchantId, environment, sinceId, CHECK_STARTED, CHECK_ENDED],
  );
  return rows.length > 0;
}
