import { type AmountInput, amountJson, jsonWithAmount, uncheckedAmountJson } from './amount.ts';
import { BiliError } from './errors.ts';
import { amount, date, type Fields, fields, optional, text, unixMs } from './fields.ts';

export type BillStatus = 'NOT_PAID' | 'PARTIALLY_PAID' | 'FULLY_PAID';

/** What a bill is created from. */
export interface NewBill {
  readonly amount: AmountInput;
  /** Your own text, for example an order number. */
  readonly reference: string;
  /** With a number, Bili sends a prompt to this phone. Without one, send the customer to `webPayUrl`. */
  readonly mobile?: string | null;
  readonly description?: string | null;
  readonly customer?: { readonly name?: string | null; readonly email?: string | null } | null;
  readonly dueAt?: Date | null;
  /** Your own texts by name. Customers do not see them. */
  readonly metadata?: Readonly<Record<string, string>> | null;
  /** From this time on, nobody is asked to pay the bill. */
  readonly expiresAt?: Date | null;
  /** The page of your shop to which the payment page links. */
  readonly returnUrl?: string | null;
  /** The language of the payment page: `sw` or `en`. */
  readonly language?: string | null;
}

/** The JSON members of a bill in a webhook. Amounts are texts with two decimals, for example "12500.50". */
export interface BillSummary {
  readonly id: string;
  readonly mobile: string | null;
  readonly amount: string;
  readonly status: BillStatus;
  readonly reference: string;
}

export interface Bill extends BillSummary {
  readonly webPayUrl: string;
  readonly date: Date;
  /** The answer as Bili sent it. It includes JSON members that this version does not know. */
  readonly raw: Fields;
}

export interface CreatedBill extends Bill {
  /** The JSON members of the request that Bili did not use, because it does not know them or because their value is invalid. */
  readonly ignored: readonly string[];
}

export interface BillDetails extends Bill {
  readonly paidAmount: string;
  readonly remainingAmount: string;
  readonly reversedAmount: string | null;
  /** When the bill was fully paid for the first time. */
  readonly paidAt: Date | null;
  /** Nobody can pay a closed bill. */
  readonly closedAt: Date | null;
  readonly lastAttempt: Attempt | null;
  readonly description: string | null;
  readonly customer: { readonly name: string | null; readonly email: string | null } | null;
  readonly dueAt: Date | null;
  readonly metadata: Fields | null;
  readonly expiresAt: Date | null;
  readonly returnUrl: string | null;
  readonly language: string | null;
}

/** The newest payment request to a phone. */
export interface Attempt {
  /** `PENDING`, `UNKNOWN`, `SUCCEEDED`, `FAILED`, `EXPIRED` or `CANCELLED`. */
  readonly state: string;
  /** Why the payment request failed. Later versions of Bili may add reasons: treat an unknown reason like `rejected`. */
  readonly reason: string | null;
  readonly at: Date;
}

/** Returns the body of a request that creates a bill. */
export function newBillJson(bill: NewBill): string {
  return billJson(bill, amountJson(bill.amount));
}

/** Returns one bill of `createBills` as JSON. Does not check the amount: Bili refuses only the wrong bill, and creates the others. */
export function listItemJson(bill: NewBill): string {
  return billJson(bill, uncheckedAmountJson(bill.amount));
}

function billJson({ amount: _amount, dueAt, expiresAt, ...others }: NewBill, amount: string | null): string {
  return jsonWithAmount(amount, { ...others, dueAt: unixMs(dueAt, 'dueAt'), expiresAt: unixMs(expiresAt, 'expiresAt') });
}

export function readCreatedBill(value: unknown, headers: Headers): CreatedBill {
  return { ...readBill(value), ignored: headers.get('bili-ignored')?.split(', ') ?? [] };
}

export function readBill(value: unknown): Bill {
  const raw = fields(value);
  return { ...readSummary(raw), webPayUrl: text(raw, 'webPayUrl'), date: date(raw, 'date'), raw };
}

export function readBillDetails(value: unknown): BillDetails {
  const bill = readBill(value);
  const { raw } = bill;
  return {
    ...bill,
    paidAmount: amount(raw, 'paidAmount'),
    remainingAmount: amount(raw, 'remainingAmount'),
    reversedAmount: optional(amount, raw, 'reversedAmount'),
    paidAt: optional(date, raw, 'paidAt'),
    closedAt: optional(date, raw, 'closedAt'),
    lastAttempt: optional(readAttempt, raw, 'lastAttempt'),
    description: optional(text, raw, 'description'),
    customer: optional(readCustomer, raw, 'customer'),
    dueAt: optional(date, raw, 'dueAt'),
    metadata: optional((from, name) => fields(from[name], name), raw, 'metadata'),
    expiresAt: optional(date, raw, 'expiresAt'),
    returnUrl: optional(text, raw, 'returnUrl'),
    language: optional(text, raw, 'language'),
  };
}

/** Reads the five JSON members of a bill that both a webhook and an event of the feed contain. */
export function readSummary(raw: Fields): BillSummary {
  const status = raw.status;
  if (status !== 'NOT_PAID' && status !== 'PARTIALLY_PAID' && status !== 'FULLY_PAID')
    throw new BiliError('Unexpected answer: "status" is missing or wrong. Is this the address of a Bili server?');
  return {
    id: text(raw, 'id'),
    mobile: optional(text, raw, 'mobile'),
    amount: amount(raw, 'amount'),
    status,
    reference: text(raw, 'reference'),
  };
}

function readCustomer(from: Fields, name: string) {
  const customer = fields(from[name], name);
  return { name: optional(text, customer, 'name'), email: optional(text, customer, 'email') };
}

function readAttempt(from: Fields, name: string): Attempt {
  const attempt = fields(from[name], name);
  return { state: text(attempt, 'state'), reason: optional(text, attempt, 'reason'), at: date(attempt, 'at') };
}
