import { z } from 'zod';
import type { Network } from '@/lib/core/network';

// Source: the public AzamPay OpenAPI document (January 2026), and for the status query what integrations in production report.

/** A path on the authentication host. */
export const TOKEN_PATH = '/AppRegistration/GenerateToken';
/** A path on the checkout host. Payouts have other hosts and paths, which cannot report on payments of customers. */
export const CHECKOUT_PATH = '/azampay/mno/checkout';
export const STATUS_PATH = '/azam/v1/gettransactionstatus';

const PROVIDER_NAMES = ['Airtel', 'Tigo', 'Halopesa', 'Azampesa', 'Mpesa'];

/** What AzamPay calls a network in payment requests. */
export const PROVIDERS: Readonly<Partial<Record<Network, string>>> = {
  vodacom: 'Mpesa',
  yas: 'Tigo',
  airtel: 'Airtel',
  halotel: 'Halopesa',
};

/**
 * The names of a network in status queries, in the order in which they are tried. `airtel` is known to work. `azampesa` is known to work
 * for payments of M-Pesa that were requested under the name `azampesa`. All other names are guesses.
 */
export const OPERATORS: Readonly<Partial<Record<Network, readonly string[]>>> = {
  vodacom: ['azampesa', 'mpesa'],
  yas: ['tigo', 'yas'],
  airtel: ['airtel'],
  halotel: ['halopesa', 'halotel'],
};

const MAX_SHILLINGS = 5_000_000;
const ADDITIONAL_MAX_BYTES = 4_096;

export const pushRequestSchema = z.object({
  accountNumber: z.string().regex(/^(255|0)[67]\d{8}$/, 'must be a mobile number such as 2557XXXXXXXX'),
  /** AzamPay's OpenAPI document says that this is a number. AzamPay's production system also accepts a text. */
  amount: z
    .union([z.number(), z.string().regex(/^\d{1,9}$/, 'must be numeric')])
    .refine((amount) => Number.isInteger(Number(amount)) && Number(amount) > 0 && Number(amount) <= MAX_SHILLINGS, 'is out of range'),
  currency: z.literal('TZS'),
  externalId: z.string().min(1).max(128),
  /** Lower case is accepted, too. */
  provider: z
    .string()
    .refine((name) => PROVIDER_NAMES.some((known) => known.toLowerCase() === name.toLowerCase()), 'is not one of the providers'),
  additionalProperties: z
    .record(z.string(), z.unknown())
    .refine((more) => Buffer.byteLength(JSON.stringify(more)) <= ADDITIONAL_MAX_BYTES, 'is too long')
    .optional(),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;

export const tokenRequestSchema = z.object({ appName: z.string(), clientId: z.string(), clientSecret: z.string() });

const expiry = z.string().max(100).nullish().catch(null);
export const tokenSchema = z.object({
  data: z.object({ accessToken: z.string().min(1).max(8_000), expire: expiry, expireAt: expiry }),
  success: z.boolean().nullish(),
});

const message = z.string().max(2_000).nullish().catch(null);

/** What an answer to a payment request says besides the id. */
export const pushAnswerSchema = z.object({ success: z.boolean().nullish().catch(null), message });

/** The body of a refused payment request (RFC 7807). */
export const problemSchema = z.object({ errors: z.record(z.string().max(100), z.array(z.string().max(1_000))) });

const word = z.string().max(200);
const reported = z.union([z.string().max(100), z.number()]).nullish();
export const statusSchema = z.object({
  /** Usually an object. In some answers, `data` is only the status, as text. */
  data: z
    .union([
      word.transform((status) => ({ status, pgReferenceId: null, reasonOfTransactionFailure: null, amount: null, currency: null })),
      z.object({
        status: word,
        pgReferenceId: reported,
        reasonOfTransactionFailure: message,
        /** Amount and currency are not documented. If an answer has them, they must agree with the request. */
        amount: reported,
        currency: reported,
      }),
    ])
    .nullish()
    .catch(null),
  success: z.boolean().nullish().catch(null),
  message,
  statusCode: z.union([z.number(), z.string().max(10)]).nullish(),
});

const named = z
  .union([z.string().max(200), z.number().transform(String)])
  .nullish()
  .catch(null);
/** A callback. In production, many members are missing that the OpenAPI document requires. */
export const callbackSchema = z.object({
  transactionstatus: named,
  /** Our reference. */
  utilityref: named,
  transid: named,
  externalreference: named,
});
