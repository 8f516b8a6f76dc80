import type { Senti } from '@/lib/platform/core/money';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson, readGroupedAmount, reasonOfText } from '@/lib/providers/port/raw-answer';
import { type AirtelTransaction, answerSchema, authErrorSchema, CURRENCY } from './wire';

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
export function readRefundAnswer(answer: RawAnswer): RefundOutcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const parsed = parseAnswer(answer);
  if (!parsed) return { kind: 'unknown' };
  const status = parsed.transaction?.status ?? '';
  if (isSuccess(answer)) {
    const isDone = DONE.test(status) && parsed.saysSuccess && parsed.listed && agreesWithSuccess(parsed);
    return isDone ? { kind: 'refunded', transactionId: null, amount: null } : { kind: 'unknown' };
  }
  // Only a refusal of the merchant counts as a failure. The other codes are documented for payments, not for refunds, and after a wrong
  // "failed" a person might refund a second time.
  const refusesMerchant = isRefusal(answer, parsed) && status === '' && reasonOf(parsed.codes, '') === 'merchant_config';
  return refusesMerchant ? { kind: 'failed', reason: 'merchant_config' } : { kind: 'unknown' };
}

/** Reads the state of a refund from a status query about the payment. */
export function readRefundStatus(answer: RawAnswer): RefundOutcome {
  const transaction = answer.lost || !isSuccess(answer) ? null : parseAnswer(answer)?.transaction;
  if (!transaction) return { kind: 'unknown' };
  const letters = lettersOf(transaction);
  if (letters === 'TR') return { kind: 'refunded', transactionId: null, amount: null };
  return { kind: letters === 'TS' ? 'pending' : 'unknown' };
}

/** Interprets the answer to a payout: a refusal, or the state of the payout. Everything that is not certainly a refusal is unknown. */
export function readPayoutAnswer(answer: RawAnswer, refund: Refund): RefundOutcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const parsed = parseAnswer(answer);
  if (!parsed || parsed.transaction?.status) return readPayoutStatus(answer, refund);
  const isAboutCollections = parsed.codes.some((code) => code.startsWith('DP008'));
  const reason = isRefusal(answer, parsed) && !isAboutCollections ? knownReason(parsed.codes) : null;
  return reason === null ? { kind: 'unknown' } : { kind: 'failed', reason };
}

