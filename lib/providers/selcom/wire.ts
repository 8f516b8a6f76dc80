import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HOUR_MS } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson, readGroupedAmount, reasonOfText } from '@/lib/providers/port/raw-answer';

// Source: developers.selcommobile.com ("Checkout"), and the official clients. Amounts are whole shillings.

export const ORDER_PATH = '/v1/checkout/create-order-minimal';
export const PAYMENT_PATH = '/v1/checkout/wallet-payment';
export const STATUS_PATH = '/v1/checkout/order-status';
export const PAYOUT_PATH = '/v1/walletcashin/process';
export const PAYOUT_STATUS_PATH = '/v1/walletcashin/query';

/** The fields of a request, in the order in which they are signed and sent. */
export type Fields = Readonly<Record<string, string | number>>;

const msisdn = z.string().regex(/^255[67]\d{8}$/);

export const orderRequestSchema = z.object({
  vendor: z.string().min(1),
  order_id: z.string().regex(/^[\w-]{1,50}$/),
  buyer_email: z.email(),
  buyer_name: z.string().trim().min(1),
  buyer_phone: msisdn,
  amount: z.int().positive(),
  currency: z.literal('TZS'),
  no_of_items: z.int().positive(),
  /** Base64 of the address of callbacks. */
  webhook: z.base64().optional(),
  /** Minutes until the order can no longer be paid. */
  expiry: z.int().positive().optional(),
});
export type OrderRequest = z.infer<typeof orderRequestSchema>;

export const paymentRequestSchema = z.object({ transid: z.string().regex(/^[\w-]{1,50}$/), order_id: z.string().min(1), msisdn });
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

/** The utility code of a payout to any wallet: Selcom finds the network of the number, even if the number was ported. */
export const ANY_WALLET = 'CASHIN';

/** The payee is `utilityref`. `vendor` and `pin` are those of the float account. */
export const payoutRequestSchema = z.object({
  transid: z.string().regex(/^[\w-]{1,50}$/),
  utilitycode: z.literal(ANY_WALLET),
  utilityref: msisdn,
  amount: z.int().positive(),
  vendor: z.string().min(1),
  pin: z.string().min(1),
});
export type PayoutRequest = z.infer<typeof payoutRequestSchema>;

export const RESULT_CODES = { success: '000', notFound: '404' } as const;
/** The result codes of a request in progress. Source: "Result codes" in Selcom's documentation. */
const IN_PROGRESS: readonly string[] = ['111', '927'];

const code = z.union([z.string().max(20), z.int()]).transform(String);

/** What every answer contains. */
const envelopeSchema = z.object({
  resultcode: code,
  result: z.string().max(50).nullish(),
  message: z.string().max(2_000).nullish().catch(null),
  reference: z.string().max(100).nullish().catch(null),
  transid: z.string().max(100).nullish().catch(null),
  data: z.unknown().optional(),
});
type Envelope = z.infer<typeof envelopeSchema>;

const amount = z.union([z.string().max(30), z.number()]).nullish();
const receipt = z.string().max(100).nullish();

/** An order as a status answer shows it. An order has no receipt number (`reference`) before it is paid. */
const orderSchema = z.object({
  order_id: z.string().max(100),
  payment_status: z.string().max(50),
  amount,
  currency: z.string().max(10).nullish(),
  reference: receipt,
});
type SelcomOrder = z.infer<typeof orderSchema>;
export const ordersSchema = z.array(orderSchema).max(50);

/** A callback. A sample in Selcom's documentation misspells `resultcode` as `resulcode`. */
export const webhookSchema = z.object({
  order_id: z.string().min(1).max(100),
  payment_status: z.string().max(50).nullish(),
  result: z.string().max(50).nullish(),
  resultcode: code.nullish(),
  resulcode: code.nullish(),
  /** The payer's number, under one of two names. Without it, the rest of the message still counts. */
  phone: z.string().max(30).nullish().catch(null),
  msisdn: z.string().max(30).nullish().catch(null),
  amount,
  currency: z.string().max(10).nullish(),
  reference: receipt,
});
export type Webhook = z.infer<typeof webhookSchema>;

const EAST_AFRICA_MS = 3 * HOUR_MS;

/** Formats a time as Selcom expects it: East Africa Time, without milliseconds. */
export function formatTimestamp(now: Date): string {
  return `${new Date(now.getTime() + EAST_AFRICA_MS).toISOString().slice(0, 19)}+03:00`;
}

