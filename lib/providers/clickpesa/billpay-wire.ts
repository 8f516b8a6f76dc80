import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toWholeShillings } from '@/lib/platform/core/money';
import type { InstrumentOffer, InstrumentRequest, InstrumentStatus, IssueOutcome, MoneyOutcome } from '@/lib/providers/port/instrument';
import { type RawAnswer, USUAL_LIMITS } from '@/lib/providers/port/port';
import { isSuccess, parseJson, refusesCredentials } from '@/lib/providers/port/raw-answer';
import { type ClickpesaPayment, errorSchema, namedBy, outcomeOf, PAYMENTS_PATH, readRefusal, refusesToken, statusSchema } from './wire';

// Source: docs.clickpesa.com (BillPay: overview, order and customer control numbers, FAQ, API reference). Amounts are whole shillings.

export const BILLPAY_PATH = '/third-parties/billpay';
export const ORDER_NUMBER_PATH = `${BILLPAY_PATH}/create-order-control-number`;
export const CUSTOMER_NUMBER_PATH = `${BILLPAY_PATH}/create-customer-control-number`;

const bill = {
  billReference: z.string().regex(/^\d{4,20}$/),
  billAmount: z.int().positive(),
  billDescription: z.string().min(1).max(500),
  checksum: z.string().optional(),
};
/** An order control number takes one payment. */
export const orderNumberRequestSchema = z.object({ ...bill, billPaymentMode: z.literal('EXACT') });
/** A customer control number takes any number of payments. It needs a name, and a number or an e-mail address. */
export const customerNumberRequestSchema = z.object({
  ...bill,
  billPaymentMode: z.literal('ALLOW_PARTIAL_AND_OVER_PAYMENT'),
  customerName: z.string().min(1).max(100),
  customerEmail: z.email(),
});
export const changeSchema = z.object({
  billStatus: z.enum(['ACTIVE', 'INACTIVE']).optional(),
  billAmount: z.int().positive().optional(),
  checksum: z.string().optional(),
});
export type BillPayBody =
  | z.infer<typeof orderNumberRequestSchema>
  | z.infer<typeof customerNumberRequestSchema>
  | z.infer<typeof changeSchema>;

/** A control number as answers show it. */
const controlNumberSchema = z.object({
  billPayNumber: z.string().regex(/^\d{4,20}$/),
  billDescription: z.string().max(1_000).nullish(),
  billAmount: z.number().nullish(),
  billStatus: z.string().max(50).nullish(),
});

const ORDER = 'control_number';
const CUSTOMER = 'customer_number';
const OFFER = {
  ways: ['number'],
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
  minAmount: USUAL_LIMITS.minAmount,
  maxAmount: USUAL_LIMITS.maxAmount,
} as const;
/** An account has one of the two: customer control numbers if its credentials contain an e-mail address for them. */
export const CONTROL_NUMBER_OFFERS: readonly InstrumentOffer[] = [
  { kind: ORDER, takes: 'exact', ...OFFER },
  { kind: CUSTOMER, takes: 'open', ...OFFER },
];

interface BillPayAccount {
  /** The four digits of the merchant's BillPay-Namba; undefined if BillPay is not used. */
  readonly billPayNumber?: string | undefined;
  /** The e-mail address of the customer to whom ClickPesa assigns the numbers; undefined for order control numbers. */
  readonly billPayEmail?: string | undefined;
}

/** Returns the kind of control numbers that an account issues; null if it issues none. */
export function kindOf({ billPayNumber, billPayEmail }: BillPayAccount): string | null {
  return billPayNumber === undefined ? null : billPayEmail === undefined ? ORDER : CUSTOMER;
}

/** The digits after the merchant's own. They follow from our reference, so that ClickPesa can be asked for the number after a lost answer. */
function digitsOf(reference: string): string {
  const hash = createHash('sha256').update(reference).digest().readBigUInt64BE();
  return String(hash % 10_000_000_000n).padStart(10, '0');
}

/**
 * Returns the control number that is asked for; null if the account has no digits of its own. The number begins with them, so that its money
 * can reach nobody else.
 */
function numberOf({ billPayNumber }: BillPayAccount, { reference, number }: InstrumentRequest): string | null {
  return number ?? (billPayNumber === undefined ? null : `${billPayNumber}${digitsOf(reference)}`);
}

/** Returns the request for a control number; null if the account no longer issues this kind. */
export function toIssueCall(account: BillPayAccount, instrument: InstrumentRequest) {
  const { kind, amount, description: billDescription } = instrument;
  const billReference = numberOf(account, { ...instrument, number: null });
  if (billReference === null || kindOf(account) !== kind) return null;
  const bill = { billReference, billAmount: Number(toWholeShillings(amount)), billDescription };
  const { billPayEmail: customerEmail } = account;
  if (customerEmail === undefined) return { path: ORDER_NUMBER_PATH, body: { ...bill, billPaymentMode: 'EXACT' } } as const;
  const customer = { customerName: 'Customer', customerEmail };
  return { path: CUSTOMER_NUMBER_PATH, body: { ...bill, billPaymentMode: 'ALLOW_PARTIAL_AND_OVER_PAYMENT', ...customer } } as const;
}

