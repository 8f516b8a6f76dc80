import { type Bill, type BillDetails, readBill, readBillDetails } from './bill.ts';
import { amount, date, type Fields, fields, flag, list, optional, text } from './fields.ts';

/** Which bills to list. */
export interface BillsQuery {
  readonly status?: string;
  /** Only bills with exactly this reference. */
  readonly reference?: string;
  /** Only bills with this number. */
  readonly mobile?: string;
  /** Only bills that have all of these texts in their metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Only bills that were created at `from` or later, and before `to`. */
  readonly from?: Date;
  readonly to?: Date;
  /** The cursor of the page before. */
  readonly after?: string | null;
  /** 1 to 500. */
  readonly limit?: number;
}

export interface BillPage {
  readonly bills: readonly BillDetails[];
  /** Null after the last page. */
  readonly cursor: string | null;
  readonly more: boolean;
}

/** A ledger entry of a bill. */
export interface Payment {
  readonly id: string;
  /** The id of the payment that came in, or that the entry changes: a refund names it. Null if the server is older than refunds. */
  readonly payment: string | null;
  /** `payment`, `reversal`, `refund` or `correction`. */
  readonly kind: string;
  /** The receipt number: the provider's number of the payment, as in the customer's SMS. */
  readonly receipt: string;
  /** Negative if the entry reduces the paid amount of the bill. */
  readonly amount: string;
  readonly date: Date;
}

/** A payment request to a phone. */
export interface PaymentRequest {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly network: string;
  readonly amount: string;
  /** `api`, `dashboard` or `payment_page`. */
  readonly source: string;
  /** Null if the customer entered the number on the payment page. */
  readonly mobile: string | null;
  readonly date: Date;
  readonly at: Date;
}

/** What creating a bill would do. */
export interface ValidatedBill {
  readonly mobile: string | null;
  /**
   * The payment request that Bili would send. Null if the bill has no phone number. `problem` says why Bili could not send it now; null if
   * it could.
   */
  readonly prompt: {
    readonly network: string;
    readonly wallet: string;
    readonly amount: string;
    readonly name: string | null;
    readonly problem: string | null;
  } | null;
  readonly ignored: readonly unknown[];
}

/** The result for one of several bills. */
export type BulkResult = (
  | { readonly status: 'created' | 'replayed'; readonly bill: Bill }
  | { readonly status: 'failed'; readonly code: string; readonly error: string }
) & {
  /** The JSON members of this bill that Bili did not use. */
  readonly ignored: readonly unknown[];
};

/** The speed of the sandbox, and the numbers of bills, payment requests and webhooks that were moved to an earlier time. */
export interface SandboxTime {
  /** How long simulated phones take now, in percent of the usual time. */
  readonly delayPercent: number;
  /** How many `bills`, `paymentRequests` and `webhooks` were moved to an earlier time. */
  readonly moved: Fields;
}

/** The answer to one request that moves sandbox time. A large sandbox needs several requests. */
export interface SandboxTimePart extends SandboxTime {
  /** Where the next request continues; null if all times have been moved. */
  readonly cursor: string | null;
}

export function readBillPage(value: unknown): BillPage {
  const page = fields(value);
  return { bills: list(page, 'bills').map(readBillDetails), cursor: optional(text, page, 'cursor'), more: flag(page, 'more') };
}

export function readPayments(value: unknown): readonly Payment[] {
  return list(fields(value), 'payments').map((one) => {
    const raw = fields(one, 'payments');
    const booked = { amount: amount(raw, 'amount'), date: date(raw, 'date') };
    return {
      id: text(raw, 'id'),
      payment: optional(text, raw, 'payment'),
      kind: text(raw, 'kind'),
      receipt: text(raw, 'receipt'),
      ...booked,
    };
  });
}

export function readPaymentRequests(value: unknown): readonly PaymentRequest[] {
  return list(fields(value), 'attempts').map(readPaymentRequest);
}

export function readPaymentRequest(value: unknown): PaymentRequest {
  const raw = fields(value);
  return {
    id: text(raw, 'id'),
    state: text(raw, 'state'),
    reason: optional(text, raw, 'reason'),
    network: text(raw, 'network'),
    amount: amount(raw, 'amount'),
    source: text(raw, 'source'),
    mobile: optional(text, raw, 'mobile'),
    date: date(raw, 'date'),
    at: date(raw, 'at'),
  };
}

export function readValidated(value: unknown): ValidatedBill {
  const raw = fields(value);
  return { mobile: optional(text, raw, 'mobile'), prompt: optional(readPrompt, raw, 'prompt'), ignored: list(raw, 'ignored') };
}

function readPrompt(from: Fields, name: string) {
  const raw = fields(from[name], name);
  return {
    network: text(raw, 'network'),
    wallet: text(raw, 'wallet'),
    amount: amount(raw, 'amount'),
    name: optional(text, raw, 'name'),
    problem: optional(text, raw, 'problem'),
  };
}

export function readBulkResults(value: unknown): readonly BulkResult[] {
  return list(fields(value), 'results').map((one): BulkResult => {
    const raw = fields(one, 'results');
    const ignored = optional(list, raw, 'ignored') ?? [];
    if (raw.status === 'failed') return { status: 'failed', code: text(raw, 'code'), error: text(raw, 'error'), ignored };
    return { status: raw.status === 'replayed' ? 'replayed' : 'created', bill: readBill(raw.bill), ignored };
  });
}

export function readSandboxTime(value: unknown): SandboxTimePart {
  const raw = fields(value);
  return { delayPercent: Number(raw.delayPercent), moved: fields(raw.moved, 'moved'), cursor: optional(text, raw, 'cursor') };
}
