import type { FailureReason } from '@/lib/providers/port/outcome';

/**
 * Three kinds of provider. `signed` signs its callbacks, refuses repeated references, and reports all details of a reversal. `repeating`
 * is like `signed`, but answers a repeated request with its first answer, and finds a prompt only by the provider's own reference. It
 * reverses no payments on request, but sends payouts, which it finds only by its own reference.
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
    }
  | { readonly kind: 'paid_out'; readonly receipt: string | null; readonly amount: number };

/** The provider's messages about instruments. */
export type InstrumentReport =
  | {
      readonly kind: 'issued';
      readonly id: string;
      readonly number: string | null;
      readonly qr: string | null;
      readonly link: string | null;
      /** Milliseconds since 1970. */
      readonly expiresAt: number | null;
    }
  | { readonly kind: 'refused'; readonly reason: FailureReason }
  | { readonly kind: 'open'; readonly issued: InstrumentReport | null; readonly payments: readonly Report[] }
  | { readonly kind: 'ended'; readonly payments: readonly Report[] }
  | { readonly kind: 'not_found' | 'duplicate' | 'done' };

/** What the provider has issued. */
export interface FakeInstrument {
  readonly reference: string;
  readonly till: Till;
  /** Unique, also for instruments without a number. */
  readonly number: string;
  amount: number;
  readonly expiresAt: Date | null;
  /** When status queries start to find it. */
  readonly indexedAt: number;
  /** Whether the provider says that it can be paid. */
  isOpen: boolean;
}

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
  readonly kind: 'payment' | 'reversal' | 'payout';
  readonly till: Till;
  readonly receipt: string;
  readonly amount: number;
  /** The reference with which the customer paid. A reversal has that of the reversed payment, a payout that of Bili's refund. */
  readonly reference: string;
  /** The receipt number of the reversed payment; null for payments and payouts. */
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

/** A request to reverse a payment, or to pay money out. */
export interface RefundRequest {
  readonly till: Till;
  /** The receipt number of the payment that is to be reversed; null for a payout. */
  readonly receipt: string | null;
  readonly amount: number;
  /** `receipt`: of the reversal or payout. `reported`: the amount and receipt number that the provider reports. */
  state:
    | 'taken'
    | 'refused'
    | { readonly receipt: string; readonly reported: { readonly amount: number; readonly receipt: string | null } };
}
