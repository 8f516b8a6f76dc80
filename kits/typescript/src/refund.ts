import { type AmountInput, amountJson, jsonWithAmount } from './amount.ts';
import { amount, date, fields, list, optional, text } from './fields.ts';

/** What is refunded, and why. */
export interface NewRefund {
  /** The reason that the dashboard shows. Required. */
  readonly reason: string;
  /** Default: what is left of the payment. */
  readonly amount?: AmountInput | null;
  /** The `payment` of an entry of `listPayments`. Required if the bill has money of several payments. */
  readonly payment?: string | null;
}

/**
 * `ASKED`: waits for the approval of a second person. `APPROVED`: a person returns the money by hand. `QUEUED`, `SENDING`: on its way.
 * `UNKNOWN`: the outcome is not known yet; Bili keeps asking, and the money must not be returned in another way. `DONE`: the customer has
 * the money. `FAILED`: the customer does not get the money from this refund.
 */
export type RefundState = 'ASKED' | 'APPROVED' | 'QUEUED' | 'SENDING' | 'UNKNOWN' | 'DONE' | 'FAILED';

export interface Refund {
  readonly id: string;
  /** The id of the bill; null if the operator returned the payment, whatever bills had its money. */
  readonly bill: string | null;
  /** The id of the payment. */
  readonly payment: string;
  readonly amount: string;
  /** Later versions of Bili may add states: read the refund again until its state is `DONE` or `FAILED`. */
  readonly state: RefundState | (string & Record<never, never>);
  /** How the money is returned: `reversal`, `payout` or `hand`. */
  readonly way: string;
  readonly reason: string;
  /** Why the refund failed; null unless it has failed. */
  readonly failure: string | null;
  /** The receipt number of the money that was returned; null if there is none. */
  readonly receipt: string | null;
  readonly createdAt: Date;
  readonly doneAt: Date | null;
}

export function newRefundJson({ amount = null, reason, payment }: NewRefund): string {
  return jsonWithAmount(amount === null ? null : amountJson(amount), { reason, payment });
}

export function readRefunds(value: unknown): readonly Refund[] {
  return list(fields(value), 'refunds').map(readRefund);
}

export function readRefund(value: unknown): Refund {
  const raw = fields(value);
  return {
    id: text(raw, 'id'),
    bill: optional(text, raw, 'bill'),
    payment: text(raw, 'payment'),
    amount: amount(raw, 'amount'),
    state: text(raw, 'state'),
    way: text(raw, 'way'),
    reason: text(raw, 'reason'),
    failure: optional(text, raw, 'failure'),
    receipt: optional(text, raw, 'receipt'),
    createdAt: date(raw, 'createdAt'),
    doneAt: optional(date, raw, 'doneAt'),
  };
}
