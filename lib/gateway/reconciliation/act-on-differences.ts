import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { bookInstrumentPayment } from '@/lib/gateway/instruments/book-payment';
import { findInstrument } from '@/lib/gateway/instruments/store';
import { findReversal } from '@/lib/gateway/ledger/balance-store';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { findPayment } from '@/lib/gateway/ledger/payment-store';
import { recordUnmatched } from '@/lib/gateway/ledger/record-unmatched';
import { CHARGED_THOUGH_REFUSED } from '@/lib/gateway/reviews/rules';
import { openReview } from '@/lib/gateway/reviews/store';
import { reach } from '@/lib/platform/config/fail-point';
import { newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { isWithin } from '@/lib/platform/core/period';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { Capabilities } from '@/lib/providers/port/port';
import { BATCH, type Comparison } from './find-differences';
import {
  findConflict,
  findOtherReferences,
  findRequests,
  findReviewAction,
  type OtherReference,
  type ReferencedRequest,
  type ReviewAction,
} from './ledger-store';
import type { MoneyKind, StatementLine } from './statement';
import { listPending, lockRun, recordAction, recordPayments, recordReversal, type StoredLine } from './store';

interface ActOnDifferences extends Comparison {
  readonly account: { readonly id: string; readonly environment: Environment };
  readonly pace: Capabilities;
}

interface Lines {
  readonly byNumber: ReadonlyMap<number, StatementLine>;
  /** The reversals of the period, by the receipt number of the reversed payment. */
  readonly reversals: ReadonlyMap<string | null, StatementLine>;
}

/**
 * Acts on the findings of a run, payments before their reversals. Every action is idempotent: an interrupted run repeats the actions
 * that it has not recorded, and two processes can work on the same run.
 */
export async function actOnDifferences(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  options: ActOnDifferences,
): Promise<void> {
  const { statement, period } = options;
  const reversals = statement.lines.filter(
    ({ completedAt, reversedTransactionId }) => reversedTransactionId !== null && isWithin(period, completedAt),
  );
  const lines: Lines = {
    byNumber: new Map(statement.lines.map((line) => [line.number, line])),
    reversals: new Map(reversals.map((line) => [line.reversedTransactionId, line])),
  };
  for (const kind of ['payment', 'reversal'] satisfies readonly MoneyKind[]) {
    for (let after = 0; ; ) {
      const pending = await listPending(runtime.db, { runId: options.runId, kind, after, limit: BATCH });
      const last = pending.at(-1);
      if (!last) break;
      await actOnBatch(runtime, options, lines, pending);
      after = last.number;
    }
  }
}

async function actOnBatch(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { runId, accounts, account, pace }: ActOnDifferences,
  lines: Lines,
  pending: readonly StoredLine[],
): Promise<void> {
  const references = pending.flatMap(({ ourReference }) => (ourReference === null ? [] : [ourReference]));
  const requests = await findRequests(runtime.db, accounts, references);
  const others = await findOtherReferences(runtime.db, accounts, references);
  const refused = new Map(others.filter((other) => other.refused).map((other) => [other.reference, other]));
  const processed: number[] = [];
  for (const stored of pending) {
    const line = lines.byNumber.get(stored.number);
    if (!line) throw new Error(`line ${stored.number} is stored but not in the statement`);
    const about: ActOnLine = { runId, accounts, account, pace, line, stored };
    const request = requests.get(line.reference ?? '');
    const refusal = refused.get(line.reference ?? '');
    if (stored.finding === 'amount_differs' || stored.finding === 'receipt_differs') {
      await openDifference(runtime, about, request);
    } else if (line.kind === 'reversal') {
      await settleReversal(runtime, about);
    } else if (stored.finding === 'attempt_differs') {
      if (request) await reportConflict(runtime, about, request);
    } else if (refusal) {
      await keepRefused(runtime, about, refusal, lines.reversals.get(line.transactionId));
      processed.push(line.number);
    } else {
      await settlePayment(runtime, about, request, lines.reversals.get(line.transactionId));
      processed.push(line.number);
    }
  }
  reach('statement.acted');
  await runtime.db.transaction(async (tx) => {
    if (!(await lockRun(tx, runId))) await recordPayments(tx, runId, accounts, processed);
  });
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>;

export interface ActOnLine {
  readonly runId: string;
  readonly accounts: readonly string[];
  readonly account: { readonly id: string; readonly environment: Environment };
  readonly pace: Capabilities;
  readonly line: StatementLine;
  readonly stored: StoredLine;
}

/**
 * Books the payment of a statement line. The ledger does not have this payment yet, or has it without an attempt or instrument.
 * @param request the attempt or instrument with the reference of the line. If there is none, the payment is booked as unmatched.
 * @param reversal the line of the statement that reverses the payment, if any. Payment and reversal are booked together, so that the
 *   merchant is not notified of a payment that is already reversed.
 */
async function settlePayment(
  runtime: Needs,
  { account, pace, line }: ActOnLine,
  request: ReferencedRequest | undefined,
  reversal: StatementLine | undefined,
): Promise<void> {
  const outcome = outcomeOf(line, reversal);
  if (!request) return recordUnmatched(runtime, { account, outcome, mobile: line.mobile, source: 'statement' });
  const { accountId: providerAccountId } = request;
  const instrument = request.isInstrument ? await findInstrument(runtime.db, request.id) : undefined;
  const reported = { providerAccountId, outcome, source: 'statement' } as const;
  if (instrument) await bookInstrumentPayment(runtime, { ...reported, instrument, payer: line.mobile });
  else await applyOutcome(runtime, { ...reported, attempt: request, pace, leaseToken: null });
}

function outcomeOf({ transactionId, amount, completedAt: happenedAt }: StatementLine, reversal: StatementLine | undefined) {
  const outcome: Extract<Outcome, { kind: 'paid' | 'reversed' }> =
    reversal && reversal.amount <= amount
      ? {
          kind: 'reversed',
          transactionId,
          amount,
          reversed: reversal.amount,
          reversalTransactionId: reversal.transactionId,
          happenedAt,
          reversedAt: reversal.completedAt,
        }
      : { kind: 'paid', transactionId, amount, happenedAt };
  return outcome;
}

/**
 * Books the payment of a line as unmatched money of the bill's merchant, although the provider had refused the attempt that the line names,
 * and opens a review: another account got the attempt, so the customer may have paid twice.
 */
async function keepRefused(
  runtime: Needs,
  { runId, account, line, stored }: ActOnLine,
  { attemptId, billId, merchantId }: OtherReference,
  reversal: StatementLine | undefined,
): Promise<void> {
  const { transactionId, mobile } = line;
  const outcome = outcomeOf(line, reversal);
  if (stored.finding === 'theirs_only') await recordUnmatched(runtime, { account, outcome, mobile, merchantId, source: 'statement' });
  const payment = await findPayment(runtime.db, account.id, transactionId);
  if (!payment) return;
  const reported = { kind: 'contradiction', paymentId: payment.id, data: { path: ['problem'], equals: CHARGED_THOUGH_REFUSED } } as const;
  if (await runtime.db.prisma.review.findFirst({ where: reported, select: { id: true } })) return;
  const data = { problem: CHARGED_THOUGH_REFUSED, transactionId, amount: line.amount.toString(), attempt: attemptId, bill: billId };
  const about = { environment: account.environment, merchantId, kind: 'contradiction', paymentId: payment.id } as const;
  const position = { reconciliation: runId, line: stored.number };
  await openReview(runtime.db, { id: newId(runtime), ...about, data: { ...data, ...position }, openedAt: runtime.clock() });
  runtime.log.error(
    { paymentId: payment.id, attemptId },
    'a statement has a payment that the provider had refused; see "bili review list"',
  );
}

/** Books a reversal that the ledger does not have. If the ledger also lacks the payment, waits for a statement with the payment. */
async function settleReversal(runtime: Needs, about: ActOnLine): Promise<void> {
  const { runId, account, accounts, line } = about;
  const { transactionId, amount, reversedTransactionId } = line;
  const payment = reversedTransactionId === null ? undefined : await findPayment(runtime.db, account.id, reversedTransactionId);
  const booked =
    payment && reversedTransactionId !== null
      ? await bookReversal(runtime, {
          account,
          transactionId: reversedTransactionId,
          reversalTransactionId: transactionId,
          amount,
          happenedAt: line.completedAt,
          source: 'statement',
        })
      : 'no_payment';
  const fallback = payment && (booked === 'exceeds' || booked === 'differs') ? await reviewReversal(runtime, about, payment.id) : 'none';
  await runtime.db.transaction(async (tx) => {
    if (await lockRun(tx, runId)) return;
    await recordReversal(tx, { runId, accounts, number: line.number, transactionId, fallback });
  });
}

/**
 * Opens a review, because more was reversed than paid, or because the reversal was booked before without a receipt number and with another
 * amount.
 */
async function reviewReversal(runtime: Needs, about: ActOnLine, paymentId: string): Promise<ReviewAction> {
  const reversal = await findReversal(runtime.db, paymentId, about.line.transactionId);
  if (!reversal) return openStatementReview(runtime, about, paymentId);
  const stored = { ...about.stored, ledgerAmount: reversal.amount };
  return openStatementReview(runtime, { ...about, stored }, reversal.id);
}

/**
 * Reports the payment of a line to the attempt or instrument that the line names, although the ledger has the payment for another one. This opens a
 * review of the conflict, unless there has been one.
 */
async function reportConflict(runtime: Needs, about: ActOnLine, request: ReferencedRequest): Promise<void> {
  const { runId, line, stored } = about;
  const find = () => findConflict(runtime.db, request, { transactionId: line.transactionId, paymentId: stored.paymentId });
  if ((await find()) === undefined) await settlePayment(runtime, about, request, undefined);
  const action = (await find())?.open ? 'opened_review' : 'none';
  await runtime.db.transaction(async (tx) => {
    if (!(await lockRun(tx, runId))) await recordAction(tx, { runId, number: stored.number, action });
  });
}

/**
 * Opens a review of an amount or a receipt number that differs. The ledger is not changed; a person decides which one is right.
 * @param request the attempt or instrument that the line names.
 */
async function openDifference(runtime: Needs, about: ActOnLine, request: ReferencedRequest | undefined): Promise<void> {
  const { runId, stored } = about;
  const { number, paymentId } = stored;
  if (paymentId === null) return;
  const action = await openStatementReview(runtime, about, paymentId, stored.finding === 'receipt_differs' ? request?.id : undefined);
  await runtime.db.transaction(async (tx) => {
    if (!(await lockRun(tx, runId))) await recordAction(tx, { runId, number, action });
  });
}

function openStatementReview(
  runtime: Needs,
  { runId, account, line, stored }: ActOnLine,
  paymentId: string,
  renumberedOf?: string,
): Promise<ReviewAction> {
  const { number, kind, transactionId, amount: statementAmount } = line;
  const { ledgerAmount } = stored;
  const { environment } = account;
  const difference = { runId, number, environment, paymentId, kind, transactionId, statementAmount, ledgerAmount, renumberedOf };
  return openDifferenceReview(runtime, runtime.db, difference);
}

interface Difference {
  readonly runId: string;
  readonly number: number;
  readonly environment: Environment;
  readonly paymentId: string;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  readonly statementAmount: Senti | null;
  readonly ledgerAmount: Senti | null;
  /** The id of the payment's attempt or instrument, if the ledger has the payment under another receipt number than the statement. */
  readonly renumberedOf?: string | undefined;
}

/**
 * Opens a review of a difference between statement and ledger, or adds it to an open review. The ledger is not changed. The same
 * difference is not reported twice.
 * @returns whether this line of the statement opened the review, was added to it, or did neither, now or in an earlier run.
 */
export async function openDifferenceReview(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  db: Connection,
  { runId, number, environment, paymentId, kind, transactionId, statementAmount, ledgerAmount, renumberedOf }: Difference,
): Promise<ReviewAction> {
  const difference = {
    transactionId,
    kind,
    statementAmount: statementAmount?.toString() ?? null,
    ledgerAmount: ledgerAmount?.toString() ?? null,
    ...(renumberedOf !== undefined && { renumberedOf }),
  };
  const line = { reconciliation: runId, line: number };
  const reviewed = await findReviewAction(db, paymentId, difference, line);
  if (reviewed !== null) return reviewed;
  const payment = await db.prisma.payment.findUnique({ where: { id: paymentId }, select: { merchantId: true } });
  const opened = await openReview(db, {
    id: newId(runtime),
    environment,
    merchantId: payment?.merchantId ?? null,
    kind: 'statement_differs',
    paymentId,
    data: { ...difference, ...line },
    openedAt: runtime.clock(),
  });
  if (opened === 'repeated') return 'none';
  runtime.log.error({ paymentId, transactionId }, 'a statement differs from the ledger; see "bili review list"');
  return opened === 'opened' ? 'opened_review' : 'added_to_review';
}
