import { constants, createCipheriv, createDecipheriv, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';
import { z } from 'zod';
import type { Random } from '@/lib/platform/core/clock';
import { readRsaKey } from '@/lib/providers/port/rsa-key';

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
export const payoutPath = (version: Version) => `/standard/${version}/disbursements/`;

/** The header that contains the body, encrypted with a new AES key. */
const SIGNATURE_HEADER = 'x-signature';
/** The header that contains the AES key and its initialisation vector, encrypted with Airtel's RSA key. */
const KEY_HEADER = 'x-key';

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

/** A payment from the wallet of the merchant to a customer. Airtel calls it a disbursement. */
export const payoutRequestSchema = z.object({
  payee: z.object({ currency: z.literal(CURRENCY), msisdn: z.string() }),
  reference: z.string().regex(/^[A-Za-z0-9 ]{4,64}$/),
  /** The PIN of the merchant's wallet, encrypted with RSA, in base64. */
  pin: z.string().min(1).max(1_000),
  /** B2C: from a business to a customer. */
  transaction: z.object({ amount: z.int().positive(), id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/), type: z.literal('B2C') }),
});
export type PayoutRequest = z.infer<typeof payoutRequestSchema>;

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
  /** Only in answers about payouts. */
  reference_id: word.catch(null),
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

/** The callback to the address in the settings of the application. Its `hash` is not read: it proves nothing, see `manifest.ts`. */
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

const CIPHER = 'aes-256-cbc';
const KEY_BYTES = 32;
const IV_BYTES = 16;
/** Airtel uses 1024 and 2048 bits. */
const RSA_MIN_BITS = 1024;

/** Reads Airtel's RSA key: base64 (DER, SPKI). Returns null if the text is no such key. */
export function readPublicKey(text: string): KeyObject | null {
  return readRsaKey(text, RSA_MIN_BITS);
}

const encrypt = (text: Buffer, key: KeyObject): string =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, text).toString('base64');

/** Encrypts the PIN of a wallet with Airtel's RSA key. */
export function encryptPin(pin: string, publicKey: KeyObject): string {
  return encrypt(Buffer.from(pin), publicKey);
}

/**
 * Creates the headers that sign a message: the body encrypted with a new AES key, and that key encrypted with Airtel's RSA key.
 * @param body the exact text of the request.
 */
export function signMessage(body: string, publicKey: KeyObject, random: Random): Readonly<Record<string, string>> {
  const key = Buffer.from(random(KEY_BYTES));
  const iv = Buffer.from(random(IV_BYTES));
  const cipher = createCipheriv(CIPHER, key, iv);
  const secret = Buffer.from(`${key.toString('base64')}:${iv.toString('base64')}`);
  return {
    [SIGNATURE_HEADER]: Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]).toString('base64'),
    [KEY_HEADER]: encrypt(secret, publicKey),
  };
}

/** Decrypts a text that was encrypted with Airtel's RSA key. Returns null if it was not. */
export function decrypt(text: string, privateKey: KeyObject): string | null {
  try {
    return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text, 'base64')).toString('utf8');
  } catch {
    return null;
  }
}

/** Decrypts the signature header, which contains the signed text. Returns the text, or null if the headers are invalid. */
export function readSignedText(headers: Readonly<Record<string, unknown>>, privateKey: KeyObject): string | null {
  const signature = headers[SIGNATURE_HEADER];
  const encryptedKey = headers[KEY_HEADER];
  if (typeof signature !== 'string' || typeof encryptedKey !== 'string') return null;
  try {
    const [key = '', iv = ''] = (decrypt(encryptedKey, privateKey) ?? '').split(':');
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'));
    return Buffer.concat([decipher.update(signature, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
