import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** How the simulated provider names what became of a prompt. */
const STATUSES = ['PENDING', 'PAID', 'REVERSED', 'DECLINED', 'WRONG_PIN', 'INSUFFICIENT_BALANCE', 'EXPIRED'] as const;
export type SandboxStatus = (typeof STATUSES)[number];
export const statusSchema = z.enum(STATUSES);

export const promptSchema = z.object({
  reference: z.string().regex(/^[A-Z0-9]{20}$/),
  mobile: z.string().regex(/^255[67]\d{8}$/),
  /** Whole shillings. */
  amount: z.int().positive(),
  callbackUrl: z.url(),
});
export type SandboxPrompt = z.infer<typeof promptSchema>;

/** Body of a status answer and of a callback. */
export const reportSchema = z.object({
  reference: z.string(),
  status: statusSchema,
  /** Present once paid, also when it went back since. */
  receipt: z.string().nullable(),
  /** Whole shillings that moved; present once paid. */
  amount: z.int().positive().nullable(),
  /** Present once all of it went back. */
  reversalReceipt: z.string().nullable().default(null),
});
export type SandboxReport = z.infer<typeof reportSchema>;

export const answerSchema = z.object({ status: z.enum(['ACCEPTED', 'DUPLICATE', 'NOT_REGISTERED', 'UNAVAILABLE', 'NOT_PAID']) });

export const SIGNATURE_HEADER = 'x-sandbox-signature';

export function signCallback(key: Uint8Array, body: Uint8Array | string): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

export function isSignedBy(key: Uint8Array, body: Uint8Array, signature: string | undefined): boolean {
  const expected = Buffer.from(signCallback(key, body));
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
