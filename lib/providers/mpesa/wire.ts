import { z } from 'zod';
import type { Code } from './codes';

// Source of shapes and patterns: the M-Pesa OpenAPI portal's documentation, market vodacomTZN. Every field of a request is a string.

/** The one market that is implemented, and how it is called in requests. */
export const MARKET = { name: 'vodacomTZN', country: 'TZN', currency: 'TZS' } as const;

/** The three calls and the session, below `/{env}/ipg/v2/{market}/`. */
export const PATHS = {
  session: 'getSession/',
  push: 'c2bPayment/singleStage/',
  status: 'queryTransactionStatus/',
  reversal: 'reversal/',
} as const;

/** A field that is missing is INS-20; one that is there but malformed has a code of its own. */
const field = (pattern: RegExp, code: Code) => z.string({ error: 'INS-20' satisfies Code }).regex(pattern, { error: code });

const country = field(/^TZN$/, 'INS-21');
const serviceProviderCode = field(/^[A-Za-z0-9]{4,12}$/, 'INS-13');
const conversationId = field(/^\w{1,40}$/, 'INS-28');

export const pushRequestSchema = z.object({
  /** Whole shillings, though a decimal point is tolerated. */
  input_Amount: field(/^(?!0*\.?0*$)\d+(\.\d+)?$/, 'INS-15'),
  input_CustomerMSISDN: field(/^\d{12,14}$/, 'INS-2051'),
  input_Country: country,
  input_Currency: field(/^TZS$/, 'INS-26'),
  input_ServiceProviderCode: serviceProviderCode,
  input_TransactionReference: field(/^[\w ]{1,20}$/, 'INS-17'),
  input_ThirdPartyConversationID: conversationId,
  input_PurchasedItemsDesc: field(/^[\w ]{1,256}$/, 'INS-30'),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;

export const statusRequestSchema = z.object({
  /** Shorter than a conversation id may be: ours has 20 characters. */
  input_QueryReference: field(/^[A-Za-z0-9]{1,32}$/, 'INS-21'),
  input_ServiceProviderCode: serviceProviderCode,
  input_ThirdPartyConversationID: conversationId,
  input_Country: country,
});
export type StatusRequest = z.infer<typeof statusRequestSchema>;

export const reversalRequestSchema = z.object({
  /** Absent for all of it. */
  input_ReversalAmount: field(/^(?!0*\.?0*$)\d+(\.\d+)?$/, 'INS-15').optional(),
  input_Country: country,
  input_TransactionID: field(/^[A-Za-z0-9]{1,20}$/, 'INS-18'),
  input_ServiceProviderCode: serviceProviderCode,
  input_ThirdPartyConversationID: conversationId,
});
export type ReversalRequest = z.infer<typeof reversalRequestSchema>;

/** Every answer has a code, though it may be empty; a body without the field did not come from the platform. */
const answered = { output_ResponseCode: z.string(), output_ResponseDesc: z.string().optional() };

export const sessionAnswerSchema = z.object({ ...answered, output_SessionID: z.string().max(200).optional() });

/** A receipt, where there is one: asynchronous acknowledgements have none, an empty one or `N/A`. */
const receipt = z
  .string()
  .nullish()
  .transform((text) => (text && /^[A-Za-z0-9]{1,40}$/.test(text) ? text : null));

/** Answer to a push and to a reversal. */
export const pushAnswerSchema = z.object({
  ...answered,
  output_TransactionID: receipt,
  output_ConversationID: z.string().nullish(),
  output_ThirdPartyConversationID: z.string().nullish(),
});

export const statusAnswerSchema = z.object({
  ...answered,
  output_ResponseTransactionStatus: z.string().nullish(),
  output_OriginalTransactionID: receipt,
  /** `True` or `False`. */
  output_Reversed: z.union([z.string(), z.boolean()]).nullish(),
});

/** What the platform posts to the application's Response URL in asynchronous mode. It names neither amount nor payer. */
export interface Callback {
  readonly input_OriginalConversationID: string;
  readonly input_TransactionID: string;
  readonly input_ResultCode: string;
  readonly input_ResultDesc: string;
  readonly input_ThirdPartyConversationID: string;
}

/** A field that is missing, too long or of another kind counts as empty: the callback is only a hint, and one id is enough. */
const loose = (max: number) =>
  z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().trim().max(max))
    .catch('');

/** What is read of a callback. */
export const callbackSchema = z.object({
  input_OriginalConversationID: loose(100),
  input_ResultCode: loose(20),
  input_ThirdPartyConversationID: loose(40),
});
type ReadableCallback = z.infer<typeof callbackSchema>;

/** The reply that the platform waits for. */
export function callbackReply(callback: ReadableCallback | undefined) {
  return {
    output_OriginalConversationID: callback?.input_OriginalConversationID ?? '',
    output_ResponseCode: '0',
    output_ResponseDesc: 'Successfully Accepted Result',
    output_ThirdPartyConversationID: callback?.input_ThirdPartyConversationID ?? '',
  };
}

/** @returns a description in the characters the platform takes, 1 to 256 of them. */
export function toItemsDescription(text: string): string {
  return text.replace(/\W+/g, ' ').trim().slice(0, 256) || 'Bill';
}
