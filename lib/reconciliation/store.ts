import { type AuditRow, insertEntry } from '@/lib/audit/store';
import type { Environment } from '@/lib/core/scope';
import type { Connection, Database, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { boolean, int4, int8, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
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

/** Stores a run with its audit entry in one transaction. Does nothing if another process has stored the same run. */
export async function insertRun(db: Database, run: NewRun, audit: AuditRow): Promise<void> {
  const { accountId, period, fileHash, ...row } = run;
  const data = { ...row, ...columnsOf({ accountId, period, fileHash }) };
  await db.transaction(async (tx) => {
    const { count } = await tx.prisma.reconciliation.createMany({ data, skipDuplicates: true });
    if (count > 0) await insertEntry(tx, audit);
  });
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
