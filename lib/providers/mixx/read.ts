import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, Reversal, ReversalOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import { readGroupedAmount } from '@/lib/providers/port/read-amount';
import { reasonOfText } from '@/lib/providers/port/reason-of-text';
import { readFlatXml } from '@/lib/providers/port/xml';
import { ACCEPTED, DUPLICATE, REFUND_FAILED, REFUNDED, reasonOf, WRONG_CREDENTIALS } from './codes';
import { COMMAND, pushAnswerSchema, statusAnswerSchema, tokenErrorSchema } from './wire';

/** Returns whether the token service does not accept the user name or password. The request that needed a token was never sent. */
export function refusesClient({ lost, status, body }: RawAnswer): boolean {
  return lost === null && (status === 400 || status === 401) && tokenErrorSchema.safeParse(parseJson(body)).success;
}

/** Returns whether Yas refused the token and did nothing else, so that the same request may be sent again with a new token. */
export function refusesToken(answer: RawAnswer): boolean {
  return answer.lost === null && answer.status === 401 && !pushAnswerSchema.safeParse(parseJson(answer.body)).success;
}

/** Returns whether the next request needs a new token, because the answer may mean that Yas refused the current token. */
export function endsToken({ lost, status, body }: RawAnswer): boolean {
  return lost === null && (status === 401 || pushAnswerSchema.safeParse(parseJson(body)).data?.ResponseCode === WRONG_CREDENTIALS);
}

/** Returns the outcome if the answer was lost, or if it shows that Yas has not handled the request; null for all other answers. */
function readGatewayAnswer(
  answer: RawAnswer,
): { readonly kind: 'not_sent' | 'unknown' } | { readonly kind: 'failed'; readonly reason: FailureReason } | null {
  if (answer.lost) return { kind: answer.lost };
  if (refusesClient(answer)) return { kind: 'failed', reason: 'merchant_config' };
  // A request over the limit is not processed: RFC 6585.
  return answer.status === 429 || refusesToken(answer) ? { kind: 'not_sent' } : null;
}

/** Interprets the answer to a payment request. */
export function readPushAnswer(answer: RawAnswer, { reference }: PromptRequest): Outcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const read = pushAnswerSchema.safeParse(parseJson(answer.body)).data;
  if (!read || (answer.status ?? 500) >= 500 || answer.status === 408) return { kind: 'unknown' };
  const { ResponseCode: code, ResponseStatus: succeeded, ResponseDescription: description, ReferenceID: ours } = read;
  if (ours && !ours.endsWith(reference)) return { kind: 'unknown' };
  if (DUPLICATE.test(code) || DUPLICATE.test(description ?? '')) return { kind: 'duplicate' };
  if (ACCEPTED.includes(code)) {
    const isClear = isSuccess(answer) && succeeded !== false;
    return isClear ? { kind: 'accepted', providerReference: ours || null } : { kind: 'unknown' };
  }
  const reason = reasonOf(code);
  return reason === null || succeeded === true ? { kind: 'unknown' } : { kind: 'failed', reason };
}

/** The result code of a status query that has found its payment: "0", or "00" behind some relays. */
const FOUND = /^0{1,3}$/;

/** Reads the answer to a status query about this reference; null if the answer is unusable or about another reference. */
function readStatus(answer: RawAnswer, reference: string) {
  if (answer.lost || !isSuccess(answer)) return null;
  const fields = readFlatXml(new TextDecoder().decode(answer.body), COMMAND);
  const status = statusAnswerSchema.safeParse(fields).data;
  if (!status) return null;
  const { EXTERNALREFID: ours } = status;
  return ours && !ours.endsWith(reference) ? null : status;
}

/** Interprets the answer to a status query. The receipt number is always TXNID of this answer. */
export function readStatusAnswer(answer: RawAnswer, { reference, amount }: PromptRequest): Outcome {
  const status = readStatus(answer, reference);
  if (!status) return { kind: 'unknown' };
  const { RESULTCODE: code, RESULTDESC: description, TXNSTATUS, TXNID: transactionId, EXTERNALREFID: ours } = status;
  if (/^GetSOError\d+$/.test(code)) return isNotFound(description) ? { kind: 'not_found' } : { kind: 'unknown' };
  if (!FOUND.test(code) || !ours) return { kind: 'unknown' };
  // If the reported amount is not the requested one, the answer is about another payment.
  const reported = readGroupedAmount(status.AMOUNT);
  if (reported !== null && reported !== amount) return { kind: 'unknown' };
  switch (TXNSTATUS?.toLowerCase()) {
    case 'pending':
    case 'initiated':
      return { kind: 'pending' };
    case 'posted':
      return transactionId && reported !== null ? { kind: 'paid', transactionId, amount } : { kind: 'unknown' };
    case 'reversed':
      if (!transactionId || reported === null) return { kind: 'unknown' };
      return { kind: 'reversed', transactionId, amount, reversed: null, reversalTransactionId: null };
    case 'failed':
    case 'cancelled':
    case 'rejected':
      return { kind: 'failed', reason: reasonOfText(description) };
    case 'expired':
      return { kind: 'expired' };
    default:
      return { kind: 'unknown' };
  }
}

/**
 * Returns whether a text says that there is no such payment. A text that says that the biller or the user is not found does not count: it
 * does not prove that the payment does not exist.
 */
function isNotFound(description = ''): boolean {
  if (/msisdn|\bpin\b|user|biller|account|agent/i.test(description)) return false;
  return /not found|\bno\b.{0,40}\b(record|found|exists?)\b|does not exist/i.test(description);
}

/** Interprets the answer to a request for a refund. */
export function readRefundAnswer(answer: RawAnswer, { reference, promptReference }: Reversal): ReversalOutcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const read = pushAnswerSchema.safeParse(parseJson(answer.body)).data;
  if (!read || !isSuccess(answer)) return { kind: 'unknown' };
  const { ReferenceID: ours, ResponseDescription: description } = read;
  const isOurs = !ours || ours.endsWith(reference) || (promptReference !== null && ours.endsWith(promptReference));
  // Yas calls a reversal a refund. If Yas refuses our reference as a duplicate, it already has this request, whose outcome is unknown. An
  // answer with the reference of another request says nothing about this one.
  if (!isOurs || DUPLICATE.test(description ?? '')) return { kind: 'unknown' };
  if (read.ResponseCode === REFUNDED && read.ResponseStatus !== false) return { kind: 'reversed', transactionId: null, amount: null };
  if (read.ResponseCode === REFUND_FAILED && read.ResponseStatus !== true) return { kind: 'failed', reason: 'rejected' };
  return { kind: 'unknown' };
}

/** Reads the state of a refund from the status answer about the payment. */
export function readRefundStatus(answer: RawAnswer, promptReference: string | null): ReversalOutcome {
  const status = promptReference === null ? null : readStatus(answer, promptReference);
  if (!status || !FOUND.test(status.RESULTCODE) || !status.EXTERNALREFID) return { kind: 'unknown' };
  if (status.TXNSTATUS?.toLowerCase() === 'reversed') return { kind: 'reversed', transactionId: null, amount: null };
  return { kind: 'pending' };
}
