import { doublingDelay } from '@/lib/platform/core/backoff';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { isRecord } from '@/lib/platform/core/is-record';
import type { Connection } from '@/lib/platform/db/database';
import { merchant, operatorNotice, providerAccount, providerHealth } from '@/lib/platform/db/generated/tables';
import { array, boolean, int4, neverNull, nullable, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { callOnce } from '@/lib/platform/outbound/call-once';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';
import { labelOf } from '@/lib/providers/registry';
import { DOWN_AFTER_MS, describeOutage, type Outage, REFUSED_AT_LEAST_MS, writeOutage } from './rules';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'settings' | 'secrets'>;

/**
 * Detects four changes of a provider account: it no longer answers, it answers again, its provider refuses the owner, and its provider
 * accepts the owner again. Notifies the operator once of each change: by a log line, and by mail and webhook if they are configured. After
 * an outage or refusals, the status queries of the account's open attempts become due at once. Workers may call this at the same time.
 */
export async function notifyOutages(runtime: Needs): Promise<void> {
  const now = runtime.clock();
  const changed = await runtime.db.transaction(async (tx) => {
    const down = await MARK_DOWN.rows(tx, { failures: BREAKER_FAILURES, failingBefore: addMs(now, -DOWN_AFTER_MS) });
    const up = await MARK_UP.rows(tx, { failures: BREAKER_FAILURES });
    const refused = await MARK_REFUSED.rows(tx, { now });
    const accepted = await MARK_ACCEPTED.rows(tx, { refusedBefore: addMs(now, -REFUSED_AT_LEAST_MS) });
    const outages = [...[...down, ...enabled(up)].map(toOutage('outage')), ...[...refused, ...enabled(accepted)].map(toOutage('refusal'))];
    const accountIds = outages.flatMap(({ id, error }) => (error === null ? [id] : []));
    if (accountIds.length > 0) await MAKE_QUERIES_DUE.rows(tx, { accountIds, now });
    for (const outage of outages) await notifyOperator(runtime, tx, outage, now);
    return outages;
  });
  for (const { kind, id, label, provider, environment, networks, merchant, since, error } of changed) {
    const about = { account: id, label, provider, environment, networks, merchant, since };
    const { begin, end } = LOG_LINES[kind];
    if (error === null) runtime.log.warn(about, end);
    else runtime.log.warn({ ...about, error }, begin);
  }
}

const LOG_LINES = {
  outage: { begin: 'a provider account does not answer', end: 'a provider account answers again' },
  refusal: { begin: 'a provider account is refused by its provider', end: 'a provider account is accepted by its provider again' },
} as const;

/** Removes accounts that were disabled: the end of their outage is no news. */
function enabled(changes: readonly (Change & { readonly disabled: boolean })[]): Change[] {
  return changes.flatMap(({ disabled, ...change }) => (disabled ? [] : [change]));
}

/** Returns a function that adds the kind to a change of an account. */
function toOutage(kind: Outage['kind']): (change: Change) => Outage {
  return (change) => ({ kind, ...change });
}

async function notifyOperator(runtime: Needs, tx: Connection, outage: Outage, now: Date): Promise<void> {
  const { OPERATOR_EMAIL: email, OPERATOR_WEBHOOK_URL: url } = runtime.settings;
  if (email) {
    const mail = writeOutage({ ...outage, provider: labelOf(outage.provider) }, now);
    await queueMail(runtime, { to: [email], kind: 'provider_outage', merchantId: null, language: 'en', write: () => mail }, tx);
  }
  if (!url) return;
  const id = newId(runtime);
  await tx.prisma.operatorNotice.create({ data: { id, body: describeOutage(id, outage, now), dueAt: now, createdAt: now } });
}

/** The beginning or the end of an outage, or of a period in which the provider refuses the account's owner. The caller adds the `kind`. */
type Change = Omit<Outage, 'kind'>;

const COLUMNS = `p.id, p.provider, p.label, p.environment, coalesce(p.networks, '{}') AS networks, (SELECT slug FROM merchant m WHERE m.id = p.merchant_id) AS merchant`;

const TYPES = { id: merchant.id, ...pick(providerAccount, 'provider label environment networks'), merchant: nullable(text) };

/** Marks accounts as down that have been failing since `failingBefore` or longer. Returns the accounts that were not down before. */
const MARK_DOWN = statement({
  name: 'mark provider accounts as down',
  text: `
UPDATE provider_account p SET down_since = failing.since FROM (
  SELECT account_id, min(failing_since) AS since, (array_agg(last_error ORDER BY last_failure_at DESC))[1] AS error
  FROM provider_health WHERE failures >= $failures AND failing_since <= $failingBefore GROUP BY account_id) failing
WHERE p.id = failing.account_id AND p.down_since IS NULL AND p.disabled_at IS NULL
RETURNING ${COLUMNS}, failing.since, failing.error`,
  parameters: { failures: providerHealth.failures, failingBefore: timestamptz },
  columns: { ...TYPES, since: timestamptz, error: nullable(text) },
});

/** Ends the outages of accounts that answer again or were disabled. */
const MARK_UP = statement({
  name: 'end outages of provider accounts',
  text: `
UPDATE provider_account p SET down_since = NULL FROM (SELECT id, down_since FROM provider_account WHERE down_since IS NOT NULL FOR UPDATE) before
WHERE p.id = before.id
  AND (p.disabled_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = p.id AND h.failures >= $failures))
RETURNING ${COLUMNS}, before.down_since AS since, NULL AS error, p.disabled_at IS NOT NULL AS disabled`,
  parameters: { failures: providerHealth.failures },
  columns: { ...TYPES, since: neverNull(timestamptz), error: nullable(text), disabled: boolean },
});

/** Marks accounts whose provider refuses the owner. Returns the accounts that were not marked before. */
const MARK_REFUSED = statement({
  name: 'mark provider accounts as refused',
  text: `
UPDATE provider_account p SET refused_since = $now
WHERE p.refused_since IS NULL AND p.disabled_at IS NULL AND p.refusals > 0 AND p.avoid_until > $now
RETURNING ${COLUMNS}, $now::timestamptz AS since, coalesce(p.last_refusal, 'not stored') AS error`,
  parameters: { now: timestamptz },
  columns: { ...TYPES, since: timestamptz, error: nullable(text) },
});

/** Removes the mark from disabled accounts, and from those marked at `refusedBefore` or earlier whose provider accepts the owner again. */
const MARK_ACCEPTED = statement({
  name: 'end refusals of provider accounts',
  text: `
UPDATE provider_account p SET refused_since = NULL FROM (SELECT id, refused_since FROM provider_account WHERE refused_since IS NOT NULL FOR UPDATE) before
WHERE p.id = before.id AND (p.disabled_at IS NOT NULL OR (p.refusals = 0 AND before.refused_since <= $refusedBefore))
RETURNING ${COLUMNS}, before.refused_since AS since, NULL AS error, p.disabled_at IS NOT NULL AS disabled`,
  parameters: { refusedBefore: timestamptz },
  columns: { ...TYPES, since: neverNull(timestamptz), error: nullable(text), disabled: boolean },
});

/**
 * Makes the status queries of all open attempts of these accounts due now, with short delays again. During an outage the delays have
 * grown up to an hour, so customers would otherwise wait for their outcome long after the outage.
 */
const MAKE_QUERIES_DUE = statement({
  name: 'make the status queries of accounts due',
  text: `
WITH locked AS (
  SELECT id FROM push_attempt WHERE call_account_id = ANY ($accountIds::uuid[]) AND (state = 'QUEUED') = false AND due_at > $now
    AND state IN ('AWAITING_CUSTOMER', 'UNKNOWN') ORDER BY id FOR UPDATE
)
UPDATE push_attempt a SET due_at = $now, query_count = 0 FROM locked WHERE a.id = locked.id`,
  parameters: { accountIds: array(uuid), now: timestamptz },
});

const TIMEOUT_MS = 10 * SECOND_MS;
const FIRST_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
const RETRIED_FOR_MS = 24 * HOUR_MS;

const CLAIM_NOTICES = statement({
  name: 'claim notices to the operator',
  text: `UPDATE operator_notice SET due_at = $dueAgain, tries = tries + 1 WHERE id IN (
           SELECT id FROM operator_notice WHERE due_at <= $now ORDER BY due_at LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id, body, tries, created_at AS "createdAt"`,
  parameters: { now: timestamptz, dueAgain: timestamptz, limit: int4 },
  columns: {
    ...pick(operatorNotice, 'id body createdAt'),
    /** How often the notice was claimed, including this claim. */
    tries: operatorNotice.tries,
  },
});

type Notice = Awaited<ReturnType<typeof claimDueNotices>>[number];

/** Claims due notices. A notice whose worker dies is due again later. */
export async function claimDueNotices({ db, clock }: Pick<Runtime, 'db' | 'clock'>, limit: number) {
  const notices = await CLAIM_NOTICES.rows(db, { now: clock(), dueAgain: addMs(clock(), 2 * TIMEOUT_MS), limit });
  return notices.map(({ body, ...notice }) => ({ ...notice, body: isRecord(body) ? body : {} }));
}

/** Posts a notice to OPERATOR_WEBHOOK_URL. An answer other than 2xx is retried with growing delays for a day. */
export async function sendNotice({ db, clock, log, settings }: Runtime, notice: Notice, signal: AbortSignal): Promise<void> {
  const url = settings.OPERATOR_WEBHOOK_URL;
  if (!url) return settleNotice(db, notice, { dueAt: null, error: 'OPERATOR_WEBHOOK_URL is no longer set' });
  const { status, error } = await callOnce(url, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notice.body),
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  if (status !== null && status >= 200 && status < 300) return settleNotice(db, notice, { dueAt: null, error: null });
  const problem = error?.detail ?? `HTTP ${status}`;
  const now = clock();
  const isLast = now.getTime() - notice.createdAt.getTime() > RETRIED_FOR_MS;
  log.warn({ notice: notice.id, error: problem, tries: notice.tries }, 'OPERATOR_WEBHOOK_URL did not accept a notice');
  const dueAt = isLast ? null : addMs(now, doublingDelay(notice.tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  await settleNotice(db, notice, { dueAt, error: problem });
}

/** Records the result of posting a notice. @param dueAt when to retry; null if the notice was accepted or is not retried any more. */
async function settleNotice(
  { prisma }: Connection,
  { id }: Pick<Notice, 'id'>,
  { dueAt, error }: { readonly dueAt: Date | null; readonly error: string | null },
): Promise<void> {
  await prisma.operatorNotice.updateMany({ where: { id }, data: { dueAt, lastError: error } });
}
