import type { Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import { HIGHEST_LIMIT, SMALLEST_PART, USUAL_LIMIT, WALLET_LIMITS } from './wallet-limits';

/** What a customer can choose between on the payment page. Senti, whole shillings. */
export interface AmountChoice {
  readonly min: Senti;
  readonly max: Senti;
  /** What stands in the field at first. */
  readonly proposed: Senti;
  /** Why there is a choice: the merchant takes parts, or so much is more than most wallets send at a time. */
  readonly because: 'merchant' | 'wallet_limit';
}

export type AmountProblem = 'amountInvalid' | 'amountTooSmall' | 'amountTooLarge' | 'amountLeavesTooLittle' | 'amountAboveWallet';

/**
 * Pure. @param payable what a prompt may ask for now.
 * @param parts whether the merchant takes parts.
 * @returns null where only all of it can be paid.
 */
export function amountChoice(payable: Senti, parts: boolean): AmountChoice | null {
  const above = payable > USUAL_LIMIT;
  if (!above && (!parts || payable <= SMALLEST_PART)) return null;
  const max = payable < HIGHEST_LIMIT ? payable : HIGHEST_LIMIT;
  return { min: SMALLEST_PART, max, proposed: above ? USUAL_LIMIT : payable, because: above ? 'wallet_limit' : 'merchant' };
}

/** Pure. @returns what is wrong with an amount that somebody chose, or null. Never leaves so little that no wallet can send it. */
export function amountProblem(amount: Senti | null, choice: AmountChoice, payable: Senti): AmountProblem | null {
  if (amount === null) return 'amountInvalid';
  if (amount > choice.max) return 'amountTooLarge';
  if (amount === payable) return null;
  if (amount < choice.min) return 'amountTooSmall';
  return payable - amount < SMALLEST_PART ? 'amountLeavesTooLittle' : null;
}

/** @returns whether no customer of a network can send so much at a time. */
export function isAboveWallet(amount: Senti, network: Network): boolean {
  return amount > WALLET_LIMITS[network];
}
