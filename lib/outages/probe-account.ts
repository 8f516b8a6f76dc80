import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { findServingAccount } from '@/lib/providers/accounts/account-store';
import { openAccount } from '@/lib/providers/accounts/accounts';
import { recordRefusedProbe, recordWorkingProbe } from '@/lib/providers/accounts/health-store';
import { recordHealth } from '@/lib/providers/accounts/record-health';
import { queryUnknownReference } from '@/lib/providers/accounts/test-credentials';
import { refusesCredentials } from '@/lib/providers/port/raw-answer';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { claimProbes, reopenSends } from './store';

const PROBE_TIMEOUT_MS = 10 * SECOND_MS;
const LEASE_MS = PROBE_TIMEOUT_MS + 5 * SECOND_MS;
/**
 * An account that is neither down nor refused by its provider is probed only for this long after its last failed call. Later, its next
 * prompt shows whether it answers.
 */
const FAILED_WITHIN_MS = 10 * MINUTE_MS;
/** The delay between probes of an account whose status queries are answered. */
const ANSWERED_DELAY_MS = MINUTE_MS;

export function claimDueProbes({ db, clock }: Pick<Runtime, 'db' | 'clock'>, limit: number): Promise<string[]> {
  const now = clock();
  return claimProbes(db, {
    now,
    leaseUntil: addMs(now, LEASE_MS),
    limit,
    failedAfter: addMs(now, -FAILED_WITHIN_MS),
    answeredBefore: addMs(now, -ANSWERED_DELAY_MS),
  });
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
  if (refusesCredentials(answer)) return recordRefusedProbe(db, id, clock());
  if (answer.lost !== null) return;
  await reopenSends(db, id, addMs(clock(), -FAILED_WITHIN_MS));
  if (outcome.kind === 'not_found') await recordWorkingProbe(db, id, clock());
  else await recordRefusedProbe(db, id, clock());
}
