import type { FailureReason } from '@/lib/providers/port/outcome';

/**
 * Three kinds of provider. `signed` signs its callbacks, refuses repeated references, and reports all details of a reversal. `repeating`
 * is like `signed`, but answers a repeated request with its first answer, and finds a prompt only by the provider's own reference.
 * `unsigned` signs nothing, would prompt again for the same reference, never reports the amount of a reversal, and does not report the
 * receipt number of a reversal in status answers.
 */
export type Variant = 'signed' | 'unsigned' | 'repeating';

/**
 * The operator has one till at each fake provider. A merchant has a till of its own, called `own`, at the provider `signed`. Receipt
 * numbers are unique within a till, but the same receipt numbers occur in all tills.
 */
export type Till = Variant | 'own';

export const TILLS: readonly Till[] = ['signed', 'unsigned', 'own', 'repeating'];

export const variantOf = (till: Till): Variant => (till === 'own' ? 'signed' : till);

export const signsCallbacks = (till: Till): boolean => till !== 'unsigned';

/** The provider's messages on the wire. Amounts are senti. */
export type Report =
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
  /** The provider's first answer to the request. */
  answer: Report;
  /** When status queries start to find the prompt. */
  readonly indexedAt: number;
  status: PromptStatus;
  /** After a payment: the earlier status, which queries return until the instant `until`. Null if queries return `status`. */
  stale: { readonly status: PromptStatus; readonly until: number } | null;
  /** The number that `nextMoment` returned at the first payment; null if the prompt is not paid. */
  paidMoment: number | null;
}

export interface Transaction {
  readonly kind: 'payment' | 'reversal';
  readonly till: Till;
  readonly receipt: string;
  readonly amount: number;
  /** The reference with which the customer paid. A reversal has the reference of the reversed payment. */
  readonly reference: string;
  /** The receipt number of the reversed payment; null if this is a payment. */
  readonly of: string | null;
  readonly at: Date;
}

/** A callback of the provider. A test delivers the callback at any time, several times or never. */
export interface Notice {
  readonly till: Till;
  readonly reference: string;
  readonly report: Report;
  delivered: boolean;
}

export interface ReversalRequest {
  readonly till: Till;
  readonly receipt: string;
  readonly amount: number | null;
  state: 'taken' | 'refused' | { readonly reversal: string };
}
