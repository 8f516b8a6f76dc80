import { reach } from '@/lib/config/fail-point';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { insertProviderMessage, type ProviderMessageRow } from '@/lib/payments/messages/message-store';
import { findPromptProblem } from '@/lib/payments/prompts/find-prompt-problem';
import { readSendingFacts } from '@/lib/payments/prompts/sending-store';
import { type Attempt, mayGoElsewhere, type Pace } from '@/lib/payments/rules';
import { findAccountById } from '@/lib/providers/accounts/account-store';
import { openAccount } from '@/lib/providers/accounts/accounts';
import { nextAccountSearch } from '@/lib/providers/accounts/health-rules';
import type { CallKind } from '@/lib/providers/accounts/health-store';
import { recordHealth } from '@/lib/providers/accounts/record-health';
import { hasOtherAccount } from '@/lib/providers/accounts/route-store';
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
import { toPromptRequest } from './to-prompt-request';
import { traceAttempt } from './trace-attempt';

const FAILURES_BEFORE_REVIEW = 10;
/** The remaining time that a lease must have before the provider is called. */
const LEASE_LEFT_MS = LEASE_MS / 2;
/** A query that begins within this time after the claim does not renew the lease first. The heartbeat renews it later. */
const FRESH_MS = 5 * SECOND_MS;

export interface WorkerRuntime extends Runtime {
  readonly providers: ProviderRegistry;
  /** Milliseconds between renewals of the lease during a call; tests shorten it. */
  readonly heartbeatMs?: number;
}

/** The pace of an attempt that no provider has received. Such an attempt was certainly never sent, so it needs no waiting time. */
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
 * Does the next step of a claimed attempt: sends the prompt or queries its status. An attempt that was in SENDING before the claim
 * was interrupted there. It is not sent again but becomes UNKNOWN, and a status query decides.
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
  if (attempt.overdue) return applyResult(runtime, attempt, { kind: 'failed', reason: 'provider_unavailable' });
  if (attempt.accountId === null) {
    const dueAt = nextAccountSearch(attempt, runtime.clock());
    return dueAt ? postpone(runtime.db, attempt, dueAt) : applyResult(runtime, attempt, { kind: 'failed', reason: 'no_provider' });
  }
  // A retry uses the same account, because only that provider can recognise the duplicate.
  const accountId = attempt.providerAccountId ?? attempt.accountId;
  const now = runtime.clock();
  const facts = await readSendingFacts(runtime.db, { attemptId: attempt.id, accountId, now });
  if (!facts || (facts.disabledAt && attempt.providerAccountId === null)) return leaveQueue(runtime.db, attempt);
  const adapter = runtime.providers.find(facts.provider);
  if (!adapter) return endUnsent(runtime, attempt, { kind: 'failed', reason: 'no_provider' });
  if (attempt.amount > adapter.capabilities.maxAmount) return endUnsent(runtime, attempt, { kind: 'failed', reason: 'limit_exceeded' });
  if (attempt.amount < adapter.capabilities.minAmount) return endUnsent(runtime, attempt, { kind: 'failed', reason: 'amount_invalid' });

  // While the attempt waited, somebody may have paid the bill, or the merchant may have been suspended.
  if (facts.tooMuch) return endUnsent(runtime, attempt, { kind: 'overtaken' });
  if (!facts.merchantActive) return endUnsent(runtime, attempt, { kind: 'withdrawn' });
  const problem = await findPromptProblem(runtime.db, attempt, facts, now);
  if (problem !== null) return endUnsent(runtime, attempt, { kind: 'failed', reason: problem });
  const account = openAccount(runtime, facts);
  const leaseUntil = addMs(runtime.clock(), LEASE_MS);
  if (!(await noteAccount(runtime.db, attempt, { accountId: account.id, leaseUntil }))) return leaseLost(runtime, attempt);
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
  // The attempt was interrupted before it got an account, so that no provider can have it.
  if (!stored) return applyResult(runtime, attempt, { kind: 'not_found' });
  const adapter = runtime.providers.find(stored.provider);
  if (!adapter) throw new Error(`attempt ${attempt.id} was sent through the provider ${stored.provider}, which this version does not have`);

  const account = openAccount(runtime, stored);
  const old = runtime.clock() > addMs(attempt.leaseUntil, FRESH_MS - LEASE_MS);
  if (old && (await renew(runtime, attempt)) !== 'held') return leaseLost(runtime, attempt);
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
 * Calls the provider under the attempt's lease, stores the answer, applies it, and records whether the provider answered. The answer
 * exists nowhere else, so a failed write is repeated until another worker has the lease. The call is aborted when another worker
 * claims the attempt, and its result is then stored and applied like any other.
 */