/** Returns what to ask: whether the number exists, if no answer has named it, and otherwise what was paid with it. */
export function toQueryCall(account: BillPayAccount, instrument: InstrumentRequest) {
  const number = numberOf(account, instrument);
  return number === null ? null : { path: instrument.number === null ? `${BILLPAY_PATH}/${number}` : `${PAYMENTS_PATH}/${number}` };
}

export function toCancelCall(account: BillPayAccount, instrument: InstrumentRequest) {
  return toChangeCall(account, instrument, { billStatus: 'INACTIVE' });
}

export function toAmountCall(account: BillPayAccount, instrument: InstrumentRequest) {
  return toChangeCall(account, instrument, { billAmount: Number(toWholeShillings(instrument.amount)) });
}

function toChangeCall(account: BillPayAccount, instrument: InstrumentRequest, body: z.infer<typeof changeSchema>) {
  const number = numberOf(account, instrument);
  return number === null ? null : ({ path: `${BILLPAY_PATH}/${number}`, method: 'PATCH', body } as const);
}

/** Interprets the answer to a request for a control number. */
export function readNumberAnswer(answer: RawAnswer, instrument: InstrumentRequest): IssueOutcome {
  if (refusesCredentials(answer)) return { kind: 'refused', reason: 'merchant_config' };
  if (answer.lost) return { kind: answer.lost };
  const json = parseJson(answer.body);
  if (refusesToken(answer) || (answer.status === 429 && errorSchema.safeParse(json).success)) return { kind: 'not_sent' };
  if (isSuccess(answer)) return issuedOf(json, instrument) ?? { kind: 'unknown' };
  const refusal = readRefusal(answer.status, json);
  // Somebody has the number: a status query shows whether it is ours.
  return refusal.kind === 'failed' ? { kind: 'refused', reason: refusal.reason } : { kind: 'unknown' };
}

/** Interprets the answer to a status query: a control number, or the payments with it. */
export function readNumberStatus(answer: RawAnswer, instrument: InstrumentRequest): InstrumentStatus {
  if (answer.lost) return { kind: 'unknown' };
  const json = parseJson(answer.body);
  if (answer.status === 404 && errorSchema.safeParse(json).success)
    return instrument.number === null ? { kind: 'not_found' } : { kind: 'open', payments: [], issued: null };
  if (!isSuccess(answer)) return { kind: 'unknown' };
  // A payment may contain the control number, too.
  const payments = statusSchema.safeParse(json).data;
  if (payments) return statusOf(payments, instrument);
  const shown = controlNumberSchema.safeParse(json).data;
  if (!shown) return { kind: 'unknown' };
  if (!isOurs(shown, instrument)) return { kind: 'not_found' };
  if (shown.billStatus === 'INACTIVE') return { kind: 'ended', payments: [] };
  return { kind: 'open', payments: [], issued: issuedOf(json, instrument) };
}

/** Returns what the payments say about a control number. An order control number is closed after one payment. */
function statusOf(all: readonly ClickpesaPayment[], { number, kind }: InstrumentRequest): InstrumentStatus {
  if (all.length === 0 || all.some((payment) => namedBy(payment) !== number)) return { kind: 'unknown' };
  const outcomes = all.map((payment) => outcomeOf(payment));
  if (outcomes.some((outcome) => outcome.kind === 'unknown')) return { kind: 'unknown' };
  const payments = outcomes.filter((outcome): outcome is MoneyOutcome => outcome.kind === 'paid' || outcome.kind === 'reversed');
  return kind === CUSTOMER || payments.length === 0 ? { kind: 'open', payments, issued: null } : { kind: 'ended', payments };
}

/** Returns the control number in an answer; null if it is not the one of the instrument, or asks for another amount. */
function issuedOf(json: unknown, instrument: InstrumentRequest): Extract<IssueOutcome, { kind: 'issued' }> | null {
  const shown = controlNumberSchema.safeParse(json).data;
  if (!shown) return null;
  const { billPayNumber: number, billAmount } = shown;
  const asked = Number(toWholeShillings(instrument.amount));
  if (!isOurs(shown, instrument) || (billAmount ?? asked) !== asked) return null;
  // A control number does not expire.
  return { kind: 'issued', ways: { number, qr: null, link: null }, providerReference: null, expiresAt: null };
}

/** Two of our references may have the same digits. The description tells them apart. */
function isOurs({ billPayNumber, billDescription }: z.infer<typeof controlNumberSchema>, { reference }: InstrumentRequest): boolean {
  return billDescription?.includes(reference) ?? billPayNumber.endsWith(digitsOf(reference));
}

/** Interprets the answer to a change of a control number. @param status the status that the number has afterwards. */
export function readChangeAnswer(answer: RawAnswer, status: 'ACTIVE' | 'INACTIVE'): 'done' | 'refused' | 'unknown' {
  if (answer.lost) return 'unknown';
  const json = parseJson(answer.body);
  const changed = isSuccess(answer) ? controlNumberSchema.safeParse(json).data : undefined;
  if (changed) return (changed.billStatus ?? status) === status ? 'done' : 'unknown';
  const refuses = answer.status === 400 || answer.status === 404 || answer.status === 409;
  return refuses && errorSchema.safeParse(json).success ? 'refused' : 'unknown';
}