/**
 * Computes the digest of a message: Base64 of HMAC-SHA256 over its timestamp and fields. Values are not URL-encoded.
 * @param fields the signed fields in their order.
 */
export function digestOf(timestamp: string, fields: Fields, secret: string): string {
  const text = [['timestamp', timestamp], ...Object.entries(fields)].map(([name, value]) => `${name}=${value}`).join('&');
  return createHmac('sha256', secret).update(text).digest('base64');
}

export function authorizationOf(apiKey: string): string {
  return `SELCOM ${Buffer.from(apiKey).toString('base64')}`;
}

/** Creates the headers that authenticate a request. @param fields all fields of its body or query. */
export function signHeaders(fields: Fields, { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string }, now: Date) {
  const timestamp = formatTimestamp(now);
  return {
    authorization: authorizationOf(apiKey),
    timestamp,
    'digest-method': 'HS256',
    digest: digestOf(timestamp, fields, apiSecret),
    'signed-fields': Object.keys(fields).join(','),
  };
}

/**
 * Returns the names of the fields that the digest of a message proves; null if the message has no valid digest. A field that the message
 * does not contain makes the digest invalid.
 * @param values the fields of the message.
 */
export function provenFields(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  values: Readonly<Record<string, unknown>>,
  secret: string,
): readonly string[] | null {
  const { timestamp, digest, 'signed-fields': signed, 'digest-method': method = 'HS256' } = headers;
  if (typeof timestamp !== 'string' || typeof digest !== 'string' || typeof signed !== 'string' || method !== 'HS256') return null;
  const names = signed.split(',');
  const fields: Record<string, string | number> = {};
  for (const name of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    fields[name] = value;
  }
  // Refuses a list of names that the object `fields` cannot represent: an object has each name once, and moves names that are numbers to
  // the front.
  if (Object.keys(fields).join(',') !== signed) return null;
  const expected = Buffer.from(digestOf(timestamp, fields, secret));
  const given = Buffer.from(digest);
  return given.length === expected.length && timingSafeEqual(given, expected) ? names : null;
}

/** Result codes that leave the result open, even if `result` says that the request failed. 999: ambiguous. Source: "Result codes". */
const OPEN: readonly string[] = [RESULT_CODES.success, ...IN_PROGRESS, '999', '408', '425', '429'];
/** HTTP statuses that leave the result open. */
const OPEN_STATUSES: readonly number[] = [408, 425, 429];

/** Texts of refusals that leave the result open: the wallet behind Selcom has not answered. */
const NO_ANSWER = /no response|time[d]?[ -]?out|upstream|ambig/i;
/** No source shows how Selcom refuses a second order with the same id, so every text and code that can mean "duplicate" counts. */
const DUPLICATE = /duplicat|\bunique\b|\b(order(_?id)?|transid|transaction)\b.*\b(already|used|taken|(?<!not )exists?)\b/i;
const CONFLICT = 409;

/**
 * Texts with which Selcom refuses the merchant, under several codes. "Not authorized" is left out, because a refusal by the customer may
 * contain it.
 */
const REFUSES_MERCHANT = /vendor|not enabled|signature|digest|timestamp|unauthori[sz]ed|forbidden|access denied|api key|ip address/i;

/**
 * Codes with one meaning. Sources: the tables of "Result codes" and of the C2B operations; 013 and 4035 were seen in live answers. The
 * code 403 is left out: it is the documented example of any failure, so the customer may be the cause. The HTTP status 403 means that
 * Selcom refuses the merchant.
 */
const REASONS: Readonly<Record<string, FailureReason>> = {
  '012': 'amount_invalid',
  '013': 'amount_invalid',
  '014': 'limit_exceeded',
  '015': 'amount_invalid',
  '401': 'merchant_config',
  '404': 'rejected',
  '990': 'merchant_config',
  '4035': 'merchant_config',
};

