import type { Senti } from '@/lib/core/money';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { RawAnswer } from '@/lib/providers/port/port';
import { parseJson } from '@/lib/providers/port/raw-answer';
import { readGroupedAmount } from '@/lib/providers/port/read-amount';
import { allListed, meaningOf } from './codes';
import { type AirtelTransaction, answerSchema, authErrorSchema, CURRENCY } from './wire';

/** Errors of the token service (RFC 6749, 5.2) about the application, not about a token. */
const CLIENT_ERRORS: readonly string[] = ['invalid_client', 'unauthorized_client'];
/** The HTTP statuses of refusals. */
const REFUSED: readonly (number | null)[] = [400, 403, 404, 409, 422];

/** The members of an answer that decide its meaning. */
export interface ParsedAnswer {
  readonly transaction: AirtelTransaction | null;
  readonly codes: readonly string[];
  /** What the codes mean together; null if none is known. */
  readonly meaning: ReturnType<typeof meaningOf>;
  /** Whether the table of known codes contains all codes of the answer. */
  readonly listed: boolean;
  readonly message: string;
  /** Whether `success` is true and the code does not contradict it. */
  readonly saysSuccess: boolean;
  readonly saysFailure: boolean;
}

/** Parses an answer of the API. Returns null for every other body, and for an answer with HTTP 5xx. */
export function parseAnswer({ body, status: http }: Pick<RawAnswer, 'body' | 'status'>): ParsedAnswer | null {
  const parsed = answerSchema.safeParse(parseJson(body)).data;
  if (!parsed || (http ?? 500) >= 500) return null;
  const { status, data } = parsed;
  const transaction = data?.transaction ?? null;
  const code = status.code ?? '';
  // `code` usually repeats the HTTP status.
  const isHttp = /^\d{3}$/.test(code);
  const codes = [status.response_code, status.result_code, isHttp ? null : code].flatMap((one) => one || []);
  return {
    transaction,
    codes,
    meaning: meaningOf(codes),
    listed: allListed(codes),
    message: [transaction?.message, status.message].filter(Boolean).join(' '),
    saysSuccess: status.success === 'true' && (!isHttp || code.startsWith('2')),
    saysFailure: status.success === 'false' || (isHttp && !code.startsWith('2')),
  };
}

/** Returns whether the answer refuses the request, and no member of the answer contradicts the refusal. */
export function isRefusal({ status }: RawAnswer, { saysSuccess, meaning, listed }: ParsedAnswer): boolean {
  return REFUSED.includes(status) && !saysSuccess && meaning === 'failed' && listed;
}

/** Returns whether Airtel does not know the application or its secret. The request that needed a token was never sent. */
export function refusesClient({ status, body }: Pick<RawAnswer, 'status' | 'body'>): boolean {
  const error = authErrorSchema.safeParse(parseJson(body)).data?.error;
  return (status === 400 || status === 401) && error !== undefined && CLIENT_ERRORS.includes(error);
}

/**
 * Returns whether Airtel refused the token in a documented way. Then Airtel did nothing else, and the same request may be sent again with a
 * new token.
 */
export function refusesToken(answer: RawAnswer): boolean {
  if (answer.lost || answer.status !== 401 || refusesClient(answer)) return false;
  return authErrorSchema.safeParse(parseJson(answer.body)).success || parseAnswer(answer)?.saysFailure === true;
}

/**
 * Returns the outcome if the API itself did not answer: the answer was lost, or it comes from the token service or from a gateway in front
 * of the API. Returns null for all other answers.
 */
export function readGatewayAnswer(
  answer: RawAnswer,
): { readonly kind: 'not_sent' } | { readonly kind: 'unknown' } | { readonly kind: 'failed'; readonly reason: FailureReason } | null {
  if (answer.lost) return { kind: answer.lost };
  const isForbidden = answer.status === 403 && authErrorSchema.safeParse(parseJson(answer.body)).success;
  if (refusesClient(answer) || isForbidden) return { kind: 'failed', reason: 'merchant_config' };
  // A request over the limit is not processed: RFC 6585.
  return answer.status === 429 || refusesToken(answer) ? { kind: 'not_sent' } : null;
}

/** Returns whether an answer is about another payment. The answer need not contain our id: the portal's own sample has `false` as id. */
export function namesAnother(transaction: AirtelTransaction | null | undefined, reference: string): boolean {
  const id = transaction?.id ?? '';
  return id !== '' && id !== 'false' && id !== reference;
}

/** Returns the state of a payment: TS, TF, TE, TIP, TA, TR, or any other text. */
export function lettersOf({ status }: AirtelTransaction): string {
  return (status ?? '').trim().toUpperCase();
}

/** Returns the receipt number, such as `MP210603.1234.L06941`; null if there is none. Placeholders such as "N/A" have no digit. */
export function receiptOf({ airtel_money_id: id }: AirtelTransaction): string | null {
  return id && /^(?=.*[1-9])[A-Za-z0-9._-]{4,64}$/.test(id) ? id : null;
}

/** Returns the reported amount in senti; undefined if there is none, and null if it is unreadable or not in shillings. */
export function amountOf({ amount, currency }: AirtelTransaction): Senti | null | undefined {
  if ((currency ?? CURRENCY) !== CURRENCY) return null;
  if (amount === null || amount === undefined) return undefined;
  // Balances are shown as "37,600.00".
  return readGroupedAmount(amount);
}
