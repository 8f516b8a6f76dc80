import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isRecord } from '@/lib/platform/core/is-record';
import type { Senti } from '@/lib/platform/core/money';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { isSuccess, leavesOpen, parseJson, readAmount, reasonOfText, refusesCredentials } from '@/lib/providers/port/raw-answer';

// Source: docs.clickpesa.com (collections, payouts, checksum, webhooks). Amounts are whole shillings, as text or as numbers, with or without ".00".

export const TOKEN_PATH = '/third-parties/generate-token';
export const PUSH_PATH = '/third-parties/payments/initiate-ussd-push-request';
export const PAYMENTS_PATH = '/third-parties/payments';
export const PAYOUT_PATH = '/third-parties/payouts/create-mobile-money-payout';
export const PAYOUTS_PATH = '/third-parties/payouts';

/** The members that a checksum does not cover. */
const CHECKSUM_MEMBERS: readonly string[] = ['checksum', 'checksumMethod'];

export const pushRequestSchema = z.object({
  amount: z.string().regex(/^[1-9]\d*$/),
  currency: z.literal('TZS'),
  orderReference: z.string().regex(/^[A-Za-z0-9]{1,20}$/),
  phoneNumber: z.string().regex(/^255[67]\d{8}$/),
  checksum: z.string().optional(),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;

/** In a request for a payout, the amount is a number. */
export const payoutRequestSchema = pushRequestSchema.extend({ amount: z.int().positive() });
export type PayoutRequest = z.infer<typeof payoutRequestSchema>;

/** The token already starts with "Bearer ". */
export const tokenSchema = z.object({ success: z.literal(true), token: z.string().min(1).max(4_000) });

const text = z.string().max(2_000);

/** A phone number, such as `255712345678`. Without one, the rest of the message still counts. */
const phone = z.string().max(30).nullish().catch(null);
const payer = { customerPhoneNumber: phone, phoneNumber: phone };

/** A payment as answers and webhooks show it. Members that the adapter does not read are left out. */
const paymentSchema = z.object({
  id: z.string().min(1).max(100),
  status: z.string().max(50),
  orderReference: z.string().max(100),
  collectedAmount: z.union([z.string().max(30), z.number()]).nullish(),
  collectedCurrency: z.string().max(10).nullish(),
  message: z.string().max(2_000).nullish().catch(null),
  clientId: z.string().max(200).nullish(),
  /** Webhooks about a control number contain it, but no page shows in which member. `orderReference` is read, too. */
  billPayNumber: z.string().max(100).nullish().catch(null),
  controlNumber: z.string().max(100).nullish().catch(null),
  /** The documentation calls the number `customerPhoneNumber`, one client calls it `phoneNumber`. */
  ...payer,
  customer: z.object(payer).nullish().catch(null),
});
export type ClickpesaPayment = z.infer<typeof paymentSchema>;

/** A status answer is an array, and in some editions an object. */
export const statusSchema = z.union([z.array(paymentSchema).max(50), paymentSchema.transform((one) => [one])]);

const payoutSchema = z.object({
  id: z.string().min(1).max(100),
  status: z.string().max(50),
  orderReference: z.string().max(100),
  notes: z.string().max(2_000).nullish().catch(null),
});
type ClickpesaPayout = z.infer<typeof payoutSchema>;

const payoutStatusSchema = z.union([z.array(payoutSchema).max(50), payoutSchema.transform((one) => [one])]);

/** The message may be an array. */
export const errorSchema = z.object({ message: z.union([text, z.array(text).transform((all) => all.join('; '))]) });

/** An old sample of a failed payment has `eventType` instead of `event`. */
export const webhookSchema = z.object({
  event: z.string().max(100).nullish(),
  eventType: z.string().max(100).nullish(),
  data: paymentSchema,
  checksum: z.string().max(200).nullish(),
});

/** `canonical`: over the whole JSON with sorted keys. `legacy`, documented in March 2025: over the values in the order of their keys. */
export const CHECKSUM_SCHEMES = ['canonical', 'legacy'] as const;
type Scheme = (typeof CHECKSUM_SCHEMES)[number];

/** Computes the checksum of a message: hexadecimal HMAC-SHA256 over JSON with sorted keys and no spaces, without the checksum itself. */
export function checksumOf(message: Readonly<Record<string, unknown>>, key: string, scheme: Scheme = 'canonical'): string {
  const covered = Object.fromEntries(Object.entries(message).filter(([name]) => !CHECKSUM_MEMBERS.includes(name)));
  const text =
    scheme === 'canonical'
      ? JSON.stringify(sorted(covered))
      : Object.keys(covered)
          .sort()
          .map((name) => String(covered[name]))
          .join('');
  return createHmac('sha256', key).update(text).digest('hex');
}

export function fits(message: Readonly<Record<string, unknown>>, given: string | undefined, key: string, scheme: Scheme): boolean {
  const [received, expected] = [Buffer.from(given ?? '', 'hex'), Buffer.from(checksumOf(message, key, scheme), 'hex')];
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** ClickPesa's messages have three levels. The limit keeps a forged message from exhausting the stack. */
const LEVELS_MAX = 10;

function sorted(value: unknown, level = 0): unknown {
  if (level > LEVELS_MAX) return null;
  if (Array.isArray(value)) return value.map((one) => sorted(one, level + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name], level + 1)]),
  );
}

