import type { Bill } from '@/lib/bills/rules';
import type { Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { HIGHEST_LIMIT, SMALLEST_PART, USUAL_LIMIT, WALLET_LIMITS } from './wallet-limits';

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
export function decideAmount(requested: RequestedAmount, choice: AmountChoice | null, payable: Senti): Result<Senti, AmountProblem> {
  if (requested === null && choice === null) return ok(payable);
  const amount = requested === 'unreadable' ? null : requested;
  const problem = amountProblem(amount, choice, payable);
  return amount === null || problem ? fail(problem ?? 'amountInvalid') : ok(amount);
}

/** Tells whether an amount is so high that no customer of the network can send it at once. */
export function isAboveWallet(amount: Senti, network: Network): boolean {
  return amount > WALLET_LIMITS[network];
}
