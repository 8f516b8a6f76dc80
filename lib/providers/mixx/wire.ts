import { z } from 'zod';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson, readGroupedAmount, reasonOfText } from '@/lib/providers/port/raw-answer';
import { readFlatXml } from '@/lib/providers/port/xml';

// Sources: documents that Yas gives to merchants, as several public integrations quote them. All addresses differ by merchant.

/** The root of the XML messages of the status query. */
export const COMMAND = 'COMMAND';
export const STATUS_TYPE = 'MTPGGetSODetails';

const text = z.string().max(1_000);

export const tokenRequestSchema = z.object({
  username: z.string().min(1),
  password: z.string().min(1),
  grant_type: z.literal('password'),
});

/** The error of a request for a token. */
const tokenErrorSchema = z.object({ error: z.enum(['invalid_grant', 'unsupported_grant_type']) });

export const tokenSchema = z.object({
  access_token: z.string().min(1).max(4_000),
  expires_in: z.coerce.number().min(0).max(1_000_000).catch(0),
});

const mobile = z.string().regex(/^255[67]\d{8}$/);

export const pushRequestSchema = z.object({
  CustomerMSISDN: mobile,
  BillerMSISDN: mobile,
  Amount: z.int().positive(),
  Remarks: z.string().max(100).optional(),
  ReferenceID: z.string().regex(/^[A-Za-z0-9]{1,50}$/),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;

/** A JSON member that should be a boolean. Some servers that relay the messages of Yas send it as text. */
const flag = z.union([z.boolean(), z.stringbool()]);

const pushAnswerSchema = z.object({
  ResponseCode: z.string().max(100),
  ResponseStatus: flag.nullish().catch(null),
  ResponseDescription: text.nullish().catch(null),
  ReferenceID: z.string().max(200).nullish(),
});

/** A callback only triggers a status query, so a member with an unexpected form must not make the callback unreadable. */
export const callbackSchema = z.object({
  Status: flag.nullish().catch(null),
  Description: text.nullish().catch(null),
  MFSTransactionID: z.string().max(100).nullish().catch(null),
  ReferenceID: z.string().min(1).max(200),
});

export const refundRequestSchema = z.object({
  CustomerMSISDN: mobile,
  ChannelMSISDN: mobile,
  ChannelPIN: z.string().min(1),
  Amount: z.int().positive(),
  MFSTransactionID: z.string().min(1).max(100),
  ReferenceID: z.string().min(1).max(50),
  PurchaseReferenceID: z.string().min(1).max(200),
});
export type RefundRequest = z.infer<typeof refundRequestSchema>;

/** The answer to a status query, from its XML. */
const statusAnswerSchema = z.object({
  RESULTCODE: z.string().max(100),
  RESULTDESC: text.optional(),
  TXNID: z.string().max(100).optional(),
  TXNSTATUS: z.string().max(100).optional(),
  EXTERNALREFID: z.string().max(200).optional(),
  AMOUNT: z.string().max(30).optional(),
});

/** The code for a wrong user name, password or token. */
const WRONG_CREDENTIALS = 'DebitMandate-10-3000-E';

/** Codes with which Yas accepts a payment request. */
const ACCEPTED: readonly string[] = ['BILLER-18-0000-S', 'BILLER-30-0000-S'];

/** Codes that leave open whether the customer has the prompt: a status query follows. */
const OPEN: readonly string[] = ['BILLER-18-3023-E', 'BILLER-18-9999-F', 'DebitMandate-10-1000-E', 'DebitMandate-10-5000-E'];

/** Documented final refusals of a prompt. */
const REFUSALS: Readonly<Record<string, FailureReason>> = {
  'DebitMandate-10-2001-E': 'merchant_config',
  'DebitMandate-10-2002-E': 'rejected',
  'DebitMandate-10-2003-E': 'rejected',
  'DebitMandate-10-2004-V': 'mobile_not_registered',
  'DebitMandate-10-2040-V': 'mobile_not_registered',
  'DebitMandate-10-2005-E': 'mobile_not_registered',
  'DebitMandate-10-2020-V': 'merchant_config',
  'DebitMandate-10-2038-V': 'merchant_config',
  [WRONG_CREDENTIALS]: 'merchant_config',
  'BILLER-18-3018-E': 'limit_exceeded',
  'BILLER-18-3019-E': 'limit_exceeded',
  'BILLER-18-3020-E': 'limit_exceeded',
  'BILLER-18-3021-E': 'merchant_config',
  'BILLER-18-3022-E': 'merchant_config',
  'BILLER-18-3040-E': 'merchant_config',
};

/** Returns the reason of a refusal; null for a code that is not a documented refusal. */
function reasonOf(code: string): FailureReason | null {
  if (OPEN.includes(code)) return null;
  return (Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : null) ?? null;
}

/** The text with which Yas refuses a request whose reference it already has. It is the code, or a part of the description. */
const DUPLICATE = /DuplicateRefID/i;

export const REFUNDED = 'RefundTransaction-20-0000-S';
export const REFUND_FAILED = 'RefundTransaction-20-3039-E';

/** Returns whether the token service does not accept the user name or password. The request that needed a token was never sent. */
export function refusesClient({ lost, status, body }: RawAnswer): boolean {
  return lost === null && (status === 400 || status === 401) && tokenErrorSchema.safeParse(parseJson(body)).success;
}

/** Returns whether Yas refused the token and did nothing else, so that the same request may be sent again with a new token. */
export function refusesToken(answer: RawAnswer): boolean {
  return answer.lost === null && answer.status === 401 && !pushAnswerSchema.safeParse(parseJson(answer.body)).success;
}

/** Returns whether the next request needs a new token, because the answer may mean that Yas refused the current token. */
export function endsToken({ lost, status, body }: RawAnswer): boolean {
  return lost === null && (status === 401 || pushAnswerSchema.safeParse(parseJson(body)).data?.ResponseCode === WRONG_CREDENTIALS);
}

/** Returns the outcome if the answer was lost, or if it shows that Yas has not handled the request; null for all other answers. */
function readGatewayAnswer(
  answer: RawAnswer,
): { readonly kind: 'not_sent' | 'unknown' } | { readonly kind: 'failed'; readonly reason: FailureReason } | null {
  if (answer.lost) return { kind: answer.lost };
  if (refusesClient(answer)) return { kind: 'failed', reason: 'merchant_config' };
  // A request over the limit is not processed: RFC 6585.
  return answer.status === 429 || refusesToken(answer) ? { kind: 'not_sent' } : null;
}

/** Interprets the answer to a payment request. */
export function readPushAnswer(answer: RawAnswer, { reference }: PromptRequest): Outcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const read = pushAnswerSchema.safeParse(parseJson(answer.body)).data;
  if (!read || (answer.status ?? 500) >= 500 || answer.status === 408) return { kind: 'unknown' };
  const { ResponseCode: code, ResponseStatus: succeeded, ResponseDescription: description, ReferenceID: ours } = read;
  if (ours && !ours.endsWith(reference)) return { kind: 'unknown' };
  if (DUPLICATE.test(code) || DUPLICATE.test(description ?? '')) return { kind: 'duplicate' };
  if (ACCEPTED.includes(code)) {
    const isClear = isSuccess(answer) && succeeded !== false;
    return isClear ? { kind: 'accepted', providerReference: ours || null } : { kind: 'unknown' };
  }
  const reason = reasonOf(code);
  return reason === null || succeeded === true ? { kind: 'unknown' } : { kind: 'failed', reason };
}

/** The result code of a status query that has found its payment: "0", or "00" behind some relays. */
const FOUND = /^0{1,3}$/;

/** Reads the answer to a status query about this reference; null if the answer is unusable or about another reference. */
function readStatus(answer: RawAnswer, reference: string) {
  if (answer.lost || !isSuccess(answer)) return null;
  const fields = readFlatXml(new TextDecoder().decode(answer.body), COMMAND);
  const status = statusAnswerSchema.safeParse(fields).data;
  if (!status) return null;
  const { EXTERNALREFID: ours } = status;
  return ours && !ours.endsWith(reference) ? null : status;
}

/** Interprets the answer to a status query. The receipt number is always TXNID of this answer. */
export function readStatusAnswer(answer: RawAnswer, { reference, amount }: PromptRequest): Outcome {
  const status = readStatus(answer, reference);
  if (!status) return { kind: 'unknown' };
  const { RESULTCODE: code, RESULTDESC: description, TXNSTATUS, TXNID: transactionId, EXTERNALREFID: ours } = status;
  if (/^GetSOError\d+$/.test(code)) return isNotFound(description) ? { kind: 'not_found' } : { kind: 'unknown' };
  if (!FOUND.test(code) || !ours) return { kind: 'unknown' };
  // If the reported amount is not the requested one, the answer is about another payment.
  const reported = readGroupedAmount(status.AMOUNT);
  if (reported !== null && reported !== amount) return { kind: 'unknown' };
  switch (TXNSTATUS?.toLowerCase()) {
    case 'pending':
    case 'initiated':
      return { kind: 'pending' };
    case 'posted':
      return transactionId && reported !== null ? { kind: 'paid', transactionId, amount } : { kind: 'unknown' };
    case 'reversed':
      if (!transactionId || reported === null) return { kind: 'unknown' };
      return { kind: 'reversed', transactionId, amount, reversed: null, reversalTransactionId: null };
    case 'failed':
    case 'cancelled':
    case 'rejected':
      return { kind: 'failed', reason: reasonOfText(description) };
    case 'expired':
      return { kind: 'expired' };
    default:
      return { kind: 'unknown' };
  }
}

/**
 * Returns whether a text says that there is no such payment. A text that says that the biller or the user is not found does not count: it
 * does not prove that the payment does not exist.
 */
function isNotFound(description = ''): boolean {
  if (/msisdn|\bpin\b|user|biller|account|agent/i.test(description)) return false;
  return /not found|\bno\b.{0,40}\b(record|found|exists?)\b|does not exist/i.test(description);
}

/** Interprets the answer to a request for a refund. */
export function readRefundAnswer(answer: RawAnswer, { reference, promptReference }: Refund): RefundOutcome {
  const early = readGatewayAnswer(answer);
  if (early) return early;
  const read = pushAnswerSchema.safeParse(parseJson(answer.body)).data;
  if (!read || !isSuccess(answer)) return { kind: 'unknown' };
  const { ReferenceID: ours, ResponseDescription: description } = read;
  const isOurs = !ours || ours.endsWith(reference) || (promptReference !== null && ours.endsWith(promptReference));
  // Yas calls a reversal a refund. If Yas refuses our reference as a duplicate, it already has this request, whose outcome is unknown. An
  // answer with the reference of another request says nothing about this one.
  if (!isOurs || DUPLICATE.test(description ?? '')) return { kind: 'unknown' };
  if (read.ResponseCode === REFUNDED && read.ResponseStatus !== false) return { kind: 'refunded', transactionId: null, amount: null };
  if (read.ResponseCode === REFUND_FAILED && read.ResponseStatus !== true) return { kind: 'failed', reason: 'rejected' };
  return { kind: 'unknown' };
}

/** Reads the state of a refund from the status answer about the payment. */
export function readRefundStatus(answer: RawAnswer, promptReference: string | null): RefundOutcome {
  const status = promptReference === null ? null : readStatus(answer, promptReference);
  if (!status || !FOUND.test(status.RESULTCODE) || !status.EXTERNALREFID) return { kind: 'unknown' };
  if (status.TXNSTATUS?.toLowerCase() === 'reversed') return { kind: 'refunded', transactionId: null, amount: null };
  return { kind: 'pending' };
}
