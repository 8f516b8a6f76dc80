import type { Queryable } from '@/lib/db/database';

/** What the database server says of itself. */
export interface ServerFacts {
  readonly version: number;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly now: Date;
}

export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>({
    text: `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
             current_setting('full_page_writes') AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
             clock_timestamp() AS now`,
  });
  if (!facts) throw new Error('the database server says nothing of itself');
  return facts;
}

/** @returns since when the work that is due first waits for a worker; null when none is due. */
export async function findOldestDue(db: Queryable, now: Date): Promise<Date | null> {
  const [oldest] = await db.query<{ due: Date | null }>(
    {
      text: `SELECT least(
               (SELECT min(due_at) FROM push_attempt WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)),
               (SELECT min(due_at) FROM reversal_request WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)),
               (SELECT min(d.due_at) FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id AND e.url IS NOT NULL
                WHERE d.state = 'PENDING' AND d.due_at <= $1 AND (d.lease_until IS NULL OR d.lease_until <= $1))) AS due`,
    },
    [now],
  );
  return oldest?.due ?? null;
}
