import { columnsOf } from '@/lib/core/columns-of';
import type { Database, Queryable } from '@/lib/db/database';
import { array, boolean, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnestFew } from '@/lib/db/unnest';
import { sharedQueue } from '@/lib/queues/shared-queue';

/**
 * SQL that makes status queries due. The table `hint` contains the columns `attempt_id` and `claims_paid`. Locks attempts in the order of
 * ids. The condition on the state uses `locked.state`. With `a.state`, PostgreSQL would find the rows to update by the index of open
 * attempts, which can be large, and not by their ids.
 */
const SET_QUERIES_DUE = `locked AS (
           SELECT p.id, p.state, p.provider_account_id FROM hint JOIN push_attempt p ON p.id = hint.attempt_id ORDER BY p.id FOR UPDATE OF p
         )
         UPDATE push_attempt a SET hinted = true, claimed_paid_at = CASE WHEN h.claims_paid THEN $now ELSE a.claimed_paid_at END,
           query_count = CASE WHEN a.state IN ('FAILED', 'EXPIRED') THEN 0 ELSE a.query_count END,
           due_at = CASE WHEN a.state = 'SENDING' THEN a.due_at ELSE least(a.due_at, $now) END
         FROM locked JOIN hint h ON h.attempt_id = locked.id
         WHERE a.id = locked.id AND locked.state IN ('SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED')
           AND locked.provider_account_id IS NOT NULL
         RETURNING 1 AS due`;

const MAKE_QUERY_DUE = statement({
  name: 'make a status query due',
  text: `WITH hint AS (SELECT $attemptId::uuid AS attempt_id, $claimsPaid::boolean AS claims_paid), ${SET_QUERIES_DUE}`,
  parameters: { attemptId: uuid, now: timestamptz, claimsPaid: boolean },
  columns: { due: int4 },
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
  return (await MAKE_QUERY_DUE.rows(db, { attemptId, now, claimsPaid })).length > 0;
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
  columns: { due: int4 },
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
