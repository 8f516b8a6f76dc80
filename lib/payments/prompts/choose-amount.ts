import type { Bill } from '@/lib/bills/rules';
import type { Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { HIGHEST_LIMIT, SMALLEST_PART, USUAL_LIMIT, WALLET_LIMITS } from './wallet-limits';

/** What a customer can choose between on the payment page. Senti, whole shillings. */
export interface AmountChoice {
  readonly min: Senti;
  readonly max: Senti;
  /** What stands in the field at first. */
  readonly proposed: Senti;
  /** Why there is a choice: the merchant takes parts, or the bill is more than most wallets send at a time. */
  readonly because: 'merchant' | 'wallet_limit';
}

/** What somebody asks to pay, in senti: null for all that is left, without having been asked how much; or what nobody can read. */
export type AskedAmount = Senti | 'unreadable' | null;

export type AmountProblem =
  | 'amountNoLonger'
  | 'amountInvalid'
  | 'amountTooSmall'
  | 'amountTooLarge'
  | 'amountLeavesTooLittle'
  | 'amountAboveWallet';

/**
 * Pure. A bill above the usual limit is paid in parts to its end, also where its merchant takes none otherwise.
 * @param payable what a prompt may ask for now.
 * @param parts whether the merchant takes parts.
 * @returns null where only all of it can be paid.
 */
export function amountChoice(payable: Senti, { amount }: Pick<Bill, 'amount'>, parts: boolean): AmountChoice | null {
  const above = amount > USUAL_LIMIT;
  if (payable <= SMALLEST_PART || !(above || parts)) return null;
  const least = (limit: Senti) => (payable < limit ? payable : limit);
  return { min: SMALLEST_PART, max: least(HIGHEST_LIMIT), proposed: least(USUAL_LIMIT), because: above ? 'wallet_limit' : 'merchant' };
}

/**
 * Pure. Never leaves so little that no wallet can send it.
 * @param choice null where there is none any more since the form was seen.
 * @returns what is wrong with an amount that somebody chose, or null.
 */
export function amountProblem(amount: Senti | null, choice: AmountChoice | null, payable: Senti): AmountProblem | null {
  if (choice === null) return amount === payable ? null : 'amountNoLonger';
  if (amount === null) return 'amountInvalid';
  if (amount > choice.max) return 'amountTooLarge';
  if (amount === payable) return null;
  if (amount < choice.min) return 'amountTooSmall';
  return payable - amount < SMALLEST_PART ? 'amountLeavesTooLittle' : null;
}

/** Pure. @returns how much a prompt asks for, or why it asks for nothing: who chose an amount pays that, or chooses again. */
export function decideAmount(asked: AskedAmount, choice: AmountChoice | null, payable: Senti): Result<Senti, AmountProblem> {
  if (asked === null && choice === null) return ok(payable);
  const amount = asked === 'unreadable' ? null : asked;
  const problem = amountProblem(amount, choice, payable);
  return amount === null || problem ? fail(problem ?? 'amountInvalid') : ok(amount);
}

/** @returns whether no customer of a network can send so much at a time. */
export function isAboveWallet(amount: Senti, network: Network): boolean {
  return amount > WALLET_LIMITS[network];
}
