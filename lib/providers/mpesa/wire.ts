import { z } from 'zod';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, RefundOutcome, StatementMapping } from '@/lib/providers/port/port';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';

// Source: the documentation of the M-Pesa OpenAPI portal, market vodacomTZN. Every field of a request is a string.

/** The only market that is implemented, and its values in requests. */
export const MARKET = { name: 'vodacomTZN', country: 'TZN', currency: 'TZS' } as const;

/** The paths of the operations, below `/{env}/ipg/v2/{market}/`. */
export const PATHS = {
  session: 'getSession/',
  payment: 'c2bPayment/singleStage/',
  status: 'queryTransactionStatus/',
  reversal: 'reversal/',
} as const;

/** Creates the schema of a field. The error of a missing field is INS-20, the error of a malformed one is `code`. */
const field = (pattern: RegExp, code: Code) => z.string({ error: 'INS-20' satisfies Code }).regex(pattern, { error: code });

const country = field(/^TZN$/, 'INS-21');
const serviceProviderCode = field(/^[A-Za-z0-9]{4,12}$/, 'INS-13');
const conversationId = field(/^\w{1,40}$/, 'INS-28');

export const paymentRequestSchema = z.object({
  /** Whole shillings. M-Pesa also accepts a decimal point. */
  input_Amount: field(/^(?!0*\.?0*$)\d+(\.\d+)?$/, 'INS-15'),
  input_CustomerMSISDN: field(/^\d{12,14}$/, 'INS-2051'),
  input_Country: country,
  input_Currency: field(/^TZS$/, 'INS-26'),
  input_ServiceProviderCode: serviceProviderCode,
  input_TransactionReference: field(/^[\w ]{1,20}$/, 'INS-17'),
  input_ThirdPartyConversationID: conversationId,
  input_PurchasedItemsDesc: field(/^[\w ]{1,256}$/, 'INS-30'),
});
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

export const statusRequestSchema = z.object({
  /** Any id of the payment. Our reference always fits, because it has 20 characters. M-Pesa's own conversation ids can be too long. */
  input_QueryReference: field(/^[A-Za-z0-9]{1,32}$/, 'INS-21'),
  input_ServiceProviderCode: serviceProviderCode,
  input_ThirdPartyConversationID: conversationId,
  input_Country: country,
});
export type StatusRequest = z.infer<typeof statusRequestSchema>;

export const reversalRequestSchema = z.object({
  /** Absent to reverse the whole payment. */
  input_ReversalAmount: field(/^(?!0*\.?0*$)\d+(\.\d+)?$/, 'INS-15').optional(),
  input_Country: country,
  input_TransactionID: field(/^[A-Za-z0-9]{1,20}$/, 'INS-18'),
  input_ServiceProviderCode: serviceProviderCode,
  input_ThirdPartyConversationID: conversationId,
});
export type ReversalRequest = z.infer<typeof reversalRequestSchema>;

/** Every answer has a code, which may be empty. A body without this field did not come from M-Pesa. */
const answered = { output_ResponseCode: z.string(), output_ResponseDesc: z.string().optional() };

export const sessionAnswerSchema = z.object({ ...answered, output_SessionID: z.string().max(200).optional() });

/** A receipt number, or null. In asynchronous acknowledgements it is missing, empty or `N/A`. */
const receipt = z
  .string()
  .nullish()
  .transform((text) => (text && /^[A-Za-z0-9]{1,40}$/.test(text) ? text : null));

/** The answer to a payment request or a reversal. */
const transactionAnswerSchema = z.object({
  ...answered,
  output_TransactionID: receipt,
  output_ConversationID: z.string().nullish(),
  output_ThirdPartyConversationID: z.string().nullish(),
});

const statusAnswerSchema = z.object({
  ...answered,
  output_ResponseTransactionStatus: z.string().nullish(),
  output_OriginalTransactionID: receipt,
  output_Reversed: z.union([z.string(), z.boolean()]).nullish(),
});

