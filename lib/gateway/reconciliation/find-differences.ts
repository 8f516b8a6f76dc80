import { closeAssumedReview } from '@/lib/gateway/ledger/book-reversal';
import { recordReversalReceipt } from '@/lib/gateway/ledger/payment-store';
import { isWithin, type Period } from '@/lib/platform/core/period';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { entryKey, findEntries, findKnownReceipts, findOtherReferences, findRequests, isElsewhere, listUnconfirmed } from './ledger-store';
import { foldId } from './read-statement';
import { compare, findSamePayment, type LedgerEntry } from './rules';
import type { Statement, StatementLine } from './statement';
import { insertLines } from './store';

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
export async function findDifferences(runtime: Pick<Runtime, 'db' | 'clock'>, comparison: Comparison): Promise<void> {
  const record: RecordReceipt = (reversalId, receipt) =>
    runtime.db.transaction(async (tx) => {
      const now = runtime.clock();
      const recorded = await recordReversalReceipt(tx, { reversalId, receipt, recordedAt: now });
      if (recorded) await closeAssumedReview(tx, { reversalId, receipt }, { source: 'statement', now });
      return recorded;
    });
  await compareLines(runtime.db, comparison, record);
}

/** Records the receipt number of a reversal that was booked without one. Returns false if the reversal has got another one meanwhile. */
type RecordReceipt = (reversalId: string, receipt: string) => Promise<boolean>;

/** Compares the lines that are not stored yet and stores the findings. Changes nothing else, except by calling `record`. */
export async function compareLines(
  db: Connection,
  { runId, accounts, period, statement }: Comparison,
  record: RecordReceipt,
): Promise<void> {
  // Lines are stored in the order of their numbers.
  const { _max: last } = await db.prisma.reconciliationLine.aggregate({ where: { reconciliationId: runId }, _max: { number: true } });
  const receipts = new Set(statement.lines.map(({ transactionId }) => transactionId));
  for (const batch of batches(statement.lines.filter(({ number }) => number > (last.number ?? 0)))) {
    const ids = batch.flatMap(({ transactionId, reversedTransactionId: of }) => (of === null ? [transactionId] : [transactionId, of]));
    const entries = await findEntries(db, accounts, ids);
    const requests = await findRequests(db, accounts, referencesOf(batch));
    const others = await findOtherReferences(
      db,
      accounts,
      referencesOf(batch).filter((reference) => !requests.has(reference)),
    );
    const refused = new Set(others.filter((other) => other.refused).map(({ reference }) => reference));
    const missing = batch.filter((line) => line.kind === 'payment' && !entries.has(entryKey(line)));
    const unconfirmed = await listUnconfirmed(
      db,
      accounts,
      missing.flatMap(({ reference }) => requests.get(reference ?? '')?.id ?? []),
    );
    const found: Parameters<typeof insertLines>[2][number][] = [];
    for (const line of batch) {
      const request = requests.get(line.reference ?? '');
      const entry = entries.get(entryKey(line)) ?? (await nameReversal(db, { accounts, period, statement }, line, entries, record));
      const named = request && {
        paymentIsElsewhere: entry !== undefined && line.kind === 'payment' && (await isElsewhere(db, entry, request)),
        samePayment: line.kind === 'payment' ? findSamePayment(line, unconfirmed.get(request.id) ?? [], { receipts, period }) : undefined,
      };
      found.push({ line, found: compare(line, period, entry, refused.has(line.reference ?? '') ? 'refused' : named) });
    }
    await insertLines(db, runId, found);
  }
}

/** The most leading zeros that spreadsheets are expected to have removed from a receipt number. */
const LEADING_ZEROS = 8;

/** Returns receipt numbers of which a spreadsheet or a person may have made this one: with leading zeros, or in the other case. */
function spellingsOf(transactionId: string): string[] {
  const folded = foldId(transactionId);
  if (!/^\d+$/.test(folded)) return [folded, folded.toLowerCase()];
  return Array.from({ length: LEADING_ZEROS + 1 }, (_, zeros) => '0'.repeat(zeros) + folded);
}

/**
 * Replaces receipt numbers that differ only by leading zeros or by case from a number in the ledger by that number: such a line is about
 * the same payment. The original cells stay as they are.
 */
export async function withKnownReceipts(db: Queryable, accounts: readonly string[], statement: Statement): Promise<Statement> {
  const lines: StatementLine[] = [];
  for (const batch of batches(statement.lines)) {
    const ids = new Set(
      batch.flatMap(({ transactionId, reversedTransactionId: of }) => (of === null ? [transactionId] : [transactionId, of])),
    );
    const known = await findKnownReceipts(db, accounts, [...new Set([...ids].flatMap((id) => [id, ...spellingsOf(id)]))]);
    const named = (id: string) => (known.has(id) ? id : (spellingsOf(id).find((spelling) => known.has(spelling)) ?? id));
    for (const line of batch) {
      const { transactionId, reversedTransactionId: of } = line;
      lines.push({ ...line, transactionId: named(transactionId), reversedTransactionId: of === null ? null : named(of) });
    }
  }
  return { ...statement, lines };
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
  db: Connection,
  { accounts, period, statement }: Omit<Comparison, 'runId'>,
  { amount, transactionId: receipt, reversedTransactionId, completedAt }: StatementLine,
  entries: ReadonlyMap<string, LedgerEntry>,
  record: RecordReceipt,
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
  return (await record(unnamed.paymentId, receipt)) ? unnamed : undefined;
}
