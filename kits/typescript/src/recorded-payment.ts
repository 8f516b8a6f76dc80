import { type AmountInput, amountJson, jsonWithAmount } from './amount.ts';
import { amount, date, fields, text, unixMs } from './fields.ts';

/** Money that a person received for a bill. */
export interface NewPayment {
  readonly amount: AmountInput;
  /** How it was received: `cash`, `bank` or `other`. */
  readonly kind: string;
  /** When it was received: a time, or a day such as `2026-11-20`. Default: now. */
  readonly receivedAt?: Date | string | null;
  /** The number of the slip. A merchant may use it once. */
  readonly slip?: string | null;
  /** A note for the history of the bill in the dashboard. */
  readonly note?: string | null;
  /** Whether the amount may be more than what is left of the bill. */
  readonly overpay?: boolean | null;
}

export interface RecordedPayment {
  readonly id: string;
  /** The id of the bill. */
  readonly bill: string;
  readonly kind: string;
  /** The number of the slip; the id of the payment if it has none. */
  readonly receipt: string;
  readonly amount: string;
  readonly receivedAt: Date;
  readonly createdAt: Date;
}

export function newPaymentJson({ amount: paid, receivedAt, ...others }: NewPayment): string {
  if (receivedAt instanceof Date) unixMs(receivedAt, 'receivedAt');
  return jsonWithAmount(amountJson(paid), { ...others, receivedAt });
}

export function readRecordedPayment(value: unknown): RecordedPayment {
  const raw = fields(value);
  return {
    id: text(raw, 'id'),
    bill: text(raw, 'bill'),
    kind: text(raw, 'kind'),
    receipt: text(raw, 'receipt'),
    amount: amount(raw, 'amount'),
    receivedAt: date(raw, 'receivedAt'),
    createdAt: date(raw, 'createdAt'),
  };
}