/** Interprets the answer to a status query about a payout. The letters decide, and no other member may contradict them. */
export function readPayoutStatus(answer: RawAnswer, { reference, amount }: Refund): RefundOutcome {
  const parsed = answer.lost || !isSuccess(answer) ? null : parseAnswer(answer);
  if (!parsed?.transaction) return { kind: 'unknown' };
  const { transaction, meaning } = parsed;
  const reported = amountOf(transaction);
  if (namesAnother(transaction, reference) || (reported !== undefined && reported !== amount)) return { kind: 'unknown' };
  switch (lettersOf(transaction)) {
    case 'TIP':
      return { kind: 'pending' };
    case 'TF':
      return meaning === 'failed' && parsed.saysFailure
        ? { kind: 'failed', reason: knownReason(parsed.codes) ?? 'rejected' }
        : { kind: 'unknown' };
    case 'TS':
      return parsed.saysSuccess && agreesWithSuccess(parsed)
        ? { kind: 'refunded', transactionId: toReceipt(transaction.reference_id) ?? receiptOf(transaction), amount: null }
        : { kind: 'unknown' };
    default:
      // Also TR: the money may have come back to the wallet of the merchant.
      return { kind: 'unknown' };
  }
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

/** Errors of the token service (RFC 6749, 5.2) about the application, not about a token. */
const CLIENT_ERRORS: readonly string[] = ['invalid_client', 'unauthorized_client'];
/** The HTTP statuses of refusals. */
const REFUSED: readonly (number | null)[] = [400, 403, 404, 409, 422];

/** The members of an answer that decide its meaning. */
interface ParsedAnswer {
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
function isRefusal({ status }: RawAnswer, { saysSuccess, meaning, listed }: ParsedAnswer): boolean {
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
function readGatewayAnswer(
  answer: RawAnswer,
): { readonly kind: 'not_sent' } | { readonly kind: 'unknown' } | { readonly kind: 'failed'; readonly reason: FailureReason } | null {
  if (answer.lost) return { kind: answer.lost };
  const isForbidden = answer.status === 403 && authErrorSchema.safeParse(parseJson(answer.body)).success;
  if (refusesClient(answer) || isForbidden) return { kind: 'failed', reason: 'merchant_config' };
  // A request over the limit is not processed: RFC 6585.
  return answer.status === 429 || refusesToken(answer) ? { kind: 'not_sent' } : null;
}

/** Returns whether an answer is about another payment. The answer need not contain our id: the portal's own sample has `false` as id. */
function namesAnother(transaction: AirtelTransaction | null | undefined, reference: string): boolean {
  const id = transaction?.id ?? '';
  return id !== '' && id !== 'false' && id !== reference;
}

/** Returns the state of a payment: TS, TF, TE, TIP, TA, TR, or any other text. */
function lettersOf({ status }: AirtelTransaction): string {
  return (status ?? '').trim().toUpperCase();
}

/** Returns the receipt number, such as `MP210603.1234.L06941`; null if there is none. Placeholders such as "N/A" have no digit. */
function receiptOf({ airtel_money_id }: AirtelTransaction): string | null {
  return toReceipt(airtel_money_id);
}

function toReceipt(id: string | null | undefined): string | null {
  return id && /^(?=.*[1-9])[A-Za-z0-9._-]{4,64}$/.test(id) ? id : null;
}

/** Returns the reported amount in senti; undefined if there is none, and null if it is unreadable or not in shillings. */
function amountOf({ amount, currency }: AirtelTransaction): Senti | null | undefined {
  if ((currency ?? CURRENCY) !== CURRENCY) return null;
  if (amount === null || amount === undefined) return undefined;
  // Balances are shown as "37,600.00".
  return readGroupedAmount(amount);
}

/** What a code means for the request that it answers. */
type Meaning =
  /** The money has moved. */
  | 'succeeded'
  /** The request was processed, or is still being processed. This code says nothing about the money. */
  | 'processed'
  /** Airtel already has a request with our reference. */
  | 'duplicate'
  | 'not_found'
  /** A final refusal. */
  | 'failed'
  /** Money may move or may have moved. */
  | 'unknown';

interface CodeEntry {
  readonly description: string;
  readonly meaning: Meaning;
  /** The reason of a payment that failed with this code; null if only the text of the answer can name the reason. */
  readonly reason: FailureReason | null;
}

const entry = (meaning: Meaning, description: string, reason: FailureReason | null = null): CodeEntry => ({ description, meaning, reason });
const failed = (reason: FailureReason | null, description: string) => entry('failed', description, reason);

/**
 * Codes of collections (`DP008…`) and of payouts (`DP009…`). Sources: the portal, and four independent clients, which agree. A portal of another country gives some of the
 * `DP008…` codes other meanings. So a code alone never decides whether a payment succeeded: in a status answer the status letters decide,
 * and a code that contradicts a final status makes the outcome unknown.
 */
const CODES: Readonly<Record<string, CodeEntry>> = {
  DP00800001000: entry('unknown', 'ambiguous, still processing'),
  DP00800001001: entry('succeeded', 'success'),
  DP00800001002: failed('wrong_pin', 'wrong PIN'),
  DP00800001003: failed('limit_exceeded', 'limit of the wallet exceeded'),
  DP00800001004: failed('amount_invalid', 'amount below the minimum, or invalid'),
  DP00800001005: failed(null, 'PIN not entered, number not found, or any other failure'),
  DP00800001006: entry('processed', 'in process; also comes with payments that have succeeded'),
  DP00800001007: failed('insufficient_funds', 'not enough balance'),
  DP00800001008: failed('rejected', 'refused'),
  DP00800001009: failed('rejected', 'do not honour'),
  DP00800001010: failed('merchant_config', 'payee barred or not registered'),
  DP00800001024: entry('unknown', 'timed out', 'user_timeout'),
  DP00800001025: entry('not_found', 'transaction not found'),
  DP00800001026: failed('merchant_config', 'the signature does not match'),
  DP00800001027: entry('processed', 'encryption key fetched'),
  DP00800001028: entry('unknown', 'encryption key not fetched'),
  DP00800001029: failed('user_timeout', 'expired'),
  DP00900001000: entry('unknown', 'ambiguous, still processing'),
  DP00900001001: entry('succeeded', 'success'),
  DP00900001003: failed('limit_exceeded', 'limit of the day reached'),
  DP00900001004: failed('amount_invalid', 'amount out of range'),
  DP00900001005: failed(null, 'failed'),
  DP00900001006: entry('processed', 'in process'),
  // The wallet of the merchant, not that of the customer.
  DP00900001007: failed('insufficient_funds', 'not enough money in the wallet of the merchant'),
  DP00900001009: failed('mobile_not_registered', 'invalid payee'),
  DP00900001010: failed('merchant_config', 'the merchant may not pay out'),
  DP00900001011: entry('duplicate', 'a similar payout exists'),
  DP00900001012: failed('mobile_not_registered', 'incorrect number'),
  DP00900001013: failed('rejected', 'refused'),
  DP00900001014: entry('unknown', 'timed out: ask for the status'),
  DP00900001015: entry('not_found', 'payout not found'),
  DP00900001016: failed('merchant_config', 'the signature does not match'),
  DP00900001017: entry('duplicate', 'our reference already exists'),
  ESB000001: entry('unknown', 'something went wrong'),
  ESB000004: entry('unknown', 'error while initiating the payment'),
  ESB000008: failed('rejected', 'validation of a field'),
  ESB000010: entry('processed', 'success of the request'),
  ESB000011: failed(null, 'failed'),
  ESB000014: entry('unknown', 'error while fetching the status'),
  ESB000033: failed('mobile_not_registered', 'invalid length of the number'),
  ESB000034: failed('merchant_config', 'invalid country'),
  ESB000035: failed('merchant_config', 'invalid currency'),
  ESB000036: failed('mobile_not_registered', 'the number has a wrong length or begins with 0'),
  ESB000039: failed('merchant_config', 'the merchant is not configured for the country'),
  ESB000041: entry('duplicate', 'our reference already exists'),
  ESB000045: entry('not_found', 'no transaction with this id'),
  ROUTER001: failed('merchant_config', 'the wallet is not configured'),
  ROUTER003: failed('merchant_config', 'a header or parameter is missing'),
  ROUTER005: failed('merchant_config', 'no route to the country'),
  ROUTER006: failed('merchant_config', 'invalid country'),
  ROUTER007: failed('merchant_config', 'not authorised for the country'),
  ROUTER112: failed('merchant_config', 'invalid currency'),
  ROUTER114: failed('merchant_config', 'the PIN of the wallet'),
  ROUTER115: failed('merchant_config', 'the PIN of the wallet'),
  ROUTER116: failed('merchant_config', 'the PIN of the wallet'),
  ROUTER117: entry('unknown', 'time-out: ask for the status'),
  ROUTER119: failed('merchant_config', 'currency missing or invalid'),
  '0000900': entry('unknown', 'ambiguous'),
};

/** The meanings, the most uncertain first. If the codes of an answer have several meanings, the one that is first in this list counts. */
const PRECEDENCE: readonly Meaning[] = ['duplicate', 'unknown', 'not_found', 'failed', 'succeeded', 'processed'];

/** Returns the entries of the known codes. */
function entriesOf(codes: readonly string[]): readonly CodeEntry[] {
  return codes.flatMap((code) => CODES[code] ?? []);
}

/** Returns whether Bili knows the meaning of all these codes. */
function allListed(codes: readonly string[]): boolean {
  return entriesOf(codes).length === codes.length;
}

/** Returns what the known codes of an answer mean together; null if none is known. */
function meaningOf(codes: readonly string[]): Meaning | null {
  const meanings = entriesOf(codes).map(({ meaning }) => meaning);
  return PRECEDENCE.find((one) => meanings.includes(one)) ?? null;
}

/** Texts of a refusal that leave open whether the customer gets a prompt. */
const VAGUE =
  /^\W*((the )?(transaction|payment|request) )?((has |was )?(failed|failure|error|unsuccessful))?\W*$|time(d)?[ -]?out|pending|in pro(cess|gress)|try again|internal|unavailable/i;

/** Returns whether a refusal leaves open what happened: its codes stand for many failures, and its text names no cause. */
function isVague(codes: readonly string[], message: string): boolean {
  if (/something went wrong/i.test(message)) return true;
  return knownReason(codes) === null && VAGUE.test(message);
}

/** Returns the reason that the codes of a failure name; null if only the text can name it. */
function knownReason(codes: readonly string[]): FailureReason | null {
  return entriesOf(codes).find(({ reason }) => reason !== null)?.reason ?? null;
}

/** Returns why a payment failed. Call this only if it is certain that the payment failed. @param message Airtel's text. */
function reasonOf(codes: readonly string[], message: string): FailureReason {
  const known = knownReason(codes);
  if (known === 'rejected' && /cancelled|declined by (the )?(user|customer)/i.test(message)) return 'user_cancelled';
  if (known !== null) return known;
  // If no PIN was entered, the customer did not answer. `reasonOfText` would return "wrong_pin".
  return /pin (was )?not entered|(didn.t|did not) enter/i.test(message) ? 'user_timeout' : reasonOfText(message);
}
