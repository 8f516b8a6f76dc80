import { createHash } from 'node:crypto';
import { findReversal } from '@/lib/gateway/ledger/balance-store';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { findPayment } from '@/lib/gateway/ledger/payment-store';
import { auditRow } from '@/lib/identity/audit/record-entry';
import { insertEntry } from '@/lib/identity/audit/store';
import { reach } from '@/lib/platform/config/fail-point';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid, newId } from '@/lib/platform/core/ids';
import type { Period } from '@/lib/platform/core/period';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { type ActOnLine, actOnDifferences, openDifferenceReview } from './act-on-differences';
import { batches, compareLines, findDifferences, referencesOf, withKnownReceipts } from './find-differences';
import { findOtherReferences, findRequests, findStatementAccount, type OtherReference, type StatementAccount } from './ledger-store';
import { readStatement } from './read-statement';
import { isMuchMissing, type MissingShare, shareOf, type Tally } from './rules';
import { CANONICAL_STATEMENT, type Statement, type StatementLine } from './statement';
import {
  closeFoundReviews,
  findRun,
  insertOursOnly,
  insertRun,
  listLines,
  listWaitingReversals,
  lockRun,
  type Reconciliation,
  type RunKey,
  recordAction,
  recordReversal,
  tallyLines,
} from './store';

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
      await tx.prisma.reconciliation.updateMany({ where: { id: run.id }, data: { completedAt: runtime.clock() } });
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
    ours += (await findRequests(db, accounts, references)).size + others.filter(({ refused }) => refused).length;
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

/** Maximum number of reviews for one statement. If more payments are missing, the file is probably a statement of another period. */
const MAX_REVIEWS = 100;

interface FindOursOnly {
  readonly runId: string;
  readonly accounts: readonly string[];
  /** The accounts whose payments the statement must contain. */
  readonly till: readonly string[];
  readonly environment: Environment;
  readonly period: Period;
  readonly lastNumber: number;
}

/** Stores the ledger entries that the statement lacks, and opens reviews. Runs in the transaction that completes the run. */
async function findOursOnly(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Connection,
  { environment, ...about }: FindOursOnly,
): Promise<void> {
  await insertOursOnly(tx, about);
  const { runId, lastNumber } = about;
  for (const line of await listLines(tx, { runId, findings: ['ours_only'], after: lastNumber, limit: MAX_REVIEWS })) {
    const { number, paymentId, kind, transactionId, ledgerAmount } = line;
    if (paymentId === null) throw new Error(`line ${number} is about a ledger entry but has no payment id`);
    const difference = { runId, number, environment, paymentId, kind, transactionId, statementAmount: null, ledgerAmount };
    const action = await openDifferenceReview(runtime, tx, difference);
    if (action !== 'none') await recordAction(tx, { runId, number, action });
  }
}

/**
 * Books reversals from statements that were reconciled before this one. They could not be booked then, because the ledger did not have
 * their payments. This statement contains the payments: statements can be reconciled in any order. Idempotent.
 */
async function bookWaitingReversals(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, accounts, lines }: Pick<ActOnLine, 'account' | 'accounts'> & { readonly lines: readonly StatementLine[] },
): Promise<void> {
  for (const batch of batches(lines.filter(({ kind }) => kind === 'payment'))) {
    const receipts = batch.map(({ transactionId }) => transactionId);
    for (const waiting of await listWaitingReversals(runtime.db, accounts, receipts)) {
      const payment = await findPayment(runtime.db, account.id, waiting.reversedTransactionId);
      if (!payment) continue;
      const booked = await bookReversal(runtime, {
        account,
        transactionId: waiting.reversedTransactionId,
        reversalTransactionId: waiting.transactionId,
        amount: waiting.amount,
        source: 'statement',
      });
      const { runId, number, transactionId, amount: statementAmount } = waiting;
      const about = { runId, number, environment: account.environment, kind: 'reversal', transactionId, statementAmount } as const;
      const reversal = booked === 'differs' ? await findReversal(runtime.db, payment.id, transactionId) : undefined;
      const difference = { ...about, paymentId: reversal?.id ?? payment.id, ledgerAmount: reversal?.amount ?? null };
      const differs = booked === 'exceeds' || booked === 'differs';
      const fallback = differs ? await openDifferenceReview(runtime, runtime.db, difference) : 'none';
      await recordReversal(runtime.db, { runId, accounts, number, transactionId, fallback });
    }
  }
}
