import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';
import { isWithin, type Period } from '@/lib/platform/core/period';
import type { MoneyKind, StatementLine } from './statement';

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
export type Action = 'none' | 'kept_unmatched' | 'settled_attempt' | 'booked_reversal' | 'opened_review' | 'added_to_review';

/** The part of a ledger entry that can be compared with a statement. */
export interface LedgerEntry {
  readonly paymentId: string;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  readonly amount: Senti;
  /** The id of its attempt or instrument. */
  readonly requestId: string | null;
  /** Whether the entry has no attempt or instrument, no allocations, no reversals and no refund mark. */
  readonly untouched: boolean;
}

export interface LineFinding {
  readonly finding: Finding;
  readonly action: Action;
  readonly ledgerAmount: Senti | null;
  readonly paymentId: string | null;
}

/** The attempt or instrument that a line names. */
type NamedAttempt = OwnAttempt | 'refused';

/** An attempt or instrument of the account of the statement. */
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

/** Number and sums (senti) of the lines with the same kind, finding and action. */
export interface Tally {
  readonly kind: MoneyKind;
  readonly finding: Finding;
  readonly action: Action;
  readonly lines: number;
  readonly statementAmount: Senti;
  readonly ledgerAmount: Senti;
}

/** The number and sum (senti) of all payments, or of all reversals, in the period: in the statement and in the ledger. */
interface Total {
  readonly kind: MoneyKind;
  readonly statement: { readonly lines: number; readonly amount: Senti };
  readonly ledger: { readonly lines: number; readonly amount: Senti };
}

const IN_BOTH: readonly Finding[] = ['matched', 'amount_differs', 'attempt_differs', 'receipt_differs'];
const ON_STATEMENT: readonly Finding[] = [...IN_BOTH, 'theirs_only'];
const IN_LEDGER: readonly Finding[] = [...IN_BOTH, 'ours_only'];

/** How many entries of the ledger in the period a statement lacks, of all. */
export interface MissingShare {
  readonly missing: number;
  readonly entries: number;
  /** Whether the statement has no line in the period. */
  readonly empty: boolean;
}

export function shareOf(tallies: readonly Tally[]): MissingShare {
  const count = (findings: readonly Finding[]) =>
    tallies.filter(({ finding }) => findings.includes(finding)).reduce((sum, { lines }) => sum + lines, 0);
  return { missing: count(['ours_only']), entries: count(IN_LEDGER), empty: count(ON_STATEMENT) === 0 };
}

/** Returns whether so many entries are missing that the file is probably cut off, or of another account or period. */
export function isMuchMissing({ missing, entries, empty }: MissingShare): boolean {
  return empty ? missing > 0 : missing >= 3 && missing * 5 > entries;
}

/** Returns the totals per kind. The totals of the ledger do not include what the run itself has booked. */
export function totalsOf(tallies: readonly Tally[]): readonly Total[] {
  return (['payment', 'reversal'] as const).map((kind) => {
    const found = (findings: readonly Finding[]) => tallies.filter((tally) => tally.kind === kind && findings.includes(tally.finding));
    const [theirs, ours] = [found(ON_STATEMENT), found(IN_LEDGER)];
    return {
      kind,
      statement: {
        lines: theirs.reduce((sum, { lines }) => sum + lines, 0),
        amount: theirs.reduce((sum, one) => sum + one.statementAmount, 0n),
      },
      ledger: { lines: ours.reduce((sum, { lines }) => sum + lines, 0), amount: ours.reduce((sum, one) => sum + one.ledgerAmount, 0n) },
    };
  });
}
