import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { Capabilities } from '@/lib/providers/port/port';
import type { ReviewKind } from '@/lib/reviews/rules';
import { firstFollowUp, nextQuery } from './query-times';
import { type AttemptState, isOpen, mayBecome } from './state';

/** A push attempt as the rules see it. */
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
  /** One of the `FAILURE_REASONS`. */
  readonly failureReason: string | null;
  readonly sendCount: number;
  readonly queryCount: number;
  readonly leaseToken: number;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  /** Since when nobody knows how it ends; null in every state but UNKNOWN. */
  readonly unknownSince: Date | null;
  /** When its reservation was given up; it may still succeed. */
  readonly releasedAt: Date | null;
  /** Since when the provider is known to have the request: it is never sent again. */
  readonly acknowledgedAt: Date | null;
  /** When the answer to a request was lost that may have reached the provider. */
  readonly answerLostAt: Date | null;
  /** When an unsigned callback last claimed that it is paid. */
  readonly claimedPaidAt: Date | null;
  /** Since when it has been SUCCEEDED, FAILED, EXPIRED or CANCELLED; null in every other state. */
  readonly settledAt: Date | null;
}

/** Whether an attempt holds its amount on the bill, and keeps its number from being asked again. */
export function reserves({ state, releasedAt }: Pick<Attempt, 'state' | 'releasedAt'>): boolean {
  return isOpen(state) && releasedAt === null;
}

/** How long an attempt has to be UNKNOWN before its reservation may be given up, milliseconds. */
export const RELEASE_AFTER_MS = 15 * MINUTE_MS;
/** How long status queries go on for an attempt that nobody knows about, before a person has to look. */
export const REVIEW_AFTER_MS = 72 * HOUR_MS;
/** How long they go on where none is answered any more: what nobody says about a prompt does not mean that it was not paid. */
const UNANSWERED_ASKED_MS = 30 * DAY_MS;
/** How long they go on at least after a callback that claims that it is paid. */
const CLAIM_ASKED_MS = 6 * HOUR_MS;

export type Pace = Pick<
  Capabilities,
  'firstQueryMs' | 'unknownQueryMs' | 'maxQueryMs' | 'retryMs' | 'giveUpMs' | 'promptMs' | 'refusesDuplicates' | 'indexingMs'
>;

/** What an outcome does to an attempt. */
export interface Decision {
  readonly state: AttemptState;
  readonly failureReason: FailureReason | null;
  readonly providerReference: string | null;
  /** When a worker looks at it next; null when nothing more is asked, or a person has to settle it. */
  readonly dueAt: Date | null;
  /** Money to record. `allocate` is false when the attempt has been paid before: a second receipt is nobody's yet. */
  readonly payment: { readonly transactionId: string; readonly amount: Senti; readonly late: boolean; readonly allocate: boolean } | null;
  /** What it shows about the request, to be remembered: the provider has it, or may have it although the answer was lost. */
  readonly evidence: 'acknowledged' | 'answer_lost' | null;
  /** What a person has to look at. */
  readonly review: Extract<ReviewKind, 'attempt_unresolved' | 'contradiction'> | null;
}

const SETTLED = { failureReason: null, dueAt: null, payment: null, evidence: null, review: null } as const;

/**
 * Decides what an outcome means for an attempt as it stands. Pure.
 * @returns the decision, or null when the outcome changes nothing and has nothing to say about when to look next.
 */
