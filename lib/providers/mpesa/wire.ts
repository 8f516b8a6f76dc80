import { z } from 'zod';
import type { Code } from './codes';

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
export const transactionAnswerSchema = z.object({
  ...answered,
  output_TransactionID: receipt,
  output_ConversationID: z.string().nullish(),
  output_ThirdPartyConversationID: z.string().nullish(),
});

export const statusAnswerSchema = z.object({
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
