import { z } from 'zod';

// Source: docs.snippe.sh, version 2026-01-25 of the API. Amounts are whole shillings.

export const VERSION = '2026-01-25';
export const PAYMENTS_PATH = '/v1/payments';

export const SIGNATURE_HEADER = 'x-webhook-signature';
export const TIMESTAMP_HEADER = 'x-webhook-timestamp';
export const EVENT_HEADER = 'x-webhook-event';

/** The states of a payment. */
export type SnippeStatus = 'pending' | 'completed' | 'failed' | 'voided' | 'expired';

const name = z.string().trim().min(1).max(100);

export const paymentRequestSchema = z.object({
  payment_type: z.literal('mobile'),
  details: z.object({ amount: z.int().min(500), currency: z.literal('TZS') }),
  phone_number: z.string().regex(/^\+?255[67]\d{8}$/),
  customer: z.object({ firstname: name, lastname: name, email: z.email() }),
  webhook_url: z.url().max(500).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

const money = z.object({ value: z.number(), currency: z.string() });
/** A fee may have cents. */
const fee = z.object({ value: z.union([z.number(), z.string().max(30)]), currency: z.string() });

/** A payment as answers and webhooks show it. Members that the adapter does not read are left out. */
const paymentSchema = z.object({
  reference: z.string().min(1).max(100),
  status: z.string().max(50),
  amount: money.optional(),
  settlement: z.object({ fees: fee.optional() }).nullish(),
  completed_at: z.string().max(50).nullish(),
  failure_reason: z.string().max(500).nullish(),
  /** Without the payer's number, the rest of the message still counts. */
  customer: z
    .object({ phone: z.string().max(30).nullish() })
    .nullish()
    .catch(null),
  metadata: z.object({ reference: z.string().max(100).optional() }).nullish(),
});
export type SnippePayment = z.infer<typeof paymentSchema>;

export const answerSchema = z.object({ status: z.literal('success'), data: paymentSchema });

export const errorSchema = z.object({
  status: z.literal('error'),
  error_code: z.string().max(100),
  message: z.string().max(1_000).optional(),
});

export const webhookSchema = z.object({ id: z.string().max(100), type: z.string().max(100), data: paymentSchema });
