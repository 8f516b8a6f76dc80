import type { Attempt } from '@/lib/gateway/payments/rules';
import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Connection, Database, Queryable } from '@/lib/platform/db/database';
import { pushAttempt } from '@/lib/platform/db/generated/tables';
import { array, arrays, boolean, int4, pick, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnestFew } from '@/lib/platform/db/unnest';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';

const LEASED = pick(pushAttempt, 'id leaseToken');
const OURS = { ours: int4 };

const RENEW_LEASE = statement({
  name: 'renew-attempt-lease',
  prepared: true,
  text: `UPDATE push_attempt SET lease_until = $leaseUntil
         WHERE id = $id AND state = $state AND lease_token = $leaseToken AND lease_until IS NOT NULL RETURNING 1 AS ours`,
  parameters: { ...LEASED, state: pushAttempt.state, leaseUntil: timestamptz },
  columns: OURS,
});

/**
 * Extends the lease of an attempt. Returns `held` if the lease is extended, `lost` if another worker has claimed the attempt, and `moved`
 * if no other worker has claimed the attempt but its state has changed since the claim.
 */
export async function renewLease(db: Connection, attempt: Attempt, leaseUntil: Date): Promise<'held' | 'moved' | 'lost'> {
  const renewed = await RENEW_LEASE.rows(db, { ...attempt, leaseUntil });
  if (renewed.length > 0) return 'held';
  const { id, leaseToken } = attempt;
  return (await db.prisma.pushAttempt.count({ where: { id, leaseToken } })) > 0 ? 'moved' : 'lost';
}

const HELD = { ...arrays(pick(pushAttempt, 'id leaseToken')), accountId: array(uuid), leaseUntil: array(timestamptz) };
// The conditions are on the locked rows, so that PostgreSQL finds the rows to update by their ids: see SET_QUERIES_DUE. OFFSET 0 makes
// PostgreSQL find each bill by its id.
const NOTE_ACCOUNTS = statement({
  name: 'note-attempt-accounts',
  prepared: true,
  text: `WITH held AS MATERIALIZED (
           SELECT * FROM ${unnestFew(HELD, 'h')}
         ), locked AS (
           SELECT p.id, p.state, p.lease_token, p.claimed_paid_at IS NOT NULL AS claimed, b.paid_amount + p.amount >= b.amount + 100 AS overtaken
           FROM held JOIN push_attempt p ON p.id = held.id
           CROSS JOIN LATERAL (SELECT amount, paid_amount FROM bill WHERE id = p.bill_id OFFSET 0) b
           ORDER BY p.id FOR UPDATE OF p
         ), ours AS (
           SELECT locked.*, h.account_id, h.lease_until FROM locked JOIN held h ON h.id = locked.id AND h.lease_token = locked.lease_token
           WHERE locked.state = 'SENDING'
         ), noted AS (
           UPDATE push_attempt a SET provider_account_id = ours.account_id, lease_until = ours.lease_until
           FROM ours WHERE a.id = ours.id AND NOT ours.claimed AND NOT ours.overtaken
         )
         SELECT id, claimed, overtaken FROM ours`,
  parameters: HELD,
  columns: { id: pushAttempt.id, claimed: boolean, overtaken: boolean },
});

/**
 * `noted`: the account is stored, and the request may be sent. `lost`: another worker has the lease. `claimed`: a callback says that an
 * earlier request was paid. `overtaken`: other payments have come, and the bill has less left than the attempt asks for.
 */
type Noted = 'noted' | 'lost' | 'claimed' | 'overtaken';

interface Held {
  readonly id: string;
  readonly leaseToken: number;
  readonly accountId: string;
  readonly leaseUntil: Date;
}

const noteShared = sharedQueue<Held, Noted>({
  runBatch: noteAccounts,
  runAlone: async (db, held) => (await noteAccounts(db, [held]))[0] ?? 'lost',
});

/**
 * Stores the account through which an attempt will be sent, and extends the lease for the call to the provider. Checks again, as the last
 * step before the call, whether the attempt may be sent. Simultaneous calls of this function share one SQL statement.
 */
export async function noteAccount(
  db: Database,
  { id, leaseToken }: Attempt,
  held: { readonly accountId: string; readonly leaseUntil: Date },
): Promise<Noted> {
  return noteShared(db, held.accountId, { id, leaseToken, ...held });
}

async function noteAccounts(db: Database, held: readonly Held[]): Promise<Noted[]> {
  const ours = new Map((await NOTE_ACCOUNTS.rows(db, columnsOf(held, HELD))).map((one) => [one.id, one]));
  return held.map(({ id }) => {
    const one = ours.get(id);
    if (!one) return 'lost';
    if (one.claimed) return 'claimed';
    return one.overtaken ? 'overtaken' : 'noted';
  });
}

const LEAVE_QUEUE = statement({
  name: 'take an attempt out of its queue',
  text: `UPDATE push_attempt SET state = 'QUEUED', send_count = send_count - 1, sent_at = CASE WHEN send_count > 1 THEN sent_at END,
           call_account_id = NULL, call_token = NULL, lease_until = NULL
         WHERE id = $id AND state = 'SENDING' AND lease_token = $leaseToken`,
  parameters: LEASED,
});

/**
 * Removes an unsent attempt from its account's queue, so that the next claim chooses another account. The attempt does not count as sent.
 */
export async function leaveQueue(db: Queryable, attempt: Attempt): Promise<void> {
  await LEAVE_QUEUE.rows(db, attempt);
}

/**
 * Counts a failure of work on an attempt, and leaves the lease to expire. The death of a worker is not counted, because the attempt
 * did not cause it. Returns the number of failures in a row; undefined if another worker has the lease.
 */
export async function noteWorkFailed({ prisma }: Connection, { id, leaseToken }: Attempt): Promise<number | undefined> {
  const data = { lapsedLeases: { increment: 1 } };
  const [noted] = await prisma.pushAttempt.updateManyAndReturn({ where: { id, leaseToken }, data, select: { lapsedLeases: true } });
  return noted?.lapsedLeases;
}

/** Ends the lease of an unsent attempt and sets the attempt's next due time. The attempt does not count as sent. */
export async function postpone({ prisma }: Connection, { id, leaseToken }: Attempt, dueAt: Date): Promise<void> {
  const data = { dueAt, leaseUntil: null, callToken: null, lapsedLeases: 0 };
  await prisma.pushAttempt.updateMany({ where: { id, state: 'QUEUED', leaseToken }, data });
}
