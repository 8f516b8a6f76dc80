import { newId } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import { applyOutcome } from '@/lib/payments/attempts/apply-outcome';
import { findReversal } from '@/lib/payments/ledger/balance-store';
import { bookReversal } from '@/lib/payments/ledger/book-reversal';
import { findPayment } from '@/lib/payments/ledger/payment-store';
import { recordUnmatched } from '@/lib/payments/ledger/record-unmatched';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { Capabilities } from '@/lib/providers/port/port';
import { openReview } from '@/lib/reviews/open-review';
import { CHARGED_THOUGH_REFUSED } from '@/lib/reviews/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { recordAction, recordReversal } from './action-store';
import { findConflict, findRefusedReview, type OtherReference, type ReferencedAttempt, type ReviewAction } from './ledger-store';
import type { StoredLine } from './line-store';
import { openDifferenceReview } from './open-difference';
import type { StatementLine } from './statement';
import { lockRun } from './store';

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
 * Books the payment of a statement line. The ledger does not have this payment yet, or has it without an attempt.
 * @param attempt the attempt with the reference of the line. If there is none, the payment is booked as unmatched.
 * @param reversal the line of the statement that reverses the payment, if any. Payment and reversal are booked together, so that the
 *   merchant is not notified of a payment that is already reversed.
 */
export async function settlePayment(
  runtime: Needs,
  { account, pace, line }: ActOnLine,
  attempt: ReferencedAttempt | undefined,
  reversal: StatementLine | undefined,
): Promise<void> {
  const outcome = outcomeOf(line, reversal);
  if (!attempt) return recordUnmatched(runtime, { account, outcome, mobile: line.mobile, source: 'statement' });
  await applyOutcome(runtime, { attempt, providerAccountId: attempt.accountId, outcome, pace, source: 'statement', leaseToken: null });
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
export async function keepRefused(
  runtime: Needs,
  { runId, account, line, stored }: ActOnLine,
  { attemptId, billId, merchantId }: OtherReference,
  reversal: StatementLine | undefined,
): Promise<void> {
  const { transactionId, mobile } = line;
  const outcome = outcomeOf(line, reversal);
  if (stored.finding === 'theirs_only') await recordUnmatched(runtime, { account, outcome, mobile, merchantId, source: 'statement' });
  const payment = await findPayment(runtime.db, account.id, transactionId);
  if (!payment || (await findRefusedReview(runtime.db, payment.id))) return;
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
export async function settleReversal(runtime: Needs, about: ActOnLine): Promise<void> {
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
 * Reports the payment of a line to the attempt that the line names, although the ledger has the payment for another attempt. This opens a
 * review of the conflict, unless there has been one.
 */
export async function reportConflict(runtime: Needs, about: ActOnLine, attempt: ReferencedAttempt): Promise<void> {
  const { runId, line, stored } = about;
  const find = () => findConflict(runtime.db, attempt.id, line.transactionId);
  if ((await find()) === undefined) await settlePayment(runtime, about, attempt, undefined);
  const action = (await find())?.open ? 'opened_review' : 'none';
  await runtime.db.transaction(async (tx) => {
    if (!(await lockRun(tx, runId))) await recordAction(tx, { runId, number: stored.number, action });
  });
}

/**
 * Opens a review of an amount or a receipt number that differs. The ledger is not changed; a person decides which one is right.
 * @param attempt the attempt that the line names.
 */
export async function openDifference(runtime: Needs, about: ActOnLine, attempt: ReferencedAttempt | undefined): Promise<void> {
  const { runId, stored } = about;
  const { number, paymentId } = stored;
  if (paymentId === null) return;
  const action = await openStatementReview(runtime, about, paymentId, stored.finding === 'receipt_differs' ? attempt?.id : undefined);
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
