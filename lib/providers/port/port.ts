import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { InstantForm } from '@/lib/platform/core/instant';
import type { Mobile } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import type { Network } from '@/lib/platform/core/network';
import type { Environment } from '@/lib/platform/core/scope';
import type { ProviderAccount, RawAnswer } from './call';
import type { Instruments } from './instrument';
import type { FailureReason, Outcome } from './outcome';

export type { ProviderAccount, RawAnswer } from './call';

/**
 * Stands for the provider in callback addresses. The portals of some providers refuse addresses that contain the name of their product.
 * Addresses with the provider's name are accepted too: accounts of earlier versions have registered them.
 */
export const NEUTRAL_PROVIDER = 'account';

/** Returns the callback addresses of an account. The first one is shown and sent; providers may use each of them. */
export function callbackAddresses({ provider, callbackUrl }: Pick<ProviderAccount, 'provider' | 'callbackUrl'>): string[] {
  return [callbackUrl, callbackUrl.replace(`/callbacks/${NEUTRAL_PROVIDER}/`, `/callbacks/${provider}/`)];
}

/** The payment request that an adapter sends or queries: one attempt, in the terms that a provider needs. */
export interface PromptRequest {
  /** Our reference: unique, 20 upper-case letters and digits. The provider uses it as idempotency id. */
  readonly reference: string;
  readonly providerReference: string | null;
  readonly mobile: string;
  readonly network: Network;
  /** In senti, always a multiple of 100, because customers pay whole shillings. */
  readonly amount: Senti;
  readonly description: string;
  /** The merchant of the attempt. Only the simulated provider uses it: a prompt appears on the test phones of its merchant. */
  readonly merchantId?: string;
  /** The bill of the attempt. Only the simulated provider uses it: a merchant can choose what happens to the payment requests of a bill. */
  readonly billId?: string;
  /**
   * True if it is certain that no earlier payment request of this attempt reached the provider; absent otherwise. If it is true, and a
   * provider needs several calls for one prompt, the adapter can continue where an earlier, interrupted `send` stopped.
   */
  readonly neverReached?: boolean;
}

export type RawCallback = Pick<RawAnswer, 'headers' | 'body'>;

/**
 * An interpreted callback; `reference` is null if the callback is not readable. A callback without a valid signature has no
 * outcome: it only triggers a status query for its reference.
 */
export type ReadCallback = {
  readonly reference: string | null;
  /** The provider's own reference. It identifies the attempt if the callback does not contain our reference. */
  readonly providerReference?: string | null;
  /** The number that paid, if the callback contains it. It is stored with money that belongs to no attempt, so that the payer can be found. */
  readonly payer?: Mobile | null;
  /** A signed callback says that the money of a finished payout came back, so that the customer does not have it. */
  readonly payoutReturned?: boolean;
  /** The HTTP reply that the provider expects. */
  readonly reply: { readonly status: number; readonly body: string; readonly contentType: string };
} & (
  | { readonly verified: true; readonly outcome: Outcome | null }
  /** `claimsPaid`: the callback says that money moved. The first status queries may not show the payment yet. */
  | { readonly verified: false; readonly outcome: null; readonly claimsPaid: boolean }
);

/** A request to give a payment, or a part of it, back to the customer. */
export interface Refund {
  /** Our reference of the refund: unique, 20 upper-case letters and digits. */
  readonly reference: string;
  /** The provider's own reference of the refund, from its answer; null if no answer named one. */
  readonly providerReference: string | null;
  /** The provider's receipt number of the payment. */
  readonly transactionId: string;
  /** Our reference of the attempt that was paid; null for a payment without an attempt. */
  readonly promptReference: string | null;
  /** The phone number from which the customer paid, in the national form; null if it is not known. A payout always has one. */
  readonly mobile: string | null;
  /** The network of the attempt; null for a payment without an attempt. */
  readonly network: Network | null;
  /**
   * The amount to give back, in senti, always a multiple of 100. If the provider reverses only whole payments, it is the amount of the
   * payment.
   */
  readonly amount: Senti;
}

