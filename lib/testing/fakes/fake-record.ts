import type { FailureReason } from '@/lib/providers/port/outcome';

/**
 * Two kinds of provider. `signed` signs its callbacks, refuses a reference it has seen, and says everything about a reversal.
 * `unsigned` signs nothing, would prompt again for the same reference, never says how much went back, and in a status answer
 * not under which receipt either.
 */
export type Variant = 'signed' | 'unsigned';

/**
 * Where a provider keeps the money of one owner: the operator's till at each provider, and a merchant's own at the signed one.
 * Receipts are unique within a till, and the same ones occur in all of them.
 */
export type Till = Variant | 'own';

export const TILLS: readonly Till[] = ['signed', 'unsigned', 'own'];

export const variantOf = (till: Till): Variant => (till === 'unsigned' ? 'unsigned' : 'signed');

/** What the provider says, as it goes over the wire: amounts are senti. */
export type Said =
  | { readonly kind: 'accepted'; readonly id: string | null }
  | { readonly kind: 'pending' | 'expired' | 'not_found' | 'duplicate' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'paid'; readonly receipt: string; readonly amount: number }
  | {
      readonly kind: 'reversed';
      readonly receipt: string;
      readonly amount: number;
      readonly reversed: number | null;
      readonly reversal: string | null;
    };

type PromptStatus = 'asking' | 'paid' | 'expired' | FailureReason;

export interface Prompt {
  readonly reference: string;
  readonly till: Till;
  readonly mobile: string;
  readonly amount: number;
  /** From when on status queries find it. */
  readonly indexedAt: number;
  status: PromptStatus;
  /** What status queries still answer, while a payment has not reached the index. */
  stale: { readonly status: PromptStatus; readonly until: number } | null;
  /** The moment of its first payment. */
  paidMoment: number | null;
}

export interface Transaction {
  readonly kind: 'payment' | 'reversal';
  readonly till: Till;
  readonly receipt: string;
  readonly amount: number;
  /** Of a payment: what it was paid for. */
  readonly reference: string;
  /** Of a reversal: the receipt of the payment. */
  readonly of: string | null;
  readonly at: Date;
}

/** A callback that the provider made; it may be delivered never, late, or several times. */
export interface Notice {
  readonly till: Till;
  readonly reference: string;
  readonly said: Said;
  delivered: boolean;
}

export interface SendingBack {
  readonly till: Till;
  readonly receipt: string;
  readonly amount: number | null;
  state: 'taken' | 'refused' | { readonly reversal: string };
}
