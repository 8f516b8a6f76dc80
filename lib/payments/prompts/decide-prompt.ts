import { type Bill, payableAmount } from '@/lib/bills/rules';
import type { Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { reserves } from '@/lib/payments/rules';
import { type AmountProblem, type AskedAmount, amountChoice, decideAmount, isAboveWallet } from './choose-amount';
import { API_WINDOWS, BILL_WINDOWS, NUMBER_WINDOWS, type Prompt, reachedLimit, requestedAt, shownAt } from './prompt-limits';
import type { BillAttempt } from './request-store';

/** Why a phone may not be asked. */
export type PromptProblem =
  /** By the merchant, or the merchant by the operator. */
  | { readonly kind: 'closed' | 'inactive' }
  /** All is paid; or phones are being asked for all that is left. */
  | { readonly kind: 'nothing_left' | 'all_asked' }
  | { readonly kind: 'amount_wrong'; readonly problem: AmountProblem; readonly payable: Senti }
  /** No customer of the network can send so much at a time; no active account serves it. */
  | { readonly kind: 'above_wallet' | 'not_served'; readonly network: Network }
  /** The owner of the number wants no prompts. */
  | { readonly kind: 'refused' }
  /** The number is being asked, and may still agree. */
  | { readonly kind: 'already_open'; readonly attemptId: string }
  /** A limit is reached; `until` then, one more can be asked for. */
  | { readonly kind: 'too_many'; readonly limit: 'bill' | 'number'; readonly until: Date };

/** What counts about the number alone. */
interface NumberFacts {
  readonly refused: boolean;
  /** To the number, of all bills that count together. */
  readonly prompts: readonly Prompt[];
  readonly now: Date;
}

export interface PromptFacts extends NumberFacts {
  readonly bill: Pick<Bill, 'amount' | 'paidAmount' | 'reservedAmount' | 'closedAt'>;
  /** Of the bill, oldest first. */
  readonly attempts: readonly BillAttempt[];
  readonly merchant: { readonly active: boolean; readonly partialPayments: boolean };
  readonly mobile: string;
  readonly network: Network;
  /** Whether an active account serves the network. */
  readonly served: boolean;
  readonly asked: AskedAmount;
}

/** Whoever asks for a prompt: the customer on the payment page, a person of the merchant's, or the merchant's server. */
type Asker = 'page' | 'dashboard' | 'api';

const WINDOWS = { page: NUMBER_WINDOWS, dashboard: API_WINDOWS, api: API_WINDOWS } as const;

type Check = keyof typeof CHECKS;

const CHECKS = {
  closed: ({ bill }: PromptFacts) => (bill.closedAt === null ? null : { kind: 'closed' }),
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
  number: (facts: PromptFacts, asker: Asker) => findNumberProblem(facts, asker),
} as const satisfies Readonly<Record<string, (facts: PromptFacts, asker: Asker) => PromptProblem | null>>;

/**
 * What is checked, in this order. Everybody sees a masked number on the payment page and could try to guess it. So there, the checks
 * of the number come last: before them, a right guess gets the same answer as a wrong one, and after them, a wrong guess sends a
 * prompt, which counts towards the limits.
 */
const ORDERS: Readonly<Record<'page' | 'dashboard', readonly Check[]>> = {
  page: ['closed', 'inactive', 'nothingLeft', 'amount', 'wallet', 'served', 'billLimit', 'number', 'alreadyOpen'],
  dashboard: ['closed', 'inactive', 'alreadyOpen', 'nothingLeft', 'amount', 'wallet', 'served', 'number'],
};

/** Decides whether a phone may be asked, and for how much. Pure. @returns the amount, or what stands against it. */
export function decidePrompt(facts: PromptFacts, asker: 'page' | 'dashboard'): Result<Senti, PromptProblem> {
  for (const check of ORDERS[asker]) {
    const objection = CHECKS[check](facts, asker);
    if (objection) return fail(objection);
  }
  const amount = amountOf(facts);
  if (!amount.ok) throw new Error('the amount was checked');
  return ok(amount.value);
}

/** The part of the decision that is taken again right before a prompt of the API is sent. Pure. */
export function findNumberProblem({ refused, prompts, now }: NumberFacts, asker: Asker): PromptProblem | null {
  if (refused) return { kind: 'refused' };
  const shown = prompts.map((prompt) => shownAt(prompt, now));
  const until = reachedLimit(WINDOWS[asker], shown, now);
  return until && { kind: 'too_many', limit: 'number', until };
}

function amountOf({ asked, bill, merchant }: PromptFacts): Result<Senti, AmountProblem> {
  const payable = payableAmount(bill);
  return decideAmount(asked, amountChoice(payable, bill, merchant.partialPayments), payable);
}
