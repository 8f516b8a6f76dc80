import type { LockedBill } from '@/lib/gateway/bills/change-bill';
import { type Bill, isClosed, payableAmount } from '@/lib/gateway/bills/rules';
import { type Attempt, reserves } from '@/lib/gateway/payments/rules';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import type { Network } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import type { FailureReason } from '@/lib/providers/port/outcome';

const shillings = (amount: bigint): Senti => amount * SENTI_PER_SHILLING;

/**
 * The smallest part payment. One aggregator (Snippe) accepts nothing below 500 shillings, and the wallets' fees for smaller amounts are
 * nearly as high as the amount. The last payment of a bill may be smaller.
 */
export const SMALLEST_PART: Senti = shillings(500n);

/**
 * The highest amount that most wallets can send at once: tier 2 of the Bank of Tanzania's customer tiers (Electronic Money Regulations
 * 2015; tier 1 is 1,000,000). For a higher bill the page offers part payments.
 */
export const USUAL_LIMIT: Senti = shillings(3_000_000n);

/**
 * The highest amount that any customer of a network can send at once. A prompt for more would always fail. Tier 3 of the Bank of Tanzania's
 * customer tiers has a limit of 10,000,000. This is also the highest amount in Tigo's tariff of 2020. Airtel Tanzania publishes 5,000,000
 * per day. A customer's own limit may be lower.
 */
export const WALLET_LIMITS: Readonly<Record<Network, Senti>> = {
  vodacom: shillings(10_000_000n),
  yas: shillings(10_000_000n),
  airtel: shillings(5_000_000n),
  halotel: shillings(10_000_000n),
  ttcl: shillings(10_000_000n),
  other: shillings(10_000_000n),
};

/** The highest amount that any wallet can send at once. */
export const HIGHEST_LIMIT: Senti = Object.values(WALLET_LIMITS).reduce((most, limit) => (limit > most ? limit : most));

/** The amounts that a customer can choose on the payment page, in senti. Each is a whole number of shillings. */
export interface AmountChoice {
  readonly min: Senti;
  readonly max: Senti;
  /** The initial value of the amount field. */
  readonly proposed: Senti;
  /** Why there is a choice: the merchant allows part payments, or the bill exceeds what most wallets can send at once. */
  readonly because: 'merchant' | 'wallet_limit';
}

/** The requested amount in senti. Null, from a form without an amount field, means the whole remaining amount. */
export type RequestedAmount = Senti | 'unreadable' | null;

export type AmountProblem =
  | 'amountNoLonger'
  | 'amountInvalid'
  | 'amountTooSmall'
  | 'amountTooLarge'
  | 'amountLeavesTooLittle'
  | 'amountAboveWallet';

/**
 * Returns the amounts that a customer can choose; null if only the whole payable amount can be paid. A customer can pay a bill above
 * USUAL_LIMIT in parts even if the merchant allows no part payments.
 * @param payable the amount of the bill that is neither paid nor reserved. @param parts whether the merchant allows part payments.
 */
export function amountChoice(payable: Senti, { amount }: Pick<Bill, 'amount'>, parts: boolean): AmountChoice | null {
  const above = amount > USUAL_LIMIT;
  if (payable <= SMALLEST_PART || !(above || parts)) return null;
  const least = (limit: Senti) => (payable < limit ? payable : limit);
  return { min: SMALLEST_PART, max: least(HIGHEST_LIMIT), proposed: least(USUAL_LIMIT), because: above ? 'wallet_limit' : 'merchant' };
}

/**
 * Returns the problem of a chosen amount, or null. If a part is chosen, the rest must not be below SMALLEST_PART.
 * @param choice null if the customer can no longer choose an amount.
 */
export function amountProblem(amount: Senti | null, choice: AmountChoice | null, payable: Senti): AmountProblem | null {
  if (choice === null) return amount === payable ? null : 'amountNoLonger';
  if (amount === null) return 'amountInvalid';
  if (amount > choice.max) return 'amountTooLarge';
  if (amount === payable) return null;
  if (amount < choice.min) return 'amountTooSmall';
  return payable - amount < SMALLEST_PART ? 'amountLeavesTooLittle' : null;
}

/** Returns the amount of a prompt, or the problem of the requested amount. The amount is never another one than the customer requested. */
function decideAmount(requested: RequestedAmount, choice: AmountChoice | null, payable: Senti): Result<Senti, AmountProblem> {
  if (requested === null && choice === null) return ok(payable);
  const amount = requested === 'unreadable' ? null : requested;
  const problem = amountProblem(amount, choice, payable);
  return amount === null || problem ? fail(problem ?? 'amountInvalid') : ok(amount);
}

/** Tells whether an amount is so high that no customer of the network can send it at once. */
export function isAboveWallet(amount: Senti, network: Network): boolean {
  return amount > WALLET_LIMITS[network];
}

/** At most `most` prompts within `withinMs` milliseconds. */
interface PromptWindow {
  readonly most: number;
  readonly withinMs: number;
}

