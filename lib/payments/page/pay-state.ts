import { type Bill, isOverpaid, payableAmount, remainingAmount } from '@/lib/bills/rules';
import { SECOND_MS } from '@/lib/core/clock';
import { roundUpToShilling } from '@/lib/core/money';
import { describeUnpaidAttempt, type UnpaidAttempt } from '@/lib/payments/attempts/unpaid-attempt';
import { type Attempt, reserves } from '@/lib/payments/rules';
import type { Capabilities } from '@/lib/providers/port/port';
import { type PromptTimes, promptTimes } from './prompt-times';

/** A prompt is sent this soon, unless its provider does not answer or nobody serves its network. */
const SENT_WITHIN_MS = 10 * SECOND_MS;

/** A prompt that holds its amount on the bill. */
export interface OpenPrompt {
  /** `queued` has waited for longer than it takes to be sent. */
  readonly kind: 'queued' | 'prompted' | 'unknown';
  readonly attempt: Attempt;
  /** This device asked for it, so it may see the number whole. */
  readonly own: boolean;
  /** It asks for more than is left of the bill, so whoever answers it with the PIN pays too much. */
  readonly excessive: boolean;
  /** Null until the provider was asked. */
  readonly times: PromptTimes | null;
  /** Its owner may by now wonder where it is. */
  readonly helpDue: boolean;
  /** How it is paid by hand, where the provider can tell whom that is from; for the device that asked. */
  readonly byHand: NonNullable<Capabilities['byHand']> | null;
}

/** What the payment page has to say about a bill: exactly one of these is true. */
export type PayState =
  | { readonly kind: 'ready'; readonly failure: UnpaidAttempt | null }
  /** Nobody serves any network now. */
  | { readonly kind: 'unserved' }
  | OpenPrompt
  /** The bill is paid, or less is left of it than these prompts ask for: they have to be declined on the phone. */
  | { readonly kind: 'decline'; readonly prompts: readonly OpenPrompt[] }
  | { readonly kind: 'paid' | 'overpaid' }
  /** Closed by the merchant. */
  | { readonly kind: 'closed' }
  /** The merchant takes no payments now. */
  | { readonly kind: 'inactive' };

interface Facts {
  readonly bill: Bill & { readonly merchantActive: boolean; readonly reversedAmount: bigint };
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** The attempt that this device asked for last. */
  readonly ownAttemptId: string | null;
  readonly served: boolean;
  /** Networks whose provider does not answer. */
  readonly down: readonly string[];
  readonly now: Date;
  /** What the provider of an attempt says about its prompts; undefined before it has one. */
  readonly providerOf: (attempt: Attempt) => Pick<Capabilities, 'promptMs' | 'byHand'> | undefined;
}

/** Pure. @returns what the page says first, the open prompts that it does not speak of there, and whether it has a form. */
export function payState(facts: Facts): { readonly state: PayState; readonly others: readonly OpenPrompt[]; readonly payable: boolean } {
  const { bill, attempts, ownAttemptId, served } = facts;
  const takesMoney = payableAmount(bill) > 0n && bill.closedAt === null && bill.merchantActive && served;
  const open = attempts.filter(reserves).map((attempt) => describePrompt(attempt, facts));
  const excessive = open.filter((prompt) => prompt.excessive);
  const own = open.find((prompt) => prompt.own && !prompt.excessive);
  if (!own && excessive.length > 0) {
    const others = open.filter((prompt) => !prompt.excessive);
    return { state: { kind: 'decline', prompts: excessive }, others, payable: false };
  }
  // Whoever was asked, or could only wait, is told of the prompt; others can pay beside it.
  const first = own ?? (takesMoney ? undefined : (open.find(({ kind }) => kind === 'unknown') ?? open.at(-1)));
  const others = open.filter((prompt) => prompt !== first);
  const state = first ?? settledState(facts, attempts.find(({ id }) => id === ownAttemptId) ?? attempts.at(-1));
  return { state, others, payable: takesMoney && bill.status !== 'FULLY_PAID' };
}

function settledState({ bill, ownAttemptId, served, now }: Facts, latest: Attempt | undefined): PayState {
  if (bill.status === 'FULLY_PAID') return { kind: isOverpaid(bill) ? 'overpaid' : 'paid' };
  if (bill.closedAt !== null) return { kind: 'closed' };
  if (!bill.merchantActive) return { kind: 'inactive' };
  if (!served) return { kind: 'unserved' };
  const { paidAmount, reversedAmount } = bill;
  const own = latest?.id === ownAttemptId;
  return { kind: 'ready', failure: latest ? describeUnpaidAttempt(latest, { paidAmount, reversedAmount, own, now }) : null };
}

function describePrompt(attempt: Attempt, { bill, ownAttemptId, down, now, providerOf }: Facts): OpenPrompt {
  const { state, network, createdAt, sentAt, sendCount } = attempt;
  const provider = providerOf(attempt);
  const own = attempt.id === ownAttemptId;
  const overdue = sendCount > 0 || down.includes(network) || now.getTime() - createdAt.getTime() > SENT_WITHIN_MS;
  const times = sentAt && provider && state !== 'QUEUED' ? promptTimes(sentAt, provider.promptMs) : null;
  return {
    kind: state === 'UNKNOWN' ? 'unknown' : state === 'QUEUED' && overdue ? 'queued' : 'prompted',
    attempt,
    own,
    excessive: asksTooMuch(bill, attempt),
    times,
    helpDue: times !== null && now >= times.helpAt,
    byHand: own ? (provider?.byHand ?? null) : null,
  };
}

/** While a part is left, one that nobody knows about stays "do not pay again": it may have been answered before. */
function asksTooMuch(bill: Bill, { amount, state }: Attempt): boolean {
  if (state === 'UNKNOWN' && bill.status !== 'FULLY_PAID') return false;
  return amount > roundUpToShilling(remainingAmount(bill));
}
