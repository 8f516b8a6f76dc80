import type { Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, ReversalOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import { meaningOf } from './codes';
import { statusAnswerSchema, transactionAnswerSchema } from './wire';

/** HTTP statuses that mean that M-Pesa rejected a request. They count only if the answer has no result code. */
const REJECTED_STATUSES: readonly (number | null)[] = [401, 403, 429];

/** Outcomes by `output_ResponseTransactionStatus` in lower case. Every other status is unknown. */
const STATUSES: Readonly<Record<string, Outcome>> = {
  'in progress': { kind: 'pending' },
  cancelled: { kind: 'failed', reason: 'user_cancelled' },
  expired: { kind: 'expired' },
  failed: { kind: 'failed', reason: 'rejected' },
};

/** Returns the result code of an answer; empty if it has none. */
export function resultCode(answer: RawAnswer): string {
  return transactionAnswerSchema.safeParse(parseJson(answer.body)).data?.output_ResponseCode ?? '';
}

/**
 * Returns whether a server in front of M-Pesa rejected the request, so that M-Pesa did not process it. The cause is an invalid session or
 * too many requests.
 */
function wasRejected(answer: RawAnswer): boolean {
  return (
    answer.lost === null && REJECTED_STATUSES.includes(answer.status) && !transactionAnswerSchema.safeParse(parseJson(answer.body)).success
  );
}

/** Returns whether a server in front of M-Pesa refused the session. HTTP 429 only means too many requests. */
export function refusesSession(answer: RawAnswer): boolean {
  return wasRejected(answer) && answer.status !== 429;
}

/**
 * Interprets the answer to a payment request. With a receipt number, INS-0 means paid. Without one, INS-0 means that the customer
 * has the prompt. The answer contains no amount, so the requested amount counts. After an answer with another reference, the outcome is
 * unknown.
 */
export function readPaymentAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  if (answer.lost) return { kind: answer.lost };
  if (wasRejected(answer)) return { kind: 'not_sent' };
  const parsed = transactionAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed.success || isBroken(answer) || (parsed.data.output_ThirdPartyConversationID ?? prompt.reference) !== prompt.reference)
    return { kind: 'unknown' };
  const { output_ResponseCode: code, output_TransactionID: transactionId, output_ConversationID: conversation } = parsed.data;
  const meaning = meaningOf(code);
  if (meaning.kind !== 'processed') return meaning;
  if (!isSuccess(answer)) return { kind: 'unknown' };
  return transactionId === null
    ? { kind: 'accepted', providerReference: conversation ?? null }
    : { kind: 'paid', transactionId, amount: prompt.amount, assumed: true };
}

/** Interprets a status answer. INS-0 only means that the query worked. The receipt number and amount of a reversal are not reported. */
export function readStatusAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  const parsed = answer.lost ? null : statusAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed?.success || isBroken(answer)) return { kind: 'unknown' };
  const { output_ResponseCode: code, output_ResponseTransactionStatus: status, output_OriginalTransactionID: transactionId } = parsed.data;
  if (code === 'INS-23') return { kind: 'not_found' };
  if (code !== 'INS-0' || !isSuccess(answer)) return { kind: 'unknown' };
  const statusText = (status ?? '').trim().toLowerCase();
  if (statusText !== 'completed') return STATUSES[statusText] ?? { kind: 'unknown' };
  if (transactionId === null) return { kind: 'unknown' };
  const money = { transactionId, amount: prompt.amount, assumed: true } as const;
  return String(parsed.data.output_Reversed).toLowerCase() === 'true'
    ? { kind: 'reversed', ...money, reversed: null, reversalTransactionId: null }
    : { kind: 'paid', ...money };
}

export function readReversalAnswer(answer: RawAnswer): ReversalOutcome {
  if (answer.lost) return { kind: answer.lost };
  if (wasRejected(answer)) return { kind: 'not_sent' };
  const parsed = transactionAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed.success || isBroken(answer)) return { kind: 'unknown' };
  const meaning = meaningOf(parsed.data.output_ResponseCode);
  if (meaning.kind === 'duplicate') return { kind: 'unknown' };
  if (meaning.kind !== 'processed') return meaning;
  const { output_TransactionID: transactionId } = parsed.data;
  if (!isSuccess(answer)) return { kind: 'unknown' };
  return transactionId === null ? { kind: 'pending' } : { kind: 'reversed', transactionId, amount: null };
}

/** Reads the state of a reversal from the status answer about the payment. */
export function readReversalStatus(answer: RawAnswer): ReversalOutcome {
  const parsed = answer.lost ? null : statusAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed?.success || isBroken(answer) || !isSuccess(answer) || parsed.data.output_ResponseCode !== 'INS-0') return { kind: 'unknown' };
  return String(parsed.data.output_Reversed).toLowerCase() === 'true'
    ? { kind: 'reversed', transactionId: null, amount: null }
    : { kind: 'pending' };
}

/** Returns whether M-Pesa never uses this HTTP status. Then the body may come from a server in front of M-Pesa. */
function isBroken({ status }: RawAnswer): boolean {
  return status === 404 || (status ?? 500) >= 500;
}
