import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { providerAccount, providerProof, pushAttempt } from '@/lib/platform/db/generated/tables';
import { boolean, int4, neverNull, nullable, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

/**
 * What an account's own history must contain before the account counts as proven: a payment that a callback reported, a payment that a
 * status query found without any callback, a refusal, and an attempt that was settled after its outcome was unknown.
 */
const PROOFS = ['callback', 'query', 'refusal', 'unknown'] as const;
export type Proof = (typeof PROOFS)[number];

/** Says in words what each missing proof is. */
export const PROOF_TEXTS: Readonly<Record<Proof, string>> = {
  callback: 'a payment reported by callback',
  query: 'a payment found by status query alone',
  refusal: 'a refusal',
  unknown: 'a settled unknown outcome',
};

const ADD_PROOF = statement({
  name: 'add a proof of an account',
  text: `WITH added AS (
           INSERT INTO provider_proof (account_id, kind, attempt_id, at)
           SELECT $accountId::uuid, $kind::proof_kind, $attemptId::uuid, $now::timestamptz
           WHERE $kind <> 'query' OR NOT EXISTS (SELECT 1 FROM provider_message WHERE attempt_id = $attemptId AND kind = 'callback')
           ON CONFLICT (account_id, kind) DO NOTHING RETURNING 1
         )
         SELECT EXISTS (SELECT 1 FROM added) OR EXISTS (SELECT 1 FROM provider_proof WHERE account_id = $accountId AND kind = $kind) AS proven`,
  parameters: { ...pick(providerProof, 'accountId kind attemptId'), now: timestamptz },
  columns: { proven: neverNull(boolean) },
});

/**
 * Records that an attempt proves something about an account, unless an earlier attempt did. The proof `query` is a payment that only a
 * status query found, so it is not recorded if a callback about the attempt is stored.
 * @returns whether the account has this proof now.
 */
export async function addProof(db: Queryable, proof: Parameters<typeof ADD_PROOF.rows>[1]): Promise<boolean> {
  return (await ADD_PROOF.first(db, proof))?.proven ?? false;
}

/** Returns what is missing in the history of each account. An account without a missing proof is proven. */
export async function listMissingProofs({ prisma }: Connection, accountIds: readonly string[]): Promise<ReadonlyMap<string, Proof[]>> {
  const found = await prisma.providerProof.findMany({
    where: { accountId: { in: [...accountIds] } },
    select: { accountId: true, kind: true },
  });
  const has = (id: string, kind: Proof) => found.some((proof) => proof.accountId === id && proof.kind === kind);
  return new Map(accountIds.map((id) => [id, PROOFS.filter((kind) => !has(id, kind))]));
}

/** The time that counts as recent, in minutes. */
export const RECENT_MINUTES = 15;

// The statements find recent calls by the index of provider_message on account and time, and find attempts by these calls. So they read
// only the rows of the last RECENT_MINUTES, however many attempts an account has. HTTP 429 and 5xx do not count as answers, because they
// mean that the provider is busy or broken.
const MESSAGES = 'provider_message m WHERE m.provider_account_id = p.id AND m.received_at > $since';
const ANSWERED = 'm.lost IS NULL AND m.http_status < 500 AND m.http_status <> 429';
const ATTEMPTS = `push_attempt a WHERE a.id IN (SELECT m.attempt_id FROM ${MESSAGES})`;

const LIST_RECENT = statement({
  name: 'list what happened through accounts recently',
  text: `SELECT p.id, calls.*, ended.* FROM provider_account p
         CROSS JOIN LATERAL (
           SELECT (count(*) FILTER (WHERE m.kind <> 'callback'))::int AS calls,
             (count(*) FILTER (WHERE m.kind <> 'callback' AND ${ANSWERED}))::int AS answered,
             (count(*) FILTER (WHERE m.kind = 'callback'))::int AS callbacks,
             (percentile_cont(0.5) WITHIN GROUP (ORDER BY m.took_ms))::int AS "medianMs",
             (percentile_cont(0.95) WITHIN GROUP (ORDER BY m.took_ms))::int AS "p95Ms"
           FROM ${MESSAGES}) calls
         CROSS JOIN LATERAL (
           SELECT count(*)::int AS ended, (count(*) FILTER (WHERE a.state = 'SUCCEEDED'))::int AS paid,
             (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.settled_at - a.sent_at)) * 1000)::int AS "medianTruthMs",
             (percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.settled_at - a.sent_at)) * 1000)::int AS "p95TruthMs"
           FROM ${ATTEMPTS} AND a.provider_account_id = p.id AND a.settled_at > $since AND a.sent_at IS NOT NULL
             AND a.state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')) ended
         WHERE p.disabled_at IS NULL`,
  parameters: { since: timestamptz },
  columns: {
    id: providerAccount.id,
    calls: neverNull(int4),
    answered: neverNull(int4),
    callbacks: neverNull(int4),
    /** Median duration of the calls, in milliseconds; null without calls. */
    medianMs: nullable(int4),
    p95Ms: nullable(int4),
    /** Number of attempts whose outcome became known. */
    ended: neverNull(int4),
    paid: neverNull(int4),
    /** Median time from sending a prompt until its outcome was known, in milliseconds; null if no outcome became known. */
    medianTruthMs: nullable(int4),
    p95TruthMs: nullable(int4),
  },
});

const LIST_RECENT_REFUSALS = statement({
  name: 'count the recent refusals of accounts by reason',
  text: `SELECT p.id, refused.reason, count(*)::int AS count FROM provider_account p
         CROSS JOIN LATERAL (
           SELECT a.failure_reason AS reason FROM ${ATTEMPTS} AND a.provider_account_id = p.id AND a.state = 'FAILED' AND a.settled_at > $since
           UNION ALL
           SELECT e.data->>'reason' FROM ${ATTEMPTS.replace('push_attempt a', 'push_attempt a JOIN bill_event e ON e.bill_id = a.bill_id')}
             AND p.id = ANY (a.refused_account_ids) AND e.type = 'attempt.rerouted' AND e.at > $since
             AND e.data->>'attempt' = a.id::text AND e.data->>'provider' = p.provider) refused
         WHERE p.disabled_at IS NULL AND refused.reason IS NOT NULL
         GROUP BY p.id, refused.reason ORDER BY p.id, count DESC, refused.reason`,
  parameters: { since: timestamptz },
  columns: { id: providerAccount.id, reason: neverNull(pushAttempt.failureReason), count: int4 },
});

/** What happened through one account in the last RECENT_MINUTES. Times are milliseconds. */
export type RecentHistory = Omit<Awaited<ReturnType<typeof LIST_RECENT.rows>>[number], 'id'> & {
  /** The refusals by failure reason, the most frequent first. */
  readonly refusals: readonly { readonly reason: string; readonly count: number }[];
};

/** Returns what happened through each active account in the last RECENT_MINUTES, by the id of the account. */
export async function listRecentHistory(db: Queryable, now: Date): Promise<ReadonlyMap<string, RecentHistory>> {
  const since = addMs(now, -RECENT_MINUTES * MINUTE_MS);
  const refusals = await LIST_RECENT_REFUSALS.rows(db, { since });
  const accounts = await LIST_RECENT.rows(db, { since });
  return new Map(
    accounts.map(({ id, ...history }) => {
      const own = refusals.filter((refusal) => refusal.id === id);
      return [id, { ...history, refusals: own.map(({ reason, count }) => ({ reason, count })) }];
    }),
  );
}
