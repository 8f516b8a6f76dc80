import { maySendAt } from '@/lib/gateway/payments/rules';
import { findObstacle } from '@/lib/gateway/prompts/find-obstacle';
import { readSendingFacts } from '@/lib/gateway/prompts/sending-store';
import { openReview } from '@/lib/gateway/reviews/store';
import { reach } from '@/lib/platform/config/fail-point';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import { nextAccountSearch } from '@/lib/providers/accounts/health-rules';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { applyOutcome } from './apply-outcome';
import { applyResult, callProvider, elsewhere, leaseLost, renew, type WorkerRuntime } from './call-provider';
import type { ClaimedAttempt } from './claim-attempts';
import { LEASE_MS } from './hold-lease';
import { leaveQueue, noteAccount, noteWorkFailed, postpone } from './lease-store';
import { queryMethod } from './query-attempt';
import { reviewClaim } from './unsigned-callback';

const FAILURES_BEFORE_REVIEW = 10;
/** The remaining time that a lease must have before the provider is called. */
const LEASE_LEFT_MS = LEASE_MS / 2;
/**
 * A status query that begins within this time after the claim does not renew the lease first. The heartbeat renews the lease later. Before
 * a worker repeats a payment request, it always renews the lease, because the renewal also shows whether the attempt has ended meanwhile.
 */
const FRESH_MS = 5 * SECOND_MS;

/**
 * Does the next step of a claimed attempt: sends the prompt or queries its status. If the attempt was in SENDING before the claim, an
 * earlier worker was interrupted. The attempt is then not sent again but becomes UNKNOWN, and a status query decides.
 */
export async function workAttempt(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  reach('attempt.claimed');
  try {
    await doNextStep(runtime, attempt, signal);
  } catch (error) {
    await noteFailure(runtime, attempt).catch((err: unknown) =>
      runtime.log.warn({ attemptId: attempt.id, err }, 'a failure of work on an attempt could not be stored'),
    );
    throw error;
  }
}

async function doNextStep(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  switch (attempt.previousState) {
    case 'QUEUED':
      return sendPrompt(runtime, attempt, signal);
    case 'SENDING':
      return applyResult(runtime, attempt, { kind: 'unknown' });
    default:
      return queryStatus(runtime, attempt, signal);
  }
}

/** Counts failures in a row and opens a review after `FAILURES_BEFORE_REVIEW`. The work is still repeated about once an hour. */
async function noteFailure(runtime: WorkerRuntime, attempt: ClaimedAttempt): Promise<void> {
  const failures = await noteWorkFailed(runtime.db, attempt);
  if (failures === undefined || failures < FAILURES_BEFORE_REVIEW) return;
  const { id: attemptId, merchantId, environment, state } = attempt;
  const about = { kind: 'attempt_unresolved', merchantId, environment, attemptId } as const;
  const data = { source: 'gateway', problem: 'work_fails', state };
  const opened = await openReview(runtime.db, { ...about, id: newId(runtime), data, openedAt: runtime.clock() });
  if (opened !== 'repeated') runtime.log.error({ attemptId }, 'work on an attempt fails repeatedly; see: bili review list');
}

