import type { ReviewKind } from '@/lib/gateway/reviews/rules';
import { doublingDelay } from '@/lib/platform/core/backoff';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { Capabilities } from '@/lib/providers/port/port';

/** The states of an attempt. */
export const ATTEMPT_STATES = ['QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/**
 * The next states of each state. SUCCEEDED and CANCELLED are final. Every other state may become SUCCEEDED, because confirmed money
 * is always recorded, also after a failure.
 */
export const TRANSITIONS: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  QUEUED: ['SENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'],
  SENDING: ['QUEUED', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'],
  AWAITING_CUSTOMER: ['UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED'],
  UNKNOWN: ['QUEUED', 'AWAITING_CUSTOMER', 'SUCCEEDED', 'FAILED', 'EXPIRED'],
  FAILED: ['SUCCEEDED'],
  EXPIRED: ['SUCCEEDED'],
  SUCCEEDED: [],
  CANCELLED: [],
};

/** The states without a known result. The attempt reserves its amount on the bill. */
const OPEN_STATES: readonly AttemptState[] = ['QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN'];

export function isOpen(state: AttemptState): boolean {
  return OPEN_STATES.includes(state);
}

export function mayBecome(from: AttemptState, to: AttemptState): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Throws if a state cannot be reached from the first states. Every process calls it at its start. */
export function checkTransitions(
  table: Readonly<Record<string, readonly string[]>> = TRANSITIONS,
  first: readonly string[] = ['QUEUED'],
): void {
  const reached = new Set(first);
  for (const state of reached) {
    const next = table[state];
    if (!next) throw new Error(`state ${state} is not defined`);
    for (const target of next) reached.add(target);
  }
  const unreachable = Object.keys(table).filter((state) => !reached.has(state));
  if (unreachable.length > 0) throw new Error(`no state leads to these states: ${unreachable.join(', ')}`);
}

/** An attempt to collect money for a bill: the fields that the rules need. */
export interface Attempt {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly billId: string;
  readonly providerAccountId: string | null;
  readonly mobile: string;
  readonly network: string;
  readonly amount: Senti;
  readonly ourReference: string;
  readonly providerReference: string | null;
  readonly state: AttemptState;
  /** One of the `FAILURE_REASONS`; null if the attempt has not failed. */
  readonly failureReason: string | null;
  readonly sendCount: number;
  readonly queryCount: number;
  readonly leaseToken: number;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  /** When the attempt became UNKNOWN; null in every other state. */
  readonly unknownSince: Date | null;
  /** When a person released the reservation; null if nobody has. A released attempt may still succeed. */
  readonly releasedAt: Date | null;
  /** When the provider first showed that it has the request. The request is never sent again after that. */
  readonly acknowledgedAt: Date | null;
  /** When the answer to a request was first lost. The request may have reached the provider. */
  readonly answerLostAt: Date | null;
  /** When an unsigned callback last claimed that the attempt is paid. */
  readonly claimedPaidAt: Date | null;
  /** When the attempt became SUCCEEDED, FAILED, EXPIRED or CANCELLED; null in every other state. */
  readonly settledAt: Date | null;
  /** The accounts that certainly did not accept the attempt. */
  readonly refusedAccountIds: readonly string[];
}

/** Tells whether an attempt reserves its amount on the bill. Its phone number gets no other prompt for the bill meanwhile. */
export function reserves({ state, releasedAt }: Pick<Attempt, 'state' | 'releasedAt'>): boolean {
  return isOpen(state) && releasedAt === null;
}

/** How long a request whose answer was lost is repeated. A first prompt that appears later than this would surprise the customer. */
export const REPEAT_MAX_MS = 10 * MINUTE_MS;
/** How long an attempt must be UNKNOWN before a person may release its reservation. */
export const RELEASE_AFTER_MS = 15 * MINUTE_MS;
/** How long an attempt may be UNKNOWN before a review is opened. */
export const REVIEW_AFTER_MS = 72 * HOUR_MS;
/** How long status queries continue while the provider answers none of them: silence does not prove that nobody paid. */
const UNANSWERED_QUERIES_MS = 30 * DAY_MS;
/** How long status queries continue after an unsigned callback that claims a payment. */
const CLAIM_QUERIES_MS = 6 * HOUR_MS;

export type Pace = Pick<
  Capabilities,
  'firstQueryMs' | 'unknownQueryMs' | 'maxQueryMs' | 'retryMs' | 'giveUpMs' | 'promptMs' | 'refusesDuplicates' | 'indexingMs'
>;

/** The effect of an outcome on an attempt. */
export interface Decision {
  readonly state: AttemptState;
  readonly failureReason: FailureReason | null;
  readonly providerReference: string | null;
  /** When a worker works on the attempt next; null if no query is left, or if a person must settle the attempt. */
  readonly dueAt: Date | null;
  /** The payment to record. `allocate` is false if the attempt is already paid: the second payment is then unmatched. */
  readonly payment: { readonly transactionId: string; readonly amount: Senti; readonly late: boolean; readonly allocate: boolean } | null;
  /** What the outcome shows. `acknowledged`: the provider has the request. `answer_lost`: the provider may have it, but no answer came. */
  readonly evidence: 'acknowledged' | 'answer_lost' | null;
  /** Whether the attempt leaves its present account, which did not accept it. Then another account can send it. */
  readonly leaves: boolean;
  /** The review to open; null for none. */
  readonly review: Extract<ReviewKind, 'attempt_unresolved' | 'contradiction'> | null;
}

const NO_EFFECTS = { failureReason: null, dueAt: null, payment: null, evidence: null, leaves: false, review: null } as const;

/** Failures with which a provider definitely refuses the merchant, not the customer. */
const REFUSES_MERCHANT: readonly FailureReason[] = ['merchant_config', 'provider_unavailable'];

/**
 * Tells whether another account may send the attempt: the request was not sent, or the provider definitely refused the merchant.
 * Returns false if the customer declined, or if the provider may have accepted this or an earlier request. An unsigned callback that claims
 * the payment is no proof, but a sign of that.
 */
export function mayGoElsewhere({ answerLostAt, acknowledgedAt, claimedPaidAt }: Attempt, outcome: Outcome): boolean {
  if (answerLostAt !== null || acknowledgedAt !== null || claimedPaidAt !== null) return false;
  return outcome.kind === 'not_sent' || refusesMerchant(outcome);
}

/** Tells whether a provider definitely refused a request because of the merchant, which says nothing about other requests. */
export function refusesMerchant(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && REFUSES_MERCHANT.includes(outcome.reason);
}

/** Tells whether a provider refuses the merchant now, although a request of the attempt may have reached it. */
function leavesEarlierOpen({ state, answerLostAt, claimedPaidAt }: Attempt, outcome: Outcome): boolean {
  return state === 'SENDING' && (answerLostAt !== null || claimedPaidAt !== null) && refusesMerchant(outcome);
}

/** Decides what an outcome changes on an attempt. Returns null if it changes neither the attempt nor its next query. */
export function decide(attempt: Attempt, outcome: Outcome, pace: Pace, now: Date): Decision | null {
  const base = { ...NO_EFFECTS, providerReference: attempt.providerReference };
  const cannotBeUnknown = !mayBecome(attempt.state, 'UNKNOWN') && attempt.state !== 'UNKNOWN';
  switch (outcome.kind) {
    case 'reversed':
    case 'paid': {
      const { transactionId, amount } = outcome;
      const late = attempt.state === 'FAILED' || attempt.state === 'EXPIRED';
      if (mayBecome(attempt.state, 'SUCCEEDED'))
        return { ...base, state: 'SUCCEEDED', payment: { transactionId, amount, late, allocate: true } };
      return { ...base, state: attempt.state, payment: { transactionId, amount, late: false, allocate: false } };
    }
    case 'failed':
    case 'expired': {
      if (leavesEarlierOpen(attempt, outcome)) return decide(attempt, { kind: 'unknown' }, pace, now);
      const state = outcome.kind === 'failed' ? 'FAILED' : 'EXPIRED';
      const failureReason = outcome.kind === 'failed' ? outcome.reason : null;
      if (!mayBecome(attempt.state, state)) return reviewContradiction(attempt);
      return { ...base, state, failureReason, dueAt: firstFollowUp(attempt, failureReason, pace, now) };
    }
    case 'accepted': {
      const providerReference = outcome.providerReference ?? attempt.providerReference;
      if (!mayBecome(attempt.state, 'AWAITING_CUSTOMER') && attempt.state !== 'AWAITING_CUSTOMER') return null;
      return { ...base, state: 'AWAITING_CUSTOMER', providerReference, dueAt: addMs(now, pace.firstQueryMs), evidence: 'acknowledged' };
    }
    case 'pending':
      return cannotBeUnknown
        ? null
        : { ...base, ...scheduleQuery(attempt, stateOfPrompt(attempt, pace, now), pace, now), evidence: 'acknowledged' };
    case 'duplicate':
    case 'unknown': {
      if (cannotBeUnknown) return null;
      const evidence = outcome.kind === 'duplicate' ? 'acknowledged' : null;
      if (attempt.state !== 'SENDING')
        return { ...base, ...scheduleQuery(attempt, stateAfterQuery(attempt, pace, now), pace, now, outcome.kind === 'unknown'), evidence };
      const lost = attempt.providerAccountId === null ? null : 'answer_lost';
      return { ...base, state: 'UNKNOWN', dueAt: addMs(now, pace.unknownQueryMs), evidence: evidence ?? lost };
    }
    case 'not_sent':
      return attempt.state === 'SENDING' ? (retrySending(attempt, pace, now) ?? stopSending(attempt, pace, now)) : null;
    case 'elsewhere':
      // The claim came after the worker had chosen another account.
      if (attempt.claimedPaidAt !== null) return decide(attempt, { kind: 'unknown' }, pace, now);
      return attempt.state === 'SENDING' ? { ...base, providerReference: null, state: 'QUEUED', dueAt: now, leaves: true } : null;
    case 'overtaken':
    case 'withdrawn':
      // The claim came while the worker decided not to send the attempt. A status query decides.
      if (attempt.claimedPaidAt !== null && attempt.state === 'SENDING') return decide(attempt, { kind: 'unknown' }, pace, now);
      return mayBecome(attempt.state, 'CANCELLED') ? { ...base, state: 'CANCELLED' } : null;
    case 'not_found': {
      if (cannotBeUnknown) return null;
      const indexed = attempt.sentAt !== null && now >= addMs(attempt.sentAt, pace.indexingMs);
      // Until `indexingMs` have passed, a status query may not find a request that the provider has.
      if (!indexed) return { ...base, ...scheduleQuery(attempt, stateAfterQuery(attempt, pace, now), pace, now) };
      // A claim of an unsigned callback is no proof of a payment, but a sign that the provider has the request.
      const isNotShown = attempt.acknowledgedAt === null && attempt.claimedPaidAt === null;
      const unsent = attempt.state === 'UNKNOWN' && pace.refusesDuplicates && isNotShown;
      if (unsent) return retrySending(attempt, pace, now) ?? stopSending(attempt, pace, now);
      return { ...base, ...scheduleQuery(attempt, 'UNKNOWN', pace, now) };
    }
  }
}

/** Returns AWAITING_CUSTOMER while the customer can still answer the prompt, then UNKNOWN. */
function stateOfPrompt(attempt: Attempt, pace: Pace, now: Date): AttemptState {
  return attempt.sentAt !== null && now > addMs(attempt.sentAt, pace.promptMs) ? 'UNKNOWN' : 'AWAITING_CUSTOMER';
}

function stateAfterQuery(attempt: Attempt, pace: Pace, now: Date): AttemptState {
  return attempt.state === 'UNKNOWN' ? 'UNKNOWN' : stateOfPrompt(attempt, pace, now);
}

/**
 * Schedules the next status query, with growing delays. After `REVIEW_AFTER_MS` in UNKNOWN a review is opened, and the queries stop as soon
 * as the provider answers one. An unsigned callback that claims a payment prolongs the queries, because the provider's status may be older
 * than its callbacks.
 */
function scheduleQuery(
  attempt: Attempt,
  state: AttemptState,
  pace: Pace,
  now: Date,
  unanswered = false,
): Pick<Decision, 'state' | 'dueAt' | 'review'> {
  const { unknownSince, claimedPaidAt } = attempt;
  const dueAt = nextQuery(attempt, pace, now);
  const claimed = claimedPaidAt !== null && now < addMs(claimedPaidAt, CLAIM_QUERIES_MS);
  if (state !== 'UNKNOWN' || unknownSince === null || now < addMs(unknownSince, REVIEW_AFTER_MS) || claimed)
    return { state, dueAt, review: null };
  const continues = unanswered && now < addMs(unknownSince, UNANSWERED_QUERIES_MS);
  return { state, dueAt: continues ? dueAt : null, review: 'attempt_unresolved' };
}

/** Opens a review if the provider reports a failure after a success. The booked payment does not change. */
function reviewContradiction(attempt: Attempt): Decision | null {
  const { state, providerReference } = attempt;
  return state === 'SUCCEEDED' ? { ...NO_EFFECTS, state, providerReference, review: 'contradiction' } : null;
}

/**
 * Tells whether a request may be sent at `at`. If an earlier request may have reached the provider, it is repeated only until
 * `REPEAT_MAX_MS` after the attempt was created.
 */
export function maySendAt({ state, providerAccountId, answerLostAt, createdAt }: Attempt, at: Date): boolean {
  const repeats = answerLostAt !== null || (state === 'UNKNOWN' && providerAccountId !== null);
  return !repeats || at < addMs(createdAt, REPEAT_MAX_MS);
}

/**
 * Schedules the next retry of a request. Retries follow 1, 3, 7, 15… times `retryMs` after the first request. The last retry follows
 * `giveUpMs` after the first request.
 * Returns null if all retries are used, if it is too late for a repetition, if a person has released the attempt, or if an unsigned
 * callback claims its payment.
 */
function retrySending(attempt: Attempt, pace: Pace, now: Date): Decision | null {
  const { providerReference } = attempt;
  const elapsed = (sendings: number) => pace.retryMs * (2 ** sendings - 1);
  const before = elapsed(attempt.sendCount - 1);
  if (before >= pace.giveUpMs || attempt.releasedAt !== null || attempt.claimedPaidAt !== null) return null;
  const dueAt = addMs(now, Math.min(elapsed(attempt.sendCount), pace.giveUpMs) - before);
  return maySendAt(attempt, dueAt) ? { ...NO_EFFECTS, providerReference, state: 'QUEUED', dueAt } : null;
}

/**
 * Decides about an attempt that is not sent again. It fails if no request can have reached the provider. If an answer was lost, it
 * stays UNKNOWN: queries continue, and a review is opened at once unless a person has released the attempt. If only an unsigned callback
 * says that the provider has the request, the queries come first.
 */
function stopSending(attempt: Attempt, pace: Pace, now: Date): Decision {
  const { providerReference, answerLostAt, claimedPaidAt, releasedAt } = attempt;
  if (answerLostAt === null && claimedPaidAt === null)
    return { ...NO_EFFECTS, providerReference, state: 'FAILED', failureReason: 'provider_unavailable' };
  const next = scheduleQuery(attempt, 'UNKNOWN', pace, now);
  const reviewed = answerLostAt !== null && releasedAt === null;
  return { ...NO_EFFECTS, providerReference, ...next, review: reviewed ? 'attempt_unresolved' : next.review };
}

/** Maximum number of queries of a settled attempt after an unsigned callback. With delays of up to one hour, they take about six hours. */
const SETTLED_QUERIES = 14;

/** When an unpaid attempt is queried after it settled. Its money may arrive late, without a callback. */
const FOLLOW_UPS_MS = [2 * MINUTE_MS, 15 * MINUTE_MS, 2 * HOUR_MS, DAY_MS] as const;

/** Failures after which the customer may still be charged. All other failures are definite refusals. */
const UNCERTAIN: ReadonlySet<string> = new Set<FailureReason>(['rejected', 'user_timeout']);

/**
 * Outcomes after which a settled attempt is queried again, because they do not show whether money moved. `accepted` is one of them: Bili
 * may have repeated the request, and the provider may have accepted it just when the attempt was settled.
 */
const INCONCLUSIVE: readonly Outcome['kind'][] = ['unknown', 'not_found', 'pending', 'accepted'];

/**
 * Returns when to query an attempt with an unknown outcome next. The delay doubles with each query: up to a minute while the customer can
 * answer the prompt, so that even without callbacks the outcome is known soon, and later up to an hour.
 */
export function nextQuery(attempt: Attempt, pace: Pace, now: Date): Date {
  const awaited = attempt.state === 'AWAITING_CUSTOMER';
  const first = awaited ? pace.firstQueryMs : pace.unknownQueryMs;
  const longest = awaited ? Math.max(first, MINUTE_MS) : HOUR_MS;
  return addMs(now, doublingDelay(attempt.queryCount + 1, first, Math.min(pace.maxQueryMs, longest)));
}

/**
 * Returns the time of the first query of an attempt that ends unpaid now; null if a definite refusal ended it.
 * @param reason the reason of the failure; null if the prompt expired.
 */
export function firstFollowUp(attempt: Attempt, reason: FailureReason | null, pace: Pace, now: Date): Date | null {
  const { state, claimedPaidAt } = attempt;
  if (claimedPaidAt !== null) return nextQuery({ ...attempt, state: 'UNKNOWN', queryCount: 0 }, pace, now);
  const refusedAtOnce = state === 'SENDING' && reason !== null;
  return refusedAtOnce || !mayComeLate(attempt, reason) ? null : addMs(now, FOLLOW_UPS_MS[0]);
}

/**
 * Returns when to query a settled attempt next; null if no query is left. After an unsigned callback, queries continue with growing
 * delays until the provider gives a final status. If that callback claims a payment, they continue even if the provider denies it,
 * because the status may be out of date. Without such a callback, queries follow FOLLOW_UPS_MS.
 */
export function nextQueryOfSettled(attempt: Attempt, outcome: Outcome, pace: Pace, now: Date): Date | null {
  const { state, failureReason, claimedPaidAt, queryCount, settledAt } = attempt;
  const unpaid = state === 'FAILED' || state === 'EXPIRED';
  const inconclusive = INCONCLUSIVE.includes(outcome.kind);
  const doubtful = inconclusive || (unpaid && claimedPaidAt !== null);
  if (doubtful && queryCount < SETTLED_QUERIES) return nextQuery(attempt, pace, now);
  if (!unpaid || settledAt === null || !mayComeLate(attempt, failureReason)) return null;
  return FOLLOW_UPS_MS.map((ms) => addMs(settledAt, ms)).find((time) => time > now) ?? null;
}

function mayComeLate({ providerAccountId, claimedPaidAt }: Attempt, reason: string | null): boolean {
  return providerAccountId !== null && (reason === null || UNCERTAIN.has(reason) || claimedPaidAt !== null);
}
