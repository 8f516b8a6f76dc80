import { describeUnpaidAttempt, type UnpaidAttempt } from '@/lib/gateway/attempts/unpaid-attempt';
import { type Bill, isClosed, isOverpaid, payableAmount, remainingAmount } from '@/lib/gateway/bills/rules';
import { type Attempt, reserves } from '@/lib/gateway/payments/rules';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { roundUpToShilling } from '@/lib/platform/core/money';
import type { Capabilities } from '@/lib/providers/port/port';

/** The usual time until a prompt is sent. Sending takes longer if the provider does not answer or no account serves the network. */
const SENT_WITHIN_MS = 10 * SECOND_MS;
/** The page assumes that the prompt is on the phone this long after sending the payment request, even if the provider has not answered. */
const ON_PHONE_AFTER_MS = 3 * SECOND_MS;
/** Longest time until the page shows help. A prompt normally appears within seconds. */
const HELP_AFTER_MS = 30 * SECOND_MS;
/** How long an open page polls after an attempt has ended or the bill was paid, because late money or a second payment may still arrive. */
const POLL_AFTER_END_MS = 10 * MINUTE_MS;

/** The times at which the text about a sent prompt changes. */
interface PromptTimes {
  /** From this time on, the page explains what to do if no prompt has appeared. */
  readonly helpAt: Date;
  readonly sentAt: Date;
  /** The prompt expires at this time. */
  readonly until: Date;
}

/** An attempt that reserves its amount on the bill. */
export interface OpenPrompt {
  /** `sending`: the prompt has not reached the network yet. `queued`: the same, but sending takes longer than usual. */
  readonly kind: 'sending' | 'queued' | 'prompted' | 'unknown';
  readonly attempt: Attempt;
  /** Whether this device started the attempt. If so, the page shows the full phone number. */
  readonly own: boolean;
  /** Whether the prompt's amount exceeds the remaining amount of the bill. A customer who enters the PIN then pays too much. */
  readonly excessive: boolean;
  /** Null until the prompt was sent to a provider. */
  readonly times: PromptTimes | null;
  /** The name that the prompt shows as the receiver of the money; null if the account does not define it. */
  readonly promptName: string | null;
  /** Whether the prompt should have appeared by now. The page shows help then. */
  readonly helpDue: boolean;
}

/** The state that the payment page shows. */
export type PayState =
  | { readonly kind: 'ready'; readonly failure: UnpaidAttempt | null }
  /** No account serves any network now. */
  | { readonly kind: 'unserved' }
  | OpenPrompt
  /** The prompts exceed the remaining amount of the bill, so the customers must decline them on the phone. */
  | { readonly kind: 'decline'; readonly prompts: readonly OpenPrompt[] }
  | { readonly kind: 'paid' | 'overpaid' }
  /** The merchant closed the bill, or it has expired. */
  | { readonly kind: 'closed' }
  /** The merchant's profile is not active. */
  | { readonly kind: 'inactive' };

/** What the page needs to know about the provider account of an attempt. */
interface PromptProvider extends Pick<Capabilities, 'promptMs'> {
  readonly promptName: string | null;
}

interface Facts {
  readonly bill: Bill & { readonly expiresAt: Date | null; readonly merchantActive: boolean; readonly reversedAmount: bigint };
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** The last attempt that this device started; null if it started none. */
  readonly ownAttemptId: string | null;
  readonly served: boolean;
  /** The networks whose accounts are all suspended now. */
  readonly down: readonly string[];
  readonly now: Date;
  /** Returns the provider of the attempt; undefined before the attempt has an account. */
  readonly providerOf: (attempt: Attempt) => PromptProvider | undefined;
}

