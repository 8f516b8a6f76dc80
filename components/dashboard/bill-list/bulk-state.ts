import type { PlacedForm } from '../place';
import type { BillRow } from './bill-row';

/** The state of the form of an action for several bills, with translated texts. */
export interface BulkState {
  /** Why the form was rejected as a whole, so that nothing was done for any bill; null if the form was accepted or not sent yet. */
  readonly problem: string | null;
  /** The entered reason for closing the bills. */
  readonly typed: string;
  /** Null until the form is sent and accepted. */
  readonly result: BulkResult | null;
}

export interface BulkResult {
  readonly done: readonly string[];
  /** The bills for which the action was not possible, each with the reason. */
  readonly others: readonly { readonly id: string; readonly why: string }[];
}

export type BulkForm = PlacedForm<BulkState>;

/** Returns what is left to pay on bills that are not closed, in senti. */
export function leftOf(bills: readonly Pick<BillRow, 'left' | 'closed'>[]): bigint {
  return bills.reduce((sum, { left, closed }) => (closed ? sum : sum + BigInt(left)), 0n);
}
