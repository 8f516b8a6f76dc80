import { z } from 'zod';
import type { Network } from '@/lib/core/network';

// Source: the public OpenAPI document of pawaPay, version 2 of the API, and its page about failure codes. Amounts are text.

export const DEPOSITS_PATH = '/v2/deposits';
export const REFUNDS_PATH = '/v2/refunds';

/** The names of the wallets; null for networks that pawaPay does not reach. */
export const WALLETS = {
  vodacom: 'VODACOM_TZA',
  yas: 'TIGO_TZA',
  airtel: 'AIRTEL_TZA',
  halotel: 'HALOTEL_TZA',
  ttcl: null,
  other: null,
} as const satisfies Record<Network, string | null>;

const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, 'must be a UUID of version 4');
const wholeAmount = z.string().regex(/^[1-9]\d{0,14}$/, 'must be a whole amount');

export const depositRequestSchema = z.strictObject({
  depositId: uuid,
  amount: wholeAmount,
  currency: z.literal('TZS'),
  payer: z.strictObject({
    type: z.literal('MMO'),
    accountDetails: z.strictObject({
      phoneNumber: z.string().regex(/^255[67]\d{8}$/),
      provider: z.enum(['VODACOM_TZA', 'TIGO_TZA', 'AIRTEL_TZA', 'HALOTEL_TZA']),
    }),
  }),
  clientReferenceId: z.string().min(1).max(50).optional(),
});
export type DepositRequest = z.infer<typeof depositRequestSchema>;

export const refundRequestSchema = z.strictObject({
  refundId: uuid,
  depositId: uuid,
  amount: wholeAmount,
  currency: z.literal('TZS'),
});
export type RefundRequest = z.infer<typeof refundRequestSchema>;

const text = z.string().max(1_000);
const failureSchema = z.object({ failureCode: z.string().max(100), failureMessage: text.nullish() });

/** The answer to a request for a deposit or a refund. An error may lack the id of the deposit or refund. */
export const answerSchema = z.object({
  depositId: z.string().max(100).nullish(),
  refundId: z.string().max(100).nullish(),
  status: z.string().max(50).nullish(),
  failureReason: failureSchema.nullish(),
});

/** An error without a deposit, such as a wrong token. */
export const errorSchema = z.object({ failureReason: failureSchema });

/** A text by the documentation. A number is read, too. */
const amount = z.union([z.string().max(30), z.number()]).nullish();

/** A deposit as status answers and callbacks show it. Members that the adapter does not read are left out. */
export const depositSchema = z.object({
  depositId: z.string().min(1).max(100),
  status: z.string().max(50),
  amount,
  currency: z.string().max(10).nullish(),
  clientReferenceId: z.string().max(100).nullish(),
  /** Without the payer's number, the rest of the message still counts. */
  payer: z
    .object({ accountDetails: z.object({ phoneNumber: z.string().max(30) }) })
    .nullish()
    .catch(null),
  failureReason: failureSchema.nullish(),
});
export type PawapayDeposit = z.infer<typeof depositSchema>;

export const refundSchema = z.object({
  refundId: z.string().min(1).max(100),
  status: z.string().max(50),
  amount,
  currency: z.string().max(10).nullish(),
  failureReason: failureSchema.nullish(),
});

/** A status answer. The outer status is about the search, not about the payment. */
export const searchSchema = z.object({ status: z.string().max(50), data: z.unknown().optional() });
