import { z } from 'zod';

// Source: the portal of the Airtel Africa Open API (collections, encryption, callbacks), and independent clients for Tanzania.

export const COUNTRY = 'TZ';
export const CURRENCY = 'TZS';

export const VERSIONS = ['v1', 'v2'] as const;
type Version = (typeof VERSIONS)[number];

export const TOKEN_PATH = '/auth/oauth2/token';
export const KEYS_PATH = '/v1/rsa/encryption-keys';
/** Status queries have the same path in v1 and v2 of the API. */
export const ENQUIRY_PATH = '/standard/v1/payments';
export const paymentPath = (version: Version) => `/merchant/${version}/payments/`;
export const refundPath = (version: Version) => `/standard/${version}/payments/refund`;

/** The header that contains the body, encrypted with a new AES key. */
export const SIGNATURE_HEADER = 'x-signature';
/** The header that contains the AES key and its initialisation vector, encrypted with Airtel's RSA key. */
export const KEY_HEADER = 'x-key';

export const paymentRequestSchema = z.object({
  /** The text that the payer sees. */
  reference: z.string().regex(/^[A-Za-z0-9 ]{4,64}$/),
  subscriber: z.object({ country: z.literal(COUNTRY), currency: z.literal(CURRENCY), msisdn: z.string() }),
  transaction: z.object({
    /** Whole shillings. */
    amount: z.int().positive(),
    country: z.literal(COUNTRY),
    currency: z.literal(CURRENCY),
    /** Our reference, letters and digits. Other clients also send UUIDs with hyphens, like the portal's own sample. */
    id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  }),
});
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

/** A refund is always for the whole payment. */
export const refundRequestSchema = z.object({ transaction: z.object({ airtel_money_id: z.string().min(1).max(64) }) });
export type RefundRequest = z.infer<typeof refundRequestSchema>;

/** `expires_in` is a text of seconds. */
export const tokenSchema = z.object({
  access_token: z.string().min(1).max(4_000),
  expires_in: z.union([z.string().max(20), z.number()]).nullish(),
});

/** An error of the token service, or of Airtel's gateway about a token. */
export const authErrorSchema = z.object({ error: z.string().min(1).max(200), error_description: z.string().max(2_000) });

/** The key is base64 (DER, SPKI). `valid_upto` is not read: neither its time zone nor the order of day and month is documented. */
export const keysSchema = z.object({ data: z.object({ key: z.string().min(1).max(4_000) }) });

const text = z.string().max(2_000).nullish().catch(null);
const word = z
  .union([z.string().max(100), z.number(), z.boolean()])
  .transform(String)
  .nullish();

/** A payment in an answer. `id` is our reference; the portal's own sample of a payment request has `false` there. */
const transactionSchema = z.object({
  id: word,
  status: z.string().max(50).nullish(),
  message: text,
  airtel_money_id: word.catch(null),
  /** This member is not documented. */
  amount: word,
  /** This member is not documented. */
  currency: word,
});
export type AirtelTransaction = z.infer<typeof transactionSchema>;

const statusSchema = z
  .object({ code: word, message: text, response_code: word, result_code: word, success: word })
  .refine(({ code, response_code, result_code, success }) => [code, response_code, result_code, success].some((one) => one));

/** Every answer about money has a `status`. A body without it did not come from this API. */
export const answerSchema = z.object({
  status: statusSchema,
  data: z.object({ transaction: transactionSchema.nullish() }).nullish(),
});

/** The callback to the address in the settings of the application. Its `hash` is not read: it proves nothing, see `facts.ts`. */
export const callbackSchema = z.object({
  transaction: z.object({ id: z.string().min(1).max(64), status_code: z.string().max(20).nullish().catch(null) }),
});

/** Converts a text to 4 to 64 characters that Airtel accepts. */
export function toReferenceText(description: string): string {
  const plain = description
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim();
  return plain.length < 4 ? 'Bill payment' : plain.slice(0, 64).trim();
}