/** Returns whether ClickPesa refused the token. Then the same request may be sent again with a new token. */
export function refusesToken(answer: RawAnswer): boolean {
  return answer.lost === null && answer.status === 401 && errorSchema.safeParse(parseJson(answer.body)).success;
}

/** Returns whether the token request was refused because of the client id or the API key: 401, or 403 for an expired key. */
export function refusesClient({ lost, status, body }: RawAnswer): boolean {
  return lost === null && (status === 401 || status === 403) && errorSchema.safeParse(parseJson(body)).success;
}

/** Interprets the answer to a payment request. */
export function readPushAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  if (refusesCredentials(answer)) return { kind: 'failed', reason: 'merchant_config' };
  if (answer.lost) return { kind: answer.lost };
  if (answer.status === 429 || refusesToken(answer)) return { kind: 'not_sent' };
  const json = parseJson(answer.body);
  if (isSuccess(answer)) {
    const payment = paymentSchema.safeParse(json).data;
    if (payment?.orderReference !== prompt.reference) return { kind: 'unknown' };
    // A payment counts only if a status query or a signed callback reports it, so this answer can only mean "failed" or "accepted".
    const failed = outcomeOf(payment);
    return failed.kind === 'failed' ? failed : { kind: 'accepted', providerReference: payment.id };
  }
  return readRefusal(answer.status, json);
}

/** Interprets the error with which ClickPesa answers a request for a payment, a payout or a control number. */
export function readRefusal(status: number | null, json: unknown) {
  const error = errorSchema.safeParse(json).data;
  if (!error) return { kind: 'unknown' } as const;
  if (status === 409) return { kind: 'duplicate' } as const;
  // The product is not enabled for this application, or the address of the caller is not allowed.
  if (status === 404 || status === 403) return { kind: 'failed', reason: 'merchant_config' } as const;
  if (status !== 400) return { kind: 'unknown' } as const;
  if (/already|duplicate/i.test(error.message)) return { kind: 'duplicate' } as const;
  if (/checksum/i.test(error.message)) return { kind: 'failed', reason: 'merchant_config' } as const;
  const reason = reasonOfText(error.message);
  // A text that names a cause, such as an insufficient balance, is final, even if it advises to try again.
  const namesCause = reason !== 'rejected' && reason !== 'user_timeout';
  return !namesCause && leavesOpen(error.message) ? ({ kind: 'unknown' } as const) : ({ kind: 'failed', reason } as const);
}

/** Interprets the answer to a status query. ClickPesa answers 404 for a short time after it has accepted a request. */
export function readStatusAnswer(answer: RawAnswer, { reference, amount }: PromptRequest): Outcome {
  if (answer.lost) return { kind: 'unknown' };
  const json = parseJson(answer.body);
  if (answer.status === 404) return errorSchema.safeParse(json).success ? { kind: 'not_found' } : { kind: 'unknown' };
  const all = isSuccess(answer) ? (statusSchema.safeParse(json).data ?? []) : [];
  const [found, ...more] = all.filter((one) => one.orderReference === reference);
  // References are unique, so several payments with the same reference are a contradiction.
  return found && more.length === 0 ? outcomeOf(found, amount) : { kind: 'unknown' };
}

