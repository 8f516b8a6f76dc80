import type { Queryable } from '@/lib/db/database';
import type { Attempt } from '@/lib/payments/rules';

/**
 * Holds on to an attempt for longer, unless what the lease was for has been applied meanwhile.
 * @returns `held`; `moved` when it is not in the state any more in which it was claimed, though nobody else has it; `lost`
 *   when another worker has it.
 */
export async function renewLease(db: Queryable, attempt: Attempt, leaseUntil: Date): Promise<'held' | 'moved' | 'lost'> {
  const renewed = await db.query(
    {
      text: `UPDATE push_attempt SET lease_until = $4
             WHERE id = $1 AND state = $2 AND lease_token = $3 AND lease_until IS NOT NULL RETURNING 1 AS renewed`,
    },
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
  readonly leaseUntil: Date;
}

/**
 * Notes through which account an attempt is sent, before it is, and holds the lease for the call.
 * @returns false when the lease has passed to another worker: then it must not be sent.
 */
export async function noteAccount(db: Queryable, attempt: Attempt, { accountId, leaseUntil }: Assignment): Promise<boolean> {
  const rows = await db.query(
    {
      text: `UPDATE push_attempt SET provider_account_id = $2, lease_until = $4
             WHERE id = $1 AND state = 'SENDING' AND lease_token = $3 RETURNING 1 AS ours`,
    },
    [attempt.id, accountId, attempt.leaseToken, leaseUntil],
  );
  return rows.length > 0;
}

/** Takes an attempt that was not sent out of an account's queue, so that the next claim chooses another. Not counted as a try. */
export async function leaveQueue(db: Queryable, attempt: Attempt): Promise<void> {
  await db.query(
    {
      text: `UPDATE push_attempt SET state = 'QUEUED', send_count = send_count - 1, sent_at = CASE WHEN send_count > 1 THEN sent_at END,
               call_account_id = NULL, call_token = NULL, lease_until = NULL
             WHERE id = $1 AND state = 'SENDING' AND lease_token = $2`,
    },
    [attempt.id, attempt.leaseToken],
  );
}

/**
 * Notes that work on an attempt failed; the lease runs out by itself. A worker that is killed notes nothing: that says nothing of
 * the attempt.
 * @returns how often it has failed in a row; undefined when another worker has it.
 */
export async function noteWorkFailed(db: Queryable, attempt: Attempt): Promise<number | undefined> {
  const [noted] = await db.query<{ failures: number }>(
    {
      text: `UPDATE push_attempt SET lapsed_leases = lapsed_leases + 1 WHERE id = $1 AND lease_token = $2
             RETURNING lapsed_leases AS failures`,
    },
    [attempt.id, attempt.leaseToken],
  );
  return noted?.failures;
}

/** Ends the lease on a prompt that nothing was done about, and says when to look at it again. Not counted as a try. */
export async function postpone(db: Queryable, attempt: Attempt, dueAt: Date): Promise<void> {
  await db.query(
    {
      text: `UPDATE push_attempt SET due_at = $3, lease_until = NULL, call_token = NULL, lapsed_leases = 0
             WHERE id = $1 AND state = 'QUEUED' AND lease_token = $2`,
    },
    [attempt.id, attempt.leaseToken, dueAt],
  );
}
