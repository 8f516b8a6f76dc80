import { z } from 'zod';

// Source: developers.selcommobile.com ("Checkout"), and the official clients. Amounts are whole shillings.

export const ORDER_PATH = '/v1/checkout/create-order-minimal';
export const PAYMENT_PATH = '/v1/checkout/wallet-payment';
export const STATUS_PATH = '/v1/checkout/order-status';

/** The fields of a request, in the order in which they are signed and sent. */
export type Fields = Readonly<Record<string, string | number>>;

const msisdn = z.string().regex(/^255[67]\d{8}$/);

export const orderRequestSchema = z.object({
  vendor: z.string().min(1),
  order_id: z.string().regex(/^[\w-]{1,50}$/),
  buyer_email: z.email(),
  buyer_name: z.string().trim().min(1),
  buyer_phone: msisdn,
  amount: z.int().positive(),
  currency: z.literal('TZS'),
  no_of_items: z.int().positive(),
  /** Base64 of the address of callbacks. */
  webhook: z.base64().optional(),
  /** Minutes until the order can no longer be paid. */
  expiry: z.int().positive().optional(),
});
export type OrderRequest = z.infer<typeof orderRequestSchema>;

export const paymentRequestSchema = z.object({ transid: z.string().regex(/^[\w-]{1,50}$/), order_id: z.string().min(1), msisdn });
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

export const RESULT_CODES = { success: '000', notFound: '404' } as const;
/** The result codes of a request in progress. Source: "Result codes" in Selcom's documentation. */
export const IN_PROGRESS: readonly string[] = ['111', '927'];

const code = z.union([z.string().max(20), z.int()]).transform(String);

/** What every answer contains. */
export const envelopeSchema = z.object({
  resultcode: code,
  result: z.string().max(50).nullish(),
  message: z.string().max(2_000).nullish().catch(null),
  reference: z.string().max(100).nullish().catch(null),
  transid: z.string().max(100).nullish().catch(null),
  data: z.unknown().optional(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

const amount = z.union([z.string().max(30), z.number()]).nullish();
const receipt = z.string().max(100).nullish();

/** An order as a status answer shows it. An order has no receipt number (`reference`) before it is paid. */
const orderSchema = z.object({
  order_id: z.string().max(100),
  payment_status: z.string().max(50),
  amount,
  currency: z.string().max(10).nullish(),
  reference: receipt,
});
export type SelcomOrder = z.infer<typeof orderSchema>;
export const ordersSchema = z.array(orderSchema).max(50);

/** A callback. A sample in Selcom's documentation misspells `resultcode` as `resulcode`. */
export const webhookSchema = z.object({
  order_id: z.string().min(1).max(100),
  payment_status: z.string().max(50).nullish(),
  result: z.string().max(50).nullish(),
  resultcode: code.nullish(),
  resulcode: code.nullish(),
  /** The payer's number, under one of two names. Without it, the rest of the message still counts. */
  phone: z.string().max(30).nullish().catch(null),
  msisdn: z.string().max(30).nullish().catch(null),
  amount,
  currency: z.string().max(10).nullish(),
  reference: receipt,
});
export type Webhook = z.infer<typeof webhookSchema>;
