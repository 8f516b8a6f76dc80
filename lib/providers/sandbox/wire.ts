import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { StatementMapping } from '@/lib/providers/port/port';

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

/** A request to reverse the payment of a prompt, or a part of it. */
export const reversalSchema = promptSchema.pick({ reference: true, amount: true });
export type SandboxReversal = z.infer<typeof reversalSchema>;

/** A request to send money to a number. */
export const payoutSchema = promptSchema.pick({ reference: true, amount: true, mobile: true });
export type SandboxPayout = z.infer<typeof payoutSchema>;

/** The answer to a status query about a reversal or a payout. The amount is in whole shillings. */
export const refundSchema = z.union([
  z.object({ status: z.literal('NOT_FOUND') }),
  z.object({ reference: z.string(), status: z.enum(['PENDING', 'DONE', 'FAILED']), receipt: z.string(), amount: z.int().positive() }),
]);
export type SandboxRefund = z.infer<typeof refundSchema>;

/** The kinds of payment instruments. An order takes its own amount once. A control number takes payments of any amount until it is cancelled. */
const INSTRUMENT_KINDS = ['order', 'control_number'] as const;

/** A request to issue a payment instrument. */
export const instrumentSchema = promptSchema
  .pick({ reference: true, amount: true, callbackUrl: true, merchantId: true })
  .extend({ kind: z.enum(INSTRUMENT_KINDS) });
export type NewSandboxInstrument = z.infer<typeof instrumentSchema>;

/** A request to change the amount of a control number. */
export const amountSchema = promptSchema.pick({ amount: true });

/** The answer to a request for an instrument and to a status query about it. Amounts are in whole shillings. */
export const instrumentReportSchema = z.object({
  reference: z.string(),
  status: z.enum(['OPEN', 'ENDED']),
  number: z.string().regex(/^\d{4,20}$/),
  qr: z.string().nullable(),
  link: z.url().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  payments: z.array(z.object({ receipt: z.string(), amount: z.int().positive(), paidAt: z.iso.datetime() })),
});
export type SandboxInstrumentReport = z.infer<typeof instrumentReportSchema>;

/** The body of a status answer and of a callback. */
export const reportSchema = z.object({
  reference: z.string(),
  status: statusSchema,
  /** The receipt number of the payment, also after a reversal; null if nothing was paid. */
  receipt: z.string().nullable(),
  /** The paid amount, whole shillings; null if nothing was paid. */
  amount: z.int().positive().nullable(),
  /** The receipt number of the last reversal; null if there is none. */
  reversalReceipt: z.string().nullable().default(null),
  /** The amount of the last reversal, whole shillings; null if the whole payment was reversed. */
  reversedAmount: z.int().positive().nullable().default(null),
  /** The number that paid an instrument; null for a card. Callbacks about prompts do not contain it, because the prompt names the number. */
  mobile: z.string().nullable().default(null),
  /** When an instrument was paid. */
  paidAt: z.iso.datetime().nullable().default(null),
});
export type SandboxReport = z.input<typeof reportSchema>;

export const answerSchema = z.object({
  status: z.enum(['ACCEPTED', 'DUPLICATE', 'NOT_REGISTERED', 'LIMIT_EXCEEDED', 'UNAVAILABLE', 'NOT_PAID', 'REFUSED', 'NOT_FOUND']),
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

/** The format that `bili simulate statement` writes. It differs from the canonical one, so that the sandbox also exercises mappings. */
export const SANDBOX_STATEMENT: StatementMapping = {
  columns: {
    transactionId: 'Receipt',
    completedAt: 'Completed',
    reference: 'Reference',
    mobile: 'Phone',
    reversedTransactionId: 'Reverses',
  },
  amounts: { kind: 'typed', type: 'Type', amount: 'Amount' },
  instants: ['iso'],
  thousandsSeparator: ',',
  completed: { column: 'Status', value: 'PAID' },
  strict: false,
};
