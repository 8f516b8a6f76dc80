import type { Environment } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { array, boolean, int4, int8, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import { paymentKind } from '@/lib/payments/sql-types';
import type { Period } from './period';
import { action, finding, moneyKindSchema } from './sql-types';

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
const RUN = { include: { account: { select: { label: true } } }, omit: { fileHash: true } } as const;

function readRun({ providerAccountId, account, periodFrom, periodTo, ...run }: Prisma.ReconciliationGetPayload<typeof RUN>) {
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

export async function findRunById({ prisma }: Connection, id: string) {
  const run = await prisma.reconciliation.findUnique({ where: { id }, ...RUN });
  return run ? readRun(run) : undefined;
}

/** Lists runs, newest first. @param accountId null for all accounts. */
export async function listRuns({ prisma }: Connection, accountId: string | null) {
  const runs = await prisma.reconciliation.findMany({
    where: accountId === null ? {} : { providerAccountId: accountId },
    ...RUN,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return runs.map(readRun);
}

const LOCK_RUN = statement({
  name: 'lock a reconciliation',
  text: 'SELECT completed_at IS NOT NULL AS complete FROM reconciliation WHERE id = $id FOR NO KEY UPDATE',
  parameters: { id: uuid },
  columns: { complete: boolean },
});

/** Locks a run, so that no other process changes its lines in this transaction. @returns whether the run is complete. */
export async function lockRun(tx: Queryable, id: string): Promise<boolean> {
  const run = await LOCK_RUN.first(tx, { id });
  if (!run) throw new Error(`reconciliation ${id} does not exist`);
  return run.complete;
}

export async function markComplete({ prisma }: Connection, id: string, now: Date): Promise<void> {
  await prisma.reconciliation.updateMany({ where: { id }, data: { completedAt: now } });
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
  parameters: { runId: uuid, accounts: array(uuid), resolution: text, now: timestamptz },
  columns: {},
});

/** Closes the open reviews of ledger entries that earlier statements lacked, if this run has a line with the same amount for them. */
export async function closeFoundReviews(
  tx: Queryable,
  { fileName, ...about }: { readonly runId: string; readonly accounts: readonly string[]; readonly fileName: string; readonly now: Date },
): Promise<void> {
  await CLOSE_FOUND_REVIEWS.rows(tx, { ...about, resolution: `the statement ${fileName} contains it` });
}

/** Number and sums (senti) of the lines with the same kind, finding and action. */
export type Tally = Awaited<ReturnType<typeof tallyLines>>[number];

const TALLY_LINES = statement({
  name: 'tally lines',
  text: `SELECT kind, finding, action, count(*)::int AS lines, coalesce(sum(statement_amount), 0)::bigint AS "statementAmount",
           coalesce(sum(ledger_amount), 0)::bigint AS "ledgerAmount"
         FROM reconciliation_line WHERE reconciliation_id = $runId GROUP BY kind, finding, action ORDER BY kind, finding, action`,
  parameters: { runId: uuid },
  columns: { kind: paymentKind, finding, action, lines: int4, statementAmount: int8, ledgerAmount: int8 },
});

export async function tallyLines(db: Queryable, runId: string) {
  const rows = await TALLY_LINES.rows(db, { runId });
  return rows.map((row) => ({ ...row, kind: moneyKindSchema.parse(row.kind) }));
}
