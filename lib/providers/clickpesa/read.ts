import type { Senti } from '@/lib/core/money';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer } from '@/lib/providers/port/port';
import { isSuccess, parseJson, refusesCredentials } from '@/lib/providers/port/raw-answer';
import { readAmount } from '@/lib/providers/port/read-amount';
import { leavesOpen, reasonOfText } from '@/lib/providers/port/reason-of-text';
import { type ClickpesaPayment, errorSchema, paymentSchema, statusSchema } from './wire';

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
  const error = errorSchema.safeParse(json).data;
  if (!error) return { kind: 'unknown' };
  if (answer.status === 409) return { kind: 'duplicate' };
  // The product is not enabled for this application, or the address of the caller is not allowed.
  if (answer.status === 404 || answer.status === 403) return { kind: 'failed', reason: 'merchant_config' };
  if (answer.status !== 400) return { kind: 'unknown' };
  if (/already|duplicate/i.test(error.message)) return { kind: 'duplicate' };
  if (/checksum/i.test(error.message)) return { kind: 'failed', reason: 'merchant_config' };
  const reason = reasonOfText(error.message);
  // A text that names a cause, such as an insufficient balance, is final, even if it advises to try again.
  const namesCause = reason !== 'rejected' && reason !== 'user_timeout';
  return !namesCause && leavesOpen(error.message) ? { kind: 'unknown' } : { kind: 'failed', reason };
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

/** Returns the collected amount in senti; null if it is unreadable or not in shillings. */
function collectedOf({ collectedAmount, collectedCurrency }: ClickpesaPayment): Senti | null {
  return collectedCurrency === 'TZS' ? readAmount(collectedAmount) : null;
}
