import { reach } from '@/lib/config/fail-point';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { insertProviderMessage, type ProviderMessageRow } from '@/lib/payments/messages/message-store';
import { objectToPrompt } from '@/lib/payments/prompts/object-to-prompt';
import type { Attempt, Pace } from '@/lib/payments/rules';
import { readPromptFacts } from '@/lib/payments/store';
import { findAccountById, findServingAccount } from '@/lib/providers/accounts/account-store';
import { openAccount } from '@/lib/providers/accounts/accounts';
import { nextLookForAccount } from '@/lib/providers/accounts/health-rules';
import type { CallKind } from '@/lib/providers/accounts/health-store';
import { noteHealth } from '@/lib/providers/accounts/note-health';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { openReview } from '@/lib/reviews/open-review';
import type { Runtime } from '@/lib/runtime/runtime';
import { applyOutcome } from './apply-outcome';
import type { ClaimedAttempt } from './claim-attempts';
import { holdLease, LEASE_MS } from './hold-lease';
import { leaveQueue, noteAccount, noteWorkFailed, postpone, renewLease } from './lease-store';
import { retryWrite } from './retry-write';
import { toPush } from './to-push';
import { traceAttempt } from './trace-attempt';

const FAILURES_BEFORE_REVIEW = 10;
/** How much of a lease has to be left when the provider is called. */
const LEASE_LEFT_MS = LEASE_MS / 2;

export interface WorkerRuntime extends Runtime {
  readonly providers: ProviderRegistry;
  /** How often the lease of a call under way is renewed, milliseconds; for tests. */
  readonly heartbeatMs?: number;
}

// For an attempt that no provider has: it is looked at again at once, and certainly was never sent.
const NO_PROVIDER: Pace = {
  firstQueryMs: 0,
  unknownQueryMs: 0,
  maxQueryMs: MINUTE_MS,
  retryMs: 2 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 0,
  refusesDuplicates: true,
  indexingMs: 0,
};

/**
 * Does what a claimed attempt is due for: sends the prompt, or asks the provider what became of it. An attempt found in
 * SENDING was interrupted there: it is never sent again blindly, a status query settles it.
 */
export async function workAttempt(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  reach('attempt.claimed');
  try {
    await doWhatIsDue(runtime, attempt, signal);
  } catch (error) {
    await noteFailure(runtime, attempt).catch((err: unknown) =>
      runtime.log.warn({ attemptId: attempt.id, err }, 'the failure could not be noted'),
    );
    throw error;
  }
}

async function doWhatIsDue(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  switch (attempt.previousState) {
    case 'QUEUED':
      return sendPush(runtime, attempt, signal);
    case 'SENDING':
      return conclude(runtime, attempt, { kind: 'unknown' });
    default:
      return queryPush(runtime, attempt, signal);
  }
}

/** Counts failures in a row. After several a person is asked to look; the work is still repeated, about once an hour. */
async function noteFailure(runtime: WorkerRuntime, attempt: ClaimedAttempt): Promise<void> {
  const failures = await noteWorkFailed(runtime.db, attempt);
  if (failures === undefined || failures < FAILURES_BEFORE_REVIEW) return;
  const { id: attemptId, merchantId, environment, state } = attempt;
  const about = { kind: 'attempt_unresolved', merchantId, environment, attemptId } as const;
  const data = { source: 'gateway', problem: 'work_fails', state };
  const opened = await openReview(runtime.db, { ...about, id: newId(runtime), data, openedAt: runtime.clock() });
  if (opened !== 'repeated') runtime.log.error({ attemptId }, 'work on an attempt fails again and again: bili review list');
}

async function sendPush(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  if (attempt.overdue) return conclude(runtime, attempt, { kind: 'failed', reason: 'provider_unavailable' });
  if (attempt.accountId === null) {
    const dueAt = nextLookForAccount(attempt, runtime.clock());
    return dueAt ? postpone(runtime.db, attempt, dueAt) : conclude(runtime, attempt, { kind: 'failed', reason: 'no_provider' });
  }
  // Sent again, it goes through the same account: only that provider would notice that it is the same.
  const { providerAccountId } = attempt;
  const stored =
    providerAccountId === null
      ? await findServingAccount(runtime.db, attempt.accountId)
      : await findAccountById(runtime.db, providerAccountId);
  if (!stored) return leaveQueue(runtime.db, attempt);
  const adapter = runtime.providers.find(stored.provider);
  if (!adapter) return dontSend(runtime, attempt, { kind: 'failed', reason: 'no_provider' });
  if (attempt.amount > adapter.capabilities.maxAmount) return dontSend(runtime, attempt, { kind: 'failed', reason: 'limit_exceeded' });
  if (attempt.amount < adapter.capabilities.minAmount) return dontSend(runtime, attempt, { kind: 'failed', reason: 'amount_invalid' });

  // While it waited, or was tried again, somebody may have paid, or the merchant may have been suspended.
  const { tooMuch, merchantActive } = await readPromptFacts(runtime.db, attempt);
  if (tooMuch) return dontSend(runtime, attempt, { kind: 'overtaken' });
  if (!merchantActive) return dontSend(runtime, attempt, { kind: 'withdrawn' });
  const objection = await objectToPrompt(runtime, attempt);
  if (objection !== null) return dontSend(runtime, attempt, { kind: 'failed', reason: objection });
  const account = openAccount(runtime, stored);
  const leaseUntil = addMs(runtime.clock(), LEASE_MS);
  if (!(await noteAccount(runtime.db, attempt, { accountId: account.id, leaseUntil }))) return leaseLost(runtime, attempt);
  reach('attempt.assigned');
  // A process that was paused here must not send what another worker may be about to look at.
  if (runtime.clock() > addMs(leaseUntil, -LEASE_LEFT_MS)) return conclude(runtime, attempt, { kind: 'not_sent' });
  await callProvider(runtime, attempt, { account, adapter, kind: 'send', signal });
}

