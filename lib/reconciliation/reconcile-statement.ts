import { createHash } from 'node:crypto';
import { auditRow } from '@/lib/audit/record-entry';
import { reach } from '@/lib/config/fail-point';
import type { Actor } from '@/lib/core/actor';
import { isUuid, newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { actOnDifferences } from './act-on-differences';
import { batches, findDifferences, referencesOf } from './find-differences';
import { findOursOnly } from './find-ours-only';
import { findForeignReference, findStatementAccount, type StatementAccount } from './ledger-store';
import type { Period } from './period';
import { readStatement } from './read-statement';
import { CANONICAL_STATEMENT, type Statement } from './statement';
import { findRun, insertRun, lockRun, markComplete, type Reconciliation, type RunKey, type Tally, tallyLines } from './store';
import { bookWaitingReversals } from './waiting-reversals';

export interface ReconcileOptions {
  readonly accountId: string;
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
  readonly format: 'canonical' | 'provider';
  readonly period: Period;
  readonly actor: Actor;
}

export interface ReconcileResult {
  readonly run: Reconciliation;
  readonly tallies: readonly Tally[];
  readonly skipped: Statement['skipped'];
  /** True if the run was complete before this call, so that this call did nothing. */
  readonly repeated: boolean;
}

/**
 * Compares a provider's statement with the ledger: stores the finding about every line, then books what the ledger lacks. Calls with the
 * same account, period and file belong to the same run: a repeated call continues an interrupted run, and only returns the result of a
 * complete run.
 * @returns the result; or, if nothing was stored, one sentence for each problem.
 */
export async function reconcileStatement(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'> & { readonly providers: ProviderRegistry },
  { accountId, file, format, period, actor }: ReconcileOptions,
): Promise<Result<ReconcileResult, readonly string[]>> {
  const { db } = runtime;
  const account = isUuid(accountId) ? await findStatementAccount(db, accountId) : undefined;
  const adapter = account && runtime.providers.find(account.provider);
  if (!account || !adapter) return fail([`There is no account ${accountId}; "bili provider list" shows all.`]);
  const mapping = format === 'canonical' ? CANONICAL_STATEMENT : adapter.statement;
  if (!mapping) return fail([`The statement format of ${account.provider} is not supported: convert the file into the canonical format.`]);
  const read = readStatement(file.bytes, mapping, { now: runtime.clock(), period });
  if (!read.ok) return fail(read.error.map(({ line, reason }) => `${file.name} line ${line}: ${reason}.`));

  const statement = read.value;
  const { accounts } = account;
  const key = { accountId: account.id, period, fileHash: createHash('sha256').update(file.bytes).digest() };
  const before = await findRun(db, key);
  if (!before) {
    const foreign = await findForeign(runtime, account, statement);
    if (foreign) {
      const { reference, label, accountId: other } = foreign;
      return fail([`${file.name} is not a statement of this account: ${reference} belongs to the account ${label} (${other}).`]);
    }
  }
  const run = before ?? (await beginRun(runtime, account, key, { file: file.name, lines: statement.lines.length, actor }));
  if (run.completedAt === null) {
    reach('statement.begun');
    const comparison = { runId: run.id, accounts, period, statement };
    await findDifferences(runtime, comparison);
    reach('statement.compared');
    await actOnDifferences(runtime, { ...comparison, account, pace: adapter.capabilities });
    await bookWaitingReversals(runtime, { account, accounts, lines: statement.lines });
    reach('statement.noted');
    await db.transaction(async (tx) => {
      if (await lockRun(tx, run.id)) return;
      const { environment } = account;
      await findOursOnly(runtime, tx, { runId: run.id, accounts, environment, period, lastNumber: statement.lastNumber });
      await markComplete(tx, run.id, runtime.clock());
    });
  }
  const after = (await findRun(db, key)) ?? run;
  return ok({ run: after, tallies: await tallyLines(db, run.id), skipped: statement.skipped, repeated: run.completedAt !== null });
}

/**
 * Finds an attempt of another owner's account by our references in the statement. Such an attempt shows that the statement is about the
 * account of that other owner.
 */
async function findForeign({ db }: Pick<Runtime, 'db'>, { accounts }: StatementAccount, { lines }: Statement) {
  for (const batch of batches(lines)) {
    const foreign = await findForeignReference(db, accounts, referencesOf(batch));
    if (foreign) return foreign;
  }
  return undefined;
}

/** Creates a run, or returns the run that another process has created at the same time. */
async function beginRun(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, merchantId }: StatementAccount,
  key: RunKey,
  { file, lines, actor }: { file: string; lines: number; actor: Actor },
): Promise<Reconciliation> {
  const id = newId(runtime);
  const data = { account: key.accountId, file, lines, from: key.period.from.toISOString(), to: key.period.to.toISOString() };
  const audit = auditRow(runtime, { merchantId, environment, actor, action: 'statement.reconciled', subject: id, data });
  await insertRun(runtime.db, { ...key, id, environment, fileName: file, requestedBy: actor.name, createdAt: runtime.clock() }, audit);
  const run = await findRun(runtime.db, key);
  if (!run) throw new Error('the reconciliation that was just created does not exist');
  return run;
}
