import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import type { Connection, Database, Queryable } from '@/lib/db/database';
import { boolean, enumType, int4, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { sharedQueue } from '@/lib/queues/shared-queue';
import { BREAKER_FAILURES, restUntil } from './health-rules';

/** The shortest time between two updates of the time of the last answer. */
const SUCCESS_UPDATE_MS = 10 * SECOND_MS;
const ERROR_MAX_CHARACTERS = 300;

const CALL_KINDS = ['send', 'query'] as const;
export type CallKind = (typeof CALL_KINDS)[number];
const callKind = enumType('call_kind', CALL_KINDS);

interface Call {
  readonly accountId: string;
  readonly kind: CallKind;
  readonly now: Date;
}

const RECORD_ANSWER = statement({
  name: 'record-answer',
  prepared: true,
  text: `
WITH back AS (
  UPDATE provider_health SET failures = $failures, failing_since = NULL, rest_until = NULL
  WHERE account_id = $accountId AND kind = 'send' AND failures > $failures AND $kind::call_kind = 'query'
    AND EXISTS (SELECT 1 FROM provider_health WHERE account_id = $accountId AND kind = 'query' AND failures > 0)
), welcome AS (
  UPDATE provider_account SET refusals = 0, avoid_until = NULL WHERE id = $accountId AND refusals > 0 AND $accepted
)
INSERT INTO provider_health AS h (account_id, kind, last_success_at)
SELECT $accountId, $kind::call_kind, $now::timestamptz WHERE NOT EXISTS (
  SELECT 1 FROM provider_health WHERE account_id = $accountId AND kind = $kind::call_kind AND failures = 0 AND last_success_at > $updatedSince)
ON CONFLICT (account_id, kind) DO UPDATE SET
  failures = 0, failing_since = NULL, rest_until = NULL, last_success_at = greatest(h.last_success_at, $now)`,
  parameters: { accountId: uuid, kind: callKind, now: timestamptz, updatedSince: timestamptz, failures: int4, accepted: boolean },
  columns: {},
});

interface Answered extends Call {
  /** Whether the answer accepts a payment request. */
  readonly accepted: boolean;
}

const recordShared = sharedQueue<Answered, 'recorded'>({
  async runBatch(db, calls) {
    const latest = new Map(calls.map((call) => [`${call.accountId} ${call.kind} ${call.accepted}`, call]));
    await Promise.all([...latest.values()].map((call) => recordOne(db, call)));
    return calls.map(() => 'recorded');
  },
  async runAlone(db, call) {
    await recordOne(db, call);
    return 'recorded';
  },
});

/**
 * Records that a provider has answered a call, unless an answer was recorded a moment ago. If earlier status queries were not answered and
 * this one is, the provider is back. Then payment requests are sent without a pause again, until one of them fails. Simultaneous answers of
 * an account are recorded once.
 */
export async function recordAnswer(db: Database, call: Answered): Promise<void> {
  await recordShared(db, call.accountId, call);
}

async function recordOne(db: Database, call: Answered): Promise<void> {
  await RECORD_ANSWER.rows(db, { ...call, updatedSince: addMs(call.now, -SUCCESS_UPDATE_MS), failures: BREAKER_FAILURES - 1 });
}

const RECORD_REFUSAL = statement({
  name: 'record a refusal of an account',
  text: `UPDATE provider_account SET refusals = refusals + 1,
           avoid_until = $now::timestamptz + least(power(2, least(refusals, 4)) * interval '1 minute', interval '15 minutes'),
           last_refusal = $error
         WHERE id = $accountId`,
  parameters: { accountId: uuid, now: timestamptz, error: nullable(text) },
  columns: {},
});

/**
 * Records that a provider has refused the owner of an account, for example because of wrong credentials. Other accounts are tried first for
 * a minute, and for longer after each further refusal. Then one attempt is sent through this account again.
 * @param error what the provider answered, without data of a customer.
 */
export async function recordRefusal(db: Queryable, accountId: string, now: Date, error: string | null = null): Promise<void> {
  await RECORD_REFUSAL.rows(db, { accountId, now, error: error?.slice(0, ERROR_MAX_CHARACTERS) ?? null });
}

/** How long an account stays suspended after a refused probe (a test by a status query). Longer than the time between probes. */
const REFUSED_PROBE_MS = 2 * MINUTE_MS;

/**
 * Records that a provider refuses not only payment requests of an account but also status queries. The account stays suspended until the
 * provider accepts a probe, however long that takes. Does nothing if the account was not suspended by a refusal.
 */
export async function recordRefusedProbe({ prisma }: Connection, id: string, now: Date): Promise<void> {
  await prisma.providerAccount.updateMany({ where: { id, avoidUntil: { not: null } }, data: { avoidUntil: addMs(now, REFUSED_PROBE_MS) } });
}

/**
 * Records that a provider accepts the status queries of an account. A pause that has not ended continues, because the provider may refuse
 * payment requests only. The number of refusals stays until the provider accepts a payment request, so that the next pause is longer.
 */
export async function recordWorkingProbe({ prisma }: Connection, id: string, now: Date): Promise<void> {
  await prisma.providerAccount.updateMany({ where: { id, avoidUntil: { lte: now } }, data: { avoidUntil: null } });
}

const RECORD_FAILURE = statement({
  name: 'record a call without an answer',
  text: `
INSERT INTO provider_health AS h (account_id, kind, failures, failing_since, last_failure_at, last_error)
VALUES ($accountId, $kind::call_kind, 1, $now, $now, $error)
ON CONFLICT (account_id, kind) DO UPDATE SET
  failures = h.failures + 1, failing_since = coalesce(h.failing_since, $now), last_failure_at = $now, last_error = $error
WHERE h.last_success_at IS NULL OR h.last_success_at <= $startedAt
RETURNING failures, failing_since AS "failingSince"`,
  parameters: { accountId: uuid, kind: callKind, now: timestamptz, startedAt: timestamptz, error: text },
  columns: { failures: int4, failingSince: neverNull(timestamptz) },
});

/** Records that a provider has not answered a call. A call that began before the last answer is ignored. */
export async function recordFailure(
  db: Connection,
  { error, ...call }: Call & { readonly startedAt: Date; readonly error: string },
): Promise<void> {
  const failing = await RECORD_FAILURE.first(db, { ...call, error: error.slice(0, ERROR_MAX_CHARACTERS) });
  if (!failing) return;
  const { accountId, kind, now } = call;
  const where = { accountId, kind, failingSince: failing.failingSince };
  await db.prisma.providerHealth.updateMany({ where, data: { restUntil: restUntil(failing, now) } });
}

/** Resets the failures of an account, so that it is called without a pause. Call this only after a successful test. */
export async function resetFailures({ prisma }: Connection, accountId: string): Promise<void> {
  await prisma.providerHealth.updateMany({ where: { accountId }, data: { failures: 0, failingSince: null, restUntil: null } });
  await prisma.providerAccount.updateMany({ where: { id: accountId }, data: { refusals: 0, avoidUntil: null } });
}
