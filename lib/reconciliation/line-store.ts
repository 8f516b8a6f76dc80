import { z } from 'zod';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, int4, int8, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import { paymentKind } from '@/lib/payments/sql-types';
import type { Period } from './period';
import type { Finding, LineFinding } from './rules';
import { action, finding, moneyKindSchema } from './sql-types';
import type { MoneyKind, StatementLine } from './statement';

/** The finding about a line of a statement, or about a ledger entry that the statement lacks. Amounts are senti. */
export type StoredLine = ReturnType<typeof readLine>;

const SELECTED_LINE = `number, finding, action, kind, transaction_id AS "transactionId", statement_amount AS "statementAmount",
  ledger_amount AS "ledgerAmount", our_reference AS "ourReference", happened_at AS "happenedAt", payment_id AS "paymentId", raw`;
const LINE_COLUMNS = {
  /** The line of the file. Ledger entries that the statement lacks are numbered after its last line. */
  number: int4,
  finding,
  action,
  kind: paymentKind,
  transactionId: text,
  statementAmount: nullable(int8),
  ledgerAmount: nullable(int8),
  ourReference: nullable(text),
  happenedAt: timestamptz,
  paymentId: nullable(uuid),
  /** The original cells by column; null for a ledger entry that the statement lacks. */
  raw: nullable(jsonb),
};

const rawSchema = z.record(z.string(), z.string()).nullable();

function readLine(row: Awaited<ReturnType<typeof LIST_LINES.rows>>[number]) {
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

const LIST_PENDING = statement({
  name: 'list pending lines',
  text: `SELECT ${SELECTED_LINE} FROM reconciliation_line
         WHERE reconciliation_id = $runId AND kind = $kind AND number > $after AND action <> 'none' AND (finding <> 'theirs_only' OR payment_id IS NULL)
         ORDER BY number LIMIT $limit`,
  parameters: { runId: uuid, kind: paymentKind, after: int4, limit: int8 },
  columns: LINE_COLUMNS,
});

/** Returns the next lines of one kind whose action is not recorded as done. */
export async function listPending(
  db: Queryable,
  { runId, kind, after, limit }: { runId: string; kind: MoneyKind; after: number; limit: number },
) {
  return (await LIST_PENDING.rows(db, { runId, kind, after, limit: BigInt(limit) })).map(readLine);
}

const INSERT_OURS_ONLY = statement({
  name: 'insert lines that only the ledger has',
  text: `INSERT INTO reconciliation_line (reconciliation_id, number, finding, action, kind, transaction_id, ledger_amount, our_reference, happened_at, payment_id)
         SELECT $runId, $lastNumber::int + row_number() OVER (ORDER BY p.recorded_at, p.id), 'ours_only', 'none', p.kind, p.provider_transaction_id,
           ${correctedAmount('p')}, a.our_reference, p.recorded_at, p.id
         FROM payment p LEFT JOIN push_attempt a ON a.id = p.attempt_id
         WHERE p.provider_account_id = ANY ($accounts::uuid[]) AND p.recorded_at >= $from AND p.recorded_at < $to
           AND p.kind IN ('payment', 'reversal') AND ${correctedAmount('p')} > 0
           AND NOT EXISTS (
             SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
             WHERE l.transaction_id = p.provider_transaction_id AND l.kind = p.kind AND l.finding <> 'ours_only'
               AND r.provider_account_id = ANY ($accounts::uuid[]) AND (r.id = $runId OR r.completed_at IS NOT NULL))
           AND NOT EXISTS (
             SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
             WHERE l.payment_id = p.id AND l.finding <> 'ours_only' AND (r.id = $runId OR r.completed_at IS NOT NULL))`,
  parameters: { runId: uuid, accounts: array(uuid), from: timestamptz, to: timestamptz, lastNumber: int4 },
  columns: {},
});

/**
 * Stores the ledger entries of the period that neither this statement nor an earlier, completely reconciled one contains. Entries are
 * compared by receipt number. For a reversal that was booked without one, the stored findings are compared instead.
 */
export async function insertOursOnly(
  tx: Queryable,
  { runId, accounts, period, lastNumber }: { runId: string; accounts: readonly string[]; period: Period; lastNumber: number },
): Promise<void> {
  await INSERT_OURS_ONLY.rows(tx, { runId, accounts, from: period.from, to: period.to, lastNumber });
}

const LIST_LINES = statement({
  name: 'list lines',
  text: `SELECT ${SELECTED_LINE} FROM reconciliation_line
         WHERE reconciliation_id = $runId AND ($findings::text[] IS NULL OR finding::text = ANY ($findings::text[])) AND number > $after
         ORDER BY number LIMIT $limit`,
  parameters: { runId: uuid, findings: nullable(array(text)), after: int4, limit: int8 },
  columns: LINE_COLUMNS,
});

/** Returns the lines of a run after a number, in order: those with one of the findings, or all if null. */
export async function listLines(
  db: Queryable,
  { runId, findings, after, limit }: { runId: string; findings: readonly Finding[] | null; after: number; limit: number },
) {
  return (await LIST_LINES.rows(db, { runId, findings, after, limit: BigInt(limit) })).map(readLine);
}