/** The body that M-Pesa posts to the application's Response URL in asynchronous mode. The body contains neither amount nor payer. */
export interface Callback {
  readonly input_OriginalConversationID: string;
  readonly input_TransactionID: string;
  readonly input_ResultCode: string;
  readonly input_ResultDesc: string;
  readonly input_ThirdPartyConversationID: string;
}

/**
 * A field that is missing, too long or of another type counts as empty. Such a callback is still useful: it only triggers a status query,
 * and one of the ids is enough for that.
 */
const loose = (max: number) =>
  z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().trim().max(max))
    .catch('');

/** The fields of a callback that the adapter reads. */
export const callbackSchema = z.object({
  input_OriginalConversationID: loose(100),
  input_ResultCode: loose(20),
  input_ThirdPartyConversationID: loose(40),
});
/** Creates the reply that M-Pesa expects. */
export function callbackReply(callback: z.infer<typeof callbackSchema> | undefined) {
  return {
    output_OriginalConversationID: callback?.input_OriginalConversationID ?? '',
    output_ResponseCode: '0',
    output_ResponseDesc: 'Successfully Accepted Result',
    output_ThirdPartyConversationID: callback?.input_ThirdPartyConversationID ?? '',
  };
}

/** Converts a text to 1 to 256 characters that M-Pesa accepts. */
export function toItemsDescription(text: string): string {
  return text.replace(/\W+/g, ' ').trim().slice(0, 256) || 'Bill';
}

/** The meaning of a result code for the request that it answers. */
type Meaning =
  | { readonly kind: 'processed' }
  /** Money may move or may have moved. Only a status query can tell. */
  | { readonly kind: 'unknown' }
  /** M-Pesa already has a request with this reference. */
  | { readonly kind: 'duplicate' }
  /** M-Pesa has refused the request for good, so the attempt has failed. */
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** M-Pesa has refused the request before it did anything. The same request may be sent again with a new session. */
  | { readonly kind: 'not_sent' };

interface CodeEntry {
  readonly http: number;
  readonly description: string;
  readonly meaning: Meaning;
}

const unknown: Meaning = { kind: 'unknown' };
const notSent: Meaning = { kind: 'not_sent' };
const failed = (reason: FailureReason): Meaning => ({ kind: 'failed', reason });

/**
 * Result codes of market vodacomTZN. Sources: the table of the OpenAPI portal, and reports of integrators (INS-1 also means
 * insufficient balance; INS-6 comes with HTTP 401). In Mozambique's older API some of these codes have other meanings.
 */
