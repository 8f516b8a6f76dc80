import type { Senti } from '@/lib/platform/core/money';
import type { Network } from '@/lib/platform/core/network';
import type { ProviderAccount, RawAnswer } from './call';
import type { FailureReason, Outcome } from './outcome';

/**
 * How a customer can pay without a prompt. `number`: types a number into the menu of a wallet. `qr`: scans a code with a wallet or a bank app.
 * `link`: opens the provider's page, for example to pay by card.
 */
export const INSTRUMENT_WAYS = ['number', 'qr', 'link'] as const;
export type InstrumentWay = (typeof INSTRUMENT_WAYS)[number];

/** What a provider has issued for each way; null for a way that the instrument does not have. */
export interface IssuedWays {
  /** Only digits, 4 to 20. */
  readonly number: string | null;
  /** The text of a code of Tanzania's standard TANQR (EMVCo, merchant-presented). */
  readonly qr: string | null;
  /** An https address. */
  readonly link: string | null;
}

/** A kind of instrument that a provider issues. One request gives all its ways. */
export interface InstrumentOffer {
  /** The provider's own word, for example `order`. Unique within the provider, at most 20 letters. */
  readonly kind: string;
  readonly ways: readonly InstrumentWay[];
  /** The networks whose wallets can pay the number. */
  readonly networks: readonly Network[];
  /** Senti. */
  readonly minAmount: Senti;
  readonly maxAmount: Senti;
  /**
   * `exact`: the provider takes only the amount of the instrument, once. `open`: it takes any number of payments of any amount, so that the
   * number stays the same when a part is paid.
   */
  readonly takes: 'exact' | 'open';
}

/** An instrument in the terms that a provider needs. */
export interface InstrumentRequest {
  /** Our reference: unique, 20 upper-case letters and digits. */
  readonly reference: string;
  /** The provider's own reference; null until an answer has named one. */
  readonly providerReference: string | null;
  /** The kind of the offer. */
  readonly kind: string;
  /** The issued number; null until an answer has named one. */
  readonly number: string | null;
  /** Senti, always a multiple of 100. */
  readonly amount: Senti;
  /** A text for the customer, without line breaks. It contains our reference. */
  readonly description: string;
  /** The bill's payment page, for providers that send the customer back after a payment. */
  readonly pageUrl?: string;
  /** When the request to issue it was sent. Without it, an adapter must not repeat that request. */
  readonly sentAt?: Date | null;
  /** The merchant of the bill. Only the simulated provider uses it. */
  readonly merchantId?: string;
}

/** The answer to a request to issue an instrument. */
export type IssueOutcome =
  /** It can be paid. `expiresAt`: when the provider says that it ends; null if it does not say so. */
  | {
      readonly kind: 'issued';
      readonly ways: IssuedWays;
      readonly providerReference: string | null;
      readonly expiresAt: Date | null;
    }
  /** A documented and final refusal. */
  | { readonly kind: 'refused'; readonly reason: FailureReason }
  /** The instrument may exist. */
  | { readonly kind: 'unknown' }
  /** It is certain that the request never reached the provider. */
  | { readonly kind: 'not_sent' };

export type MoneyOutcome = Extract<Outcome, { kind: 'paid' | 'reversed' }>;

/** The answer to a status query. `payments`: what the provider says was paid, each with its receipt number. */
export type InstrumentStatus =
  /** It can be paid. `issued`: what the provider has issued, if the answer repeats it. */
  | { readonly kind: 'open'; readonly payments: readonly MoneyOutcome[]; readonly issued: Extract<IssueOutcome, { kind: 'issued' }> | null }
  /** It cannot be paid any more. */
  | { readonly kind: 'ended'; readonly payments: readonly MoneyOutcome[] }
  /** The provider does not know it. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown' };

/** A call that changes or ends an issued instrument. Both may be repeated: the provider does nothing the second time. */
interface InstrumentChange {
  send(account: ProviderAccount, instrument: InstrumentRequest, signal: AbortSignal): Promise<RawAnswer>;
  /** `refused`: the provider states that it does not do that now, for example because the instrument was paid. */
  readAnswer(answer: RawAnswer): 'done' | 'refused' | 'unknown';
}

/**
 * How a provider issues payment instruments. A request to issue is sent once; after a lost answer, only the status is queried. Only if the
 * provider answers a repeated request with its first answer, and does nothing else, `query` may repeat the request.
 */
export interface Instruments {
  readonly offers: readonly InstrumentOffer[];
  /** Whether the credentials contain what an offer needs. */
  offeredBy(credentials: string | null, kind: InstrumentOffer['kind']): boolean;
  send(account: ProviderAccount, instrument: InstrumentRequest, signal: AbortSignal): Promise<RawAnswer>;
  readAnswer(answer: RawAnswer, instrument: InstrumentRequest): IssueOutcome;
  query(account: ProviderAccount, instrument: InstrumentRequest, signal: AbortSignal): Promise<RawAnswer>;
  readStatus(answer: RawAnswer, instrument: InstrumentRequest): InstrumentStatus;
  /** Ends an instrument, so that nobody can pay it. Null if the provider has no such call. */
  readonly cancel: InstrumentChange | null;
  /** Changes the amount of an instrument of an `open` offer. Null if the provider has no such call. */
  readonly changeAmount: InstrumentChange | null;
}
