import { parseInstant } from '@/lib/platform/core/instant';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/platform/core/money';
import { OPERATED_NETWORKS } from '@/lib/platform/core/network';
import type { InstrumentOffer, InstrumentRequest, InstrumentStatus, IssuedWays, IssueOutcome } from '@/lib/providers/port/instrument';
import { type RawAnswer, USUAL_LIMITS } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import { answerSchema, errorSchema, outcomeOf, readPaymentAnswer, type SnippePayment } from './wire';

// Source: docs.snippe.sh (dynamic QR, card), version 2026-01-25 of the API. The tokens and the pages are Selcom's.

const LIMITS = { minAmount: 500n * SENTI_PER_SHILLING, maxAmount: USUAL_LIMITS.maxAmount, takes: 'exact' } as const;

export const INSTRUMENT_OFFERS: readonly InstrumentOffer[] = [
  { kind: 'dynamic_qr', ways: ['number', 'qr'], networks: OPERATED_NETWORKS, ...LIMITS },
  { kind: 'card', ways: ['link'], networks: [], ...LIMITS },
];

/** Interprets the answer to a request for an instrument. */
export function readInstrumentAnswer(answer: RawAnswer, instrument: InstrumentRequest): IssueOutcome {
  const outcome = readPaymentAnswer(answer);
  if (outcome.kind === 'failed') return { kind: 'refused', reason: outcome.reason };
  if (outcome.kind === 'not_sent') return outcome;
  const payment = outcome.kind === 'accepted' ? paymentOf(answer, instrument) : null;
  const issued = payment?.status === 'pending' ? issuedOf(payment, instrument) : null;
  return issued ?? { kind: 'unknown' };
}

/**
 * Interprets the answer to a status query, or to a repeated request: Snippe answers that one with its first answer, whatever has happened
 * since.
 */
export function readInstrumentStatus(answer: RawAnswer, instrument: InstrumentRequest): InstrumentStatus {
  if (answer.lost === null && answer.status === 404 && errorSchema.safeParse(parseJson(answer.body)).success) return { kind: 'not_found' };
  const payment = paymentOf(answer, instrument);
  if (!payment) return { kind: 'unknown' };
  switch (payment.status) {
    case 'pending': {
      const issued = issuedOf(payment, instrument);
      return issued || instrument.providerReference !== null ? { kind: 'open', payments: [], issued } : { kind: 'unknown' };
    }
    case 'completed': {
      const paid = outcomeOf(payment);
      return paid.kind === 'paid' ? { kind: 'ended', payments: [paid] } : { kind: 'unknown' };
    }
    case 'failed':
    case 'voided':
    case 'expired':
      return { kind: 'ended', payments: [] };
    default:
      return { kind: 'unknown' };
  }
}

/** Interprets the answer to a request to void a payment. The documentation does not show it. */
export function readCancelAnswer(answer: RawAnswer): 'done' | 'refused' | 'unknown' {
  if (answer.lost) return 'unknown';
  const json = parseJson(answer.body);
  if (isSuccess(answer)) return answerSchema.safeParse(json).data?.data.status === 'voided' ? 'done' : 'unknown';
  const refuses = answer.status === 400 || answer.status === 404 || answer.status === 409 || answer.status === 422;
  return refuses && errorSchema.safeParse(json).success ? 'refused' : 'unknown';
}

/** Returns the payment in an answer; null if it is not the payment of the instrument. */
function paymentOf(answer: RawAnswer, { reference, providerReference }: InstrumentRequest): SnippePayment | null {
  const payment = answer.lost === null && isSuccess(answer) ? answerSchema.safeParse(parseJson(answer.body)).data?.data : undefined;
  if (!payment || payment.reference !== (providerReference ?? payment.reference)) return null;
  return (payment.metadata?.reference ?? reference) === reference ? payment : null;
}

/** Returns what Snippe has issued; null if the answer does not repeat it, or if it is for another amount. */
function issuedOf(payment: SnippePayment, { kind, amount }: InstrumentRequest): Extract<IssueOutcome, { kind: 'issued' }> | null {
  const { payment_token, payment_qr_code, payment_url, reference, expires_at } = payment;
  const number = payment_token && /^\d{4,20}$/.test(payment_token) ? payment_token : null;
  const link = payment_url && URL.parse(payment_url)?.protocol === 'https:' ? payment_url : null;
  const ways: IssuedWays = kind === 'card' ? { number: null, qr: null, link } : { number, qr: payment_qr_code || null, link: null };
  const asked = payment.amount?.currency === 'TZS' && payment.amount.value === Number(toWholeShillings(amount));
  if (!asked || (ways.number === null && ways.qr === null && ways.link === null)) return null;
  return { kind: 'issued', ways, providerReference: reference, expiresAt: parseInstant(expires_at ?? '', ['iso']) };
}
