import type { Queryable } from '@/lib/db/database';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';
import type { Outage } from './rules';

const COLUMNS = `p.id, p.provider, p.label, p.environment, p.networks, (SELECT slug FROM merchant m WHERE m.id = p.merchant_id) AS merchant`;

/** Marks accounts that have failed for long enough as down. @returns those that were not before. */
export async function markDown(tx: Queryable, failingBefore: Date): Promise<Outage[]> {
  return tx.query<Outage>(
    {
      text: `
UPDATE provider_account p SET down_since = failing.since FROM (
  SELECT account_id, min(failing_since) AS since, (array_agg(last_error ORDER BY last_failure_at DESC))[1] AS error
  FROM provider_health WHERE failures >= $2 AND failing_since <= $1 GROUP BY account_id) failing
WHERE p.id = failing.account_id AND p.down_since IS NULL AND p.disabled_at IS NULL
RETURNING ${COLUMNS}, failing.since, failing.error`,
    },
    [failingBefore, BREAKER_FAILURES],
  );
}

/** Ends the outage of accounts that answer again, or that were disabled. @returns those that answer again. */
export async function markUp(tx: Queryable): Promise<Outage[]> {
  const ended = await tx.query<Outage & { disabled: boolean }>(
    {
      text: `
UPDATE provider_account p SET down_since = NULL FROM (SELECT id, down_since FROM provider_account WHERE down_since IS NOT NULL FOR UPDATE) before
WHERE p.id = before.id
  AND (p.disabled_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = p.id AND h.failures >= $1))
RETURNING ${COLUMNS}, before.down_since AS since, NULL AS error, p.disabled_at IS NOT NULL AS disabled`,
    },
    [BREAKER_FAILURES],
  );
  return ended.flatMap(({ disabled, ...outage }) => (disabled ? [] : [outage]));
}

interface ClaimProbesOptions {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** An account that is not down is probed while its last failure is younger than this. */
  readonly failedAfter: Date;
  /** An account whose status queries are answered is not probed again before this has passed since. */
  readonly answeredBefore: Date;
}

/** Takes accounts that should be asked whether they are back. @returns their ids. */
export async function claimProbes(
  db: Queryable,
  { now, leaseUntil, limit, failedAfter, answeredBefore }: ClaimProbesOptions,
): Promise<string[]> {
  const claimed = await db.query<{ id: string }>(
    {
      name: 'claim-probes',
      text: `
INSERT INTO provider_health AS q (account_id, kind, rest_until)
SELECT p.id, 'query', $2 FROM provider_account p
WHERE p.disabled_at IS NULL
  AND p.id IN (SELECT account_id FROM provider_health h WHERE h.failures > 0 AND (h.last_failure_at > $4 OR p.down_since IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = p.id AND h.kind = 'query'
    AND (h.rest_until > $1 OR (h.failures = 0 AND h.last_success_at > $5)))
LIMIT $3
ON CONFLICT (account_id, kind) DO UPDATE SET rest_until = $2 WHERE q.rest_until IS NULL OR q.rest_until <= $1
RETURNING account_id AS id`,
    },
    [now, leaseUntil, limit, failedAfter, answeredBefore],
  );
  return claimed.map(({ id }) => id);
}

/**
 * Lets prompts be sent again through an account whose status queries are answered and whose last failure is long ago: nothing
 * waits there that would show whether it is back.
 */
export async function reopenSends(db: Queryable, accountId: string, failedBefore: Date): Promise<void> {
  await db.query(
    {
      text: `UPDATE provider_health SET failures = $3, failing_since = NULL, rest_until = NULL
             WHERE account_id = $1 AND kind = 'send' AND failures > $3 AND last_failure_at <= $2`,
    },
    [accountId, failedBefore, BREAKER_FAILURES - 1],
  );
}
