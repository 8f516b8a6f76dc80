import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { providerHealth } from '@/lib/platform/db/generated/tables';
import { int4, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findServingAccount, openAccount } from '@/lib/providers/accounts/account-store';
import { queryUnknownReference } from '@/lib/providers/accounts/check-account';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';
import { recordHealth } from '@/lib/providers/accounts/health-store';
import { refusesCredentials } from '@/lib/providers/port/raw-answer';
import type { ProviderRegistry } from '@/lib/providers/registry';

const PROBE_TIMEOUT_MS = 10 * SECOND_MS;
const LEASE_MS = PROBE_TIMEOUT_MS + 5 * SECOND_MS;
/**
 * An account that is neither down nor refused by its provider is probed only for this long after its last failed call. Later, its next
 * prompt shows whether it answers.
 */
const FAILED_WITHIN_MS = 10 * MINUTE_MS;
/** How long an account stays suspended after a refused probe. Longer than the time between probes. */
const REFUSED_PROBE_MS = 2 * MINUTE_MS;
/** The delay between probes of an account whose status queries are answered. */
const ANSWERED_DELAY_MS = MINUTE_MS;

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
  columns: { id: providerHealth.accountId },
});

/** Claims the accounts that are due for a probe: their provider does not answer, or refuses the owner. Returns their ids. */
export async function claimDueProbes({ db, clock }: Pick<Runtime, 'db' | 'clock'>, limit: number): Promise<string[]> {
  const now = clock();
  const claimed = await CLAIM_PROBES.rows(db, {
    now,
    leaseUntil: addMs(now, LEASE_MS),
    limit,
    failedAfter: addMs(now, -FAILED_WITHIN_MS),
    answeredBefore: addMs(now, -ANSWERED_DELAY_MS),
  });
  return claimed.map(({ id }) => id);
}

/**
 * Probes an account whose provider did not answer or refused the owner: sends a status query for an attempt that never existed, and
 * records whether the provider answers. A probe risks no real prompt. One failed prompt may be an outage or not. If the account has few
 * prompts, probes show sooner than the next prompt which of both it is. During an outage, probes detect its end even if no prompt waits. An account stays suspended while the provider also refuses status queries.
 */
export async function probeAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = runtime;
  const stored = await findServingAccount(db, id);
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return;
  const startedAt = clock();
  const deadline = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const account = openAccount(runtime, stored);
  const { answer, outcome } = await queryUnknownReference(adapter, account, runtime.random, AbortSignal.any([signal, deadline]));
  if (signal.aborted) return;
  await recordHealth(runtime, { account, adapter, kind: 'query', answer, outcome, startedAt });
  const now = clock();
  const refused = refusesCredentials(answer);
  if (!refused && answer.lost !== null) return;
  if (!refused) {
    // A worker would have sent a waiting prompt since the last one failed. So no prompt is waiting, and only a new one can show whether the
    // account works again.
    const failures = BREAKER_FAILURES - 1;
    await db.prisma.providerHealth.updateMany({
      where: { accountId: id, kind: 'send', failures: { gt: failures }, lastFailureAt: { lte: addMs(now, -FAILED_WITHIN_MS) } },
      data: { failures, failingSince: null, restUntil: null },
    });
  }
  // A pause that has not ended continues, because the provider may refuse payment requests only. The number of refusals stays until the
  // provider accepts a payment request, so that the next pause is longer. An account that no refusal has suspended is not suspended now.
  const accepted = !refused && outcome.kind === 'not_found';
  await db.prisma.providerAccount.updateMany({
    where: { id, avoidUntil: accepted ? { lte: now } : { not: null } },
    data: { avoidUntil: accepted ? null : addMs(now, REFUSED_PROBE_MS) },
  });
}
