import type { Senti } from '@/lib/platform/core/money';

/** Why an attempt failed, independent of the provider. */
export const FAILURE_REASONS = [
  'user_cancelled',
  'wrong_pin',
  'insufficient_funds',
  'user_timeout',
  'limit_exceeded',
  'mobile_not_registered',
  'amount_invalid',
  'no_provider',
  'merchant_config',
  'provider_unavailable',
  'not_sent_in_time',
  'rejected',
  'too_many_prompts',
  'number_refused',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

export function isFailureReason(text: string): text is FailureReason {
  return FAILURE_REASONS.some((reason) => reason === text);
}

/** Where an outcome comes from, for the timeline. `gateway`: Bili itself, without the provider. */
export type OutcomeSource = 'answer' | 'status' | 'callback' | 'statement' | 'operator' | 'gateway';

/** The meaning of a provider message, independent of the provider. `applyOutcome` applies it, whatever its source. */
export type Outcome =
  /** The provider accepted the request, and the customer has the prompt. */
  | { readonly kind: 'accepted'; readonly providerReference: string | null }
  /** Only from a status query: the customer has not answered yet. */
  | { readonly kind: 'pending' }
  /**
   * The provider confirms that money moved. Amounts in senti. `assumed`: the provider named no amount, so the requested amount counts.
   * `fee`: what the provider keeps of the amount, if the answer contains it. `happenedAt`: when the customer paid, if it contains that.
   */
  | {
      readonly kind: 'paid';
      readonly transactionId: string;
      readonly amount: Senti;
      readonly assumed?: true;
      readonly fee?: Senti;
      readonly happenedAt?: Date;
    }
  /** The provider confirms that money moved and was reversed. `reversed` is the reversed amount in senti; null for the whole amount. */
  | {
      readonly kind: 'reversed';
      readonly transactionId: string;
      readonly amount: Senti;
      readonly assumed?: true;
      readonly reversed: Senti | null;
      /** The provider's receipt number of the reversal; null if the provider does not report it. */
      readonly reversalTransactionId: string | null;
      /** When the customer paid, and when the money was reversed, if the provider says so. */
      readonly happenedAt?: Date;
      readonly reversedAt?: Date;
    }
  /** A documented and final refusal. */
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'expired' }
  /** The provider refuses the request because it already has a request with the same reference. */
  | { readonly kind: 'duplicate' }
  /** Time-out, connection reset, 5xx or unreadable answer: money may or may not move. */
  | { readonly kind: 'unknown' }
  /** It is certain that the request never reached the provider. */
  | { readonly kind: 'not_sent' }
  /** Another account may send the request, because the request never reached this provider, or this provider refused the merchant. */
  | { readonly kind: 'elsewhere'; readonly reason: FailureReason | null; readonly provider: string }
  /** Other payments arrived before the request was sent. The attempt now asks for more than the remaining amount. */
  | { readonly kind: 'overtaken' }
  /** Before the request was sent, the merchant was suspended or closed, or the bill expired. */
  | { readonly kind: 'withdrawn'; readonly reason: 'merchant_inactive' | 'bill_expired' }
  /** Only from a status query: the provider does not know our reference. */
  | { readonly kind: 'not_found' };