async function callProvider(runtime: WorkerRuntime, attempt: ClaimedAttempt, { account, adapter, kind, signal }: Call): Promise<void> {
  const { db, clock, log, heartbeatMs } = runtime;
  const startedAt = clock();
  const source = kind === 'send' ? 'answer' : 'status';
  const about = { ...traceAttempt(attempt), provider: account.provider, account: account.id, kind: source };
  const request = toPromptRequest(attempt);
  // `moved` is fine: for example a callback has changed the state, but no other worker has the attempt.
  const stillOurs = async () => (await renew(runtime, attempt)) !== 'lost';
  const result = await holdLease({ renew: stillOurs, heartbeatMs, log, about, signal }, async (held) => {
    const answer = await adapter[kind](account, request, held);
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
    const read = kind === 'send' ? adapter.readAnswer(answer, request) : adapter.readStatus(answer, request);
    const outcome = kind === 'send' ? await orElsewhere(runtime, attempt, account, read) : read;
    const response = { account, adapter, source, messageId: message.id } as const;
    await retryWrite(() => applyResult(runtime, attempt, outcome, response), { log, about, signal: held });
    return { answer, outcome: read };
  });
  if (!signal.aborted) await recordHealth(runtime, { account, adapter, kind, ...result, startedAt });
}

/** Returns `elsewhere` instead of an outcome after which another account may send the attempt, if there is one. */
async function orElsewhere(runtime: WorkerRuntime, attempt: ClaimedAttempt, account: Served, outcome: Outcome): Promise<Outcome> {
  if (!mayGoElsewhere(attempt, outcome) || !(await hasOtherAccount(runtime.db, attempt, account.id))) return outcome;
  runtime.log.warn({ ...traceAttempt(attempt), account: account.id, outcome }, 'another account sends the attempt');
  return { kind: 'elsewhere', reason: outcome.kind === 'failed' ? outcome.reason : null, provider: account.provider };
}

function renew({ db, clock }: WorkerRuntime, attempt: ClaimedAttempt) {
  return renewLease(db, attempt, addMs(clock(), LEASE_MS));
}

function leaseLost({ log }: WorkerRuntime, attempt: Attempt): void {
  log.warn(traceAttempt(attempt), 'the lease expired before the call to the provider; another worker has the attempt');
}

type Served = Pick<ProviderAccount, 'id' | 'provider'>;

interface ProviderResponse {
  readonly account: ProviderAccount;
  readonly adapter: ProviderAdapter;
  readonly source: 'answer' | 'status';
  readonly messageId: string;
}

/** Applies an outcome under the lease of the attempt. Without a response, the gateway itself is the source of the outcome. */
async function applyResult(runtime: WorkerRuntime, attempt: ClaimedAttempt, outcome: Outcome, response?: ProviderResponse): Promise<void> {
  await applyOutcome(runtime, {
    attempt,
    outcome,
    providerAccountId: response?.account.id ?? null,
    pace: response?.adapter.capabilities ?? NO_PROVIDER,
    source: response?.source ?? 'gateway',
    leaseToken: attempt.leaseToken,
    messageId: response?.messageId,
  });
}
