import { columnsOf } from '@/lib/core/columns-of';
import type { Database, Queryable } from '@/lib/db/database';
import { array, boolean, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnestFew } from '@/lib/db/unnest';
import { sharedQueue } from '@/lib/queues/shared-queue';

/**
 * SQL that makes status queries due, and remembers which attempts are claimed to be paid. The table `hint` contains the columns
 * `attempt_id` and `claims_paid`. A claim is remembered in every state. A QUEUED or CANCELLED attempt is queried only after a claim: the
 * claim says that the provider has an earlier request. Locks attempts in the order of ids. The conditions use columns of `locked`. With
 * those of `a`, PostgreSQL would find the rows to update by the index of open attempts, which can be large, and not by their ids.
 */
const SET_QUERIES_DUE = `locked AS (
           SELECT p.id, h.claims_paid, p.provider_account_id IS NOT NULL AND p.state <> 'SUCCEEDED'
             AND (h.claims_paid OR p.state NOT IN ('QUEUED', 'CANCELLED')) AS queryable
           FROM hint h JOIN push_attempt p ON p.id = h.attempt_id ORDER BY p.id FOR UPDATE OF p
         )
         UPDATE push_attempt a SET hinted = a.hinted OR locked.queryable,
           claimed_paid_at = CASE WHEN locked.claims_paid THEN $now ELSE a.claimed_paid_at END,
           query_count = CASE WHEN locked.queryable AND a.state IN ('FAILED', 'EXPIRED', 'CANCELLED') THEN 0 ELSE a.query_count END,
           due_at = CASE WHEN locked.queryable AND a.state <> 'SENDING' THEN least(a.due_at, $now) ELSE a.due_at END
         FROM locked
         WHERE a.id = locked.id AND (locked.queryable OR locked.claims_paid)
         RETURNING locked.queryable AS due`;

const MAKE_QUERY_DUE = statement({
  name: 'make a status query due',
  text: `WITH hint AS (SELECT $attemptId::uuid AS attempt_id, $claimsPaid::boolean AS claims_paid), ${SET_QUERIES_DUE}`,
  parameters: { attemptId: uuid, now: timestamptz, claimsPaid: boolean },
  columns: { due: boolean },
});

/**
 * Makes a status query due now, also if the queries had stopped or the attempt had failed, because money may arrive late. If a worker has
 * the attempt, the query follows when the worker is done.
 * @param claimsPaid whether an unverified message says that the attempt is paid. @returns false if the attempt cannot be queried.
 */
export async function makeQueryDue(
  db: Queryable,
  attemptId: string,
  { now, claimsPaid }: { now: Date; claimsPaid: boolean },
): Promise<boolean> {
  return (await MAKE_QUERY_DUE.first(db, { attemptId, now, claimsPaid }))?.due ?? false;
}

const HINT = { messageId: array(uuid), attemptId: array(uuid), claimsPaid: array(boolean) };
const APPLY_HINTS = statement({
  name: 'apply-hints',
  prepared: true,
  text: `WITH given AS MATERIALIZED (
           SELECT * FROM ${unnestFew('$messageId::uuid[]', '$attemptId::uuid[]', '$claimsPaid::boolean[]')} AS g(message_id, attempt_id, claims_paid)
         ), message AS (
           UPDATE provider_message m SET attempt_id = g.attempt_id, handled_at = coalesce(m.handled_at, $now) FROM given g WHERE m.id = g.message_id
         ), hint AS (
           SELECT attempt_id, bool_or(claims_paid) AS claims_paid FROM given GROUP BY attempt_id
         ), ${SET_QUERIES_DUE}`,
  parameters: { ...HINT, now: timestamptz },
  columns: { due: boolean },
});

/** An unverified message about an attempt. */
interface Hint {
  readonly messageId: string;
  readonly attemptId: string;
  readonly claimsPaid: boolean;
  readonly now: Date;
}

const applyShared = sharedQueue<Hint, 'applied'>({
  async runBatch(db, hints) {
    await applyHints(db, hints);
    return hints.map(() => 'applied');
  },
  async runAlone(db, hint) {
    await applyHints(db, [hint]);
    return 'applied';
  },
});

/**
 * Applies an unverified message about an attempt: makes a status query due like {@link makeQueryDue}, and in the same statement attaches
 * the message to the attempt and marks it as handled. Shares the statement with messages that come at the same time.
 */
export async function applyHint(db: Database, hint: Hint): Promise<void> {
  await applyShared(db, hint.attemptId, hint);
}

async function applyHints(db: Database, hints: readonly Hint[]): Promise<void> {
  const now = new Date(Math.max(...hints.map((hint) => hint.now.getTime())));
  await APPLY_HINTS.rows(db, { ...columnsOf(hints, HINT), now });
}

const NOTE_LEFT_CLAIM = statement({
  name: 'note a claim at an account that an attempt has left',
  text: `WITH locked AS (
           SELECT p.id, p.provider_account_id IS NULL AS returns FROM push_attempt p
           WHERE p.id = $attemptId AND $accountId::uuid = ANY (p.refused_account_ids) FOR UPDATE
         )
         UPDATE push_attempt a SET claimed_paid_at = $now, provider_account_id = coalesce(a.provider_account_id, $accountId),
           refused_account_ids = CASE WHEN locked.returns THEN array_remove(a.refused_account_ids, $accountId) ELSE a.refused_account_ids END,
           call_account_id = CASE WHEN locked.returns AND a.state <> 'SENDING' THEN NULL ELSE a.call_account_id END,
           hinted = a.hinted OR locked.returns,
           query_count = CASE WHEN locked.returns AND a.state IN ('FAILED', 'EXPIRED', 'CANCELLED') THEN 0 ELSE a.query_count END,
           due_at = CASE WHEN locked.returns AND a.state <> 'SENDING' THEN least(a.due_at, $now) ELSE a.due_at END
         FROM locked WHERE a.id = locked.id RETURNING locked.returns`,
  parameters: { attemptId: uuid, accountId: uuid, now: timestamptz },
  columns: { returns: boolean },
});

/**
 * Records that an account which an attempt has left says that the attempt is paid. If no other account has sent the attempt since, the
 * attempt returns to this account, and a status query is due.
 * @returns whether the attempt has returned.
 */
export async function noteLeftClaim(
  db: Queryable,
  claim: { readonly attemptId: string; readonly accountId: string; readonly now: Date },
): Promise<boolean> {
  return (await NOTE_LEFT_CLAIM.first(db, claim))?.returns ?? false;
}