export const CODES = {
  'INS-0': { http: 201, description: 'Request processed successfully', meaning: { kind: 'processed' } },
  'INS-1': { http: 400, description: 'Internal Error', meaning: unknown },
  // With this code, HTTP 401 does not mean that the session is invalid.
  'INS-6': { http: 401, description: 'Transaction Failed', meaning: failed('rejected') },
  'INS-9': { http: 408, description: 'Request timeout', meaning: unknown },
  'INS-10': { http: 409, description: 'Duplicate Transaction', meaning: { kind: 'duplicate' } },
  'INS-13': { http: 400, description: 'Invalid Shortcode Used', meaning: failed('merchant_config') },
  'INS-15': { http: 400, description: 'Invalid Amount Used', meaning: failed('amount_invalid') },
  'INS-17': { http: 400, description: 'Invalid Transaction Reference. Length Should Be Between 1 and 20.', meaning: failed('rejected') },
  'INS-18': { http: 400, description: 'Invalid TransactionID Used', meaning: failed('rejected') },
  'INS-20': { http: 400, description: 'Not All Parameters Provided. Please try again.', meaning: failed('rejected') },
  'INS-21': { http: 400, description: 'Parameter validations failed. Please try again.', meaning: failed('rejected') },
  'INS-23': { http: 400, description: 'Unknown Status. Contact M-Pesa Support', meaning: unknown },
  'INS-26': { http: 400, description: 'Invalid Currency Used', meaning: failed('merchant_config') },
  'INS-28': { http: 400, description: 'Invalid ThirdPartyConversationID Used', meaning: failed('rejected') },
  'INS-30': { http: 400, description: 'Invalid Purchased Items Description Used', meaning: failed('rejected') },
  'INS-31': { http: 400, description: 'Invalid Payment Items Description Used', meaning: failed('rejected') },
  'INS-35': { http: 400, description: 'TransactionID does not belong to this organisation', meaning: failed('rejected') },
  'INS-989': { http: 400, description: 'Session Creation Failed', meaning: notSent },
  'INS-990': { http: 400, description: 'Customer Transaction Value Limit Breached', meaning: failed('limit_exceeded') },
  'INS-991': { http: 400, description: 'Customer Transaction Count Limit Breached', meaning: failed('limit_exceeded') },
  'INS-992': { http: 400, description: 'Multiple Limits Breached', meaning: failed('limit_exceeded') },
  'INS-993': { http: 400, description: 'Organisation Transaction Count Limit Breached', meaning: failed('merchant_config') },
  'INS-994': { http: 400, description: 'Organisation Transaction Value Limit Breached', meaning: failed('merchant_config') },
  // The limit of the merchant's application in the portal, not of the customer.
  'INS-995': { http: 400, description: 'API Single Transaction Limit Breached', meaning: failed('merchant_config') },
  'INS-996': { http: 400, description: 'Organisation Session Used Outside Its Time Window', meaning: notSent },
  'INS-997': { http: 400, description: 'API Not Enabled', meaning: failed('merchant_config') },
  'INS-998': { http: 400, description: 'Invalid Market', meaning: failed('merchant_config') },
  'INS-999': { http: 400, description: 'Invalid Use Case', meaning: failed('merchant_config') },
  'INS-2006': { http: 422, description: 'Insufficient balance', meaning: failed('insufficient_funds') },
  'INS-2051': { http: 400, description: 'MSISDN invalid', meaning: failed('mobile_not_registered') },
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof CODES;

export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}

/** Returns the meaning of a code. An empty code, or one that is not in the table, is unknown. */
function meaningOf(code: string): Meaning {
  return isCode(code) ? CODES[code].meaning : unknown;
}

/** Returns whether a code means that the session is no longer valid. */
export function endsSession(code: string): boolean {
  return code === 'INS-996';
}

/** HTTP statuses that mean that M-Pesa rejected a request. They count only if the answer has no result code. */
const REJECTED_STATUSES: readonly (number | null)[] = [401, 403, 429];

/** Outcomes by `output_ResponseTransactionStatus` in lower case. Every other status is unknown. */
const STATUSES: Readonly<Record<string, Outcome>> = {
  'in progress': { kind: 'pending' },
  cancelled: { kind: 'failed', reason: 'user_cancelled' },
  expired: { kind: 'expired' },
  failed: { kind: 'failed', reason: 'rejected' },
};

/** Returns the result code of an answer; empty if it has none. */
export function resultCode(answer: RawAnswer): string {
  return transactionAnswerSchema.safeParse(parseJson(answer.body)).data?.output_ResponseCode ?? '';
}

/**
 * Returns whether a server in front of M-Pesa rejected the request, so that M-Pesa did not process it. The cause is an invalid session or
 * too many requests.
 */
function wasRejected(answer: RawAnswer): boolean {
  return (
    answer.lost === null && REJECTED_STATUSES.includes(answer.status) && !transactionAnswerSchema.safeParse(parseJson(answer.body)).success
  );
}

/** Returns whether a server in front of M-Pesa refused the session. HTTP 429 only means too many requests. */
export function refusesSession(answer: RawAnswer): boolean {
  return wasRejected(answer) && answer.status !== 429;
}

/**
 * Interprets the answer to a payment request. With a receipt number, INS-0 means paid. Without one, INS-0 means that the customer
 * has the prompt. The answer contains no amount, so the requested amount counts. After an answer with another reference, the outcome is
 * unknown.
 */