/** The state of a refund at the provider. After `unknown`, the money may have moved. */
export type RefundOutcome =
  /** The customer has the money. Receipt number and amount (senti) are null if the provider does not name them. */
  | { readonly kind: 'refunded'; readonly transactionId: string | null; readonly amount: Senti | null }
  /** The provider has accepted the request but not completed it, or says that no money has moved yet. */
  | { readonly kind: 'pending'; readonly providerReference?: string | null }
  /** The provider states that no money has moved and none will. */
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_sent' };

/** How a provider gives money back. Bili sends a request once; after a lost answer, it only queries. */
export interface RefundCalls {
  send(account: ProviderAccount, refund: Refund, signal: AbortSignal): Promise<RawAnswer>;
  readAnswer(answer: RawAnswer, refund: Refund): RefundOutcome;
  query(account: ProviderAccount, refund: Refund, signal: AbortSignal): Promise<RawAnswer>;
  readStatus(answer: RawAnswer, refund: Refund): RefundOutcome;
}

/** The provider takes a payment back. */
interface Reversals extends RefundCalls {
  /** Whether the provider can reverse a part of a payment. */
  readonly partial: boolean;
  /** The networks whose payments the provider reverses; absent if it reverses all. */
  readonly networks?: readonly Network[];
}

/** The provider sends money from the account to the number that paid. Amounts are senti. */
interface Payouts extends RefundCalls {
  readonly minAmount: Senti;
  readonly maxAmount: Senti;
  /** The networks to whose numbers the provider pays out. */
  readonly networks: readonly Network[];
  /** Whether the credentials contain what payouts need. */
  offeredBy(credentials: string | null): boolean;
}

/** Limits and timing of a provider. Times are milliseconds, amounts are senti. */
export interface Capabilities {
  /** Time from an accepted request to the first status query. */
  readonly firstQueryMs: number;
  /** Time from a lost answer to the first status query. */
  readonly unknownQueryMs: number;
  /** Longest pause between status queries. */
  readonly maxQueryMs: number;
  /** First pause before the retry of a request, if it is certain that the request never arrived. The pause doubles with each retry. */
  readonly retryMs: number;
  /** Time after which a request that never arrived is no longer retried. */
  readonly giveUpMs: number;
  /** How long a customer can answer a prompt. After this time, the outcome of an attempt without a result is unknown. */
  readonly promptMs: number;
  /** Whether the provider refuses a second request with the same reference. */
  readonly refusesDuplicates: boolean;
  /**
   * Which reference a status query names. `reference`: our reference. `providerReference`: the provider's own reference. Then the attempt
   * cannot be queried if the answer with this reference was lost.
   */
  readonly queriedBy: 'reference' | 'providerReference';
  /** For this long after a request, the provider answers an identical request with its first answer, and does nothing else. 0: never. */
  readonly repeatsAnswerMs: number;
  /** Whether callbacks are signed, so that their outcome counts without a status query. */
  readonly signsCallbacks: boolean;
  /** For this long after a request, the provider may answer a status query with "not found" although it has accepted the request. */
  readonly indexingMs: number;
  readonly networks: readonly Network[];
  readonly minAmount: Senti;
  readonly maxAmount: Senti;
}

/** The limits and the timing that hold unless a provider documents others. */
export const USUAL_LIMITS = {
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  minAmount: 100n * SENTI_PER_SHILLING,
  /** The highest limit of any wallet. */
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
} as const satisfies Partial<Capabilities>;

/** Describes one field of an account's credentials, for the operator who writes the credentials file. */
export interface CredentialField {
  readonly name: string;
  /** What the field contains, and where the operator finds it. */
  readonly text: string;
  /** The default value, as text; null if the field is required. */
  readonly absent: string | null;
}