/** Ends a prompt instead of sending it; unless it may have been sent before, for then nobody knows yet how it ends. */
function dontSend(runtime: WorkerRuntime, attempt: ClaimedAttempt, outcome: Outcome): Promise<void> {
  return conclude(runtime, attempt, attempt.answerLostAt === null ? outcome : { kind: 'unknown' });
}

async function queryPush(runtime: WorkerRuntime, attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
  const stored = attempt.providerAccountId === null ? undefined : await findAccountById(runtime.db, attempt.providerAccountId);
  // Interrupted before it was given to any account: nobody can know it.
  if (!stored) return conclude(runtime, attempt, { kind: 'not_found' });
  const adapter = runtime.providers.find(stored.provider);
  if (!adapter) throw new Error(`attempt ${attempt.id} was sent through ${stored.provider}, which this version does not have`);

  const account = openAccount(runtime, stored);
  if ((await renew(runtime, attempt)) !== 'held') return leaseLost(runtime, attempt);
  reach('attempt.held');
  await callProvider(runtime, attempt, { account, adapter, kind: 'query', signal });
}

interface Call {
  readonly account: ProviderAccount;
  readonly adapter: ProviderAdapter;
  readonly kind: CallKind;
  readonly signal: AbortSignal;
}

/**
 * Calls the provider under the attempt's lease, stores what came back, applies it, and notes whether the provider answered. What
 * the database cannot take is written again until another worker has the lease: the answer exists nowhere else. A call that
 * another worker has taken over is aborted; what came back of it is stored and applied like any other.
 */
async function callProvider(runtime: WorkerRuntime, attempt: ClaimedAttempt, { account, adapter, kind, signal }: Call): Promise<void> {
  const { db, clock, log, heartbeatMs } = runtime;
  const startedAt = clock();
  const source = kind === 'send' ? 'answer' : 'status';
  const about = { ...traceAttempt(attempt), provider: account.provider, account: account.id, kind: source };
  const push = toPush(attempt);
  // Moved under the call, by a callback say, it is still nobody else's.
  const stillOurs = async () => (await renew(runtime, attempt)) !== 'lost';
  const heard = await holdLease({ renew: stillOurs, heartbeatMs, log, about, signal }, async (held) => {
    const answer = await adapter[kind](account, push, held);
    reach('attempt.called');
    const { id: attemptId, leaseToken } = attempt;
    const message: ProviderMessageRow = {
      id: newId(runtime),
      account,
      attemptId,
      kind: source,
      message: answer,
      leaseToken,
      receivedAt: clock(),
    };
    await retryWrite(() => insertProviderMessage(db, message), { log, about, signal: held });
    reach('attempt.answer_stored');
    if (answer.lost === null) log.info({ ...about, status: answer.status }, 'provider answered');
    else log.warn({ ...about, error: answer.error }, 'provider did not answer');
    const outcome = kind === 'send' ? adapter.readAnswer(answer, push) : adapter.readStatus(answer, push);
    const said = { account, adapter, source, messageId: message.id } as const;
    await retryWrite(() => conclude(runtime, attempt, outcome, said), { log, about, signal: held });
    return { answer, outcome };
  });
  if (!signal.aborted) await noteHealth(runtime, { account, adapter, kind, ...heard, startedAt });
}

function renew({ db, clock }: WorkerRuntime, attempt: ClaimedAttempt) {
  return renewLease(db, attempt, addMs(clock(), LEASE_MS));
}

function leaseLost({ log }: WorkerRuntime, attempt: Attempt): void {
  log.warn(traceAttempt(attempt), 'the lease ran out before the provider was called; another worker has it');
}

interface Said {
  readonly account: ProviderAccount;
  readonly adapter: ProviderAdapter;
  readonly source: 'answer' | 'status';
  readonly messageId: string;
}

/** @param said who said so; absent for what the gateway knows by itself. */
async function conclude(runtime: WorkerRuntime, attempt: ClaimedAttempt, outcome: Outcome, said?: Said): Promise<void> {
  await applyOutcome(runtime, {
    attempt,
    outcome,
    providerAccountId: said?.account.id ?? null,
    pace: said?.adapter.capabilities ?? NO_PROVIDER,
    source: said?.source ?? 'gateway',
    leaseToken: attempt.leaseToken,
    messageId: said?.messageId,
  });
}
