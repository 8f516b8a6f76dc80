import type { Outcome } from '@/lib/providers/port/outcome';
import type { Push, RawAnswer, ReversalOutcome } from '@/lib/providers/port/port';
import { parseJson } from '@/lib/providers/port/raw-answer';
import { meaningOf } from './codes';
import { pushAnswerSchema, statusAnswerSchema } from './wire';

/** Statuses with which the platform's gateway turns a request away, unless a result comes with them. */
const TURNED_AWAY: readonly (number | null)[] = [401, 403, 429];

/** By `output_ResponseTransactionStatus`, in lower case. Anything else says nothing for certain. */
const STATUSES: Readonly<Record<string, Outcome>> = {
  'in progress': { kind: 'pending' },
  cancelled: { kind: 'failed', reason: 'user_cancelled' },
  expired: { kind: 'expired' },
  failed: { kind: 'failed', reason: 'rejected' },
};

/** @returns the result code of an answer; empty when it has none. */
export function resultCode(answer: RawAnswer): string {
  return pushAnswerSchema.safeParse(parseJson(answer.body)).data?.output_ResponseCode ?? '';
}

/** The request did not get as far as the platform: no session that is good, or too many requests. */
function wasNotAdmitted(answer: RawAnswer): boolean {
  return answer.lost === null && TURNED_AWAY.includes(answer.status) && !pushAnswerSchema.safeParse(parseJson(answer.body)).success;
}

/** Of what was not admitted, 429 says only that there was too much. */
export function refusesSession(answer: RawAnswer): boolean {
  return wasNotAdmitted(answer) && answer.status !== 429;
}

/**
 * INS-0 means processed only with a receipt: without one the customer is being asked. What was paid is what was asked for;
 * an answer about another push than this one says nothing.
 */
export function readPushAnswer(answer: RawAnswer, push: Push): Outcome {
  if (answer.lost) return { kind: answer.lost };
  if (wasNotAdmitted(answer)) return { kind: 'not_sent' };
  const parsed = pushAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed.success || isBroken(answer) || (parsed.data.output_ThirdPartyConversationID ?? push.reference) !== push.reference)
    return { kind: 'unknown' };
  const { output_ResponseCode: code, output_TransactionID: transactionId, output_ConversationID: conversation } = parsed.data;
  const meaning = meaningOf(code);
  if (meaning.kind !== 'processed') return meaning;
  if (!isSuccess(answer)) return { kind: 'unknown' };
  return transactionId === null
    ? { kind: 'accepted', providerReference: conversation ?? null }
    : { kind: 'paid', transactionId, amount: push.amount, assumed: true };
}

/** INS-0 says only that the query worked. That a payment was reversed is told without the reversal's receipt or amount. */
export function readStatusAnswer(answer: RawAnswer, push: Push): Outcome {
  const parsed = answer.lost ? null : statusAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed?.success || isBroken(answer)) return { kind: 'unknown' };
  const { output_ResponseCode: code, output_ResponseTransactionStatus: status, output_OriginalTransactionID: transactionId } = parsed.data;
  if (code === 'INS-23') return { kind: 'not_found' };
  if (code !== 'INS-0' || !isSuccess(answer)) return { kind: 'unknown' };
  const said = (status ?? '').trim().toLowerCase();
  if (said !== 'completed') return STATUSES[said] ?? { kind: 'unknown' };
  if (transactionId === null) return { kind: 'unknown' };
  const money = { transactionId, amount: push.amount, assumed: true } as const;
  return String(parsed.data.output_Reversed).toLowerCase() === 'true'
    ? { kind: 'reversed', ...money, reversed: null, reversalTransactionId: null }
    : { kind: 'paid', ...money };
}

export function readReversalAnswer(answer: RawAnswer): ReversalOutcome {
  if (answer.lost) return { kind: answer.lost };
  if (wasNotAdmitted(answer)) return { kind: 'not_sent' };
  const parsed = pushAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed.success || isBroken(answer)) return { kind: 'unknown' };
  const meaning = meaningOf(parsed.data.output_ResponseCode);
  if (meaning.kind === 'duplicate') return { kind: 'unknown' };
  if (meaning.kind !== 'processed') return meaning;
  const { output_TransactionID: transactionId } = parsed.data;
  if (!isSuccess(answer)) return { kind: 'unknown' };
  return transactionId === null ? { kind: 'pending' } : { kind: 'reversed', transactionId, amount: null };
}

/** What a status query about the payment says of its reversal. */
export function readReversalStatus(answer: RawAnswer): ReversalOutcome {
  const parsed = answer.lost ? null : statusAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed?.success || isBroken(answer) || !isSuccess(answer) || parsed.data.output_ResponseCode !== 'INS-0') return { kind: 'unknown' };
  return String(parsed.data.output_Reversed).toLowerCase() === 'true'
    ? { kind: 'reversed', transactionId: null, amount: null }
    : { kind: 'pending' };
}

/** The platform answers neither way; whatever the body says was not said by it alone. */
function isBroken({ status }: RawAnswer): boolean {
  return status === 404 || (status ?? 500) >= 500;
}

function isSuccess({ status }: RawAnswer): boolean {
  return status !== null && status >= 200 && status < 300;
}