/** Identifies where the money of an account arrives. Two accounts with the same identity get the same callbacks and statements. */
export interface TillIdentity {
  /** The name of the identity in messages, such as `shortcode`. */
  readonly name: string;
  /** The identity in a message: its name and value, without the value if it is secret. */
  readonly shown: string;
  /** Name and value, or the hash of a secret value. */
  readonly key: string;
  /** Whether it is a number that the provider gave to a business. It stays when the credentials are renewed. */
  readonly isBusinessNumber: boolean;
}

/**
 * One mobile-money provider. Calls (`send`, `query`) return the raw answer, so that it can be stored before it is interpreted.
 * The `read` functions are pure. An adapter never throws because of the provider or the network. The `read` functions also get
 * the request: some providers do not report the paid amount, and then the requested amount counts.
 */
export interface ProviderAdapter {
  readonly name: string;
  /** Whether the provider simulates lost answers. If it does, lost answers must not count as an outage. */
  readonly simulatesFailures: boolean;
  readonly capabilities: Capabilities;
  /** The limit of parallel requests through this account, over all workers. */
  callsAtOnce(account: ProviderAccount): number;
  /** The limit of requests per minute through this account, over all workers; null if there is none. */
  callsPerMinute(account: ProviderAccount): number | null;
  /** Returns one sentence for each problem of an account's credentials. */
  checkCredentials(credentials: string | null, environment: Environment): readonly string[];
  /** Returns the base URL of the provider's API; null if the provider is simulated by Bili, or if the credentials are invalid. */
  addressOf(credentials: string | null): URL | null;
  /** Returns what identifies the till at the provider; null if the provider is simulated by Bili, or if the credentials are invalid. */
  tillOf(credentials: string | null): TillIdentity | null;
  send(account: ProviderAccount, prompt: PromptRequest, signal: AbortSignal): Promise<RawAnswer>;
  readAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome;
  query(account: ProviderAccount, prompt: PromptRequest, signal: AbortSignal): Promise<RawAnswer>;
  readStatus(answer: RawAnswer, prompt: PromptRequest): Outcome;
  readCallback(account: ProviderAccount, callback: RawCallback): ReadCallback;
  /** Null if the provider cannot reverse payments. */
  readonly reversals: Reversals | null;
  /** Null if Bili cannot send money through the provider. */
  readonly payouts: Payouts | null;
  /** Null if the provider issues nothing that customers can pay without a prompt. */
  readonly instruments: Instruments | null;
  /** The format of the provider's own statements; null if Bili reads its statements only in Bili's canonical format. */
  readonly statement: StatementMapping | null;
}

/** Describes the format of a provider's statement. Column names are compared case-insensitively. */
export interface StatementMapping {
  readonly columns: {
    readonly transactionId: string;
    readonly completedAt: string;
    /** Our reference. */
    readonly reference: string;
    /** The payer's number. A name after the number (` - ASHA JUMA`) is ignored. */
    readonly mobile: string;
    /** For a reversal: the receipt number of the reversed payment. */
    readonly reversedTransactionId: string;
  };
  readonly amounts: TypedAmounts | SidedAmounts;
  readonly instants: readonly InstantForm[];
  readonly thousandsSeparator: ',' | null;
  /** The column and value of completed transactions. Money did not move in lines with another value. */
  readonly completed: { readonly column: string; readonly value: string } | null;
  /**
   * If true, the first line must be the header, other columns are not allowed, and an unreadable value is an error. If false,
   * lines before the header are skipped, and an invalid reference or number is ignored.
   */
  readonly strict: boolean;
}

/** One column contains the kind of the transaction, another one the amount. */
interface TypedAmounts {
  readonly kind: 'typed';
  readonly type: string;
  readonly amount: string;
}

/** One column contains money in, another one money out. */
interface SidedAmounts {
  readonly kind: 'sided';
  readonly in: string;
  readonly out: string;
  /** The column with the reason. If the reason matches `reversal`, money out reverses a payment, and money in is not a payment. */
  readonly reason: string;
  readonly reversal: RegExp;
}
