import type { Runtime } from '@/lib/config/runtime';
import { entryKey, findAttempts, findEntries } from './ledger-store';
import { insertLines, lastLineNumber } from './line-store';
import type { Period } from './period';
import { compare, type LedgerEntry } from './rules';
import type { Statement, StatementLine } from './statement';

/** Lines per query. */
export const BATCH = 1_000;

export interface Comparison {
  readonly runId: string;
  /** Where money of the statement may have been recorded. */
  readonly accounts: readonly string[];
  readonly period: Period;
  readonly statement: Statement;
}

/**
 * Stores for every line of a statement what the ledger has to say about it, before anything is done. An interrupted run goes
 * on after the last line that is stored, so that what was found first counts.
 */
export async function findDifferences({ db }: Pick<Runtime, 'db'>, { runId, accounts, period, statement }: Comparison): Promise<void> {
  const stored = await lastLineNumber(db, runId);
  for (const batch of batches(statement.lines.filter(({ number }) => number > stored))) {
    const ids = batch.flatMap(({ transactionId, reversedTransactionId: of }) => (of === null ? [transactionId] : [transactionId, of]));
    const entries = await findEntries(db, accounts, ids);
    const attempts = await findAttempts(db, accounts, referencesOf(batch));
    await insertLines(
      db,
      runId,
      batch.map((line) => {
        const isOurs = line.reference !== null && attempts.has(line.reference);
        return { line, found: compare(line, period, entryOf(line, entries), isOurs) };
      }),
    );
  }
}

export function* batches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}

export function referencesOf(lines: readonly StatementLine[]): string[] {
  return lines.flatMap(({ reference }) => (reference === null ? [] : [reference]));
}

/** A reversal that was booked before its receipt was known stands under that of the payment. */
function entryOf(line: StatementLine, entries: ReadonlyMap<string, LedgerEntry>): LedgerEntry | undefined {
  const own = entries.get(entryKey(line));
  if (own || line.reversedTransactionId === null) return own;
  const unnamed = entries.get(entryKey({ kind: 'reversal', transactionId: line.reversedTransactionId }));
  return unnamed?.amount === line.amount ? unnamed : undefined;
}
