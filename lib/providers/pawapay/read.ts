import type { z } from 'zod';
import type { Senti } from '@/lib/core/money';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { RawAnswer, ReversalOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import { readAmount } from '@/lib/providers/port/read-amount';
import { answerSchema, depositSchema, errorSchema, type PawapayDeposit, refundSchema, searchSchema } from './wire';

/** Codes with which pawaPay refuses a request before it does anything. Source: docs.pawapay.io, "Failure codes". */
const REFUSALS: Readonly<Record<string, FailureReason>> = {
  NO_AUTHENTICATION: 'merchant_config',
  AUTHENTICATION_ERROR: 'merchant_config',
  AUTHORISATION_ERROR: 'merchant_config',
  HTTP_SIGNATURE_ERROR: 'merchant_config',
  DEPOSITS_NOT_ALLOWED: 'merchant_config',
  REFUNDS_NOT_ALLOWED: 'merchant_config',
  INVALID_INPUT: 'rejected',
  MISSING_PARAMETER: 'rejected',
  UNSUPPORTED_PARAMETER: 'rejected',
  INVALID_PARAMETER: 'rejected',
  INVALID_CURRENCY: 'rejected',
  INVALID_PROVIDER: 'rejected',
  DUPLICATE_METADATA_FIELD: 'rejected',
  AMOUNT_OUT_OF_BOUNDS: 'amount_invalid',
  INVALID_AMOUNT: 'amount_invalid',
  INVALID_PHONE_NUMBER: 'mobile_not_registered',
  NOT_FOUND: 'rejected',
  INVALID_STATE: 'rejected',
  ALREADY_REFUNDED: 'rejected',
  REFUND_IN_PROGRESS: 'rejected',
  AMOUNT_TOO_LARGE: 'amount_invalid',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'provider_unavailable',
};

/** Codes of deposits that have failed. Any other code is a failure without a known reason. */
const FAILURES: Readonly<Record<string, FailureReason>> = {
  PAYMENT_NOT_APPROVED: 'user_cancelled',
  MANUALLY_CANCELLED: 'user_cancelled',
  INSUFFICIENT_BALANCE: 'insufficient_funds',
  PAYER_NOT_FOUND: 'mobile_not_registered',
  PAYER_LIMIT_REACHED: 'limit_exceeded',
  WALLET_LIMIT_REACHED: 'limit_exceeded',
  PAYMENT_IN_PROGRESS: 'rejected',
};

/** The statuses of a deposit or refund that is not final yet. */
const OPEN = ['ACCEPTED', 'SUBMITTED', 'PROCESSING', 'ENQUEUED', 'IN_RECONCILIATION'];

/** Interprets the answer to a request for a deposit. */
export function readDepositAnswer(answer: RawAnswer, depositId: string): Outcome {
  const read = readAnswer(answer, ({ depositId: id }) => id, depositId);
  return read.kind === 'accepted' ? { kind: 'accepted', providerReference: depositId } : read;
}

type Answered = Extract<Outcome, { readonly kind: 'not_sent' | 'unknown' | 'duplicate' | 'failed' }> | { readonly kind: 'accepted' };

function readAnswer(answer: RawAnswer, idOfAnswer: (read: z.infer<typeof answerSchema>) => unknown, id: string): Answered {
  if (answer.lost) return { kind: answer.lost };
  if (answer.status === 429) return { kind: 'not_sent' };
  const json = parseJson(answer.body);
  const failed = errorSchema.safeParse(json).data;
  // A time-out or an error of the server leaves open whether the request is processed.
  if ((answer.status ?? 500) >= 500 || answer.status === 408) return { kind: 'unknown' };
  const read = answerSchema.safeParse(json).data;
  if (!isSuccess(answer)) {
    const isRefusal = read && (read.status ?? 'REJECTED') === 'REJECTED' && (idOfAnswer(read) ?? id) === id;
    return failed && isRefusal ? refusalOf(failed.failureReason.failureCode) : { kind: 'unknown' };
  }
  if (!read || idOfAnswer(read) !== id) return { kind: 'unknown' };
  if (read.status === 'ACCEPTED' && !failed) return { kind: 'accepted' };
  if (read.status === 'DUPLICATE_IGNORED') return { kind: 'duplicate' };
  return read.status === 'REJECTED' && failed ? refusalOf(failed.failureReason.failureCode) : { kind: 'unknown' };
}

function refusalOf(code: string): Answered {
  const reason = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return reason ? { kind: 'failed', reason } : { kind: 'unknown' };
}

/** Interprets the answer to a status query. */
export function readDepositStatus(answer: RawAnswer, depositId: string): Outcome {
  const found = readSearch(answer);
  if (found === 'not_found') return { kind: 'not_found' };
  const deposit = depositSchema.safeParse(found).data;
  return deposit?.depositId === depositId ? outcomeOf(deposit) : { kind: 'unknown' };
}

/** Returns the deposit or refund that a status query has found, or "not_found"; undefined if the answer is unusable. */
function readSearch(answer: RawAnswer): unknown {
  const search = !answer.lost && isSuccess(answer) ? searchSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (search?.status === 'NOT_FOUND' && search.data == null) return 'not_found';
  return search?.status === 'FOUND' ? search.data : undefined;
}

/** Returns the outcome that the state of a deposit reports. The receipt number is the deposit's id, because every message has it. */
export function outcomeOf(deposit: PawapayDeposit): Outcome {
  if (OPEN.includes(deposit.status)) return { kind: 'pending' };
  if (deposit.status === 'COMPLETED') {
    const amount = amountOf(deposit);
    return amount === null || deposit.failureReason ? { kind: 'unknown' } : { kind: 'paid', transactionId: deposit.depositId, amount };
  }
  if (deposit.status !== 'FAILED') return { kind: 'unknown' };
  const code = deposit.failureReason?.failureCode ?? '';
  return { kind: 'failed', reason: (Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined) ?? 'rejected' };
}

/** Interprets the answer to a request for a refund. */
export function readRefundAnswer(answer: RawAnswer, refundId: string): ReversalOutcome {
  const read = readAnswer(answer, ({ refundId: id }) => id, refundId);
  if (read.kind === 'accepted') return { kind: 'pending' };
  return read.kind === 'duplicate' ? { kind: 'unknown' } : read;
}

/** Interprets the answer to a status query about a refund. A refund that pawaPay does not know has not moved money so far. */
export function readRefundStatus(answer: RawAnswer, refundId: string): ReversalOutcome {
  const found = readSearch(answer);
  if (found === 'not_found') return { kind: 'pending' };
  const refund = refundSchema.safeParse(found).data;
  if (refund?.refundId !== refundId) return { kind: 'unknown' };
  if (OPEN.includes(refund.status)) return { kind: 'pending' };
  if (refund.status === 'FAILED') return { kind: 'failed', reason: 'rejected' };
  const amount = amountOf(refund);
  if (refund.status !== 'COMPLETED' || amount === null || refund.failureReason) return { kind: 'unknown' };
  return { kind: 'reversed', transactionId: refund.refundId, amount };
}

/** Returns senti; null if the amount is unreadable, not whole or not in shillings. */
function amountOf({ amount, currency }: Pick<PawapayDeposit, 'amount' | 'currency'>): Senti | null {
  return currency === 'TZS' ? readAmount(amount) : null;
}
