import { z } from 'zod';
import type { InstrumentStatus, IssueOutcome, MoneyOutcome } from '@/lib/providers/port/instrument';
import { FAILURE_REASONS, type Outcome } from '@/lib/providers/port/outcome';
import type { RawAnswer, RefundOutcome } from '@/lib/providers/port/port';
import type { Variant } from './fake-record';

const senti = z.number().int().transform(BigInt);
const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), id: z.string().nullable() }),
  z.object({ kind: z.enum(['pending', 'expired', 'not_found', 'duplicate']) }),
  z.object({ kind: z.literal('failed'), reason: z.enum(FAILURE_REASONS) }),
  z.object({ kind: z.literal('paid'), receipt: z.string(), amount: senti }),
  z.object({
    kind: z.literal('reversed'),
    receipt: z.string(),
    amount: senti,
    reversed: senti.nullable(),
    reversal: z.string().nullable(),
  }),
  z.object({ kind: z.literal('paid_out'), receipt: z.string().nullable(), amount: senti }),
]);
export const noticeSchema = z.object({ reference: z.string(), report: z.unknown() });

export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Parses JSON, or returns null. */
export function decode(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** Translates the provider's message to an outcome. The outcome of a message that cannot be parsed is `unknown`. */
export function read(report: unknown): Outcome {
  const parsed = reportSchema.safeParse(report);
  if (!parsed.success) return { kind: 'unknown' };
  switch (parsed.data.kind) {
    case 'accepted':
      return { kind: 'accepted', providerReference: parsed.data.id };
    case 'failed':
      return parsed.data;
    case 'paid':
      return { kind: 'paid', transactionId: parsed.data.receipt, amount: parsed.data.amount };
    case 'reversed': {
      const { receipt: transactionId, amount, reversed, reversal: reversalTransactionId } = parsed.data;
      return { kind: 'reversed', transactionId, amount, reversed, reversalTransactionId };
    }
    case 'paid_out':
      return { kind: 'unknown' };
    default:
      return { kind: parsed.data.kind };
  }
}

/** Translates an answer about a payout to an outcome. */
export function readPayout(answer: RawAnswer): RefundOutcome {
  if (answer.lost) return { kind: answer.lost };
  const { data: report } = reportSchema.safeParse(decode(answer.body));
  switch (report?.kind) {
    case 'paid_out':
      return { kind: 'refunded', transactionId: report.receipt, amount: report.amount };
    case 'accepted':
      return { kind: 'pending', providerReference: report.id };
    case 'failed':
      return report;
    default:
      return { kind: report?.kind === 'pending' ? 'pending' : 'unknown' };
  }
}

/** Translates an answer about a reversal to an outcome. The unsigned provider never reports the amount of a reversal. */
export function readReversal(answer: RawAnswer, variant: Variant): RefundOutcome {
  if (answer.lost) return { kind: answer.lost };
  const outcome = read(decode(answer.body));
  switch (outcome.kind) {
    case 'reversed':
      return {
        kind: 'refunded',
        transactionId: outcome.reversalTransactionId,
        amount: variant === 'unsigned' ? null : outcome.reversed,
      };
    case 'failed':
    case 'pending':
      return outcome;
    default:
      return { kind: 'unknown' };
  }
}

const issuedSchema = z.object({
  kind: z.literal('issued'),
  id: z.string(),
  number: z.string().nullable(),
  qr: z.string().nullable(),
  link: z.string().nullable(),
  expiresAt: z.number().nullable(),
});
const instrumentSchema = z.discriminatedUnion('kind', [
  issuedSchema,
  z.object({ kind: z.literal('refused'), reason: z.enum(FAILURE_REASONS) }),
  z.object({ kind: z.literal('open'), issued: issuedSchema.nullable(), payments: z.array(z.unknown()) }),
  z.object({ kind: z.literal('ended'), payments: z.array(z.unknown()) }),
  z.object({ kind: z.enum(['not_found', 'duplicate', 'done']) }),
]);

const readInstrument = (answer: RawAnswer) => (answer.lost ? undefined : instrumentSchema.safeParse(decode(answer.body)).data);

function readIssued({ id: providerReference, number, qr, link, expiresAt }: z.infer<typeof issuedSchema>) {
  const ends = expiresAt === null ? null : new Date(expiresAt);
  return { kind: 'issued', ways: { number, qr, link }, providerReference, expiresAt: ends } as const;
}

/** Translates the answer to a request for an instrument. The provider may have issued it if the reference is used already. */
export function readIssue(answer: RawAnswer): IssueOutcome {
  if (answer.lost) return { kind: answer.lost };
  const report = readInstrument(answer);
  if (report?.kind === 'issued') return readIssued(report);
  return report?.kind === 'refused' ? report : { kind: 'unknown' };
}

/** Translates a status answer about an instrument. */
export function readInstrumentStatus(answer: RawAnswer): InstrumentStatus {
  const report = readInstrument(answer);
  const payments = (reports: readonly unknown[]) =>
    reports.map(read).filter((outcome): outcome is MoneyOutcome => outcome.kind === 'paid' || outcome.kind === 'reversed');
  switch (report?.kind) {
    case 'open':
      return { kind: 'open', payments: payments(report.payments), issued: report.issued && readIssued(report.issued) };
    case 'ended':
      return { kind: 'ended', payments: payments(report.payments) };
    case 'not_found':
      return { kind: 'not_found' };
    default:
      return { kind: 'unknown' };
  }
}

/** Translates the answer to a change or cancellation of an instrument. */
export function readInstrumentChange(answer: RawAnswer): 'done' | 'refused' | 'unknown' {
  const kind = readInstrument(answer)?.kind;
  return kind === 'done' || kind === 'refused' ? kind : 'unknown';
}
