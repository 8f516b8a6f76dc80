import { formatCsv } from '@/lib/core/csv';
import { formatDecimal } from '@/lib/core/money';
import type { Runtime } from '@/lib/runtime/runtime';
import type { StoredLine } from './line-store';
import { readLines } from './show-reconciliation';

const COLUMNS = [
  'number',
  'finding',
  'action',
  'type',
  'transaction_id',
  'statement_amount',
  'ledger_amount',
  'reference',
  'happened_at',
  'payment_id',
  'statement_line',
];

/** Yields all lines of a reconciliation as CSV. Amounts are in shillings. `statement_line` is the original line as JSON. */
export async function* exportReconciliation(runtime: Pick<Runtime, 'db'>, runId: string): AsyncGenerator<string> {
  yield formatCsv([COLUMNS]);
  for await (const lines of readLines(runtime, runId, null)) yield formatCsv(lines.map(toCells));
}

function toCells(line: StoredLine): readonly string[] {
  const { number, finding, action, kind, transactionId, statementAmount, ledgerAmount, ourReference, happenedAt, paymentId, raw } = line;
  return [
    number.toString(),
    finding,
    action,
    kind,
    transactionId,
    statementAmount === null ? '' : formatDecimal(statementAmount),
    ledgerAmount === null ? '' : formatDecimal(ledgerAmount),
    ourReference ?? '',
    happenedAt.toISOString(),
    paymentId ?? '',
    raw === null ? '' : JSON.stringify(raw),
  ];
}