/** Limits for prompts from payment pages to one number. Three prompts are enough for a wrong PIN and one more mistake. */
export const NUMBER_WINDOWS: readonly PromptWindow[] = [
  { most: 3, withinMs: 10 * MINUTE_MS },
  { most: 10, withinMs: DAY_MS },
];

/**
 * Limits for prompts that were requested on the page of one bill and that no customer approved. They are higher than for one number,
 * because several people may pay a bill together. They are low enough that nobody can use the link of a bill to disturb many strangers or
 * to find out which numbers exist.
 */
export const BILL_WINDOWS: readonly PromptWindow[] = [
  { most: 10, withinMs: 10 * MINUTE_MS },
  { most: 30, withinMs: DAY_MS },
];

/**
 * Limits for prompts from the API to one number. They are twice as high as for prompts from payment pages, because a merchant's server
 * knows its customers. They exist because an error in that server must not send a hundred prompts to a phone.
 */
export const API_WINDOWS: readonly PromptWindow[] = [
  { most: 6, withinMs: 10 * MINUTE_MS },
  { most: 20, withinMs: DAY_MS },
];

/** The longest time during which a prompt counts for its number, milliseconds. */
export const LONGEST_WINDOW_MS = Math.max(...[...NUMBER_WINDOWS, ...API_WINDOWS].map(({ withinMs }) => withinMs));

/**
 * Tells whether a number's prompts for all bills of the environment count together. The sandbox reaches no real phone and all tests use
 * the same few numbers, so there they count for each bill separately.
 */
export function countsOverBills(environment: Environment): boolean {
  return environment === 'live';
}

/** The fields of an attempt that the limits of a number need. */
export type Prompt = Pick<Attempt, 'state' | 'failureReason' | 'providerAccountId' | 'sentAt' | 'createdAt'>;

/** The fields of an attempt that the limits of a bill need. */
export type BillPrompt = Pick<Attempt, 'state' | 'createdAt'> & { readonly source: 'api' | 'web' | 'dashboard' };

/** Failures that show that no prompt appeared on the phone, even if the provider was called. */
export const NOT_SHOWN: readonly FailureReason[] = [
  'no_provider',
  'too_many_prompts',
  'number_refused',
  'merchant_config',
  'provider_unavailable',
  'not_sent_in_time',
  'mobile_not_registered',
];

/**
 * Returns when a phone showed a prompt or may have shown it; `now` if the prompt waits to be sent. Returns null if the prompt does not
 * count towards the limits, because the customer approved it or no phone ever showed it.
 */
export function shownAt({ state, failureReason, providerAccountId, sentAt, createdAt }: Prompt, now: Date): Date | null {
  switch (state) {
    case 'SUCCEEDED':
    case 'CANCELLED':
      return null;
    case 'QUEUED':
      return now;
    case 'FAILED':
      return providerAccountId === null || NOT_SHOWN.some((reason) => reason === failureReason) ? null : (sentAt ?? createdAt);
    default:
      return sentAt ?? createdAt;
  }
}

/**
 * Returns the time at which a prompt counts towards the limits of its bill's page. Null if it does not count, because it was approved or
 * was not requested on the page.
 */
export function requestedAt({ state, source, createdAt }: BillPrompt): Date | null {
  return source === 'web' && state !== 'SUCCEEDED' ? createdAt : null;
}

/**
 * Returns null if one more prompt is allowed; else the time from which it is allowed.
 * @param earlier the times of the earlier prompts; null for prompts that do not count. Prompts before the longest window may be missing.
 */
export function reachedLimit(windows: readonly PromptWindow[], earlier: readonly (Date | null)[], now: Date): Date | null {
  let until: Date | null = null;
  for (const { most, withinMs } of windows) {
    const oldest = earlier
      .map((instant) => instant?.getTime() ?? Number.NEGATIVE_INFINITY)
      .filter((instant) => instant > now.getTime() - withinMs)
      .sort((a, b) => b - a)
      .at(most - 1);
    if (oldest === undefined) continue;
    const over = addMs(new Date(oldest), withinMs);
    if (until === null || over > until) until = over;
  }
  return until;
}

/** Why a prompt must not be sent. */
export type PromptProblem =
  /** `closed`: the merchant closed the bill, or it has expired. `inactive`: the merchant's profile is not active. */
  | { readonly kind: 'closed' | 'inactive' }
  /** `nothing_left`: the bill is paid. `all_asked`: open attempts reserve the whole remaining amount. */
  | { readonly kind: 'nothing_left' | 'all_asked' }
  | { readonly kind: 'amount_wrong'; readonly problem: AmountProblem; readonly payable: Senti }
  /** `above_wallet`: the amount exceeds the network's limit for one payment. `not_served`: no active account serves the network. */
  | { readonly kind: 'above_wallet' | 'not_served'; readonly network: Network }
  /** The number is blocked: its owner wants no prompts. */
  | { readonly kind: 'refused' }
  /** The number has an open attempt for this bill. */
  | { readonly kind: 'already_open'; readonly attemptId: string }
  /** A limit is reached. One more prompt is allowed from `until` on. */
  | { readonly kind: 'too_many'; readonly limit: 'bill' | 'number'; readonly until: Date };

