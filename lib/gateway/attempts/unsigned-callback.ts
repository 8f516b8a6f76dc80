import { listCallbacks } from '@/lib/gateway/messages/message-store';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { findAttemptByReference } from '@/lib/gateway/payments/store';
import { openReview } from '@/lib/gateway/reviews/store';
import { columnsOf } from '@/lib/platform/core/columns-of';
import { newId } from '@/lib/platform/core/ids';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { pushAttempt } from '@/lib/platform/db/generated/tables';
import { array, boolean, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnestFew } from '@/lib/platform/db/unnest';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';

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

const HINT = { messageId: array(uuid), attemptId: array(pushAttempt.id), claimsPaid: array(boolean) };
const APPLY_HINTS = statement({
  name: 'apply-hints',
  prepared: true,
  text: `WITH given AS MATERIALIZED (
           SELECT * FROM ${unnestFew(HINT, 'g')}
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
  parameters: { attemptId: pushAttempt.id, accountId: uuid, now: timestamptz },
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

/** Only this many of the newest callbacks are read, because anybody who knows the callback address can send any number of callbacks. */
const CALLBACKS_READ = 5;

/**
 * Opens a review of a claim that an attempt is paid through an account that it has left. Two accounts may then charge the customer.
 * @param claim the provider's reference in the callback (null if it has none), and the account.
 */
export async function reviewLeftClaim(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  attempt: Attempt,
  claim: { readonly providerReference: string | null; readonly leftAccount: string },
): Promise<void> {
  await reviewClaimed(runtime, tx, attempt, { ...claim, otherAttempt: null });
}

/**
 * Opens a review if an unsigned callback claims the payment of an attempt that no status query can check, because the answer with the
 * provider's reference was lost. The reference in the callback is no proof: it may be that of another payment. A person compares it
 * with the provider's records. Repeated callbacks add nothing to the review.
 */
export async function reviewClaim(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  attempt: Attempt,
  { account, adapter }: { readonly account: ProviderAccount; readonly adapter: ProviderAdapter },
): Promise<void> {
  if (attempt.claimedPaidAt === null) return;
  const { db } = runtime;
  const callbacks = await listCallbacks(db, attempt.id, CALLBACKS_READ);
  const named = new Set<string | null>();
  for (const callback of callbacks) {
    const read = adapter.readCallback(account, callback);
    if (!read.verified && read.claimsPaid) named.add(read.providerReference ?? null);
  }
  for (const providerReference of named) {
    const known =
      providerReference === null ? undefined : await findAttemptByReference(db, account.id, { reference: null, providerReference });
    await reviewClaimed(runtime, db, attempt, { providerReference, otherAttempt: known?.id ?? null });
  }
}

async function reviewClaimed(
  { clock, random, log }: Pick<Runtime, 'clock' | 'random' | 'log'>,
  db: Queryable,
  { id: attemptId, merchantId, environment, state }: Attempt,
  claim: { readonly providerReference: string | null; readonly otherAttempt: string | null; readonly leftAccount?: string },
): Promise<void> {
  const data = { source: 'callback', problem: 'claimed_paid', state, ...claim };
  const about = { kind: 'attempt_unresolved', merchantId, environment, attemptId } as const;
  const opened = await openReview(db, { ...about, id: newId({ clock, random }), data, openedAt: clock() });
  if (opened !== 'repeated') log.error({ attemptId }, 'a callback that proves nothing claims a payment; see: bili review list');
}
