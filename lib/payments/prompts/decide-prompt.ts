import type { LockedBill } from '@/lib/bills/change-bill';
import { isClosed, payableAmount } from '@/lib/bills/rules';
import type { Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { reserves } from '@/lib/payments/rules';
import { type AmountProblem, amountChoice, decideAmount, isAboveWallet, type RequestedAmount } from './choose-amount';
import { API_WINDOWS, BILL_WINDOWS, NUMBER_WINDOWS, type Prompt, reachedLimit, requestedAt, shownAt } from './prompt-limits';
import type { BillAttempt } from './request-store';

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
  readonly attempts: readonly BillAttempt[];
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
