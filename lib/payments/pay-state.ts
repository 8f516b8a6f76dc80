import { type Bill, payableAmount } from '@/lib/bills/rules';
import { roundUpToShilling } from '@/lib/core/money';
import type { Capabilities } from '@/lib/providers/port';
import type { FailureReason } from './outcome';
import { type PromptTimes, promptTimes } from './prompt-times';
import { type Attempt, reserves } from './rules';

/**
 * What became of the last try, where that is no payment that counts. Why it failed is for the device that asked: to others, who
 * may only have the link, it was `not_completed`.
 */
export type LastTry = FailureReason | 'expired' | 'released' | 'reversed' | 'not_completed';

/** A prompt that holds its amount on the bill. */
export interface OpenPrompt {
  /** `queued` has waited for longer than it takes to be sent. */
  readonly kind: 'queued' | 'prompted' | 'unknown';
  readonly attempt: Attempt;
  /** This device asked for it, so it may see the number whole. */
  readonly own: boolean;
  /** Null until the provider was asked. */
  readonly times: PromptTimes | null;
  /** Its owner may by now wonder where it is. */
  readonly helpDue: boolean;
  /** How it is paid by hand, where the provider can tell whom that is from; for the device that asked. */
  readonly byHand: NonNullable<Capabilities['byHand']> | null;
}

/** What the payment page has to say about a bill: exactly one of these is true. */
export type PayState =
  | { readonly kind: 'ready'; readonly failure: { readonly reason: LastTry; readonly attempt: Attempt; readonly own: boolean } | null }
  /** Nobody serves any network now. */
  | { readonly kind: 'unserved' }
  | OpenPrompt
  | { readonly kind: 'paid' | 'overpaid' }
  /** Closed by the merchant. */
  | { readonly kind: 'closed' }
  /** The merchant takes no payments now. */
  | { readonly kind: 'inactive' };

interface Facts {
  readonly bill: Bill & { readonly merchantActive: boolean };
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** The attempt that this device asked for last. */
  readonly ownAttemptId: string | null;
  readonly served: boolean;
  readonly now: Date;
  /** What the provider of an attempt says about its prompts; undefined before it has one. */
  readonly providerOf: (attempt: Attempt) => Pick<Capabilities, 'promptMs' | 'byHand'> | undefined;
}

/** Pure. @returns what the page says first, the open prompts that it does not speak of there, and whether it has a form. */
export function payState(facts: Facts): { readonly state: PayState; readonly others: readonly OpenPrompt[]; readonly payable: boolean } {
  const { bill, attempts, ownAttemptId, served } = facts;
  const takesMoney = payableAmount(bill) > 0n && bill.closedAt === null && bill.merchantActive && served;
  const open = attempts.filter(reserves).map((attempt) => describePrompt(attempt, facts));
  // Whoever was asked, or could only wait, is told of the prompt; others can pay beside it.
  const first = open.find(({ own }) => own) ?? (takesMoney ? undefined : (open.find(({ kind }) => kind === 'unknown') ?? open.at(-1)));
  const others = open.filter((prompt) => prompt !== first);
  const state = first ?? settledState(facts, attempts.find(({ id }) => id === ownAttemptId) ?? attempts.at(-1));
  return { state, others, payable: takesMoney && bill.status !== 'FULLY_PAID' };
}

function settledState({ bill, ownAttemptId, served }: Facts, latest: Attempt | undefined): PayState {
  if (bill.status === 'FULLY_PAID') return { kind: bill.paidAmount > roundUpToShilling(bill.amount) ? 'overpaid' : 'paid' };
  if (bill.closedAt !== null) return { kind: 'closed' };
  if (!bill.merchantActive) return { kind: 'inactive' };
  if (!served) return { kind: 'unserved' };
  const own = latest?.id === ownAttemptId;
  const reason = latest && lastTry(latest, bill.paidAmount, own);
  return { kind: 'ready', failure: reason ? { reason, attempt: latest, own } : null };
}

function describePrompt(attempt: Attempt, { ownAttemptId, now, providerOf }: Facts): OpenPrompt {
  const { state, sentAt, sendCount } = attempt;
  const provider = providerOf(attempt);
  const own = attempt.id === ownAttemptId;
  const waiting = state === 'QUEUED' && sendCount > 0;
  const times = sentAt && provider && state !== 'QUEUED' ? promptTimes(sentAt, provider.promptMs) : null;
  return {
    kind: state === 'UNKNOWN' ? 'unknown' : waiting ? 'queued' : 'prompted',
    attempt,
    own,
    times,
    helpDue: times !== null && now >= times.helpAt,
    byHand: own ? (provider?.byHand ?? null) : null,
  };
}

/** What others are told beside that nothing came of it: not to pay twice, and what became of the bill's money. */
function lastTry({ state, failureReason }: Attempt, paidAmount: bigint, own: boolean): LastTry | null {
  switch (state) {
    case 'UNKNOWN':
      return 'released';
    case 'SUCCEEDED':
      return paidAmount === 0n ? 'reversed' : null;
    case 'EXPIRED':
      return own ? 'expired' : 'not_completed';
    default:
      return failureReason && (own ? failureReason : 'not_completed');
  }
}