/** The facts about the phone number. */
interface NumberFacts {
  readonly refused: boolean;
  /** The prompts to the number that count towards its limits. */
  readonly prompts: readonly Prompt[];
  readonly now: Date;
}

export interface PromptFacts extends NumberFacts {
  readonly bill: Pick<LockedBill, 'amount' | 'paidAmount' | 'reservedAmount' | 'closedAt' | 'expiresAt'>;
  /** The attempts of the bill, oldest first. */
  readonly attempts: readonly (Attempt & BillPrompt)[];
  readonly merchant: { readonly active: boolean; readonly partialPayments: boolean };
  readonly mobile: string;
  readonly network: Network;
  /** Whether an active account serves the network of the requested prompt. */
  readonly served: boolean;
  readonly requested: RequestedAmount;
}

/** Who requests a prompt: a customer on the payment page, a member in the dashboard, or the merchant's server. */
type Requester = 'page' | 'dashboard' | 'api';

const WINDOWS = { page: NUMBER_WINDOWS, dashboard: API_WINDOWS, api: API_WINDOWS } as const;

type Check = keyof typeof CHECKS;

const CHECKS = {
  closed: ({ bill, now }: PromptFacts) => (isClosed(bill, now) ? { kind: 'closed' } : null),
  inactive: ({ merchant }: PromptFacts) => (merchant.active ? null : { kind: 'inactive' }),
  nothingLeft: ({ bill, attempts }: PromptFacts) =>
    payableAmount(bill) > 0n ? null : { kind: attempts.some(reserves) ? 'all_asked' : 'nothing_left' },
  amount: (facts: PromptFacts) => {
    const amount = amountOf(facts);
    return amount.ok ? null : { kind: 'amount_wrong', problem: amount.error, payable: payableAmount(facts.bill) };
  },
  wallet: (facts: PromptFacts) => {
    const amount = amountOf(facts);
    return amount.ok && isAboveWallet(amount.value, facts.network) ? { kind: 'above_wallet', network: facts.network } : null;
  },
  served: ({ served, network }: PromptFacts) => (served ? null : { kind: 'not_served', network }),
  billLimit: ({ attempts, now }: PromptFacts) => {
    const until = reachedLimit(BILL_WINDOWS, attempts.map(requestedAt), now);
    return until && { kind: 'too_many', limit: 'bill', until };
  },
  alreadyOpen: ({ attempts, mobile }: PromptFacts) => {
    const open = attempts.find((attempt) => attempt.mobile === mobile && reserves(attempt));
    return open ? { kind: 'already_open', attemptId: open.id } : null;
  },
  number: (facts: PromptFacts, requester: Requester) => findNumberProblem(facts, requester),
} as const satisfies Readonly<Record<string, (facts: PromptFacts, requester: Requester) => PromptProblem | null>>;

/**
 * The order of the checks. Everybody sees a masked number on the payment page and could try to guess it. Therefore the page checks the
 * number last: if an earlier check fails, a right guess gets the same answer as a wrong one. If all earlier checks pass, a wrong guess
 * sends a prompt, which counts towards the limits.
 */
const ORDERS: Readonly<Record<'page' | 'dashboard', readonly Check[]>> = {
  page: ['closed', 'inactive', 'nothingLeft', 'amount', 'wallet', 'served', 'billLimit', 'number', 'alreadyOpen'],
  dashboard: ['closed', 'inactive', 'alreadyOpen', 'nothingLeft', 'amount', 'wallet', 'served', 'number'],
};

/** Decides whether a prompt may be sent. Returns its amount, or the first problem. */
export function decidePrompt(facts: PromptFacts, requester: 'page' | 'dashboard'): Result<Senti, PromptProblem> {
  for (const check of ORDERS[requester]) {
    const problem = CHECKS[check](facts, requester);
    if (problem) return fail(problem);
  }
  const amount = amountOf(facts);
  if (!amount.ok) throw new Error(`the amount passed its check but is invalid: ${amount.error}`);
  return ok(amount.value);
}

/** Checks only the phone number. For an attempt of the API, the worker does this check right before it sends the prompt. */
export function findNumberProblem({ refused, prompts, now }: NumberFacts, requester: Requester): PromptProblem | null {
  if (refused) return { kind: 'refused' };
  const shown = prompts.map((prompt) => shownAt(prompt, now));
  const until = reachedLimit(WINDOWS[requester], shown, now);
  return until && { kind: 'too_many', limit: 'number', until };
}

function amountOf({ requested, bill, merchant }: PromptFacts): Result<Senti, AmountProblem> {
  const payable = payableAmount(bill);
  return decideAmount(requested, amountChoice(payable, bill, merchant.partialPayments), payable);
}