/**
 * Returns the outcome that the state of a payment reports. The receipt number is `id`, because every message contains `id`. The receipt
 * number of the wallet, `paymentReference`, may be missing.
 * @param requested the requested amount, for a reversed payment whose collected amount is no longer shown.
 */
export function outcomeOf(payment: ClickpesaPayment, requested?: Senti): Outcome {
  switch (payment.status) {
    case 'PROCESSING':
    case 'PENDING':
    // The money waits for a decision of the merchant at ClickPesa.
    case 'ON-HOLD':
      return { kind: 'pending' };
    case 'SUCCESS':
    case 'SETTLED': {
      const amount = collectedOf(payment);
      return amount === null ? { kind: 'unknown' } : { kind: 'paid', transactionId: payment.id, amount };
    }
    case 'REFUNDED':
    case 'REVERSED': {
      const collected = collectedOf(payment);
      const amount = collected ?? requested;
      if (amount === undefined) return { kind: 'unknown' };
      const reversal = { transactionId: payment.id, amount, reversed: null, reversalTransactionId: null };
      return { kind: 'reversed', ...reversal, ...(collected === null && { assumed: true }) };
    }
    case 'FAILED':
      return { kind: 'failed', reason: reasonOfText(payment.message) };
    default:
      return { kind: 'unknown' };
  }
}

/** Returns what a payment is for: a control number, or our reference. */
export function namedBy({ billPayNumber, controlNumber, orderReference }: ClickpesaPayment): string {
  return billPayNumber || controlNumber || orderReference;
}

/** Returns the collected amount in senti; null if it is unreadable or not in shillings. */
function collectedOf({ collectedAmount, collectedCurrency }: ClickpesaPayment): Senti | null {
  return collectedCurrency === 'TZS' ? readAmount(collectedAmount) : null;
}

/** Interprets the answer to a request for a payout. It never says that the customer has the money: only a status query does. */
export function readPayoutAnswer(answer: RawAnswer, { reference }: Refund): RefundOutcome {
  if (refusesCredentials(answer)) return { kind: 'failed', reason: 'merchant_config' };
  if (answer.lost) return { kind: answer.lost };
  const json = parseJson(answer.body);
  if (refusesToken(answer) || (answer.status === 429 && errorSchema.safeParse(json).success)) return { kind: 'not_sent' };
  if (isSuccess(answer)) {
    const payout = payoutSchema.safeParse(json).data;
    if (payout?.orderReference !== reference) return { kind: 'unknown' };
    const failed = payoutOutcomeOf(payout);
    return failed.kind === 'failed' ? failed : { kind: 'pending', providerReference: payout.id };
  }
  const refusal = readRefusal(answer.status, json);
  // ClickPesa knows the reference: a status query shows what became of the payout.
  return refusal.kind === 'duplicate' ? { kind: 'unknown' } : refusal;
}

/** Interprets the answer to a status query about a payout. A payout that ClickPesa does not know has not moved money so far. */
export function readPayoutStatus(answer: RawAnswer, { reference }: Refund): RefundOutcome {
  if (answer.lost) return { kind: 'unknown' };
  const json = parseJson(answer.body);
  if (answer.status === 404) return errorSchema.safeParse(json).success ? { kind: 'pending' } : { kind: 'unknown' };
  const all = isSuccess(answer) ? (payoutStatusSchema.safeParse(json).data ?? []) : [];
  const [found, ...more] = all.filter((one) => one.orderReference === reference);
  return found && more.length === 0 ? payoutOutcomeOf(found) : { kind: 'unknown' };
}

/** Returns what the state of a payout reports. Its amount is not read, because it may include the fee. */
function payoutOutcomeOf({ id, status, notes }: ClickpesaPayout): RefundOutcome {
  switch (status) {
    case 'AUTHORIZED':
    case 'PROCESSING':
    case 'PENDING':
      return { kind: 'pending', providerReference: id };
    case 'SUCCESS':
      return { kind: 'refunded', transactionId: id, amount: null };
    // The payout failed at ClickPesa (REFUNDED) or at the network (REVERSED), and the money is back in the account.
    case 'FAILED':
    case 'REFUNDED':
    case 'REVERSED':
      return { kind: 'failed', reason: reasonOfText(notes) };
    default:
      return { kind: 'unknown' };
  }
}
