import { createHash } from 'node:crypto';
import { auditRow } from '@/lib/audit/record-entry';
import { insertEntry } from '@/lib/audit/store';
import { reach } from '@/lib/config/fail-point';
import type { Actor } from '@/lib/core/actor';
import { isUuid, newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { findAccountById } from '@/lib/providers/accounts/account-store';
import { openAccount } from '@/lib/providers/accounts/accounts';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { actOnDifferences } from './act-on-differences';
import { batches, compareLines, findDifferences, referencesOf, withKnownReceipts } from './find-differences';
import { findOursOnly } from './find-ours-only';
import { findAttempts, findOtherReferences, findStatementAccount, type OtherReference, type StatementAccount } from './ledger-store';
import { insertOursOnly } from './line-store';
import type { Period } from './period';
import { readStatement } from './read-statement';
import { CANONICAL_STATEMENT, type Statement } from './statement';
import {
  closeFoundReviews,
  findRun,
  insertRun,
  lockRun,
  markComplete,
  type Reconciliation,
  type RunKey,
  type Tally,
  tallyLines,
} from './store';
import { isMuchMissing, type MissingShare, shareOf } from './summary';
import { bookWaitingReversals } from './waiting-reversals';

export interface PreviewOptions {
  readonly accountId: string;
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
  readonly format: 'canonical' | 'provider';
  readonly period: Period;
}

export interface ReconcileOptions extends PreviewOptions {
  readonly actor: Actor;
  /** Decides whether to continue although the statement lacks many payments. `accept` continues without counting them. */
  readonly ifIncomplete: 'accept' | ((share: MissingShare) => Promise<boolean>);
}

/** What reconciling a statement would find and do. */
interface Preview {
  readonly tallies: readonly Tally[];
  readonly skipped: Statement['skipped'];
  /** True if the run was complete before, so that nothing is done. */
  readonly repeated: boolean;
}

export interface ReconcileResult extends Preview {
  readonly run: Reconciliation;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'secrets' | 'settings'> & { readonly providers: ProviderRegistry };

/** Finds out what `reconcileStatement` would find and do, and changes nothing. */
export async function previewStatement(runtime: Needs, options: PreviewOptions): Promise<Result<Preview, readonly string[]>> {
  const prepared = await prepare(runtime, options);
  if (!prepared.ok) return prepared;
  const { before, statement } = prepared.value;
  const repeated = before !== undefined && before.completedAt !== null;
  const tallies = repeated ? await tallyLines(runtime.db, before.id) : await preview(runtime, prepared.value);
  return ok({ tallies, skipped: statement.skipped, repeated });
}

/**
 * Compares a provider's statement with the ledger: stores the finding about every line, then books what the ledger lacks. Calls with the
 * same account, period and file belong to the same run: a repeated call continues an interrupted run, and only returns the result of a
 * complete run.
 * @returns the result; or, if nothing was stored, one sentence for each problem.
 */
export async function reconcileStatement(
  runtime: Needs,
  { actor, ifIncomplete, ...options }: ReconcileOptions,
): Promise<Result<ReconcileResult, readonly string[]>> {
  const { db } = runtime;
  const prepared = await prepare(runtime, options);
  if (!prepared.ok) return prepared;
  const { account, adapter, statement, key, before } = prepared.value;
  const { accounts } = account;
  if (!before && ifIncomplete !== 'accept') {
    const share = shareOf(await preview(runtime, prepared.value));
    if (isMuchMissing(share) && !(await ifIncomplete(share)))
      return fail([
        `${options.file.name} lacks ${share.missing} of ${share.entries} ledger entries in this period: look at --dry-run, then use --accept-missing if the file is complete.`,
      ]);
  }
  const run = before ?? (await beginRun(runtime, account, key, { file: options.file.name, lines: statement.lines.length, actor }));
  if (run.completedAt === null) {
    reach('statement.begun');
    const comparison = { runId: run.id, accounts, period: key.period, statement };
    await findDifferences(runtime, comparison);
    reach('statement.compared');
    await actOnDifferences(runtime, { ...comparison, account, pace: adapter.capabilities });
    await bookWaitingReversals(runtime, { account, accounts, lines: statement.lines });
    reach('statement.noted');
    const till = await listTillAccounts(runtime, adapter, account);
    await db.transaction(async (tx) => {
      if (await lockRun(tx, run.id)) return;
      const { environment } = account;
      await findOursOnly(runtime, tx, { runId: run.id, accounts, till, environment, period: key.period, lastNumber: statement.lastNumber });
      await closeFoundReviews(tx, { runId: run.id, accounts, fileName: run.fileName, now: runtime.clock() });
      await markComplete(tx, run.id, runtime.clock());
    });
  }
  const after = (await findRun(db, key)) ?? run;
  return ok({ run: after, tallies: await tallyLines(db, run.id), skipped: statement.skipped, repeated: run.completedAt !== null });
}

interface Prepared {
  readonly account: StatementAccount;
  readonly adapter: ProviderAdapter;
  readonly statement: Statement;
  readonly key: RunKey;
  /** The run, if it has begun. */
  readonly before: Reconciliation | undefined;
}

/** Reads a statement and checks that it is about the account. */
async function prepare(runtime: Needs, { accountId, file, format, period }: PreviewOptions): Promise<Result<Prepared, readonly string[]>> {
  const { db } = runtime;
  const account = isUuid(accountId) ? await findStatementAccount(db, accountId) : undefined;
  const adapter = account && runtime.providers.find(account.provider);
  if (!account || !adapter) return fail([`There is no account ${accountId}; "bili provider list" shows all.`]);
  const mapping = format === 'canonical' ? CANONICAL_STATEMENT : adapter.statement;
  if (!mapping) return fail([`The statement format of ${account.provider} is not supported: convert the file into the canonical format.`]);
  const read = readStatement(file.bytes, mapping, { now: runtime.clock(), period });
  if (!read.ok) return fail(read.error.map(({ line, reason }) => `${file.name} line ${line}: ${reason}.`));

  const statement = await withKnownReceipts(db, account.accounts, read.value);
  const key = { accountId: account.id, period, fileHash: createHash('sha256').update(file.bytes).digest() };
  const before = await findRun(db, key);
  const foreign = before ? undefined : await findForeign(runtime, account, statement);
  if (foreign) {
    const { reference, label, accountId: other } = foreign;
    return fail([`${file.name} is not a statement of this account: ${reference} belongs to the account ${label} (${other}).`]);
  }
  return ok({ account, adapter, statement, key, before });
}

/** Thrown to undo what a preview has stored. */
const UNDO = new Error('a preview ends');

/** Stores the findings about all lines and counts them, in a transaction that is rolled back. */
async function preview(runtime: Needs, { account, adapter, statement, key }: Prepared): Promise<readonly Tally[]> {
  const { accounts, environment } = account;
  const till = await listTillAccounts(runtime, adapter, account);
  const [runId, createdAt] = [newId(runtime), runtime.clock()];
  // A run of the same file may be interrupted, and its key is unique.
  const fileHash = createHash('sha256').update(runId).digest();
  let tallies: readonly Tally[] = [];
  await runtime.db
    .transaction(async (tx) => {
      await insertRun(tx, { ...key, fileHash, id: runId, environment, fileName: '', requestedBy: '', createdAt });
      await compareLines(tx, { runId, accounts, period: key.period, statement }, async () => true);
      await insertOursOnly(tx, { runId, accounts, till, period: key.period, lastNumber: statement.lastNumber });
      tallies = await tallyLines(tx, runId);
      throw UNDO;
    })
    .catch((error: unknown) => {
      if (error !== UNDO) throw error;
    });
  return tallies;
}

/**
 * Returns the ids of the accounts whose payments the statement must contain: the account and those that it replaced or that replaced it,
 * without those whose credentials name another business number.
 */
async function listTillAccounts(runtime: Needs, adapter: ProviderAdapter, { id, renewals }: StatementAccount): Promise<readonly string[]> {
  if (renewals.length === 1) return renewals;
  const numbers = new Map<string, string | null>();
  for (const accountId of [id, ...renewals]) {
    const account = await findAccountById(runtime.db, accountId);
    if (!account) continue;
    const till = adapter.tillOf(openAccount(runtime, account).credentials);
    // Application ids and keys change when an account is renewed. A business number does not.
    numbers.set(accountId, till?.isBusinessNumber ? till.key : null);
  }
  return renewals.filter((accountId) => numbers.get(accountId) === numbers.get(id));
}

/**
 * Finds a reference of another account in a file that seems to be that account's statement: most of its references are not ours. One such
 * reference in our own statement is a fact about one payment.
 */
async function findForeign({ db }: Pick<Runtime, 'db'>, { accounts }: StatementAccount, { lines }: Statement) {
  const foreign: OtherReference[] = [];
  let ours = 0;
  for (const batch of batches(lines)) {
    const references = referencesOf(batch);
    const others = await findOtherReferences(db, accounts, references);
    foreign.push(...others.filter(({ refused, accountId }) => !refused && accountId !== null));
    ours += (await findAttempts(db, accounts, references)).size + others.filter(({ refused }) => refused).length;
  }
  return foreign.length > ours ? foreign[0] : undefined;
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
  const row = { ...key, id, environment, fileName: file, requestedBy: actor.name, createdAt: runtime.clock() };
  await runtime.db.transaction(async (tx) => {
    if (await insertRun(tx, row)) await insertEntry(tx, audit);
  });
  const run = await findRun(runtime.db, key);
  if (!run) throw new Error('the reconciliation that was just created does not exist');
  return run;
}
