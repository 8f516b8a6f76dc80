import { createHash } from 'node:crypto';
import { auditRow } from '@/lib/audit/record-entry';
import { reach } from '@/lib/config/fail-point';
import type { Actor } from '@/lib/core/actor';
import { isUuid, newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { actOnDifferences } from './act-on-differences';
import { CANONICAL_STATEMENT } from './canonical-statement';
import { batches, findDifferences, referencesOf } from './find-differences';
import { findOursOnly } from './find-ours-only';
import { findStatementAccount, findStrangeReference, type StatementAccount, type Stranger } from './ledger-store';
import type { Period } from './period';
import { readStatement } from './read-statement';
import type { Statement } from './statement';
import { findRun, insertRun, lockRun, markComplete, type Reconciliation, type RunKey, type Tally, tallyLines } from './store';
import { bookWaitingReversals } from './waiting-reversals';

export interface ReconcileOptions {
  readonly accountId: string;
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
  /** Whether the file is in the canonical form, or as the provider exports it. */
  readonly format: 'canonical' | 'provider';
  readonly period: Period;
  readonly actor: Actor;
}

export interface Reconciled {
  readonly run: Reconciliation;
  readonly tallies: readonly Tally[];
  readonly skipped: Statement['skipped'];
  /** The same had been completed before: nothing was done now. */
  readonly repeated: boolean;
}

/**
 * Holds a provider's statement against the ledger: stores what is found about every line, then books what the ledger does not
 * have. The same account, period and file is one run, however often it is asked for: an interrupted one goes on, a
 * complete one is answered. @returns what was found; or, before anything is stored, a sentence for each thing that is wrong.
 */
export async function reconcileStatement(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'> & { readonly providers: ProviderRegistry },
  { accountId, file, format, period, actor }: ReconcileOptions,
): Promise<Result<Reconciled, readonly string[]>> {
  const { db } = runtime;
  const account = isUuid(accountId) ? await findStatementAccount(db, accountId) : undefined;
  const adapter = account && runtime.providers.find(account.provider);
  if (!account || !adapter) return fail([`There is no account ${accountId}; "bili provider list" shows all.`]);
  const mapping = format === 'canonical' ? CANONICAL_STATEMENT : adapter.statement;
  if (!mapping) return fail([`How ${account.provider} writes statements is not known here: bring it into the canonical form.`]);
  const read = readStatement(file.bytes, mapping);
  if (!read.ok) return fail(read.error.map(({ line, reason }) => `${file.name} line ${line}: ${reason}.`));

  const statement = read.value;
  const { accounts } = account;
  const key = { accountId: account.id, period, fileHash: createHash('sha256').update(file.bytes).digest() };
  const before = await findRun(db, key);
  if (!before) {
    const stranger = await findStranger(runtime, account, statement);
    if (stranger) {
      const { reference, label, accountId: other } = stranger;
      return fail([`${file.name} is no statement of this account: ${reference} went through ${label} (${other}).`]);
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

/** References of ours prove whose statement it is. @returns one that went through no account of this owner's. */
async function findStranger(
  { db }: Pick<Runtime, 'db'>,
  { accounts }: StatementAccount,
  { lines }: Statement,
): Promise<Stranger | undefined> {
  for (const batch of batches(lines)) {
    const stranger = await findStrangeReference(db, accounts, referencesOf(batch));
    if (stranger) return stranger;
  }
  return undefined;
}

/** @returns the run that was begun; by another process, if that was quicker. */
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
  if (!run) throw new Error('the reconciliation that was just begun is not there');
  return run;
}
