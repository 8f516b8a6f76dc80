import type { Queryable } from '@/lib/db/database';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import type { Period } from './period';
import type { Action, Finding, Found } from './rules';
import type { MoneyKind, StatementLine } from './statement';

/** What was found about one line of a statement, or about money that it does not have. Senti. */
export interface StoredLine {
  /** The file's line; money that the statement does not have is numbered after its last. */
  readonly number: number;
  readonly finding: Finding;
  readonly action: Action;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  readonly statementAmount: bigint | null;
  readonly ledgerAmount: bigint | null;
  readonly ourReference: string | null;
  readonly happenedAt: Date;
  readonly paymentId: string | null;
  /** Null for money that the statement does not have. */
  readonly raw: Readonly<Record<string, string>> | null;
}

const LINE_COLUMNS = `number, finding, action, kind, transaction_id AS "transactionId", statement_amount AS "statementAmount",
  ledger_amount AS "ledgerAmount", our_reference AS "ourReference", happened_at AS "happenedAt", payment_id AS "paymentId", raw`;

/** Stores what was found, before anything is done about it. What was found first stays. */
export async function insertLines(
  db: Queryable,
  runId: string,
  found: readonly { readonly line: StatementLine; readonly found: Found }[],
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
  await db.query(
    {
      text: `INSERT INTO reconciliation_line (reconciliation_id, number, finding, action, kind, transaction_id, statement_amount,
               ledger_amount, our_reference, reversed_transaction_id, happened_at, payment_id, raw)
             SELECT $1, l.* FROM jsonb_to_recordset($2::jsonb) AS l(number int, finding reconciliation_finding, action reconciliation_action,
               kind payment_kind, transaction_id text, statement_amount bigint, ledger_amount bigint, our_reference text,
               reversed_transaction_id text, happened_at timestamptz, payment_id uuid, raw jsonb)
             ON CONFLICT (reconciliation_id, number) DO NOTHING`,
    },
    [runId, JSON.stringify(rows)],
  );
}

/** @returns the last line that a finding is stored for; they are stored in order. */
export async function lastLineNumber(db: Queryable, runId: string): Promise<number> {
  const [last] = await db.query<{ number: number }>(
    { text: 'SELECT coalesce(max(number), 0) AS number FROM reconciliation_line WHERE reconciliation_id = $1' },
    [runId],
  );
  return last?.number ?? 0;
}

/** @returns the next lines of one kind that something is yet to be done about, or was without its being noted. */
export async function listPending(
  db: Queryable,
  { runId, kind, after, limit }: { runId: string; kind: MoneyKind; after: number; limit: number },
): Promise<StoredLine[]> {
  return db.query<StoredLine>(
    {
      text: `SELECT ${LINE_COLUMNS} FROM reconciliation_line
             WHERE reconciliation_id = $1 AND kind = $2 AND number > $3 AND action <> 'none' AND (finding <> 'theirs_only' OR payment_id IS NULL)
             ORDER BY number LIMIT $4`,
    },
    [runId, kind, after, limit],
  );
}

/**
 * Stores which money the ledger has of the period, but neither this statement nor one that was reconciled completely before: by
 * its transaction, or, for a reversal that was booked without one of its own, by what was found about it.
 */
export async function insertOursOnly(
  tx: Queryable,
  { runId, accounts, period, lastNumber }: { runId: string; accounts: readonly string[]; period: Period; lastNumber: number },
): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO reconciliation_line (reconciliation_id, number, finding, action, kind, transaction_id, ledger_amount, our_reference, happened_at, payment_id)
             SELECT $1, $5::int + row_number() OVER (ORDER BY p.recorded_at, p.id), 'ours_only', 'none', p.kind, p.provider_transaction_id,
               ${correctedAmount('p')}, a.our_reference, p.recorded_at, p.id
             FROM payment p LEFT JOIN push_attempt a ON a.id = p.attempt_id
             WHERE p.provider_account_id = ANY ($2::uuid[]) AND p.recorded_at >= $3 AND p.recorded_at < $4
               AND p.kind IN ('payment', 'reversal') AND ${correctedAmount('p')} > 0
               AND NOT EXISTS (
                 SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
                 WHERE l.transaction_id = p.provider_transaction_id AND l.kind = p.kind AND l.finding <> 'ours_only'
                   AND r.provider_account_id = ANY ($2::uuid[]) AND (r.id = $1 OR r.completed_at IS NOT NULL))
               AND NOT EXISTS (
                 SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
                 WHERE l.payment_id = p.id AND l.finding <> 'ours_only' AND (r.id = $1 OR r.completed_at IS NOT NULL))`,
    },
    [runId, accounts, period.from, period.to, lastNumber],
  );
}

/** @returns a part of a run's lines in their order; those with one of the findings, or all. */
export async function listLines(
  db: Queryable,
  { runId, findings, after, limit }: { runId: string; findings: readonly Finding[] | null; after: number; limit: number },
): Promise<StoredLine[]> {
  return db.query<StoredLine>(
    {
      text: `SELECT ${LINE_COLUMNS} FROM reconciliation_line
             WHERE reconciliation_id = $1 AND ($2::text[] IS NULL OR finding::text = ANY ($2::text[])) AND number > $3 ORDER BY number LIMIT $4`,
    },
    [runId, findings, after, limit],
  );
}