/** Returns why Selcom finally refuses a request; null if the answer is not a final refusal. Pure. */
export function refusalOf(status: number | null, { resultcode, result, message }: Envelope): FailureReason | 'duplicate' | null {
  if (status === null || status >= 500 || (status >= 300 && status < 400) || OPEN_STATUSES.includes(status)) return null;
  // Answers to invalid requests repeat the HTTP status as their `resultcode`. Some of these answers have no `result`.
  const fails = result ? /^fail(ed)?$/i.test(result) : status >= 400 && resultcode === String(status);
  const text = message ?? '';
  if (!fails || OPEN.includes(resultcode) || /^5\d\d$/.test(resultcode) || NO_ANSWER.test(text)) return null;
  if (status === CONFLICT || resultcode === String(CONFLICT) || DUPLICATE.test(text)) return 'duplicate';
  // A product that is not enabled, wrong credentials, or a caller whose address is not allowed.
  if (status === 401 || status === 403) return 'merchant_config';
  const reason = Object.hasOwn(REASONS, resultcode) ? REASONS[resultcode] : undefined;
  if (reason !== undefined) return reason;
  // 010: invalid reference or mobile number. 412: a parameter is invalid or missing.
  if ((resultcode === '010' || resultcode === '412') && /msisdn|phone|mobile/i.test(text)) return 'mobile_not_registered';
  if (resultcode === '412') return /amount/i.test(text) ? 'amount_invalid' : 'merchant_config';
  if (resultcode === '010') return 'rejected';
  return REFUSES_MERCHANT.test(text) ? 'merchant_config' : reasonOfText(text);
}

/**
 * Interprets the last answer to a payment request: the answer to wallet-payment or, if wallet-payment was not called, to create-order. If
 * there was no answer, `lost` says whether wallet-payment may have been called.
 */
export function readPaymentAnswer(answer: RawAnswer, { reference }: PromptRequest): Outcome {
  if (answer.lost) return { kind: answer.lost };
  const envelope = envelopeOf(answer);
  // In the answer to wallet-payment, `transid` is our reference.
  if (!envelope || (envelope.transid && envelope.transid !== reference)) return { kind: 'unknown' };
  const started = isDone(answer, envelope) || isInProgress(answer, envelope);
  if (started) return { kind: 'accepted', providerReference: envelope.reference || null };
  const refusal = refusalOf(answer.status, envelope);
  if (refusal === null) return { kind: 'unknown' };
  return refusal === 'duplicate' ? { kind: 'duplicate' } : { kind: 'failed', reason: refusal };
}

/** Interprets the answer to a payout. If Selcom knows our reference, the payout may exist. */
export function readPayoutAnswer(answer: RawAnswer, refund: Refund): RefundOutcome {
  if (answer.lost) return { kind: answer.lost };
  const envelope = payoutEnvelopeOf(answer, refund);
  if (!envelope) return { kind: 'unknown' };
  const progress = readPayoutProgress(answer, envelope);
  if (progress) return progress;
  const reason = payoutRefusalOf(answer, envelope);
  return reason === null ? { kind: 'unknown' } : { kind: 'failed', reason };
}

/** Texts that say that a status query has not found the payout. */
const NOT_FOUND_TEXT = /not found|no such|no record|not exist|(invalid|unknown|wrong) (trans|ref)/i;

/**
 * Interprets the answer to a status query about a payout. A failure counts only if it is about the payout: codes that begin with 4, and
 * refusals of the merchant, are about the query. For a reference that it does not know, Selcom answers 999, as for a payout without a result.
 */
export function readPayoutStatus(answer: RawAnswer, refund: Refund): RefundOutcome {
  const envelope = answer.lost === null && isSuccess(answer) ? payoutEnvelopeOf(answer, refund) : undefined;
  if (!envelope) return { kind: 'unknown' };
  const progress = readPayoutProgress(answer, envelope);
  if (progress) return progress;
  const isAboutQuery = envelope.resultcode.startsWith('4') || NOT_FOUND_TEXT.test(envelope.message ?? '');
  const reason = isAboutQuery ? null : payoutRefusalOf(answer, envelope);
  return reason === null || reason === 'merchant_config' ? { kind: 'unknown' } : { kind: 'failed', reason };
}

/** Returns why Selcom refuses a payout, or why it failed; null if the money may move. 990: the float account has not enough money. */
function payoutRefusalOf({ status }: RawAnswer, envelope: Envelope): FailureReason | null {
  const refusal = refusalOf(status, envelope);
  if (refusal === null || refusal === 'duplicate') return null;
  return envelope.resultcode === '990' ? 'insufficient_funds' : refusal;
}

/** Returns the envelope of an answer, unless it names the reference of another request. */
function payoutEnvelopeOf(answer: RawAnswer, { reference }: Refund): Envelope | undefined {
  const envelope = envelopeOf(answer);
  return envelope?.transid && envelope.transid !== reference ? undefined : envelope;
}

