import type { Senti } from '@/lib/core/money';
import { isWithin, type Period } from './period';
import type { MoneyKind, StatementLine } from './statement';

export const FINDINGS = ['matched', 'amount_differs', 'theirs_only', 'ours_only', 'outside_period'] as const;
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
  /** Whether the entry has no attempt, no allocations, no reversals and no refund mark. */
  readonly untouched: boolean;
}

export interface LineFinding {
  readonly finding: Finding;
  readonly action: Action;
  readonly ledgerAmount: Senti | null;
  readonly paymentId: string | null;
}

/**
 * Compares a line of a statement with the ledger entry of the same transaction. Pure.
 * @param isOurs whether the reference of the line belongs to an attempt of the account.
 */
export function compare(line: StatementLine, period: Period, entry: LedgerEntry | undefined, isOurs: boolean): LineFinding {
  if (!isWithin(period, line.completedAt)) return { finding: 'outside_period', action: 'none', ledgerAmount: null, paymentId: null };
  if (!entry) {
    const paymentAction = isOurs ? 'settled_attempt' : 'kept_unmatched';
    return {
      finding: 'theirs_only',
      action: line.kind === 'reversal' ? 'booked_reversal' : paymentAction,
      ledgerAmount: null,
      paymentId: null,
    };
  }
  const { amount, paymentId, untouched } = entry;
  if (amount !== line.amount) return { finding: 'amount_differs', action: 'opened_review', ledgerAmount: amount, paymentId };
  // If the payment was unmatched, and the statement now names its attempt, the attempt is settled.
  const settles = line.kind === 'payment' && untouched && isOurs;
  return { finding: 'matched', action: settles ? 'settled_attempt' : 'none', ledgerAmount: amount, paymentId };
}
