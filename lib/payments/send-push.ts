import type { Runtime } from '@/lib/config/runtime';
import { newId } from '@/lib/core/ids';
import { isNetwork } from '@/lib/core/network';
import type { ProviderAccount, ProviderAdapter, Push, RawAnswer } from '@/lib/providers/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { openAccount } from './accounts';
import { applyOutcome } from './apply-outcome';
import type { Outcome } from './outcome';
import type { Attempt, Pace } from './rules';
import { assignAccount, type ClaimedAttempt, findAccountById, findProviderAccount, insertProviderMessage } from './store';

export type WorkerRuntime = Runtime & { readonly providers: ProviderRegistry };

// Where no adapter says otherwise: an attempt that was never sent anywhere.
const NO_PACE: Pace = {
  firstQueryMs: 30_000,
  unknownQueryMs: 30_000,
  maxQueryMs: 900_000,
  retryMs: 2_000,
  giveUpMs: 120_000,
  promptMs: 180_000,
  refusesDuplicates: false,
  indexingMs: 60_000,
};

/**
 * Does what a claimed attempt is due for: sends the prompt, or asks the provider what became of it. An attempt found in
 * SENDING was interrupted there: it is never sent again blindly, a status query settles it.
 */
export async function workAttempt(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  if (attempt.previousState === 'QUEUED') return sendPush(runtime, attempt, signal);
  if (attempt.previousState === 'SENDING') {
    return applyOutcome(runtime, {
      attempt,
      providerAccountId: null,
      outcome: { kind: 'unknown' },
      pace: NO_PACE_FOR_INTERRUPTED,
      source: 'gateway',
      leaseToken: attempt.leaseToken,
    });
  }
  return queryPush(runtime, attempt, signal);
}

const NO_PACE_FOR_INTERRUPTED: Pace = { ...NO_PACE, unknownQueryMs: 0 };

async function sendPush(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  const stored = await findProviderAccount(runtime.db, attempt);
  const adapter = stored && runtime.providers.find(stored.provider);
  const refusal: Outcome | null = !adapter
    ? { kind: 'failed', reason: 'no_provider' }
    : attempt.amount > adapter.capabilities.maxAmount
      ? { kind: 'failed', reason: 'limit_exceeded' }
      : null;
  if (!stored || !adapter || refusal) {
    const outcome = refusal ?? { kind: 'failed', reason: 'no_provider' };
    return applyOutcome(runtime, {
      attempt,
      providerAccountId: null,
      outcome,
      pace: NO_PACE,
      source: 'gateway',
      leaseToken: attempt.leaseToken,
    });
  }
  const account = openAccount(runtime, stored);
  await assignAccount(runtime.db, attempt.id, account.id);
  const answer = await adapter.send(account, toPush(attempt), signal);
  await conclude(runtime, { attempt, account, adapter, answer, kind: 'answer', outcome: () => adapter.readAnswer(answer) });
}

async function queryPush(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  const stored = attempt.providerAccountId === null ? undefined : await findAccountById(runtime.db, attempt.providerAccountId);
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) {
    // Interrupted before it was given to any account: it certainly never left.
    const outcome: Outcome = stored ? { kind: 'unknown' } : { kind: 'not_found' };
    const pace = stored ? NO_PACE : { ...NO_PACE, refusesDuplicates: true, indexingMs: 0 };
    return applyOutcome(runtime, { attempt, providerAccountId: null, outcome, pace, source: 'gateway', leaseToken: attempt.leaseToken });
  }
  const account = openAccount(runtime, stored);
  const answer = await adapter.query(account, toPush(attempt), signal);
  await conclude(runtime, { attempt, account, adapter, answer, kind: 'status', outcome: () => adapter.readStatus(answer) });
}

interface Conclusion {
  readonly attempt: ClaimedAttempt;
  readonly account: ProviderAccount;
  readonly adapter: ProviderAdapter;
  readonly answer: RawAnswer;
  readonly kind: 'answer' | 'status';
  readonly outcome: () => Outcome;
}

/** Stores what came back, and only then says what it means. */
async function conclude(runtime: WorkerRuntime, { attempt, account, adapter, answer, kind, outcome }: Conclusion): Promise<void> {
  await insertProviderMessage(runtime.db, {
    id: newId(runtime),
    account,
    attemptId: attempt.id,
    kind,
    message: answer,
    receivedAt: runtime.clock(),
  });
  const meaning = outcome();
  await applyOutcome(runtime, {
    attempt,
    providerAccountId: account.id,
    outcome: meaning,
    pace: adapter.capabilities,
    source: kind,
    leaseToken: attempt.leaseToken,
  });
  runtime.log.info(
    { attemptId: attempt.id, billId: attempt.billId, provider: adapter.name, asked: kind, status: answer.status, outcome: meaning.kind },
    'provider answered',
  );
}

function toPush(attempt: Attempt): Push {
  return {
    reference: attempt.ourReference,
    providerReference: attempt.providerReference,
    mobile: attempt.mobile,
    network: isNetwork(attempt.network) ? attempt.network : 'other',
    amount: attempt.amount,
    description: `Bill ${attempt.ourReference}`,
  };
}
