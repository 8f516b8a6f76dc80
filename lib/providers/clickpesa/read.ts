import { SENTI_PER_SHILLING } from '@/lib/core/money';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer } from '@/lib/providers/port/port';
import { parseJson } from '@/lib/providers/port/raw-answer';
import { reasonOfText } from '@/lib/providers/port/reason-of-text';
import { type ClickpesaPayment, errorSchema, paymentSchema, statusSchema } from './wire';

/** Whether the token was refused: the same request may be sent again with a new one. */
export function refusesToken({ lost, status }: RawAnswer): boolean {
  return lost === null && (status === 401 || status === 403);
}

/** Interprets the answer to a payment request. */
export function readPushAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  if (answer.lost) return { kind: answer.lost };
  if (answer.status === 429 || refusesToken(answer)) return { kind: 'not_sent' };
  const json = parseJson(answer.body);
  if (isSuccess(answer)) {
    const payment = paymentSchema.safeParse(json).data;
    if (payment?.orderReference !== prompt.reference) return { kind: 'unknown' };
    const outcome = outcomeOf(payment);
    return outcome.kind === 'pending' ? { kind: 'accepted', providerReference: payment.id } : outcome;
  }
  const error = errorSchema.safeParse(json).data;
  if (!error) return { kind: 'unknown' };
  if (answer.status === 409) return { kind: 'duplicate' };
  // The product is not enabled for this application.
  if (answer.status === 404) return { kind: 'failed', reason: 'merchant_config' };
  return answer.status === 400 ? { kind: 'failed', reason: refusalOf(error.message) } : { kind: 'unknown' };
}

function refusalOf(message: string): FailureReason {
  return /checksum/i.test(message) ? 'merchant_config' : reasonOfText(message);
}

/** Interprets the answer to a status query. ClickPesa answers 404 for a short time after it has accepted a request. */
export function readStatusAnswer(answer: RawAnswer, { reference }: PromptRequest): Outcome {
  if (answer.lost) return { kind: 'unknown' };
  const json = parseJson(answer.body);
  if (answer.status === 404) return errorSchema.safeParse(json).success ? { kind: 'not_found' } : { kind: 'unknown' };
  const found = isSuccess(answer) ? statusSchema.safeParse(json).data?.find((one) => one.orderReference === reference) : undefined;
  return found ? outcomeOf(found) : { kind: 'unknown' };
}

/** Returns the outcome that the state of a payment reports. */
export function outcomeOf(payment: ClickpesaPayment): Outcome {
  switch (payment.status) {
    case 'PROCESSING':
    case 'PENDING':
    // The money waits for a decision of the merchant at ClickPesa.
    case 'ON-HOLD':
      return { kind: 'pending' };
    case 'SUCCESS':
    case 'SETTLED':
      return moneyOf(payment, (money) => ({ kind: 'paid', ...money }));
    case 'REFUNDED':
    case 'REVERSED':
      return moneyOf(payment, (money) => ({ kind: 'reversed', ...money, reversed: null, reversalTransactionId: null }));
    case 'FAILED':
      return { kind: 'failed', reason: reasonOfText(payment.message) };
    default:
      return { kind: 'unknown' };
  }
}

/** The receipt number is `id`, because every message has it. `paymentReference`, the wallet's number, may be missing. */
function moneyOf(
  { id, collectedAmount, collectedCurrency }: ClickpesaPayment,
  outcome: (money: { transactionId: string; amount: bigint }) => Outcome,
): Outcome {
  const [, shillings = ''] = /^(\d{1,15})(?:\.0+)?$/.exec(String(collectedAmount ?? '')) ?? [];
  if (collectedCurrency !== 'TZS' || shillings === '' || BigInt(shillings) === 0n) return { kind: 'unknown' };
  return outcome({ transactionId: id, amount: BigInt(shillings) * SENTI_PER_SHILLING });
}

function isSuccess({ status }: RawAnswer): boolean {
  return status !== null && status >= 200 && status < 300;
}