/** Selcom does not repeat the amount of a payout. */
function readPayoutProgress(answer: RawAnswer, envelope: Envelope): RefundOutcome | null {
  const { reference } = envelope;
  if (isDone(answer, envelope)) return { kind: 'refunded', transactionId: reference || null, amount: null };
  return isInProgress(answer, envelope) ? { kind: 'pending', providerReference: reference || null } : null;
}

/** Returns what the answer to create-order says about the order: it is new, it exists already, it is refused, or it may exist. */
export function readOrderAnswer(answer: RawAnswer): 'created' | 'exists' | 'refused' | 'unclear' {
  const envelope = answer.lost === null ? envelopeOf(answer) : undefined;
  if (!envelope) return 'unclear';
  if (isDone(answer, envelope)) return 'created';
  const refusal = refusalOf(answer.status, envelope);
  if (refusal === null) return 'unclear';
  return refusal === 'duplicate' ? 'exists' : 'refused';
}

/** Interprets the answer to a status query. The result code outside `data` says only whether Selcom found the order. */
export function readStatusAnswer(answer: RawAnswer, { reference, amount }: PromptRequest): Outcome {
  const envelope = answer.lost === null ? envelopeOf(answer) : undefined;
  if (!envelope) return { kind: 'unknown' };
  if (isNotFound(answer, envelope)) return { kind: 'not_found' };
  const [order, ...more] = (isDone(answer, envelope) && ordersSchema.safeParse(envelope.data).data) || [];
  if (order?.order_id !== reference || more.length > 0) return { kind: 'unknown' };
  // An order is paid in whole, so a different amount or currency belongs to another order. Only the answer about a paid order must contain
  // amount and currency.
  const isNamed = (order.amount ?? '') !== '' || (order.currency ?? 'TZS') !== 'TZS';
  return isNamed && amountOf(order) !== amount ? { kind: 'unknown' } : outcomeOf(order);
}

/**
 * The final states without a payment. Selcom gives no further reason, such as a wrong PIN. Source: "Order status". Any other word
 * leaves the outcome unknown, also CANCEL, which only a sample of another operation contains.
 */
const UNPAID: Readonly<Record<string, FailureReason>> = { USERCANCELLED: 'user_cancelled', CANCELLED: 'rejected', REJECTED: 'rejected' };

/** Returns the outcome that the state of an order reports. */
export function outcomeOf({
  payment_status,
  ...order
}: Pick<SelcomOrder, 'payment_status' | 'amount' | 'currency' | 'reference'>): Outcome {
  if (payment_status === 'PENDING' || payment_status === 'INPROGRESS') return { kind: 'pending' };
  const reason = Object.hasOwn(UNPAID, payment_status) ? UNPAID[payment_status] : undefined;
  if (reason !== undefined) return { kind: 'failed', reason };
  const amount = amountOf(order);
  if (payment_status !== 'COMPLETED' || !order.reference || amount === null) return { kind: 'unknown' };
  return { kind: 'paid', transactionId: order.reference, amount };
}

/** Returns the amount in senti; null if it is unreadable or not in shillings. Most answers name no currency. */
function amountOf({ amount, currency }: Pick<SelcomOrder, 'amount' | 'currency'>): Senti | null {
  return (currency ?? 'TZS') === 'TZS' ? readGroupedAmount(amount) : null;
}

export function envelopeOf(answer: RawAnswer): Envelope | undefined {
  return envelopeSchema.safeParse(parseJson(answer.body)).data;
}

export function isDone(answer: RawAnswer, { resultcode, result }: Envelope): boolean {
  return isSuccess(answer) && resultcode === RESULT_CODES.success && result === 'SUCCESS';
}

function isInProgress(answer: RawAnswer, { resultcode, result }: Envelope): boolean {
  return isSuccess(answer) && IN_PROGRESS.includes(resultcode) && /^(PENDING|IN ?PROGRESS)$/.test(result ?? '');
}

/**
 * Returns whether Selcom does not know the order: the HTTP status is 2xx or 404, the result code is 404, and `data` is empty. An order in
 * `data` would contradict the code.
 */
export function isNotFound(answer: RawAnswer, { resultcode, result, data }: Envelope): boolean {
  const empty = data === undefined || data === null || data === '' || (Array.isArray(data) && data.length === 0);
  return (isSuccess(answer) || answer.status === 404) && resultcode === RESULT_CODES.notFound && isFailure(result) && empty;
}

function isFailure(result: string | null | undefined): boolean {
  return result === undefined || result === null || /^fail(ed)?$/i.test(result);
}