/** Returns the state to show first, the other open prompts, and whether the page has a form (`payable`). */
export function payState(facts: Facts): { readonly state: PayState; readonly others: readonly OpenPrompt[]; readonly payable: boolean } {
  const { bill, attempts, ownAttemptId, served, now } = facts;
  const acceptsPayments = payableAmount(bill) > 0n && !isClosed(bill, now) && bill.merchantActive && served;
  const open = attempts.filter(reserves).map((attempt) => describePrompt(attempt, facts));
  const excessive = open.filter((prompt) => prompt.excessive);
  const own = open.find((prompt) => prompt.own && !prompt.excessive);
  if (!own && excessive.length > 0) {
    const others = open.filter((prompt) => !prompt.excessive);
    return { state: { kind: 'decline', prompts: excessive }, others, payable: false };
  }
  // A device that started an open prompt sees this prompt first. Another device sees an open prompt first only if the bill accepts no
  // further payment now. Otherwise it sees the form first.
  const first = own ?? (acceptsPayments ? undefined : (open.find(({ kind }) => kind === 'unknown') ?? open.at(-1)));
  const others = open.filter((prompt) => prompt !== first);
  const state = first ?? settledState(facts, attempts.find(({ id }) => id === ownAttemptId) ?? attempts.at(-1));
  return { state, others, payable: acceptsPayments && bill.status !== 'FULLY_PAID' };
}

function settledState({ bill, ownAttemptId, served, now }: Facts, latest: Attempt | undefined): PayState {
  if (bill.status === 'FULLY_PAID') return { kind: isOverpaid(bill) ? 'overpaid' : 'paid' };
  if (isClosed(bill, now)) return { kind: 'closed' };
  if (!bill.merchantActive) return { kind: 'inactive' };
  if (!served) return { kind: 'unserved' };
  const { paidAmount, reversedAmount } = bill;
  const own = latest?.id === ownAttemptId;
  return { kind: 'ready', failure: latest ? describeUnpaidAttempt(latest, { paidAmount, reversedAmount, own, now }) : null };
}

function describePrompt(attempt: Attempt, { bill, ownAttemptId, down, now, providerOf }: Facts): OpenPrompt {
  const { sentAt } = attempt;
  const provider = providerOf(attempt);
  const own = attempt.id === ownAttemptId;
  const kind = promptKind(attempt, { down, now });
  const times = sentAt && provider && kind !== 'sending' && kind !== 'queued' ? promptTimes(sentAt, provider.promptMs) : null;
  return {
    kind,
    attempt,
    own,
    excessive: exceedsRemaining(bill, attempt),
    times,
    promptName: provider?.promptName ?? null,
    helpDue: times !== null && now >= times.helpAt,
  };
}

function promptKind(
  { state, network, createdAt, sentAt, sendCount, acknowledgedAt }: Attempt,
  { down, now }: Pick<Facts, 'down' | 'now'>,
): OpenPrompt['kind'] {
  if (state === 'UNKNOWN') return 'unknown';
  if (state === 'QUEUED') return sendCount > 0 || down.includes(network) || now > addMs(createdAt, SENT_WITHIN_MS) ? 'queued' : 'sending';
  const onPhone = state !== 'SENDING' || acknowledgedAt !== null || sentAt === null || now >= addMs(sentAt, ON_PHONE_AFTER_MS);
  return onPhone ? 'prompted' : 'sending';
}

/**
 * Tells whether a prompt asks for more than the remaining amount of the bill. If the bill is not fully paid, returns false for an attempt
 * in UNKNOWN: the customer may already have paid this attempt, so the page must say "do not pay again" and not "decline".
 */
function exceedsRemaining(bill: Bill, { amount, state }: Attempt): boolean {
  if (state === 'UNKNOWN' && bill.status !== 'FULLY_PAID') return false;
  return amount > roundUpToShilling(remainingAmount(bill));
}

/**
 * Returns the times of a prompt. Help is shown after HELP_AFTER_MS, or earlier if a quarter of the prompt's time has passed.
 * @param promptMs milliseconds until the prompt expires.
 */
function promptTimes(sentAt: Date, promptMs: number): PromptTimes {
  return { sentAt, helpAt: addMs(sentAt, Math.min(HELP_AFTER_MS, promptMs / 4)), until: addMs(sentAt, promptMs) };
}

/** Returns how often an open page polls for changes; null if it does not poll. */
export function pagePace(bill: Pick<Bill, 'paidAt'>, attempts: readonly Attempt[], prompted: boolean, now: Date): 'quick' | 'slow' | null {
  if (prompted) return 'quick';
  const changes = [bill.paidAt, ...attempts.flatMap(({ settledAt, releasedAt }) => [settledAt, releasedAt])];
  return changes.some((at) => at !== null && now < addMs(at, POLL_AFTER_END_MS)) ? 'slow' : null;
}
