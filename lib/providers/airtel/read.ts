import type { Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, ReversalOutcome } from '@/lib/providers/port/port';
import { isSuccess } from '@/lib/providers/port/raw-answer';
import { isVague, reasonOf } from './codes';
import { amountOf, isRefusal, lettersOf, namesAnother, type ParsedAnswer, parseAnswer, readGatewayAnswer, receiptOf } from './parse-answer';

/** The values that the status of an accepted request may have. The customer has not answered yet. */
const STARTED = /^(success\.?|TIP|TS)$/i;
const DONE = /^success\.?$/i;

/** Interprets the answer to a payment request. A success only means that the customer gets a prompt. */
export function readPushAnswer(answer: RawAnswer, { reference }: PromptRequest): Outcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const parsed = parseAnswer(answer);
  if (!parsed || namesAnother(parsed.transaction, reference)) return { kind: 'unknown' };
  const { transaction, codes, meaning, message } = parsed;
  if (meaning === 'duplicate' && !parsed.saysSuccess) return { kind: 'duplicate' };
  const status = transaction?.status ?? '';
  if (isSuccess(answer)) {
    const isAccepted = parsed.saysSuccess && parsed.listed && agreesWithSuccess(parsed) && (status === '' || STARTED.test(status));
    return isAccepted ? { kind: 'accepted', providerReference: null } : { kind: 'unknown' };
  }
  if (!isRefusal(answer, parsed) || STARTED.test(status) || isVague(codes, message)) return { kind: 'unknown' };
  return { kind: 'failed', reason: reasonOf(codes, message) };
}

/** Interprets the answer to a status query. The status letters decide. No documented answer has an amount; the requested amount counts. */
export function readStatusAnswer(answer: RawAnswer, { reference, amount }: PromptRequest): Outcome {
  const parsed = answer.lost ? null : parseAnswer(answer);
  if (!parsed) return { kind: 'unknown' };
  const { transaction, codes, meaning, message } = parsed;
  if (!transaction?.status) {
    const isDenied = isSuccess(answer) || answer.status === 400 || answer.status === 404;
    return { kind: isDenied && meaning === 'not_found' && !parsed.saysSuccess ? 'not_found' : 'unknown' };
  }
  const reported = amountOf(transaction);
  const isOurs = !namesAnother(transaction, reference) && (reported === undefined || reported === amount);
  if (!isSuccess(answer) || !isOurs) return { kind: 'unknown' };
  const transactionId = receiptOf(transaction) ?? '';
  const money = { transactionId, amount, ...(reported === undefined && { assumed: true as const }) };
  switch (lettersOf(transaction)) {
    case 'TIP':
      return { kind: 'pending' };
    case 'TF':
      return meaning === 'succeeded' ? { kind: 'unknown' } : { kind: 'failed', reason: reasonOf(codes, message) };
    case 'TE':
      return { kind: meaning === 'succeeded' ? 'unknown' : 'expired' };
    case 'TR':
      return transactionId === '' ? { kind: 'unknown' } : { kind: 'reversed', ...money, reversed: null, reversalTransactionId: null };
    case 'TS':
      return transactionId === '' || parsed.saysFailure || !agreesWithSuccess(parsed) ? { kind: 'unknown' } : { kind: 'paid', ...money };
    default:
      // TA: Airtel itself does not know yet.
      return { kind: 'unknown' };
  }
}

/**
 * Interprets the answer to a refund. The portal shows a sample with the status SUCCESS and `success: false`: only a status query can tell
 * what that means. The id in the answer may be the payment's or the refund's, so it is not used.
 */
export function readRefundAnswer(answer: RawAnswer): ReversalOutcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const parsed = parseAnswer(answer);
  if (!parsed) return { kind: 'unknown' };
  const status = parsed.transaction?.status ?? '';
  if (isSuccess(answer)) {
    const isDone = DONE.test(status) && parsed.saysSuccess && parsed.listed && agreesWithSuccess(parsed);
    return isDone ? { kind: 'reversed', transactionId: null, amount: null } : { kind: 'unknown' };
  }
  // Only a refusal of the merchant counts as a failure. The other codes are documented for payments, not for refunds, and after a wrong
  // "failed" a person might refund a second time.
  const refusesMerchant = isRefusal(answer, parsed) && status === '' && reasonOf(parsed.codes, '') === 'merchant_config';
  return refusesMerchant ? { kind: 'failed', reason: 'merchant_config' } : { kind: 'unknown' };
}

/** Reads the state of a refund from a status query about the payment. */
export function readRefundStatus(answer: RawAnswer): ReversalOutcome {
  const transaction = answer.lost || !isSuccess(answer) ? null : parseAnswer(answer)?.transaction;
  if (!transaction) return { kind: 'unknown' };
  const letters = lettersOf(transaction);
  if (letters === 'TR') return { kind: 'reversed', transactionId: null, amount: null };
  return { kind: letters === 'TS' ? 'pending' : 'unknown' };
}

/** Marks the answer to a status query as unusable if it is about another payment. */
export function unlessAboutAnother(answer: RawAnswer, reference: string): RawAnswer {
  const isAnother = answer.lost === null && namesAnother(parseAnswer(answer)?.transaction, reference);
  return isAnother ? { ...answer, lost: 'unknown', error: 'the answer is about another payment' } : answer;
}

/** Returns whether no code contradicts a success. Codes that Bili does not know contradict nothing. */
function agreesWithSuccess({ meaning }: ParsedAnswer): boolean {
  return meaning === null || meaning === 'processed' || meaning === 'succeeded';
}
