import { insertProviderMessage, type ProviderMessageRow } from '@/lib/gateway/messages/message-store';
import { type Attempt, mayGoElsewhere, type Pace } from '@/lib/gateway/payments/rules';
import { reach } from '@/lib/platform/config/fail-point';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { isNetwork } from '@/lib/platform/core/network';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type CallKind, recordHealth } from '@/lib/providers/accounts/health-store';
import { hasOtherAccount } from '@/lib/providers/accounts/route-store';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { applyOutcome, traceAttempt } from './apply-outcome';
import type { ClaimedAttempt } from './claim-attempts';
import { holdLease, LEASE_MS, retryWrite } from './hold-lease';
import { renewLease } from './lease-store';

export interface WorkerRuntime extends Runtime {
  readonly providers: ProviderRegistry;
  /** Milliseconds between renewals of the lease during a call; tests shorten it. */
  readonly heartbeatMs?: number;
}

/** The waiting times after an outcome that Bili decides without a response of a provider. They do not depend on the provider. */
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

interface Call {
  readonly account: ProviderAccount;
  readonly adapter: ProviderAdapter;
  readonly kind: CallKind;
  /** Whether the status query consists of sending the same request again, because the provider then repeats its first answer. */
  readonly repeats?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Calls the provider under the attempt's lease, stores the answer, applies it, and records whether the provider answered. The answer
 * exists nowhere else, so a failed write is repeated until another worker has the lease. If another worker claims the attempt, the call
 * is aborted. The result of an aborted call is stored and applied like any other result.
 */
export async function callProvider(
  runtime: WorkerRuntime,
  attempt: ClaimedAttempt,
  { account, adapter, kind, repeats = false, signal }: Call,
): Promise<void> {
  const { db, clock, log, heartbeatMs } = runtime;
  const startedAt = clock();
  const source = kind === 'send' ? 'answer' : 'status';
  const about = { ...traceAttempt(attempt), provider: account.provider, account: account.id, kind: source };
  const request = toPromptRequest(attempt);
  // `moved` does not mean that the lease is lost: for example a callback has changed the state, but no other worker has the attempt.
  const stillOurs = async () => (await renew(runtime, attempt)) !== 'lost';
  const result = await holdLease({ renew: stillOurs, heartbeatMs, log, about, signal }, async (held) => {
    const calledAt = clock();
    const answer = await adapter[repeats ? 'send' : kind](account, request, held);
    reach('attempt.called');
    const { id: attemptId, leaseToken } = attempt;
    const receivedAt = clock();
    const message: ProviderMessageRow = {
      id: newId(runtime),
      account,
      attemptId,
      kind: source,
      message: answer,
      leaseToken,
      receivedAt,
      tookMs: receivedAt.getTime() - calledAt.getTime(),
    };
    await retryWrite(() => insertProviderMessage(db, message), { log, about, signal: held });
    reach('attempt.answer_stored');
    if (answer.lost === null) log.info({ ...about, status: answer.status }, 'provider answered');
    else log.warn({ ...about, error: answer.error }, 'provider did not answer');
    const read = repeats ? readRepeated(adapter.readAnswer(answer, request)) : readOf(adapter, kind)(answer, request);
    const outcome = kind === 'send' ? await orElsewhere(runtime, attempt, account, read) : read;
    const response = { account, adapter, source, messageId: message.id } as const;
    await retryWrite(() => applyResult(runtime, attempt, outcome, response), { log, about, signal: held });
    return { answer, outcome: read };
  });
  if (!signal.aborted) await recordHealth(runtime, { account, adapter, kind, ...result, startedAt });
}

function readOf(adapter: ProviderAdapter, kind: CallKind): ProviderAdapter['readAnswer'] {
  return kind === 'send' ? adapter.readAnswer : adapter.readStatus;
}

/**
 * Interprets the answer to a repeated request. Only what the answer says about the first request counts, because the repeated request may
 * have been refused.
 */
export function readRepeated(outcome: Outcome): Outcome {
  return outcome.kind === 'accepted' || outcome.kind === 'duplicate' || outcome.kind === 'paid' ? outcome : { kind: 'unknown' };
}

/**
 * Returns `elsewhere` if another account sends the attempt instead: this outcome must allow it, and another account must exist. Otherwise
 * returns the outcome unchanged.
 */
async function orElsewhere(runtime: WorkerRuntime, attempt: ClaimedAttempt, account: Served, outcome: Outcome): Promise<Outcome> {
  return mayGoElsewhere(attempt, outcome) ? elsewhere(runtime, attempt, account, outcome) : outcome;
}

/** Returns `elsewhere` if another account can send the attempt, otherwise the outcome. Call it only if the outcome allows that. */
export async function elsewhere(runtime: WorkerRuntime, attempt: ClaimedAttempt, account: Served, outcome: Outcome): Promise<Outcome> {
  if (!(await hasOtherAccount(runtime.db, attempt, account.id))) return outcome;
  runtime.log.warn({ ...traceAttempt(attempt), account: account.id, outcome }, 'another account sends the attempt');
  return { kind: 'elsewhere', reason: outcome.kind === 'failed' ? outcome.reason : null, provider: account.provider };
}

export function renew({ db, clock }: WorkerRuntime, attempt: ClaimedAttempt) {
  return renewLease(db, attempt, addMs(clock(), LEASE_MS));
}

export function leaseLost({ log }: WorkerRuntime, attempt: Attempt): void {
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
export async function applyResult(
  runtime: WorkerRuntime,
  attempt: ClaimedAttempt,
  outcome: Outcome,
  response?: ProviderResponse,
): Promise<void> {
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

/** Converts an attempt to the request that its provider understands. */
export function toPromptRequest(attempt: Attempt): PromptRequest {
  const { answerLostAt, acknowledgedAt, claimedPaidAt } = attempt;
  return {
    reference: attempt.ourReference,
    providerReference: attempt.providerReference,
    mobile: attempt.mobile,
    network: isNetwork(attempt.network) ? attempt.network : 'other',
    amount: attempt.amount,
    merchantId: attempt.merchantId,
    billId: attempt.billId,
    description: `Bill ${attempt.ourReference}`,
    // A claim of an unsigned callback is no proof, but a sign that the provider has the request.
    neverReached: answerLostAt === null && acknowledgedAt === null && claimedPaidAt === null,
  };
}
