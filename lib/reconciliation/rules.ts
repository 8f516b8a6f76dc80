import { addMs, MINUTE_MS } from '@/lib/core/clock';
import type { Senti } from '@/lib/core/money';
import { isWithin, type Period } from './period';
import type { MoneyKind, StatementLine } from './statement';

/** In the order of the database enum. */
export const FINDINGS = [
  'matched',
  'amount_differs',
  'ours_only',
  'theirs_only',
  'outside_period',
  /** The line names another attempt than the ledger. */
  'attempt_differs',
  /** The ledger has the payment of the line's attempt under another receipt number. */
  'receipt_differs',
] as const;
export type Finding = (typeof FINDINGS)[number];

/** The actions that a finding can lead to. */
export const ACTIONS = ['none', 'kept_unmatched', 'settled_attempt', 'booked_reversal', 'opened_review', 'added_to_review'] as const;
export type Action = (typeof ACTIONS)[number];

/** The part of a ledger entry that can be compared with a statement. */
export interface LedgerEntry {
  readonly paymentId: string;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  readonly amount: Senti;
  readonly attemptId: string | null;
  /** Whether the entry has no attempt, no allocations, no reversals and no refund mark. */
  readonly untouched: boolean;
}

export interface LineFinding {
  readonly finding: Finding;
  readonly action: Action;
  readonly ledgerAmount: Senti | null;
  readonly paymentId: string | null;
}

/** The attempt that a line names. */
type NamedAttempt = OwnAttempt | 'refused';

/** An attempt of the account of the statement. */
interface OwnAttempt {
  /** Whether the ledger has the payment of the line for another attempt or bill. */
  readonly paymentIsElsewhere: boolean;
  /** The payment of the attempt that seems to be the payment of the line, under another receipt number. */
  readonly samePayment: Pick<LedgerEntry, 'paymentId' | 'amount'> | undefined;
}

/**
 * Compares a line of a statement with the ledger entry of the same transaction. Pure.
 * @param attempt `refused` if the account refused the attempt, so that another account got it. Undefined if the line names no attempt that
 *   the account ever had.
 */
export function compare(
  line: StatementLine,
  period: Period,
  entry: LedgerEntry | undefined,
  attempt: NamedAttempt | undefined,
): LineFinding {
  const own = attempt === 'refused' ? undefined : attempt;
  if (!isWithin(period, line.completedAt)) return { finding: 'outside_period', action: 'none', ledgerAmount: null, paymentId: null };
  if (!entry) {
    const same = own?.samePayment;
    if (same) return { finding: 'receipt_differs', action: 'opened_review', ledgerAmount: same.amount, paymentId: same.paymentId };
    const paymentAction = own ? 'settled_attempt' : 'kept_unmatched';
    return {
      finding: 'theirs_only',
      action: line.kind === 'reversal' ? 'booked_reversal' : paymentAction,
      ledgerAmount: null,
      paymentId: null,
    };
  }
  const { amount, paymentId, untouched } = entry;
  if (amount !== line.amount) return { finding: 'amount_differs', action: 'opened_review', ledgerAmount: amount, paymentId };
  if (own?.paymentIsElsewhere) return { finding: 'attempt_differs', action: 'opened_review', ledgerAmount: amount, paymentId };
  // If the payment was unmatched, and the statement now names its attempt, the attempt is settled.
  const settles = line.kind === 'payment' && untouched && attempt !== undefined;
  const action = attempt === 'refused' ? 'opened_review' : 'settled_attempt';
  return { finding: 'matched', action: settles ? action : 'none', ledgerAmount: amount, paymentId };
}

/** A payment can be in the ledger some minutes after its time at the provider. */
const SAME_PAYMENT_MS = 10 * MINUTE_MS;

/** A payment of an attempt whose receipt number no statement contains. */
interface UnconfirmedPayment {
  readonly paymentId: string;
  readonly transactionId: string;
  readonly amount: Senti;
  readonly happenedAt: Date;
}

/**
 * Finds the payment that a line seems to be about, although the line has another receipt number: a payment of the same attempt, with the
 * same amount, at the same time. Pure.
 * @param receipts the receipt numbers of the statement. A payment that the statement contains is not the payment of another line.
 * @param period the period of the statement.
 */
export function findSamePayment(
  { amount, completedAt }: StatementLine,
  payments: readonly UnconfirmedPayment[],
  { receipts, period }: { readonly receipts: ReadonlySet<string>; readonly period: Period },
): UnconfirmedPayment | undefined {
  return payments.find(
    (payment) =>
      payment.amount === amount &&
      !receipts.has(payment.transactionId) &&
      // Shortly after its start, the period may lack the earlier payment of a customer who paid twice.
      isWithin(period, addMs(payment.happenedAt, -SAME_PAYMENT_MS)) &&
      Math.abs(payment.happenedAt.getTime() - completedAt.getTime()) <= SAME_PAYMENT_MS,
  );
}