export function decide(attempt: Attempt, outcome: Outcome, pace: Pace, now: Date): Decision | null {
  const keep = { ...SETTLED, providerReference: attempt.providerReference };
  const known = !mayBecome(attempt.state, 'UNKNOWN') && attempt.state !== 'UNKNOWN';
  switch (outcome.kind) {
    case 'reversed':
    case 'paid': {
      const { transactionId, amount } = outcome;
      const late = attempt.state === 'FAILED' || attempt.state === 'EXPIRED';
      if (mayBecome(attempt.state, 'SUCCEEDED'))
        return { ...keep, state: 'SUCCEEDED', payment: { transactionId, amount, late, allocate: true } };
      return { ...keep, state: attempt.state, payment: { transactionId, amount, late: false, allocate: false } };
    }
    case 'failed':
    case 'expired': {
      const state = outcome.kind === 'failed' ? 'FAILED' : 'EXPIRED';
      const failureReason = outcome.kind === 'failed' ? outcome.reason : null;
      if (!mayBecome(attempt.state, state)) return contradicted(attempt);
      return { ...keep, state, failureReason, dueAt: firstFollowUp(attempt, failureReason, pace, now) };
    }
    case 'accepted': {
      const providerReference = outcome.providerReference ?? attempt.providerReference;
      if (!mayBecome(attempt.state, 'AWAITING_CUSTOMER') && attempt.state !== 'AWAITING_CUSTOMER') return null;
      return { ...keep, state: 'AWAITING_CUSTOMER', providerReference, dueAt: addMs(now, pace.firstQueryMs), evidence: 'acknowledged' };
    }
    case 'pending':
      return known ? null : { ...keep, ...askAgain(attempt, stillAsked(attempt, pace, now), pace, now), evidence: 'acknowledged' };
    case 'duplicate':
    case 'unknown': {
      if (known) return null;
      const evidence = outcome.kind === 'duplicate' ? 'acknowledged' : null;
      if (attempt.state !== 'SENDING')
        return { ...keep, ...askAgain(attempt, unlessUnknown(attempt, pace, now), pace, now, outcome.kind === 'unknown'), evidence };
      const lost = attempt.providerAccountId === null ? null : 'answer_lost';
      return { ...keep, state: 'UNKNOWN', dueAt: addMs(now, pace.unknownQueryMs), evidence: evidence ?? lost };
    }
    case 'not_sent':
      return attempt.state === 'SENDING' ? (sendAgain(attempt, pace, now) ?? giveUp(attempt, pace, now)) : null;
    case 'overtaken':
    case 'withdrawn':
      return mayBecome(attempt.state, 'CANCELLED') ? { ...keep, state: 'CANCELLED' } : null;
    case 'not_found': {
      if (known) return null;
      const indexed = attempt.sentAt !== null && now >= addMs(attempt.sentAt, pace.indexingMs);
      // Until then the provider may have it, and not find it yet.
      if (!indexed) return { ...keep, ...askAgain(attempt, unlessUnknown(attempt, pace, now), pace, now) };
      const unsent = attempt.state === 'UNKNOWN' && pace.refusesDuplicates && attempt.acknowledgedAt === null;
      if (unsent) return sendAgain(attempt, pace, now) ?? giveUp(attempt, pace, now);
      return { ...keep, ...askAgain(attempt, 'UNKNOWN', pace, now) };
    }
  }
}

/** The customer is being asked until the prompt cannot be answered any more; from then on nobody knows. */
function stillAsked(attempt: Attempt, pace: Pace, now: Date): AttemptState {
  return attempt.sentAt !== null && now > addMs(attempt.sentAt, pace.promptMs) ? 'UNKNOWN' : 'AWAITING_CUSTOMER';
}

function unlessUnknown(attempt: Attempt, pace: Pace, now: Date): AttemptState {
  return attempt.state === 'UNKNOWN' ? 'UNKNOWN' : stillAsked(attempt, pace, now);
}

/**
 * Asks again, ever more slowly. An attempt that has been unknown for too long is handed to a person, and is not asked about any more
 * once the provider has answered. A callback that claims that it is paid has it asked about for a while again: the provider's status
 * may lag behind.
 */
function askAgain(
  attempt: Attempt,
  state: AttemptState,
  pace: Pace,
  now: Date,
  unanswered = false,
): Pick<Decision, 'state' | 'dueAt' | 'review'> {
  const { unknownSince, claimedPaidAt } = attempt;
  const dueAt = nextQuery(attempt, pace, now);
  const claimed = claimedPaidAt !== null && now < addMs(claimedPaidAt, CLAIM_ASKED_MS);
  if (state !== 'UNKNOWN' || unknownSince === null || now < addMs(unknownSince, REVIEW_AFTER_MS) || claimed)
    return { state, dueAt, review: null };
  const goesOn = unanswered && now < addMs(unknownSince, UNANSWERED_ASKED_MS);
  return { state, dueAt: goesOn ? dueAt : null, review: 'attempt_unresolved' };
}

/** Money that came stays booked; that the provider denies it later is for a person to look at. */
function contradicted(attempt: Attempt): Decision | null {
  const { state, providerReference } = attempt;
  return state === 'SUCCEEDED' ? { ...SETTLED, state, providerReference, review: 'contradiction' } : null;
}

/**
 * Tries again at 1, 3, 7, 15… times the first pause after the first try, a last time at `giveUpMs`; never what was released.
 * @returns null when it is not sent again.
 */
function sendAgain(attempt: Attempt, pace: Pace, now: Date): Decision | null {
  const { providerReference } = attempt;
  const elapsed = (tries: number) => pace.retryMs * (2 ** tries - 1);
  const before = elapsed(attempt.sendCount - 1);
  if (before >= pace.giveUpMs || attempt.releasedAt !== null) return null;
  return {
    ...SETTLED,
    providerReference,
    state: 'QUEUED',
    dueAt: addMs(now, Math.min(elapsed(attempt.sendCount), pace.giveUpMs) - before),
  };
}

/**
 * Ends what is not sent again: as failed if no request can have reached the provider. If an answer was lost, nobody knows: the
 * provider is asked further, and a person as well, at once unless somebody has released it.
 */
function giveUp(attempt: Attempt, pace: Pace, now: Date): Decision {
  const { providerReference, answerLostAt, releasedAt } = attempt;
  if (answerLostAt === null) return { ...SETTLED, providerReference, state: 'FAILED', failureReason: 'provider_unavailable' };
  const again = askAgain(attempt, 'UNKNOWN', pace, now);
  return { ...SETTLED, providerReference, ...again, review: releasedAt === null ? 'attempt_unresolved' : again.review };
}