async function sendPrompt(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  const now = runtime.clock();
  // A callback says that a provider has an earlier request of this attempt, or the repetition has waited too long. A status query decides.
  if (attempt.state === 'SENDING' && (attempt.claimedPaidAt !== null || !maySendAt(attempt, now)))
    return applyResult(runtime, attempt, { kind: 'unknown' });
  if (attempt.overdue) {
    const reason = attempt.unanswered || attempt.sendCount > 0 ? 'provider_unavailable' : 'not_sent_in_time';
    return applyResult(runtime, attempt, { kind: 'failed', reason });
  }
  if (attempt.accountId === null) {
    const dueAt = nextAccountSearch(attempt, now);
    return dueAt ? postpone(runtime.db, attempt, dueAt) : applyResult(runtime, attempt, { kind: 'failed', reason: 'no_provider' });
  }
  // A retry uses the account of the first request, because only its provider can recognise the duplicate.
  const accountId = attempt.providerAccountId ?? attempt.accountId;
  const facts = await readSendingFacts(runtime.db, { attemptId: attempt.id, accountId, now });
  if (!facts || (facts.disabledAt && attempt.providerAccountId === null)) return leaveQueue(runtime.db, attempt);
  const adapter = runtime.providers.find(facts.provider);
  if (!adapter) return endUnsent(runtime, attempt, { kind: 'failed', reason: 'no_provider' });
  const { minAmount, maxAmount } = adapter.capabilities;
  const outside = attempt.amount > maxAmount ? 'limit_exceeded' : attempt.amount < minAmount ? 'amount_invalid' : null;
  // The providers of other accounts may have other limits.
  if (outside) return endUnsent(runtime, attempt, await elsewhere(runtime, attempt, facts, { kind: 'failed', reason: outside }));

  const obstacle = await findObstacle(runtime.db, attempt, facts, now);
  if (obstacle) return endUnsent(runtime, attempt, obstacle);
  const account = openAccount(runtime, facts);
  const leaseUntil = addMs(runtime.clock(), LEASE_MS);
  const noted = await noteAccount(runtime.db, attempt, { accountId: account.id, leaseUntil });
  if (noted === 'lost') return leaseLost(runtime, attempt);
  if (noted === 'claimed') return applyResult(runtime, attempt, { kind: 'unknown' });
  if (noted === 'overtaken') return endUnsent(runtime, attempt, { kind: 'overtaken' });
  reach('attempt.assigned');
  // This process may have been paused. Near the end of its lease it must not send, because another worker may claim the attempt.
  if (runtime.clock() > addMs(leaseUntil, -LEASE_LEFT_MS)) return applyResult(runtime, attempt, { kind: 'not_sent' });
  await callProvider(runtime, attempt, { account, adapter, kind: 'send', signal });
}

/** Ends an attempt without sending it. If an earlier request may have reached the provider, the attempt becomes UNKNOWN instead. */
function endUnsent(runtime: WorkerRuntime, attempt: ClaimedAttempt, outcome: Outcome): Promise<void> {
  return applyResult(runtime, attempt, attempt.answerLostAt === null ? outcome : { kind: 'unknown' });
}

async function queryStatus(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  const stored = attempt.providerAccountId === null ? undefined : await findAccountById(runtime.db, attempt.providerAccountId);
  // The attempt was interrupted before it got an account, so no provider can have received it.
  if (!stored) return applyResult(runtime, attempt, { kind: 'not_found' });
  const adapter = runtime.providers.find(stored.provider);
  if (!adapter) throw new Error(`attempt ${attempt.id} was sent through the provider ${stored.provider}, which this version does not have`);

  const account = openAccount(runtime, stored);
  const method = queryMethod(attempt, adapter.capabilities, runtime.clock());
  if (method === 'nothing' || (method === 'repeat' && !(await mayRepeat(runtime, attempt, account)))) {
    // Only a signed callback or a person can report the outcome. The worker checks the attempt again later.
    await reviewClaim(runtime, attempt, { account, adapter });
    const about = { attempt, providerAccountId: account.id, leaseToken: attempt.leaseToken, source: 'gateway' } as const;
    return applyOutcome(runtime, { ...about, outcome: { kind: 'unknown' }, pace: adapter.capabilities });
  }
  const old = runtime.clock() > addMs(attempt.leaseUntil, FRESH_MS - LEASE_MS);
  if ((old || method === 'repeat') && (await renew(runtime, attempt)) !== 'held') return leaseLost(runtime, attempt);
  reach('attempt.held');
  await callProvider(runtime, attempt, { account, adapter, kind: 'query', repeats: method === 'repeat', signal });
}

/**
 * Returns whether the request may be sent again. If the provider did not get the first request, the second one prompts the customer, so the
 * limits for prompts apply.
 */
async function mayRepeat(runtime: WorkerRuntime, attempt: ClaimedAttempt, { id: accountId }: ProviderAccount): Promise<boolean> {
  const now = runtime.clock();
  const facts = await readSendingFacts(runtime.db, { attemptId: attempt.id, accountId, now });
  return facts !== null && (await findObstacle(runtime.db, attempt, facts, now)) === null;
}
