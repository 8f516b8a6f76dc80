import { recordReversalReceipt } from '@/lib/payments/ledger/reversal-store';
import { closeAssumedReview } from '@/lib/payments/ledger/review-reversal';
import type { Runtime } from '@/lib/runtime/runtime';
import { entryKey, findAttempts, findEntries } from './ledger-store';
import { insertLines, lastLineNumber } from './line-store';
import { isWithin, type Period } from './period';
import { compare, type LedgerEntry } from './rules';
import type { Statement, StatementLine } from './statement';

/** Lines per query. */
export const BATCH = 1_000;

export interface Comparison {
  readonly runId: string;
  /** The ids of all provider accounts that share the till of the statement. */
  readonly accounts: readonly string[];
  readonly period: Period;
  readonly statement: Statement;
}

/**
 * Compares every line of a statement with the ledger and stores the findings, before anything is booked. An interrupted run continues
 * after the last stored line, so the finding about a line is never replaced.
 */
export async function findDifferences(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  { runId, accounts, period, statement }: Comparison,
): Promise<void> {
  const { db } = runtime;
  const stored = await lastLineNumber(db, runId);
  for (const batch of batches(statement.lines.filter(({ number }) => number > stored))) {
    const ids = batch.flatMap(({ transactionId, reversedTransactionId: of }) => (of === null ? [transactionId] : [transactionId, of]));
    const entries = await findEntries(db, accounts, ids);
    const attempts = await findAttempts(db, accounts, referencesOf(batch));
    const found: Parameters<typeof insertLines>[2][number][] = [];
    for (const line of batch) {
      const isOurs = line.reference !== null && attempts.has(line.reference);
      const entry = entries.get(entryKey(line)) ?? (await nameReversal(runtime, { accounts, period, statement }, line, entries));
      found.push({ line, found: compare(line, period, entry, isOurs) });
    }
    await insertLines(db, runId, found);
  }
}

export function* batches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}

export function referencesOf(lines: readonly StatementLine[]): string[] {
  return lines.flatMap(({ reference }) => (reference === null ? [] : [reference]));
}

/**
 * Finds the ledger entry of a reversal that was booked without a receipt number of its own, by the receipt number of the reversed payment.
 * Records the receipt number of the line for this entry, and returns the entry.
 *
 * Does nothing if the amount of the line is not the booked amount, but another line, which the ledger does not have yet, reverses the same
 * payment with the booked amount. The entry belongs to that other line.
 */
async function nameReversal(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { accounts, period, statement }: Omit<Comparison, 'runId'>,
  { amount, transactionId: receipt, reversedTransactionId, completedAt }: StatementLine,
  entries: ReadonlyMap<string, LedgerEntry>,
): Promise<LedgerEntry | undefined> {
  if (reversedTransactionId === null || !isWithin(period, completedAt)) return undefined;
  const unnamed = entries.get(entryKey({ kind: 'reversal', transactionId: reversedTransactionId }));
  if (!unnamed) return undefined;
  if (unnamed.amount !== amount) {
    const sameAmount = statement.lines.filter(
      (line) =>
        line.reversedTransactionId === reversedTransactionId && line.amount === unnamed.amount && isWithin(period, line.completedAt),
    );
    const receipts = sameAmount.map(({ transactionId }) => transactionId);
    const known = receipts.length > 0 ? await findEntries(db, accounts, receipts) : entries;
    if (sameAmount.some((line) => !known.has(entryKey(line)))) return undefined;
  }
  const reversalId = unnamed.paymentId;
  return db.transaction(async (tx) => {
    const now = clock();
    if (!(await recordReversalReceipt(tx, { reversalId, receipt, recordedAt: now }))) return undefined;
    await closeAssumedReview(tx, { reversalId, receipt }, { source: 'statement', now });
    return unnamed;
  });
}
