import type { Environment } from '@/lib/core/scope';
import type { Database, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import type { Period } from './period';
import type { Action, Finding } from './rules';
import type { MoneyKind } from './statement';

const RUN_COLUMNS = `r.id, r.environment, r.provider_account_id AS "accountId",
  (SELECT a.label FROM provider_account a WHERE a.id = r.provider_account_id) AS account, r.period_from AS "from", r.period_to AS "to",
  r.file_name AS "fileName", r.requested_by AS "requestedBy", r.created_at AS "createdAt", r.completed_at AS "completedAt"`;

export interface Reconciliation extends Period {
  readonly id: string;
  readonly environment: Environment;
  readonly accountId: string;
  /** Its label. */
  readonly account: string;
  readonly fileName: string;
  readonly requestedBy: string;
  readonly createdAt: Date;
  /** Null while it runs, or when it was interrupted. */
  readonly completedAt: Date | null;
}

/** What makes two runs the same one. */
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

/** Begins a run and writes it down for the audit, both or none. Another process may have begun the same one: then it changes nothing. */
export async function insertRun(db: Database, run: NewRun, audit: Prisma.AuditEntryCreateInput): Promise<void> {
  await db.transaction(async (tx) => {
    const inserted = await tx.query(
      {
        text: `INSERT INTO reconciliation (id, environment, provider_account_id, period_from, period_to, file_name, file_hash, requested_by, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
               ON CONFLICT (provider_account_id, period_from, period_to, file_hash) DO NOTHING RETURNING 1 AS inserted`,
      },
      [
        run.id,
        run.environment,
        run.accountId,
        run.period.from,
        run.period.to,
        run.fileName,
        Buffer.from(run.fileHash),
        run.requestedBy,
        run.createdAt,
      ],
    );
    if (inserted.length === 0) return;
    await tx.query(
      {
        text: `INSERT INTO audit_entry (id, merchant_id, environment, actor, action, subject, address, data, at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      },
      [
        audit.id,
        audit.merchantId,
        audit.environment,
        audit.actor,
        audit.action,
        audit.subject,
        audit.address,
        JSON.stringify(audit.data),
        audit.at,
      ],
    );
  });
}

export async function findRun(db: Queryable, { accountId, period, fileHash }: RunKey): Promise<Reconciliation | undefined> {
  const [run] = await db.query<Reconciliation>(
    {
      text: `SELECT ${RUN_COLUMNS} FROM reconciliation r
             WHERE r.provider_account_id = $1 AND r.period_from = $2 AND r.period_to = $3 AND r.file_hash = $4`,
    },
    [accountId, period.from, period.to, Buffer.from(fileHash)],
  );
  return run;
}

export async function findRunById(db: Queryable, id: string): Promise<Reconciliation | undefined> {
  const [run] = await db.query<Reconciliation>({ text: `SELECT ${RUN_COLUMNS} FROM reconciliation r WHERE r.id = $1` }, [id]);
  return run;
}

/** Newest first. @param accountId null for those of every account. */
export async function listRuns(db: Queryable, accountId: string | null): Promise<Reconciliation[]> {
  return db.query<Reconciliation>(
    {
      text: `SELECT ${RUN_COLUMNS} FROM reconciliation r WHERE $1::uuid IS NULL OR r.provider_account_id = $1
             ORDER BY r.created_at DESC, r.id DESC`,
    },
    [accountId],
  );
}

/** Keeps others from changing what a run found until the transaction ends. @returns whether it is complete. */
export async function lockRun(tx: Queryable, id: string): Promise<boolean> {
  const [run] = await tx.query<{ complete: boolean }>(
    { text: 'SELECT completed_at IS NOT NULL AS complete FROM reconciliation WHERE id = $1 FOR NO KEY UPDATE' },
    [id],
  );
  if (!run) throw new Error(`reconciliation ${id} does not exist`);
  return run.complete;
}

export async function markComplete(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE reconciliation SET completed_at = $2 WHERE id = $1' }, [id, now]);
}

/** How many lines of a kind were found so, and their sums in senti. */
export interface Tally {
  readonly kind: MoneyKind;
  readonly finding: Finding;
  readonly action: Action;
  readonly lines: number;
  readonly statementAmount: bigint;
  readonly ledgerAmount: bigint;
}

export async function tallyLines(db: Queryable, runId: string): Promise<Tally[]> {
  return db.query<Tally>(
    {
      text: `SELECT kind, finding, action, count(*)::int AS lines, coalesce(sum(statement_amount), 0)::bigint AS "statementAmount",
               coalesce(sum(ledger_amount), 0)::bigint AS "ledgerAmount"
             FROM reconciliation_line WHERE reconciliation_id = $1 GROUP BY kind, finding, action ORDER BY kind, finding, action`,
    },
    [runId],
  );
}
