import { z } from 'zod';
import { correctedAmount } from '@/lib/gateway/ledger/balance-store';
import type { Period } from '@/lib/platform/core/period';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { payment, reconciliation, reconciliationLine } from '@/lib/platform/db/generated/tables';
import { array, boolean, int4, jsonb, neverNull, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { HAPPENED_AT } from './ledger-store';
import type { Action, Finding, LineFinding, Tally } from './rules';
import { type MoneyKind, moneyKindSchema, type StatementLine } from './statement';

export type Reconciliation = ReturnType<typeof readRun>;

export interface RunKey {
  readonly accountId: string;
  readonly period: Period;
  /** SHA-256 of the file. */
  readonly fileHash: Uint8Array;
}

interface NewRun extends RunKey {
  readonly id: string;
  readonly environment: Environment;
  readonly fileName: string;
  readonly requestedBy: string;
  readonly createdAt: Date;
}

/** Stores a run. Returns false if another process has stored the same run. */
export async function insertRun({ prisma }: Connection, run: NewRun): Promise<boolean> {
  const { accountId, period, fileHash, ...row } = run;
  const data = { ...row, ...columnsOf({ accountId, period, fileHash }) };
  const { count } = await prisma.reconciliation.createMany({ data, skipDuplicates: true });
  return count > 0;
}

/** Prisma's options for all fields of a run but the hash, with the label of its account. */
export const RUN = { include: { account: { select: { label: true } } }, omit: { fileHash: true } } as const;

export function readRun({ providerAccountId, account, periodFrom, periodTo, ...run }: Prisma.ReconciliationGetPayload<typeof RUN>) {
  return { ...run, accountId: providerAccountId, account: account.label, from: periodFrom, to: periodTo };
}

function columnsOf({ accountId, period, fileHash }: RunKey) {
  return { providerAccountId: accountId, periodFrom: period.from, periodTo: period.to, fileHash: Buffer.from(fileHash) };
}

export async function findRun({ prisma }: Connection, key: RunKey) {
  const where = { providerAccountId_periodFrom_periodTo_fileHash: columnsOf(key) };
  const run = await prisma.reconciliation.findUnique({ where, ...RUN });
  return run ? readRun(run) : undefined;
}

const LOCK_RUN = statement({
  name: 'lock a reconciliation',
  text: 'SELECT completed_at IS NOT NULL AS complete FROM reconciliation WHERE id = $id FOR NO KEY UPDATE',
  parameters: { id: reconciliation.id },
  columns: { complete: boolean },
});

/** Locks a run, so that no other process changes its lines in this transaction. @returns whether the run is complete. */
export async function lockRun(tx: Queryable, id: string): Promise<boolean> {
  const run = await LOCK_RUN.first(tx, { id });
  if (!run) throw new Error(`reconciliation ${id} does not exist`);
  return run.complete;
}

const CLOSE_FOUND_REVIEWS = statement({
  name: 'close reviews of entries that a statement contains',
  text: `UPDATE review v SET resolved_at = $now, resolved_by = 'gateway', resolution = $resolution
         FROM payment p
         WHERE v.payment_id = p.id AND v.kind = 'statement_differs' AND v.resolved_at IS NULL AND p.provider_account_id = ANY ($accounts::uuid[])
           AND v.data->>'statementAmount' IS NULL AND v.data->'omitted' IS NULL
           AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(v.data->'more') AS fact WHERE fact->>'statementAmount' IS NOT NULL)
           AND EXISTS (SELECT 1 FROM reconciliation_line l
             WHERE l.reconciliation_id = $runId AND l.finding <> 'ours_only' AND l.statement_amount = ${correctedAmount('p')}
               AND (l.payment_id = p.id OR l.transaction_id = p.provider_transaction_id AND l.kind = p.kind))`,
  parameters: {
    runId: reconciliationLine.reconciliationId,
    accounts: array(payment.providerAccountId),
    resolution: text,
    now: timestamptz,
  },
});

/** Closes the open reviews of ledger entries that earlier statements lacked, if this run has a line with the same amount for them. */
export async function closeFoundReviews(
  tx: Queryable,
  { fileName, ...about }: { readonly runId: string; readonly accounts: readonly string[]; readonly fileName: string; readonly now: Date },
): Promise<void> {
  await CLOSE_FOUND_REVIEWS.rows(tx, { ...about, resolution: `the statement ${fileName} contains it` });
}

/** Returns the number and the sums of the lines with the same kind, finding and action. */
export async function tallyLines({ prisma }: Connection, runId: string): Promise<Tally[]> {
  const rows = await prisma.reconciliationLine.groupBy({
    by: ['kind', 'finding', 'action'],
    where: { reconciliationId: runId },
    _count: true,
    _sum: { statementAmount: true, ledgerAmount: true },
    orderBy: [{ kind: 'asc' }, { finding: 'asc' }, { action: 'asc' }],
  });
  return rows.map(({ kind, finding, action, _count: lines, _sum: { statementAmount, ledgerAmount } }) => {
    return {
      kind: moneyKindSchema.parse(kind),
      finding,
      action,
      lines,
      statementAmount: statementAmount ?? 0n,
      ledgerAmount: ledgerAmount ?? 0n,
    };
  });
}

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
           ${correctedAmount('p')}, coalesce(a.our_reference, i.our_reference), ${HAPPENED_AT}, p.id
         FROM payment p LEFT JOIN push_attempt a ON a.id = p.attempt_id LEFT JOIN instrument i ON i.id = p.instrument_id
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
  parameters: {
    runId: reconciliation.id,
    accounts: array(reconciliation.providerAccountId),
    till: array(payment.providerAccountId),
    from: timestamptz,
    to: timestamptz,
    lastNumber: int4,
  },
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

const RECORD_PAYMENTS = statement({
  name: 'record the payments of a statement',
  // Looks up each line in the ledger, without a join. A join could be slow: the planner's statistics are out of date after many inserts.
  text: `WITH found AS MATERIALIZED (
           SELECT number, (SELECT p.id FROM payment p WHERE p.till_id = (SELECT till_id FROM provider_account WHERE id = ($accounts::uuid[])[1])
                             AND p.provider_transaction_id = transaction_id AND p.kind = 'payment' LIMIT 1) AS payment_id
           FROM reconciliation_line
           WHERE reconciliation_id = $runId AND number = ANY ($numbers::int[]) AND finding = 'theirs_only' AND payment_id IS NULL)
         UPDATE reconciliation_line l SET payment_id = found.payment_id,
           action = CASE WHEN EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = found.payment_id AND a.created_by = 'gateway')
             THEN 'settled_attempt'::reconciliation_action ELSE 'kept_unmatched' END
         FROM found WHERE l.reconciliation_id = $runId AND l.number = found.number AND found.payment_id IS NOT NULL`,
  parameters: { runId: reconciliationLine.reconciliationId, accounts: array(uuid), numbers: array(int4) },
});

/**
 * Records, for each statement line in `numbers`, which payment was booked, and whether it was booked for an attempt or instrument.
 * @param accounts the ids of all provider accounts that share the till of the statement.
 */
export async function recordPayments(tx: Queryable, runId: string, accounts: readonly string[], numbers: readonly number[]): Promise<void> {
  await RECORD_PAYMENTS.rows(tx, { runId, accounts, numbers });
}

const RECORD_REVERSAL = statement({
  name: 'record the reversal of a statement',
  text: `WITH till AS (SELECT till_id AS id FROM provider_account WHERE id = ($accounts::uuid[])[1]), entry AS (
           SELECT r.id, 'booked_reversal'::reconciliation_action AS action FROM payment r
           WHERE r.till_id = (SELECT id FROM till) AND r.provider_transaction_id = $transactionId AND r.kind = 'reversal'
           UNION ALL SELECT r.id, $fallback FROM reversal_receipt n JOIN payment r ON r.id = n.payment_id
           WHERE r.till_id = (SELECT id FROM till) AND n.provider_transaction_id = $transactionId LIMIT 1)
         UPDATE reconciliation_line SET payment_id = (SELECT id FROM entry),
           action = coalesce((SELECT action FROM entry), $fallback::reconciliation_action)
         WHERE reconciliation_id = $runId AND number = $number AND payment_id IS NULL`,
  parameters: {
    runId: reconciliationLine.reconciliationId,
    ...pick(reconciliationLine, 'number transactionId'),
    accounts: array(uuid),
    fallback: reconciliationLine.action,
  },
});

/**
 * Records, for a statement line, which reversal was booked. If no reversal was booked, or if the reversal was booked earlier without this
 * receipt number, records `fallback` as the action.
 */
export async function recordReversal(tx: Queryable, reversal: Parameters<typeof RECORD_REVERSAL.rows>[1]): Promise<void> {
  await RECORD_REVERSAL.rows(tx, reversal);
}

const LIST_WAITING_REVERSALS = statement({
  name: 'list waiting reversals',
  text: `SELECT l.reconciliation_id AS "runId", l.number, l.transaction_id AS "transactionId",
           l.reversed_transaction_id AS "reversedTransactionId", l.statement_amount AS amount
         FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
         WHERE l.reversed_transaction_id = ANY ($receipts::text[]) AND l.payment_id IS NULL AND l.finding = 'theirs_only'
           AND r.provider_account_id = ANY ($accounts::uuid[]) ORDER BY l.happened_at, l.reconciliation_id, l.number`,
  parameters: { accounts: array(reconciliation.providerAccountId), receipts: array(text) },
  columns: {
    runId: reconciliationLine.reconciliationId,
    ...pick(reconciliationLine, 'number transactionId'),
    reversedTransactionId: neverNull(reconciliationLine.reversedTransactionId),
    amount: neverNull(reconciliationLine.statementAmount),
  },
});

/**
 * Lists reversals that statements of these accounts contain, but the ledger lacks. Amounts are senti.
 * @param receipts only reversals of payments with these receipt numbers.
 */
export async function listWaitingReversals(db: Queryable, accounts: readonly string[], receipts: readonly string[]) {
  return LIST_WAITING_REVERSALS.rows(db, { accounts, receipts });
}

export async function recordAction(
  { prisma }: Connection,
  { runId, number, action }: { readonly runId: string; readonly number: number; readonly action: Action },
): Promise<void> {
  await prisma.reconciliationLine.updateMany({ where: { reconciliationId: runId, number, action: { not: action } }, data: { action } });
}
