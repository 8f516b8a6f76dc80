import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import type { Connection, Database, Queryable } from '@/lib/platform/db/database';
import { providerAccount, providerHealth } from '@/lib/platform/db/generated/tables';
import { boolean, neverNull, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { refusesCredentials } from '@/lib/providers/port/raw-answer';
import { BREAKER_FAILURES, restUntil } from './health-rules';

/** The shortest time between two updates of the time of the last answer. */
const SUCCESS_UPDATE_MS = 10 * SECOND_MS;
const ERROR_MAX_CHARACTERS = 300;

export type CallKind = 'send' | 'query';

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
  parameters: { ...pick(providerHealth, 'accountId kind failures'), now: timestamptz, updatedSince: timestamptz, accepted: boolean },
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
  parameters: { accountId: providerAccount.id, now: timestamptz, error: providerAccount.lastRefusal },
});

/**
 * Records that a provider has refused the owner of an account, for example because of wrong credentials. Other accounts are tried first for
 * a minute, and for longer after each further refusal. Then one attempt is sent through this account again.
 * @param error what the provider answered, without data of a customer.
 */
export async function recordRefusal(db: Queryable, accountId: string, now: Date, error: string | null = null): Promise<void> {
  await RECORD_REFUSAL.rows(db, { accountId, now, error: error?.slice(0, ERROR_MAX_CHARACTERS) ?? null });
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
  parameters: { ...pick(providerHealth, 'accountId kind'), now: timestamptz, startedAt: timestamptz, error: text },
  columns: { failures: providerHealth.failures, failingSince: neverNull(providerHealth.failingSince) },
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

interface CompletedCall {
  readonly account: Pick<ProviderAccount, 'id'>;
  readonly adapter: Pick<ProviderAdapter, 'simulatesFailures'>;
  readonly kind: CallKind;
  readonly answer: RawAnswer;
  readonly outcome: Outcome;
  readonly startedAt: Date;
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Records whether a provider has answered a call, in the health of the account that all workers share. */
export async function recordHealth(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { account, adapter, kind, answer, outcome, startedAt }: CompletedCall,
): Promise<void> {
  if (adapter.simulatesFailures) return;
  const call = { accountId: account.id, kind, now: clock() };
  const error = failureOf(answer, outcome);
  const accepted = kind === 'send' && (outcome.kind === 'accepted' || outcome.kind === 'paid');
  if (error === null) await recordAnswer(db, { ...call, accepted });
  else await recordFailure(db, { ...call, startedAt, error });
  if (kind === 'send' && outcome.kind === 'failed' && outcome.reason === 'merchant_config')
    await recordRefusal(db, account.id, call.now, answer.error ?? `HTTP ${answer.status}`);
}

/**
 * Returns why a call counts as failed: no answer came, or the answer was HTTP 429 or 5xx and did not tell the outcome. Returns
 * null for all other answers, also for a refusal. Pure.
 */
function failureOf(answer: RawAnswer, outcome: Outcome): string | null {
  const { lost, status, error } = answer;
  if ((outcome.kind !== 'unknown' && outcome.kind !== 'not_sent') || refusesCredentials(answer)) return null;
  if (lost !== null || status === null) return error ?? 'no answer';
  if (status === TOO_MANY_REQUESTS) return 'HTTP 429: too many requests';
  return status >= SERVER_ERROR ? `HTTP ${status}` : null;
}
