import type { Senti } from '@/lib/core/money';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import { readGroupedAmount } from '@/lib/providers/port/read-amount';
import { refusalOf } from './codes';
import { type Envelope, envelopeSchema, IN_PROGRESS, ordersSchema, RESULT_CODES, type SelcomOrder } from './wire';

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

function envelopeOf(answer: RawAnswer): Envelope | undefined {
  return envelopeSchema.safeParse(parseJson(answer.body)).data;
}

function isDone(answer: RawAnswer, { resultcode, result }: Envelope): boolean {
  return isSuccess(answer) && resultcode === RESULT_CODES.success && result === 'SUCCESS';
}

function isInProgress(answer: RawAnswer, { resultcode, result }: Envelope): boolean {
  return isSuccess(answer) && IN_PROGRESS.includes(resultcode) && /^(PENDING|IN ?PROGRESS)$/.test(result ?? '');
}

/**
 * Returns whether Selcom does not know the order: the HTTP status is 2xx or 404, the result code is 404, and `data` is empty. An order in
 * `data` would contradict the code.
 */
function isNotFound(answer: RawAnswer, { resultcode, result, data }: Envelope): boolean {
  const empty = data === undefined || data === null || data === '' || (Array.isArray(data) && data.length === 0);
  return (isSuccess(answer) || answer.status === 404) && resultcode === RESULT_CODES.notFound && isFailure(result) && empty;
}

function isFailure(result: string | null | undefined): boolean {
  return result === undefined || result === null || /^fail(ed)?$/i.test(result);
}
