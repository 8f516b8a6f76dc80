import type { Queryable } from '@/lib/db/database';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';

/** What the database server says of itself. */
export interface ServerFacts {
  readonly version: number;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  /** `synchronous_standby_names`; empty without a synchronous standby. */
  readonly synchronousStandbys: string;
  readonly recovering: boolean;
  readonly readOnly: boolean;
  readonly now: Date;
}

export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>({
    text: `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
             current_setting('full_page_writes') AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
             current_setting('synchronous_standby_names') AS "synchronousStandbys",
             pg_is_in_recovery() AS recovering, current_setting('transaction_read_only') = 'on' AS "readOnly",
             clock_timestamp() AS now`,
  });
  if (!facts) throw new Error('the database server says nothing of itself');
  return facts;
}

/**
 * @returns since when the work that could be done first waits for a worker; null when none does. What is leased does not wait;
 *   nor does the queue of an account, or the backlog of an endpoint, that is being called or is left alone for a while.
 */
export async function findOldestDue(db: Queryable, now: Date): Promise<Date | null> {
  const [oldest] = await db.query<{ due: Date | null }>(
    {
      text: `SELECT least(
               (SELECT min(greatest(a.due_at, a.lease_until)) FROM push_attempt a
                WHERE a.due_at <= $1 AND (a.lease_until IS NULL OR a.lease_until <= $1)
                  AND NOT EXISTS (SELECT 1 FROM push_attempt b WHERE b.call_account_id = a.call_account_id
                    AND b.call_token IS NOT NULL AND b.lease_until > $1 AND (b.state = 'SENDING') = (a.state = 'QUEUED'))
                  AND NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = a.call_account_id AND h.failures >= $2)),
               (SELECT min(greatest(due_at, lease_until)) FROM reversal_request WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)),
               (SELECT min(head.due_at) FROM webhook_endpoint e CROSS JOIN LATERAL (
                  SELECT greatest(d.due_at, e.rest_until, e.status_since) AS due_at FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'PENDING' AND d.due_at <= $1
                  ORDER BY d.priority, d.due_at, d.id LIMIT 1) head
                WHERE e.url IS NOT NULL AND e.status = 'active' AND (e.rest_until IS NULL OR e.rest_until <= $1)
                  AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'SENDING' AND d.lease_until > $1))) AS due`,
    },
    [now, BREAKER_FAILURES],
  );
  return oldest?.due ?? null;
}
