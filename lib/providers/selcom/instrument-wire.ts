import { z } from 'zod';
import type { InstrumentRequest, InstrumentStatus, IssuedWays, IssueOutcome, MoneyOutcome } from '@/lib/providers/port/instrument';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { RawAnswer } from '@/lib/providers/port/port';
import { envelopeOf, isDone, isNotFound, ordersSchema, outcomeOf, refusalOf } from './wire';

// Source: developers.selcommobile.com ("Checkout": create order, order status, cancel order).

export const CANCEL_PATH = '/v1/checkout/cancel-order';

const text = z.string().max(2_000).nullish().catch(null);

/** What create-order says about how the order can be paid. Each member may be missing. */
const createdSchema = z
  .array(
    z.object({
      payment_token: z
        .union([z.string().max(100), z.int()])
        .transform(String)
        .nullish()
        .catch(null),
      qr: text,
      payment_gateway_url: text,
    }),
  )
  .min(1);

/**
 * Interprets the answer to create-order for an instrument. An order without any way to pay it is `unknown`: it exists, and is cancelled after a
 * status query.
 */
export function readIssueAnswer(answer: RawAnswer, expiresAt: Date): IssueOutcome {
  if (answer.lost) return { kind: answer.lost };
  const envelope = envelopeOf(answer);
  if (!envelope) return { kind: 'unknown' };
  if (isDone(answer, envelope)) {
    const ways = readWays(envelope.data);
    return ways ? { kind: 'issued', ways, providerReference: envelope.reference || null, expiresAt } : { kind: 'unknown' };
  }
  const refusal = refusalOf(answer.status, envelope);
  // Nobody else uses our reference, so an earlier request of ours has created the order.
  if (refusal === null || refusal === 'duplicate') return { kind: 'unknown' };
  return { kind: 'refused', reason: reasonOf(refusal) };
}

/** The number in the request is that of the account. If Selcom refuses it, no customer is the cause. */
function reasonOf(refusal: FailureReason): FailureReason {
  return refusal === 'mobile_not_registered' ? 'merchant_config' : refusal;
}

function readWays(data: unknown): IssuedWays | null {
  const [created] = createdSchema.safeParse(data).data ?? [];
  if (!created) return null;
  const { payment_token: token, qr, payment_gateway_url: address } = created;
  const ways = {
    number: /^\d{4,20}$/.test(token ?? '') ? (token ?? null) : null,
    // Bili checks the text before a customer sees it.
    qr: /^[ -~]{20,512}$/.test(qr ?? '') ? (qr ?? null) : null,
    link: readLink(address ?? ''),
  };
  return Object.values(ways).some((way) => way !== null) ? ways : null;
}

/** Reads an https address. Selcom sends it in Base64, and sometimes as it is. */
function readLink(address: string): string | null {
  const candidates = [address, Buffer.from(address, 'base64').toString('utf8')];
  return candidates.find((candidate) => /^https:\/\/[!-~]+$/.test(candidate) && URL.canParse(candidate)) ?? null;
}

/**
 * Interprets the answer to a status query about an instrument. An order that is paid cannot be paid again. Each paid order in the answer is a
 * payment, of whatever amount: the order has our reference, so the money is for it.
 */
export function readInstrumentStatus(answer: RawAnswer, { reference }: InstrumentRequest): InstrumentStatus {
  const envelope = answer.lost === null ? envelopeOf(answer) : undefined;
  if (!envelope) return { kind: 'unknown' };
  if (isNotFound(answer, envelope)) return { kind: 'not_found' };
  const orders = (isDone(answer, envelope) && ordersSchema.safeParse(envelope.data).data) || [];
  if (orders.length === 0 || orders.some(({ order_id }) => order_id !== reference)) return { kind: 'unknown' };
  const outcomes = orders.map(outcomeOf);
  if (outcomes.some(({ kind }) => kind === 'unknown')) return { kind: 'unknown' };
  const payments = outcomes.filter((outcome): outcome is MoneyOutcome => outcome.kind === 'paid');
  // A status answer repeats neither the number nor the code.
  if (payments.length === 0 && outcomes.some(({ kind }) => kind === 'pending')) return { kind: 'open', payments, issued: null };
  return { kind: 'ended', payments };
}

/** Interprets the answer to cancel-order. Selcom does not cancel an order that is paid or has expired. */
export function readCancelAnswer(answer: RawAnswer): 'done' | 'refused' | 'unknown' {
  const envelope = answer.lost === null ? envelopeOf(answer) : undefined;
  if (!envelope) return 'unknown';
  if (isDone(answer, envelope)) return 'done';
  return refusalOf(answer.status, envelope) === null ? 'unknown' : 'refused';
}
