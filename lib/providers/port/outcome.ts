import type { Senti } from '@/lib/core/money';

/** Why a prompt did not end in a payment, whatever the provider calls it. */
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
  'rejected',
  'too_many_prompts',
  'number_refused',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

export function isFailureReason(text: string): text is FailureReason {
  return FAILURE_REASONS.some((reason) => reason === text);
}

/** Where an outcome comes from, for the timeline. `gateway` is what Bili knows by itself. */
export type OutcomeSource = 'answer' | 'status' | 'callback' | 'statement' | 'operator' | 'gateway';

/** What a provider's message means, in the gateway's words. Whoever brings it, it goes through `applyOutcome`. */
export type Outcome =
  /** The provider took the request; the customer is being asked. */
  | { readonly kind: 'accepted'; readonly providerReference: string | null }
  /** A status query: still being asked. */
  | { readonly kind: 'pending' }
  /** The provider's word that money moved. Amount in senti; `assumed`: the provider named none, so it is what was asked for. */
  | { readonly kind: 'paid'; readonly transactionId: string; readonly amount: Senti; readonly assumed?: true }
  /** The provider's word that money moved and, since, went back: all of it, or `reversed` senti of it. */
  | {
      readonly kind: 'reversed';
      readonly transactionId: string;
      readonly amount: Senti;
      readonly assumed?: true;
      readonly reversed: Senti | null;
      /** The provider's receipt of the reversal, where it names one. */
      readonly reversalTransactionId: string | null;
    }
  /** A documented final negative. */
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** The provider's word that the prompt ran out. */
  | { readonly kind: 'expired' }
  /** The provider refuses the request because it has one under our reference already: it knows of the prompt. */
  | { readonly kind: 'duplicate' }
  /** Time-out, reset, 5xx, unreadable: money may or may not move. */
  | { readonly kind: 'unknown' }
  /** The request certainly never reached the provider. */
  | { readonly kind: 'not_sent' }
  /** Before it was sent: the bill has less left than it would ask for. */
  | { readonly kind: 'overtaken' }
  /** Before it was sent: the merchant was suspended or closed. */
  | { readonly kind: 'withdrawn' }
  /** A status query: the provider does not know our reference. */
  | { readonly kind: 'not_found' };
