import { z } from 'zod';
import type { Connection, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { array, int4, jsonb, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import { HAPPENED_AT } from './ledger-store';
import type { Period } from './period';
import type { Finding, LineFinding } from './rules';
import { moneyKindSchema } from './sql-types';
import type { MoneyKind, StatementLine } from './statement';

/** The finding about a line of a statement, or about a ledger entry that the statement lacks. Amounts are senti. */
export type StoredLine = ReturnType<typeof readLine>;

/** Options of Prisma: select the fields of stored statement lines, and sort the lines by their numbers. */
const LINE = { omit: { reconciliationId: true, reversedTransactionId: true }, orderBy: { number: 'asc' } } as const;

const rawSchema = z.record(z.string(), z.string()).nullable();

/**
 * `number` is the line of the file. Ledger entries that the statement lacks have the numbers after the last line of the file. `raw`
 * contains the original cells by column; null for a ledger entry that the statement lacks.
 */
function readLine(row: Prisma.ReconciliationLineGetPayload<Pick<typeof LINE, 'omit'>>) {
  return { ...row, kind: moneyKindSchema.parse(row.kind), raw: rawSchema.parse(row.raw) };
}

const INSERT_LINES = statement({
  name: 'insert lines',
  text: `INSERT INTO reconciliation_line (reconciliation_id, number, finding, action, kind, transaction_id, statement_amount,
           ledger_amount, our_reference, reversed_transaction_id, happened_at, payment_id, raw)
         SELECT $runId, l.* FROM jsonb_to_recordset($rows::jsonb) AS l(number int, finding reconciliation_finding, action reconciliation_action,
           kind payment_kind, transaction_id text, statement_amount bigint, ledger_amount bigint, our_reference text,
           reversed_transaction_id text, happened_at timestamptz, payment_id uuid, raw jsonb)
         ON CONFLICT (reconciliation_id, number) DO NOTHING`,
  parameters: { runId: uuid, rows: jsonb },
  columns: {},
});

/** Stores findings, before anything is booked. A line that is already stored is not changed. */
export async function insertLines(
  db: Queryable,
  runId: string,
  found: readonly { readonly line: StatementLine; readonly found: LineFinding }[],
): Promise<void> {
  const rows = found.map(({ line, found: { finding, action, ledgerAmount, paymentId } }) => ({
    number: line.number,
    finding,
    action,
    kind: line.kind,
    transaction_id: line.transactionId,
    statement_amount: line.amount.toString(),
    ledger_amount: ledgerAmount?.toString() ?? null,
    our_reference: line.reference,
    reversed_transaction_id: line.reversedTransactionId,
    happened_at: line.completedAt,
    payment_id: paymentId,
    raw: line.raw,
  }));
  await INSERT_LINES.rows(db, { runId, rows: JSON.stringify(rows) });
}

/** Returns the number of the last stored line; 0 if there is none. Lines are stored in order. */
export async function lastLineNumber({ prisma }: Connection, runId: string): Promise<number> {
  const { _max } = await prisma.reconciliationLine.aggregate({ where: { reconciliationId: runId }, _max: { number: true } });
  return _max.number ?? 0;
}

/** Returns the next lines after the number `after`: only lines of this kind whose action is not recorded as done. */
export async function listPending(
  { prisma }: Connection,
  { runId, kind, after, limit }: { runId: string; kind: MoneyKind; after: number; limit: number },
) {
  const where: Prisma.ReconciliationLineWhereInput = {
    reconciliationId: runId,
    kind,
    number: { gt: after },
    action: { not: 'none' },
    OR: [{ finding: { not: 'theirs_only' } }, { paymentId: null }],
  };
  return (await prisma.reconciliationLine.findMany({ ...LINE, where, take: limit })).map(readLine);
}

const INSERT_OURS_ONLY = statement({
  name: 'insert lines that only the ledger has',
  text: `INSERT INTO reconciliation_line (reconciliation_id, number, finding, action, kind, transaction_id, ledger_amount, our_reference, happened_at, payment_id)
         SELECT $runId, $lastNumber::int + row_number() OVER (ORDER BY ${HAPPENED_AT}, p.id), 'ours_only', 'none', p.kind, p.provider_transaction_id,
           ${correctedAmount('p')}, a.our_reference, ${HAPPENED_AT}, p.id
         FROM payment p LEFT JOIN push_attempt a ON a.id = p.attempt_id
         WHERE p.provider_account_id = ANY ($till::uuid[]) AND ${HAPPENED_AT} >= $from AND ${HAPPENED_AT} < $to
           -- Reads only a part of the index. Money is recorded at most some months after it moved.
           AND p.recorded_at >= $from::timestamptz - interval '1 day' AND p.recorded_at < $to::timestamptz + interval '100 days'
           AND p.kind IN ('payment', 'reversal') AND ${correctedAmount('p')} > 0
           AND NOT EXISTS (
             SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
             WHERE l.transaction_id = p.provider_transaction_id AND l.kind = p.kind AND l.finding <> 'ours_only'
               AND r.provider_account_id = ANY ($accounts::uuid[]) AND (r.id = $runId OR r.completed_at IS NOT NULL))
           AND NOT EXISTS (
             SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
             WHERE l.payment_id = p.id AND l.finding <> 'ours_only' AND (r.id = $runId OR r.completed_at IS NOT NULL))`,
  parameters: { runId: uuid, accounts: array(uuid), till: array(uuid), from: timestamptz, to: timestamptz, lastNumber: int4 },
  columns: {},
});

/**
 * Stores the ledger entries of the accounts `till` in the period that neither this statement nor another completely reconciled statement contains. Entries are
 * compared by receipt number. A reversal that was booked without a receipt number counts as contained if a stored finding refers to it.
 */
export async function insertOursOnly(
  tx: Queryable,
  { period, ...about }: { runId: string; accounts: readonly string[]; till: readonly string[]; period: Period; lastNumber: number },
): Promise<void> {
  await INSERT_OURS_ONLY.rows(tx, { ...about, ...period });
}

/**
 * Returns the lines of a run with a number above `after`, in order.
 * @param findings only lines with one of these findings; null for all lines.
 */
export async function listLines(
  { prisma }: Connection,
  { runId, findings, after, limit }: { runId: string; findings: readonly Finding[] | null; after: number; limit: number },
) {
  const where = { reconciliationId: runId, number: { gt: after }, ...(findings && { finding: { in: [...findings] } }) };
  return (await prisma.reconciliationLine.findMany({ ...LINE, where, take: limit })).map(readLine);
}
