import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { parseInstant } from '@/lib/platform/core/instant';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, RawCallback, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson, readFee, reasonOfText } from '@/lib/providers/port/raw-answer';

// Source: docs.snippe.sh, version 2026-01-25 of the API. Amounts are whole shillings.

export const VERSION = '2026-01-25';
export const PAYMENTS_PATH = '/v1/payments';
export const PAYOUTS_PATH = '/v1/payouts';
export const SEND_PAYOUT_PATH = `${PAYOUTS_PATH}/send`;
/** The smallest payout, in whole shillings. */
export const MIN_PAYOUT = 5_000;

export const SIGNATURE_HEADER = 'x-webhook-signature';
export const TIMESTAMP_HEADER = 'x-webhook-timestamp';
export const EVENT_HEADER = 'x-webhook-event';

/** The states of a payment. */
export type SnippeStatus = 'pending' | 'completed' | 'failed' | 'voided' | 'expired';

const name = z.string().trim().min(1).max(100);

const phone = z.string().regex(/^\+?255[67]\d{8}$/);
const url = z.url().max(500);
const metadata = z.record(z.string(), z.string());

const details = z.object({ amount: z.int().min(500), currency: z.literal('TZS') });
const customer = z.object({ firstname: name, lastname: name, email: z.email() });
const about = { webhook_url: url.optional(), metadata: metadata.optional() };

export const paymentRequestSchema = z.object({ payment_type: z.literal('mobile'), details, phone_number: phone, customer, ...about });
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

/** A QR code. The same answer has a token, which wallets take in their menus, and the address of a page. */
const qrRequestSchema = z.object({
  payment_type: z.literal('dynamic-qr'),
  details: details.extend({ redirect_url: url.optional(), cancel_url: url.optional() }),
  phone_number: phone.optional(),
  customer: customer.optional(),
  ...about,
});

const cardRequestSchema = z.object({
  payment_type: z.literal('card'),
  details: details.extend({ redirect_url: url, cancel_url: url }),
  phone_number: phone.optional(),
  customer: customer.extend({ address: name, city: name, state: name, postcode: name, country: z.string().length(2) }),
  ...about,
});

export const instrumentRequestSchema = z.discriminatedUnion('payment_type', [qrRequestSchema, cardRequestSchema]);
export type SnippeInstrumentRequest = z.infer<typeof instrumentRequestSchema>;

/** Snippe finds the network from the number. */
export const payoutRequestSchema = z.object({
  amount: z.int().min(MIN_PAYOUT),
  channel: z.literal('mobile'),
  recipient_phone: phone,
  recipient_name: name,
  narration: z.string().max(100).optional(),
  webhook_url: url.optional(),
  metadata: metadata.optional(),
});
export type PayoutRequest = z.infer<typeof payoutRequestSchema>;

const money = z.object({ value: z.number(), currency: z.string() });
/** A fee may have cents. */
const fee = z.object({ value: z.union([z.number(), z.string().max(30)]), currency: z.string() });

/** A payment or payout as answers and webhooks show it. Members that the adapter does not read are left out. */
const paymentSchema = z.object({
  reference: z.string().min(1).max(100),
  status: z.string().max(50),
  amount: money.optional(),
  settlement: z.object({ fees: fee.optional() }).nullish(),
  completed_at: z.string().max(50).nullish(),
  failure_reason: z.string().max(500).nullish(),
  /** Without the payer's number, the rest of the message still counts. */
  customer: z
    .object({ phone: z.string().max(30).nullish() })
    .nullish()
    .catch(null),
  metadata: z.object({ reference: z.string().max(100).optional() }).nullish(),
  expires_at: z.string().max(50).nullish().catch(null),
  payment_token: z.string().max(100).nullish().catch(null),
  payment_qr_code: z.string().max(1_000).nullish().catch(null),
  payment_url: z.string().max(2_000).nullish().catch(null),
});
export type SnippePayment = z.infer<typeof paymentSchema>;

export const answerSchema = z.object({ status: z.literal('success'), data: paymentSchema });

export const errorSchema = z.object({
  status: z.literal('error'),
  error_code: z.string().max(100),
  message: z.string().max(1_000).optional(),
});

export const webhookSchema = z.object({ id: z.string().max(100), type: z.string().max(100), data: paymentSchema });
export type Webhook = z.infer<typeof webhookSchema>;

/** An older webhook is refused, so that nobody can record a webhook and send it again later. */
const MAX_AGE_MS = 5 * MINUTE_MS;

