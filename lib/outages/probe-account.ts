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
 * An account that is not down is probed only until this long after its last failure. After that, its next prompt shows whether it answers.
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
 * Sends a status query for an attempt that never existed, to a provider that did not answer or that refused the account's owner, and
 * records whether the provider answers. Such a probe risks no real prompt. It detects the beginning of an outage where prompts are rare,
 * and the end of an outage when no prompt waits. An account stays suspended while the provider also refuses its status queries.
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