export function readPaymentAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  if (answer.lost) return { kind: answer.lost };
  if (wasRejected(answer)) return { kind: 'not_sent' };
  const parsed = transactionAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed.success || isBroken(answer) || (parsed.data.output_ThirdPartyConversationID ?? prompt.reference) !== prompt.reference)
    return { kind: 'unknown' };
  const { output_ResponseCode: code, output_TransactionID: transactionId, output_ConversationID: conversation } = parsed.data;
  const meaning = meaningOf(code);
  if (meaning.kind !== 'processed') return meaning;
  if (!isSuccess(answer)) return { kind: 'unknown' };
  return transactionId === null
    ? { kind: 'accepted', providerReference: conversation ?? null }
    : { kind: 'paid', transactionId, amount: prompt.amount, assumed: true };
}

/** Interprets a status answer. INS-0 only means that the query worked. The receipt number and amount of a reversal are not reported. */
export function readStatusAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  const parsed = answer.lost ? null : statusAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed?.success || isBroken(answer)) return { kind: 'unknown' };
  const { output_ResponseCode: code, output_ResponseTransactionStatus: status, output_OriginalTransactionID: transactionId } = parsed.data;
  if (code === 'INS-23') return { kind: 'not_found' };
  if (code !== 'INS-0' || !isSuccess(answer)) return { kind: 'unknown' };
  const statusText = (status ?? '').trim().toLowerCase();
  if (statusText !== 'completed') return STATUSES[statusText] ?? { kind: 'unknown' };
  if (transactionId === null) return { kind: 'unknown' };
  const money = { transactionId, amount: prompt.amount, assumed: true } as const;
  return String(parsed.data.output_Reversed).toLowerCase() === 'true'
    ? { kind: 'reversed', ...money, reversed: null, reversalTransactionId: null }
    : { kind: 'paid', ...money };
}

export function readReversalAnswer(answer: RawAnswer): RefundOutcome {
  if (answer.lost) return { kind: answer.lost };
  if (wasRejected(answer)) return { kind: 'not_sent' };
  const parsed = transactionAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed.success || isBroken(answer)) return { kind: 'unknown' };
  const meaning = meaningOf(parsed.data.output_ResponseCode);
  if (meaning.kind === 'duplicate') return { kind: 'unknown' };
  if (meaning.kind !== 'processed') return meaning;
  const { output_TransactionID: transactionId } = parsed.data;
  if (!isSuccess(answer)) return { kind: 'unknown' };
  return transactionId === null ? { kind: 'pending' } : { kind: 'refunded', transactionId, amount: null };
}

/** Reads the state of a reversal from the status answer about the payment. */
export function readReversalStatus(answer: RawAnswer): RefundOutcome {
  const parsed = answer.lost ? null : statusAnswerSchema.safeParse(parseJson(answer.body));
  if (!parsed?.success || isBroken(answer) || !isSuccess(answer) || parsed.data.output_ResponseCode !== 'INS-0') return { kind: 'unknown' };
  return String(parsed.data.output_Reversed).toLowerCase() === 'true'
    ? { kind: 'refunded', transactionId: null, amount: null }
    : { kind: 'pending' };
}

/** Returns whether M-Pesa never uses this HTTP status. Then the body may come from a server in front of M-Pesa. */
function isBroken({ status }: RawAnswer): boolean {
  return status === 404 || (status ?? 500) >= 500;
}

/**
 * The organisation statement that the M-Pesa organisation portal exports as CSV.
 *
 * Sources: three independent programs that read such exports agree on the column names (medium confidence). The programs are from
 * Kenya, whose portal is the same product. In older exports a time starts with the day, in newer exports with the year. How a reversal
 * appears (its reason and its linked transaction) is known with low confidence only. Money out can also be a charge or a settlement to a
 * bank, which reverses nothing.
 */
export const MPESA_STATEMENT: StatementMapping = {
  columns: {
    transactionId: 'Receipt No.',
    completedAt: 'Completion Time',
    reference: 'A/C No.',
    mobile: 'Other Party Info',
    reversedTransactionId: 'Linked Transaction ID',
  },
  amounts: { kind: 'sided', in: 'Paid In', out: 'Withdrawn', reason: 'Reason Type', reversal: /revers/i },
  instants: ['day_first', 'year_first'],
  thousandsSeparator: ',',
  completed: { column: 'Transaction Status', value: 'Completed' },
  strict: false,
};
