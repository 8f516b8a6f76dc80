import { formatCsv } from '@/lib/core/csv';
import type { Runtime } from '@/lib/runtime/runtime';
import { listEnds, type RecordedEnd } from './store';

const HEADER = ['Receipt', 'Completed', 'Status', 'Type', 'Amount', 'Reference', 'Phone', 'Reverses'];

/** @returns the simulated provider's statement of a period up to now, in its own form: a CSV file. */
export async function writeStatement(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { from, to }: { from: Date; to: Date },
): Promise<{ csv: string; lines: number }> {
  const now = clock();
  const ends = await listEnds(db, { from, to: to < now ? to : now });
  return { csv: formatCsv([HEADER, ...ends.map(toCells)]), lines: ends.length };
}

function toCells({ reference, mobile, amount, receipt, status, at }: RecordedEnd): readonly string[] {
  const reversed = status === 'REVERSED';
  return [
    reversed ? `${receipt}R` : receipt,
    at.toISOString(),
    // A reversal that is done is as complete as a payment.
    reversed ? 'PAID' : status,
    reversed ? 'reversal' : 'payment',
    amount.toString(),
    reference,
    mobile,
    reversed ? receipt : '',
  ];
}
