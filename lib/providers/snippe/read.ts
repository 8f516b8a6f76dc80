import { parseInstant } from '@/lib/core/instant';
import { SENTI_PER_SHILLING } from '@/lib/core/money';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import { readFee } from '@/lib/providers/port/read-amount';
import { reasonOfText } from '@/lib/providers/port/reason-of-text';
import { answerSchema, errorSchema, type SnippePayment } from './wire';

/** Error codes with which Snippe refuses a request before it does anything. Source: docs.snippe.sh, "Errors". */
const REFUSALS: Readonly<Record<string, FailureReason>> = {
  unauthorized: 'merchant_config',
  insufficient_scope: 'merchant_config',
  validation_error: 'rejected',
  payment_failed: 'rejected',
};

const DUPLICATE = /idempoten|duplicate|conflict/i;

/**
 * Interprets the answer to a payment request. Snippe answers an identical request with its first answer, so the answer may be an old one.
 */
export function readPaymentAnswer(answer: RawAnswer): Outcome {
  if (answer.lost) return { kind: answer.lost };
  if (answer.status === 429) return { kind: 'not_sent' };
  const json = parseJson(answer.body);
  if (isSuccess(answer)) {
    const accepted = answerSchema.safeParse(json).data;
    return accepted ? { kind: 'accepted', providerReference: accepted.data.reference } : { kind: 'unknown' };
  }
  const error = errorSchema.safeParse(json).data;
  // After PAY_001 or another server error, it is unknown whether the wallet has received the request.
  if (!error || (answer.status ?? 500) >= 500) return { kind: 'unknown' };
  // The same Idempotency-Key with another body: Snippe has the first request. Other invalid requests may have the status 422, too.
  if (answer.status === 422 && DUPLICATE.test(`${error.error_code} ${error.message ?? ''}`)) return { kind: 'duplicate' };
  const reason = REFUSALS[error.error_code];
  if (reason === undefined) return { kind: 'unknown' };
  return { kind: 'failed', reason: reason === 'rejected' ? reasonOfText(error.message) : reason };
}

/** Interprets the answer to a status query. */
export function readStatusAnswer(answer: RawAnswer, { providerReference }: PromptRequest): Outcome {
  if (answer.lost) return { kind: 'unknown' };
  const json = parseJson(answer.body);
  if (answer.status === 404) return errorSchema.safeParse(json).success ? { kind: 'not_found' } : { kind: 'unknown' };
  const found = isSuccess(answer) ? answerSchema.safeParse(json).data : undefined;
  return found && found.data.reference === providerReference ? outcomeOf(found.data) : { kind: 'unknown' };
}

/** Returns the outcome that the state of a payment reports. */
export function outcomeOf({ status, reference, amount, settlement, completed_at, failure_reason }: SnippePayment): Outcome {
  switch (status) {
    case 'pending':
      return { kind: 'pending' };
    case 'completed': {
      if (amount?.currency !== 'TZS' || !isWhole(amount.value)) return { kind: 'unknown' };
      const fee = settlement?.fees?.currency === 'TZS' ? readFee(settlement.fees.value) : null;
      const happenedAt = parseInstant(completed_at ?? '', ['iso']);
      return {
        kind: 'paid',
        transactionId: reference,
        amount: BigInt(amount.value) * SENTI_PER_SHILLING,
        ...(fee !== null && { fee }),
        ...(happenedAt !== null && { happenedAt }),
      };
    }
    case 'failed':
      return { kind: 'failed', reason: reasonOfText(failure_reason) };
    case 'voided':
      return { kind: 'failed', reason: 'rejected' };
    case 'expired':
      return { kind: 'expired' };
    default:
      return { kind: 'unknown' };
  }
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
