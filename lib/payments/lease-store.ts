import type { Queryable } from '@/lib/db/database';
import type { Attempt } from './rules';

/**
 * Holds on to an attempt for longer.
 * @returns `held`; `moved` when it is not in the state any more in which it was claimed, though nobody else has it; `lost`
 *   when another worker has it.
 */
export async function renewLease(db: Queryable, attempt: Attempt, leaseUntil: Date): Promise<'held' | 'moved' | 'lost'> {
  const renewed = await db.query(
    { text: 'UPDATE push_attempt SET lease_until = $4 WHERE id = $1 AND state = $2 AND lease_token = $3 RETURNING 1 AS renewed' },
    [attempt.id, attempt.state, attempt.leaseToken, leaseUntil],
  );
  if (renewed.length > 0) return 'held';
  const ours = await db.query({ text: 'SELECT 1 AS ours FROM push_attempt WHERE id = $1 AND lease_token = $2' }, [
    attempt.id,
    attempt.leaseToken,
  ]);
  return ours.length > 0 ? 'moved' : 'lost';
}

interface Assignment {
  readonly accountId: string;
  /** Whether the attempt takes one of few connections. */
  readonly counted: boolean;
  readonly leaseUntil: Date;
}

/** @returns false when the lease has passed to another worker: then it must not be sent. */
export async function noteAccount(db: Queryable, attempt: Attempt, { accountId, counted, leaseUntil }: Assignment): Promise<boolean> {
  const rows = await db.query(
    {
      text: `UPDATE push_attempt SET provider_account_id = $2, lease_until = $4,
               call_account_id = CASE WHEN $5 THEN $2::uuid END, call_token = CASE WHEN $5 THEN lease_token END
             WHERE id = $1 AND state = 'SENDING' AND lease_token = $3 RETURNING 1 AS ours`,
    },
    [attempt.id, accountId, attempt.leaseToken, leaseUntil, counted],
  );
  return rows.length > 0;
}

/** Lets one transaction at a time decide about an account's connections. Rows that refer to the account are written all the same. */
export async function lockConnections(tx: Queryable, accountId: string): Promise<void> {
  await tx.query({ text: 'SELECT 1 AS locked FROM provider_account WHERE id = $1 FOR NO KEY UPDATE' }, [accountId]);
}

interface Connections {
  /** Calls under way, of every worker. */
  readonly taken: number;
  /** Attempts that wait for a connection and were due before this one; not counted beyond the limit. */
  readonly ahead: number;
}

export async function countConnections(
  tx: Queryable,
  attempt: Attempt,
  { accountId, now, limit }: { accountId: string; now: Date; limit: number },
): Promise<Connections> {
  const [counted] = await tx.query<Connections>(
    {
      text: `
SELECT (SELECT count(*)::int FROM push_attempt
    WHERE call_account_id = $1 AND state = 'SENDING' AND call_token = lease_token AND lease_until > $3 AND id <> $2) AS taken,
  (SELECT count(*)::int FROM (
    SELECT 1 FROM push_attempt me, push_attempt earlier
    WHERE me.id = $2 AND earlier.call_account_id = $1 AND earlier.state IN ('QUEUED', 'SENDING')
      AND earlier.call_token IS DISTINCT FROM earlier.lease_token
      AND earlier.due_at <= me.due_at AND (earlier.due_at, earlier.id) < (me.due_at, me.id)
    LIMIT $4) line) AS ahead`,
    },
    [accountId, attempt.id, now, limit],
  );
  if (!counted) throw new Error('a count has one row');
  return counted;
}

/**
 * Puts an attempt that was not sent back into its place in the queue, and keeps it from being claimed until an instant. The
 * claim is not counted as a try.
 */
export async function putBack(tx: Queryable, attempt: Attempt, accountId: string, notBefore: Date): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `UPDATE push_attempt SET state = 'QUEUED', send_count = send_count - 1, sent_at = CASE WHEN send_count > 1 THEN sent_at END,
               call_account_id = $2, lease_until = $4
             WHERE id = $1 AND state = 'SENDING' AND lease_token = $3 RETURNING 1 AS ours`,
    },
    [attempt.id, accountId, attempt.leaseToken, notBefore],
  );
  return rows.length > 0;
}
