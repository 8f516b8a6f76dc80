import type { Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import type { Environment } from '@/lib/core/scope';
import type { FailureReason, Outcome } from './outcome';
import type { StatementMapping } from './statement-mapping';

/** An account at a provider, with its credentials readable. */
export interface ProviderAccount {
  readonly id: string;
  readonly environment: Environment;
  readonly provider: string;
  readonly networks: readonly string[];
  readonly credentials: string | null;
  /** Where the provider calls back. Carries an unguessable token. */
  readonly callbackUrl: string;
}

/** A prompt to send or to ask about. */
export interface Push {
  /** Ours, unique, 20 upper-case letters and digits: the provider's idempotency id. */
  readonly reference: string;
  readonly providerReference: string | null;
  readonly mobile: string;
  readonly network: Network;
  /** Senti, whole shillings. */
  readonly amount: Senti;
  readonly description: string;
}

/** What came back from a call, before anybody interprets it. */
export interface RawAnswer {
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Without an answer: whether the request certainly never left, or may have arrived. */
  readonly lost: 'not_sent' | 'unknown' | null;
  readonly error: string | null;
}

/** A callback as it came in. */
export interface RawCallback {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * What a callback says; `reference` is null when it makes no sense. One that the provider did not sign has no outcome:
 * it is a hint about a reference, and a status query says what became of it.
 */
export type ReadCallback = {
  readonly reference: string | null;
  /** The provider's own reference, by which the attempt is found if the message does not name ours. */
  readonly providerReference?: string | null;
  /** What this provider expects to hear. */
  readonly reply: { readonly status: number; readonly body: string; readonly contentType: string };
} & (
  | { readonly verified: true; readonly outcome: Outcome | null }
  /** `claimsPaid`: it says that money moved. A status query that denies that at first may only lag behind. */
  | { readonly verified: false; readonly outcome: null; readonly claimsPaid: boolean }
);

/** Money to send back to whoever paid it. */
export interface Reversal {
  /** Ours, unique, 20 upper-case letters and digits. */
  readonly reference: string;
  /** The provider's receipt of the payment. */
  readonly transactionId: string;
  /** Our reference of the push that was paid; null for money that came without one. */
  readonly pushReference: string | null;
  /** Senti, whole shillings; null for all of it. */
  readonly amount: Senti | null;
}

/** What became of a reversal. As with a push, `unknown` may have happened. */
export type ReversalOutcome =
  /** It went back: under this receipt, this many senti, as far as the provider says so. */
  | { readonly kind: 'reversed'; readonly transactionId: string | null; readonly amount: Senti | null }
  /** The provider has taken it and not done it yet; or it says that the payment has not gone back. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_sent' };

/** Sending payments back, and asking whether they went. */
interface Reversals {
  /** It can send part of a payment back. */
  readonly partial: boolean;
  send(account: ProviderAccount, reversal: Reversal, signal: AbortSignal): Promise<RawAnswer>;
  readAnswer(answer: RawAnswer): ReversalOutcome;
  query(account: ProviderAccount, reversal: Reversal, signal: AbortSignal): Promise<RawAnswer>;
  readStatus(answer: RawAnswer): ReversalOutcome;
}

/** How a provider wants to be treated. Milliseconds and senti. */
export interface Capabilities {
  /** From the prompt to the first status query, while the customer is being asked. */
  readonly firstQueryMs: number;
  /** From a lost answer to the first status query. */
  readonly unknownQueryMs: number;
  /** Longest pause between status queries. */
  readonly maxQueryMs: number;
  /** First pause before sending again what certainly never arrived, doubled each time, and when to give up. */
  readonly retryMs: number;
  readonly giveUpMs: number;
  /** How long a prompt can be answered; later, nobody knows what became of it. */
  readonly promptMs: number;
  /** A reference that the provider has seen is refused a second time. */
  readonly refusesDuplicates: boolean;
  /** How long a sent prompt may be unknown to a status query. */
  readonly indexingMs: number;
  /** Whose customers it can ask. */
  readonly networks: readonly Network[];
  /**
   * How a customer pays from the wallet's own menu what a prompt would have asked for; absent where the provider cannot tell
   * us by our reference whom such money is from.
   */
  readonly byHand?: {
    /** What is dialled: `*150*00#`. */
    readonly dial: string;
    /** The business number that the menu asks for. */
    readonly business: string;
  };
  readonly minAmount: Senti;
  readonly maxAmount: Senti;
}

/** A field of an account's credentials, for the operator who writes them. */
export interface CredentialField {
  readonly name: string;
  /** What it is, and where it is found. */
  readonly text: string;
  /** Its value when it is left out; null when it is required. */
  readonly absent: string | null;
}

/**
 * One mobile-money provider. Calls return what came back, raw, so that it can be stored before it is interpreted;
 * interpreting is pure. Adapters never throw for anything the provider or the network does. What is read is read with
 * the push it is about: some providers never say how much was paid, and then it is what was asked for.
 */
export interface ProviderAdapter {
  readonly name: string;
  /** Whether a call without an answer is one of the outcomes that it simulates, and no sign of an outage. */
  readonly simulatesFailures: boolean;
  readonly capabilities: Capabilities;
  /** How many pushes may be under way through this account, of all workers together. */
  callsAtOnce(account: ProviderAccount): number;
  /** @returns a sentence for each thing that is wrong with an account's credentials. */
  checkCredentials(credentials: string | null, environment: Environment): readonly string[];
  /** @returns where an account's provider is; null where it is part of this deployment, or the credentials are wrong. */
  addressOf(credentials: string | null): URL | null;
  /** @returns the number that customers pay to with an account; null where it has none of its own, or the credentials are wrong. */
  shortcodeOf(credentials: string | null): string | null;
  send(account: ProviderAccount, push: Push, signal: AbortSignal): Promise<RawAnswer>;
  readAnswer(answer: RawAnswer, push: Push): Outcome;
  query(account: ProviderAccount, push: Push, signal: AbortSignal): Promise<RawAnswer>;
  readStatus(answer: RawAnswer, push: Push): Outcome;
  readCallback(account: ProviderAccount, callback: RawCallback): ReadCallback;
  /** Null where the provider cannot send money back. */
  readonly reversals: Reversals | null;
  /** How its own statements are read; null where only canonical ones are. */
  readonly statement: StatementMapping | null;
}