/** Signs the body of a webhook. @param timestamp seconds since 1970, as the header contains it. */
export function signWebhook(secret: string, timestamp: string, body: Uint8Array | string): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** Returns whether a webhook has a valid signature and a timestamp that differs from `now` by at most five minutes. */
export function isSigned({ headers, body }: RawCallback, secret: string, now: Date): boolean {
  const timestamp = headers[TIMESTAMP_HEADER] ?? '';
  const given = Buffer.from(headers[SIGNATURE_HEADER] ?? '', 'hex');
  const expected = Buffer.from(signWebhook(secret, timestamp, body), 'hex');
  const age = Math.abs(now.getTime() - Number(timestamp) * SECOND_MS);
  return /^\d+$/.test(timestamp) && age <= MAX_AGE_MS && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Error codes with which Snippe refuses a request before it does anything. Source: docs.snippe.sh, "Errors". */
const REFUSALS: Readonly<Record<string, FailureReason>> = {
  unauthorized: 'merchant_config',
  insufficient_scope: 'merchant_config',
  validation_error: 'rejected',
  payment_failed: 'rejected',
};

const DUPLICATE = /idempoten|duplicate|conflict/i;

/**
 * Interprets the answer to a payment request. Snippe answers an identical request with its first answer, so the answer may be an old one.
 */
export function readPaymentAnswer(answer: RawAnswer): Outcome {
  if (answer.lost) return { kind: answer.lost };
  if (answer.status === 429) return { kind: 'not_sent' };
  const json = parseJson(answer.body);
  if (isSuccess(answer)) {
    const accepted = answerSchema.safeParse(json).data;
    return accepted ? { kind: 'accepted', providerReference: accepted.data.reference } : { kind: 'unknown' };
  }
  const error = errorSchema.safeParse(json).data;
  // After PAY_001 or another server error, it is unknown whether the wallet has received the request.
  if (!error || (answer.status ?? 500) >= 500) return { kind: 'unknown' };
  // The same Idempotency-Key with another body: Snippe has the first request. Other invalid requests may have the status 422, too.
  if (answer.status === 422 && DUPLICATE.test(`${error.error_code} ${error.message ?? ''}`)) return { kind: 'duplicate' };
  const reason = REFUSALS[error.error_code];
  if (reason === undefined) return { kind: 'unknown' };
  return { kind: 'failed', reason: reason === 'rejected' ? reasonOfText(error.message) : reason };
}

/**
 * Interprets the answer to a payout. Only a refusal before Snippe has done anything is final. Whatever else the answer says about the
 * payout, a status query confirms it.
 */
export function readPayoutAnswer(answer: RawAnswer): RefundOutcome {
  if (answer.lost) return { kind: answer.lost };
  const json = parseJson(answer.body);
  if (isSuccess(answer)) {
    const accepted = answerSchema.safeParse(json).data;
    return accepted ? { kind: 'pending', providerReference: accepted.data.reference } : { kind: 'unknown' };
  }
  const error = errorSchema.safeParse(json).data;
  if (answer.status === 429 && error?.error_code === 'rate_limit_exceeded') return { kind: 'not_sent' };
  const reason = error && refusalOfPayout(answer.status, error);
  return reason ? { kind: 'failed', reason } : { kind: 'unknown' };
}

/**
 * Returns why Snippe refuses a payout; null if the payout may exist. 422 means that the Idempotency-Key was used before. An account without
 * enough money is reported with HTTP 500: the documentation has a sample.
 */
function refusalOfPayout(status: number | null, { error_code, message = '' }: z.infer<typeof errorSchema>): FailureReason | null {
  if (error_code === 'payment_failed' && /^insufficient balance\b/i.test(message)) return 'insufficient_funds';
  if (status === 401 || status === 403) return 'merchant_config';
  return status === 400 && error_code === 'validation_error' ? reasonOfText(message) : null;
}

/** Interprets the answer to a status query about a payout. The states are pending, completed, failed and reversed. */
export function readPayoutStatus(answer: RawAnswer, { reference, providerReference, amount }: Refund): RefundOutcome {
  const found = answer.lost === null && isSuccess(answer) ? answerSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (!found || found.data.reference !== providerReference) return { kind: 'unknown' };
  const { data } = found;
  if ((data.metadata?.reference ?? reference) !== reference) return { kind: 'unknown' };
  switch (data.status) {
    case 'pending':
      return { kind: 'pending' };
    case 'completed': {
      const paid = data.amount?.currency === 'TZS' && isWhole(data.amount.value) ? BigInt(data.amount.value) * SENTI_PER_SHILLING : null;
      return paid === amount ? { kind: 'refunded', transactionId: data.reference, amount } : { kind: 'unknown' };
    }
    case 'failed':
      return { kind: 'failed', reason: reasonOfText(data.failure_reason) };
    // The money came back to the account.
    case 'reversed':
      return { kind: 'failed', reason: 'rejected' };
    default:
      return { kind: 'unknown' };
  }
}

/** Interprets the answer to a status query. */
export function readStatusAnswer(answer: RawAnswer, { providerReference }: PromptRequest): Outcome {
  if (answer.lost) return { kind: 'unknown' };
  const json = parseJson(answer.body);
  if (answer.status === 404) return errorSchema.safeParse(json).success ? { kind: 'not_found' } : { kind: 'unknown' };
  const found = isSuccess(answer) ? answerSchema.safeParse(json).data : undefined;
  return found && found.data.reference === providerReference ? outcomeOf(found.data) : { kind: 'unknown' };
}

/** Returns the outcome that the state of a payment reports. */
export function outcomeOf({ status, reference, amount, settlement, completed_at, failure_reason }: SnippePayment): Outcome {
  switch (status) {
    case 'pending':
      return { kind: 'pending' };
    case 'completed': {
      if (amount?.currency !== 'TZS' || !isWhole(amount.value)) return { kind: 'unknown' };
      const fee = settlement?.fees?.currency === 'TZS' ? readFee(settlement.fees.value) : null;
      const happenedAt = parseInstant(completed_at ?? '', ['iso']);
      return {
        kind: 'paid',
        transactionId: reference,
        amount: BigInt(amount.value) * SENTI_PER_SHILLING,
        ...(fee !== null && { fee }),
        ...(happenedAt !== null && { happenedAt }),
      };
    }
    case 'failed':
      return { kind: 'failed', reason: reasonOfText(failure_reason) };
    case 'voided':
      return { kind: 'failed', reason: 'rejected' };
    case 'expired':
      return { kind: 'expired' };
    default:
      return { kind: 'unknown' };
  }
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
