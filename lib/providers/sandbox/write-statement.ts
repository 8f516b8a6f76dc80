import { formatCsv } from '@/lib/core/csv';
import type { Runtime } from '@/lib/runtime/runtime';
import { type FinalState, listFinalStates } from './store';

const HEADER = ['Receipt', 'Completed', 'Status', 'Type', 'Amount', 'Reference', 'Phone', 'Reverses'];

/** Creates the simulated provider's statement of a period as CSV. If the period ends in the future, the statement ends now. */
export async function writeStatement(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { from, to }: { from: Date; to: Date },
): Promise<{ csv: string; lines: number }> {
  const now = clock();
  const states = await listFinalStates(db, { from, to: to < now ? to : now });
  return { csv: formatCsv([HEADER, ...states.map(toCells)]), lines: states.length };
}

function toCells({ reference, mobile, amount, receipt, status, at }: FinalState): readonly string[] {
  const reversed = status === 'REVERSED';
  return [
    reversed ? `${receipt}R` : receipt,
    at.toISOString(),
    // `PAID` marks completed transactions, also reversals.
    reversed ? 'PAID' : status,
    reversed ? 'reversal' : 'payment',
    amount.toString(),
    reference,
    mobile,
    reversed ? receipt : '',
  ];
}
