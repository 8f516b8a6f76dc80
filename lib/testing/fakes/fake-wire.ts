import { z } from 'zod';
import { FAILURE_REASONS, type Outcome } from '@/lib/providers/port/outcome';
import type { RawAnswer, ReversalOutcome } from '@/lib/providers/port/port';
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
    default:
      return { kind: parsed.data.kind };
  }
}

/** Translates an answer about a reversal to an outcome. The unsigned provider never reports the amount of a reversal. */
export function readReversal(answer: RawAnswer, variant: Variant): ReversalOutcome {
  if (answer.lost) return { kind: answer.lost };
  const outcome = read(decode(answer.body));
  switch (outcome.kind) {
    case 'reversed':
      return {
        kind: 'reversed',
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
