import { type Pace, REVIEW_AFTER_MS } from '@/lib/gateway/payments/rules';
import { doublingDelay } from '@/lib/platform/core/backoff';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { isNetwork } from '@/lib/platform/core/network';
import type { Environment } from '@/lib/platform/core/scope';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { ProviderAdapter, RefundOutcome } from '@/lib/providers/port/port';

/**
 * The states of a refund. `ASKED`: a second person must approve it. `APPROVED`: a person must return the money by hand. The others are as for
 * attempts.
 */
export const REFUND_STATES = ['ASKED', 'APPROVED', 'QUEUED', 'SENDING', 'UNKNOWN', 'DONE', 'FAILED'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** A refund starts in one of these. */
export const FIRST_REFUND_STATES = ['ASKED', 'APPROVED', 'QUEUED'] as const satisfies readonly RefundState[];

/** While a payment has a refund in one of these, no other refund of it is possible. */
export const OPEN_REFUND_STATES = ['ASKED', 'APPROVED', 'QUEUED', 'SENDING', 'UNKNOWN'] as const satisfies readonly RefundState[];

export function isOpenRefund(state: RefundState): boolean {
  return OPEN_REFUND_STATES.some((open) => open === state);
}

/**
 * The next states of each state. Every open state may become DONE, because a reported reversal is always recorded. So is a payout, even if a
 * person has settled the refund as failed.
 */
export const REFUND_TRANSITIONS: Readonly<Record<RefundState, readonly RefundState[]>> = {
  ASKED: ['APPROVED', 'QUEUED', 'DONE', 'FAILED'],
  APPROVED: ['DONE', 'FAILED'],
  QUEUED: ['SENDING', 'DONE', 'FAILED'],
  SENDING: ['QUEUED', 'UNKNOWN', 'DONE', 'FAILED'],
  UNKNOWN: ['DONE', 'FAILED'],
  DONE: [],
  FAILED: ['DONE'],
};

/** In these states, no money has moved and none is on its way. So a person may still stop the refund. */
export const STOPPABLE: readonly RefundState[] = FIRST_REFUND_STATES;

/** How money goes back. `hand`: a person returns it, in cash or by a transfer. */
export const REFUND_WAYS = ['reversal', 'payout', 'hand'] as const;
export type RefundWay = (typeof REFUND_WAYS)[number];

/** Why a refund has failed: as the provider says, or because a person stopped it. */
export type RefundFailure = FailureReason | 'declined' | 'cancelled';

/** Money that goes back to a customer. Amounts are senti. */
export interface Refund {
  readonly id: string;
  readonly environment: Environment;
  readonly paymentId: string;
  /** The bill whose money goes back. Null: first what no bill has, then what bills got last. */
  readonly billId: string | null;
  readonly amount: Senti;
  /** Whether the amount is the complete payment. */
  readonly whole: boolean;
  readonly way: RefundWay;
  readonly state: RefundState;
  /** Unique: 20 upper-case letters and digits. */
  readonly ourReference: string;
  readonly providerReference: string | null;
  /** A `RefundFailure`; null if the refund has not failed. */
  readonly failureReason: string | null;
  readonly reason: string;
  /** The name of the actor. */
  readonly requestedBy: string;
  /** The id of the member who asked for it; null if no member did. */
  readonly requestedById: string | null;
  readonly sendCount: number;
  readonly queryCount: number;
  readonly leaseToken: number;
  readonly sentAt: Date | null;
}

interface RefundedMoney {
  /** Senti. */
  readonly amount: Senti;
  /** Whether the amount is the complete payment, which nothing has changed. */
  readonly whole: boolean;
  /** Whether the payment came through a provider. */
  readonly ofProvider: boolean;
  /** The number that paid and its network; null if they are not known. */
  readonly mobile: string | null;
  readonly network: string | null;
}

/** The ways that a payment can go back through its provider, the best first. By hand is always possible. */
export function waysOf(
  adapter: Pick<ProviderAdapter, 'reversals' | 'payouts'> | undefined,
  credentials: string | null,
  { amount, whole, ofProvider, mobile, network }: RefundedMoney,
): Exclude<RefundWay, 'hand'>[] {
  if (!ofProvider || !adapter || amount % SENTI_PER_SHILLING !== 0n) return [];
  const { reversals, payouts } = adapter;
  const served = network !== null && isNetwork(network) ? network : null;
  const reversible =
    reversals !== null &&
    (whole || reversals.partial) &&
    (reversals.networks === undefined || (served !== null && reversals.networks.includes(served)));
  const payable =
    payouts?.offeredBy(credentials) === true &&
    mobile !== null &&
    served !== null &&
    payouts.networks.includes(served) &&
    amount >= payouts.minAmount &&
    amount <= payouts.maxAmount;
  return [...(reversible ? (['reversal'] as const) : []), ...(payable ? (['payout'] as const) : [])];
}

/** The effect of an outcome on a refund. `again`: the next step is due at `dueAt`. `unresolved`: a person must settle it. */
type RefundDecision =
  | { readonly kind: 'refunded'; readonly amount: Senti | null; readonly transactionId: string | null }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'again'; readonly state: 'QUEUED' | 'UNKNOWN'; readonly dueAt: Date }
  | { readonly kind: 'unresolved' };

type RefundPace = Pick<Pace, 'unknownQueryMs' | 'maxQueryMs' | 'retryMs' | 'giveUpMs'>;

/**
 * Decides what an outcome changes on a refund. A refund is settled only by a report of the provider. If an answer was lost, Bili queries the
 * status and never sends the request again, because the money could go back twice.
 */
export function decideRefund(
  refund: Pick<Refund, 'state' | 'sendCount' | 'queryCount' | 'sentAt'>,
  outcome: RefundOutcome,
  pace: RefundPace,
  now: Date,
): RefundDecision {
  switch (outcome.kind) {
    case 'refunded':
    case 'failed':
      return outcome;
    case 'not_sent': {
      if (refund.state !== 'SENDING') return scheduleQuery(refund, pace, now);
      const elapsed = (sendings: number) => pace.retryMs * (2 ** sendings - 1);
      const before = elapsed(refund.sendCount - 1);
      if (before >= pace.giveUpMs) return { kind: 'failed', reason: 'provider_unavailable' };
      return { kind: 'again', state: 'QUEUED', dueAt: addMs(now, Math.min(elapsed(refund.sendCount), pace.giveUpMs) - before) };
    }
    case 'pending':
    case 'unknown':
      return scheduleQuery(refund, pace, now);
  }
}

function scheduleQuery({ sentAt, queryCount }: Pick<Refund, 'sentAt' | 'queryCount'>, pace: RefundPace, now: Date): RefundDecision {
  if (sentAt !== null && now >= addMs(sentAt, REVIEW_AFTER_MS)) return { kind: 'unresolved' };
  const delay = doublingDelay(queryCount + 1, pace.unknownQueryMs, Math.min(pace.maxQueryMs, HOUR_MS));
  return { kind: 'again', state: 'UNKNOWN', dueAt: addMs(now, delay) };
}
