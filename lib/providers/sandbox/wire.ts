import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const STATUSES = ['PENDING', 'PAID', 'REVERSED', 'DECLINED', 'WRONG_PIN', 'INSUFFICIENT_BALANCE', 'EXPIRED'] as const;
export type SandboxStatus = (typeof STATUSES)[number];
export const statusSchema = z.enum(STATUSES);

export const promptSchema = z.object({
  reference: z.string().regex(/^[A-Z0-9]{20}$/),
  mobile: z.string().regex(/^255[67]\d{8}$/),
  /** Whole shillings. */
  amount: z.int().positive(),
  callbackUrl: z.url(),
  /** The merchant whose test phones can get the prompt. Without a merchant, only the number decides what happens. */
  merchantId: z.uuid().optional(),
  /** The bill whose scenario decides what happens. Without a scenario, the phone or the number decides. */
  billId: z.uuid().optional(),
  network: z.string().optional(),
});
export type SandboxPrompt = z.infer<typeof promptSchema>;

/** The body of a status answer and of a callback. */
export const reportSchema = z.object({
  reference: z.string(),
  status: statusSchema,
  /** The receipt number of the payment, also after a reversal; null if nothing was paid. */
  receipt: z.string().nullable(),
  /** The paid amount, whole shillings; null if nothing was paid. */
  amount: z.int().positive().nullable(),
  /** The receipt number of the reversal; null if there is none. */
  reversalReceipt: z.string().nullable().default(null),
});
export type SandboxReport = z.infer<typeof reportSchema>;

export const answerSchema = z.object({
  status: z.enum(['ACCEPTED', 'DUPLICATE', 'NOT_REGISTERED', 'LIMIT_EXCEEDED', 'UNAVAILABLE', 'NOT_PAID']),
});

export const SIGNATURE_HEADER = 'x-sandbox-signature';

export function signCallback(key: Uint8Array, body: Uint8Array | string): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

export function isSignedBy(key: Uint8Array, body: Uint8Array, signature: string | undefined): boolean {
  const expected = Buffer.from(signCallback(key, body));
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
