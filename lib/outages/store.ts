import type { Connection, Queryable } from '@/lib/db/database';
import { array, boolean, environment, int4, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';
import type { Outage } from './rules';

/** The beginning or the end of an outage, or of a period in which the provider refuses the account's owner. The caller adds the `kind`. */
type Change = Omit<Outage, 'kind'>;

const COLUMNS = `p.id, p.provider, p.label, p.environment, coalesce(p.networks, '{}') AS networks, (SELECT slug FROM merchant m WHERE m.id = p.merchant_id) AS merchant`;

const TYPES = { id: uuid, provider: text, label: text, environment, networks: array(text), merchant: nullable(text) };

const MARK_DOWN = statement({
  name: 'mark provider accounts as down',
  text: `
UPDATE provider_account p SET down_since = failing.since FROM (
  SELECT account_id, min(failing_since) AS since, (array_agg(last_error ORDER BY last_failure_at DESC))[1] AS error
  FROM provider_health WHERE failures >= $failures AND failing_since <= $failingBefore GROUP BY account_id) failing
WHERE p.id = failing.account_id AND p.down_since IS NULL AND p.disabled_at IS NULL
RETURNING ${COLUMNS}, failing.since, failing.error`,
  parameters: { failures: int4, failingBefore: timestamptz },
  columns: { ...TYPES, since: timestamptz, error: nullable(text) },
});

/** Marks accounts as down that have been failing since `failingBefore` or longer. Returns the accounts that were not down before. */
export async function markDown(tx: Queryable, failingBefore: Date): Promise<Change[]> {
  return MARK_DOWN.rows(tx, { failures: BREAKER_FAILURES, failingBefore });
}

const MARK_UP = statement({
  name: 'end outages of provider accounts',
  text: `
UPDATE provider_account p SET down_since = NULL FROM (SELECT id, down_since FROM provider_account WHERE down_since IS NOT NULL FOR UPDATE) before
WHERE p.id = before.id
  AND (p.disabled_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = p.id AND h.failures >= $failures))
RETURNING ${COLUMNS}, before.down_since AS since, NULL AS error, p.disabled_at IS NOT NULL AS disabled`,
  parameters: { failures: int4 },
  columns: { ...TYPES, since: neverNull(timestamptz), error: nullable(text), disabled: boolean },
});

const MARK_REFUSED = statement({
  name: 'mark provider accounts as refused',
  text: `
UPDATE provider_account p SET refused_since = $now
WHERE p.refused_since IS NULL AND p.disabled_at IS NULL AND p.refusals > 0 AND p.avoid_until > $now
RETURNING ${COLUMNS}, $now::timestamptz AS since, coalesce(p.last_refusal, 'not stored') AS error`,
  parameters: { now: timestamptz },
  columns: { ...TYPES, since: timestamptz, error: nullable(text) },
});

/** Marks accounts whose provider refuses the owner. Returns the accounts that were not marked before. */
export async function markRefused(tx: Queryable, now: Date): Promise<Change[]> {
  return MARK_REFUSED.rows(tx, { now });
}

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
 * Removes the mark "refused" from disabled accounts, and from accounts that were marked at `refusedBefore` or earlier and whose provider
 * accepts the owner again. Returns the accounts that are accepted again.
 */
export async function markAccepted(tx: Queryable, refusedBefore: Date): Promise<Change[]> {
  const ended = await MARK_ACCEPTED.rows(tx, { refusedBefore });
  return ended.flatMap(({ disabled, ...change }) => (disabled ? [] : [change]));
}

const MAKE_QUERIES_DUE = statement({
  name: 'make the status queries of accounts due',
  text: `
WITH locked AS (
  SELECT id FROM push_attempt WHERE call_account_id = ANY ($accountIds::uuid[]) AND (state = 'QUEUED') = false AND due_at > $now
    AND state IN ('AWAITING_CUSTOMER', 'UNKNOWN') ORDER BY id FOR UPDATE
)
UPDATE push_attempt a SET due_at = $now, query_count = 0 FROM locked WHERE a.id = locked.id`,
  parameters: { accountIds: array(uuid), now: timestamptz },
  columns: {},
});

/**
 * Makes the status queries of all open attempts of these accounts due now, with short delays again. During an outage the delays have
 * grown up to an hour, so customers would otherwise wait for their outcome long after the outage.
 */
export async function makeQueriesDue(tx: Queryable, accountIds: readonly string[], now: Date): Promise<void> {
  if (accountIds.length > 0) await MAKE_QUERIES_DUE.rows(tx, { accountIds: [...accountIds], now });
}

/** Ends the outages of accounts that answer again or were disabled. Returns the accounts that answer again. */
export async function markUp(tx: Queryable): Promise<Change[]> {
  const ended = await MARK_UP.rows(tx, { failures: BREAKER_FAILURES });
  return ended.flatMap(({ disabled, ...outage }) => (disabled ? [] : [outage]));
}

const CLAIM_PROBES = statement({
  name: 'claim-probes',
  prepared: true,
  text: `
INSERT INTO provider_health AS q (account_id, kind, rest_until)
SELECT p.id, 'query', $leaseUntil FROM provider_account p
WHERE p.disabled_at IS NULL
  AND (p.avoid_until IS NOT NULL
    OR p.id IN (SELECT account_id FROM provider_health h WHERE h.failures > 0 AND (h.last_failure_at > $failedAfter OR p.down_since IS NOT NULL)))
  AND NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = p.id AND h.kind = 'query'
    AND (h.rest_until > $now OR (h.failures = 0 AND h.last_success_at > $answeredBefore)))
LIMIT $limit::int
ON CONFLICT (account_id, kind) DO UPDATE SET rest_until = $leaseUntil WHERE q.rest_until IS NULL OR q.rest_until <= $now
RETURNING account_id AS id`,
  parameters: {
    now: timestamptz,
    leaseUntil: timestamptz,
    limit: int4,
    /** An account that is neither down nor refused by its provider is probed only if its last failed call is after this time. */
    failedAfter: timestamptz,
    /** An account whose status queries are answered is probed only if the last answer is before this time. */
    answeredBefore: timestamptz,
  },
  columns: { id: uuid },
});

/** Claims the accounts that are due for a probe: their provider does not answer, or refuses the owner. Returns their ids. */
export async function claimProbes(db: Queryable, options: Parameters<typeof CLAIM_PROBES.rows>[1]): Promise<string[]> {
  return (await CLAIM_PROBES.rows(db, options)).map(({ id }) => id);
}

/**
 * Allows prompts again through an account whose status queries are answered and whose last prompt failed before `failedBefore`. A worker
 * would have sent a waiting prompt since then. So no prompt is waiting, and only a new one can show whether the account works again.
 */
export async function reopenSends({ prisma }: Connection, accountId: string, failedBefore: Date): Promise<void> {
  const failures = BREAKER_FAILURES - 1;
  await prisma.providerHealth.updateMany({
    where: { accountId, kind: 'send', failures: { gt: failures }, lastFailureAt: { lte: failedBefore } },
    data: { failures, failingSince: null, restUntil: null },
  });
}
