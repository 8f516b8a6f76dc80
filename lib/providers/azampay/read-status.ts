import type { Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import { readAmount } from '@/lib/providers/port/read-amount';
import { reasonOfText } from '@/lib/providers/port/reason-of-text';
import { type Named, textOf } from './read';
import { statusSchema } from './wire';

const NOT_FOUND = /transaction.{0,40}\b(not found|not exist)/i;
/** If a text says that one of these things is not found, AzamPay has found the transaction itself. */
const OTHER_FOUND = /account|number|subscriber|customer|wallet/i;
/** Causes of a failure that only the customer's network knows. */
const CAUSE = /insufficient|not enough|low balance|\bpin\b|cancel/i;

/** Interprets the answer to a status query. `success: false` does not mean that the payment failed. */
export function readStatusAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  if (answer.lost) return { kind: 'unknown' };
  if (isNotFound(answer)) return { kind: 'not_found' };
  const status = isSuccess(answer) ? statusSchema.safeParse(parseJson(answer.body)).data : undefined;
  const { providerReference } = prompt;
  if (!status?.data || providerReference === null || !isAbout(status.data, prompt)) return { kind: 'unknown' };
  const { data, success, message, statusCode } = status;
  const code = Number(statusCode ?? 200);
  switch (data.status.trim().toLowerCase()) {
    case 'success':
    case 'completed': {
      if (success !== true || !(code >= 200 && code < 300)) return { kind: 'unknown' };
      const assumed = textOf(data.amount) === null;
      return { kind: 'paid', transactionId: providerReference, amount: prompt.amount, ...(assumed && { assumed }) };
    }
    case 'pending':
    case 'processing':
    case 'in progress':
      return { kind: 'pending' };
    case 'reversed': {
      if (!(code < 500)) return { kind: 'unknown' };
      const assumed = textOf(data.amount) === null;
      const reversal = { reversed: null, reversalTransactionId: null, ...(assumed && { assumed }) };
      return { kind: 'reversed', transactionId: providerReference, amount: prompt.amount, ...reversal };
    }
    case 'failed':
    case 'failure':
      if (!(code < 500)) return { kind: 'unknown' };
      return readFailure(textOf(data.reasonOfTransactionFailure) ?? textOf(message));
    case 'expired':
      return code < 500 ? { kind: 'expired' } : { kind: 'unknown' };
    default:
      return { kind: 'unknown' };
  }
}

function readFailure(text: string | null): Outcome {
  return text !== null && NOT_FOUND.test(text) && !OTHER_FOUND.test(text)
    ? { kind: 'not_found' }
    : { kind: 'failed', reason: reasonOfText(text) };
}

/**
 * Tells whether the answer to a status query says that the payment failed, with a cause that only the customer's network knows. Then
 * AzamPay has found the payment.
 */
export function namesCause(answer: RawAnswer): boolean {
  const { data } = statusSchema.safeParse(parseJson(answer.body)).data ?? {};
  return CAUSE.test(textOf(data?.reasonOfTransactionFailure) ?? '');
}

/** Tells whether a status can be about this request: its payment id, amount and currency are those of the request, or are missing. */
function isAbout(
  { pgReferenceId, amount, currency }: { readonly pgReferenceId?: Named; readonly amount?: Named; readonly currency?: Named },
  prompt: PromptRequest,
): boolean {
  const id = textOf(pgReferenceId);
  const sum = textOf(amount);
  return (
    (id === null || id.toLowerCase() === prompt.providerReference?.toLowerCase()) &&
    (sum === null || readAmount(sum) === prompt.amount) &&
    (textOf(currency) ?? 'TZS') === 'TZS'
  );
}

/** Tells whether a status query found no such payment. A query with another value of the parameter `operator` may find it. */
function isNotFound(answer: RawAnswer): boolean {
  if (answer.lost || !(isSuccess(answer) || answer.status === 400 || answer.status === 404)) return false;
  const { data, message } = statusSchema.safeParse(parseJson(answer.body)).data ?? {};
  return NOT_FOUND.test(data ? data.status : (message ?? ''));
}
