import type { Senti } from '@/lib/core/money';
import { isWithin, type Period } from './period';
import type { MoneyKind, StatementLine } from './statement';

export const FINDINGS = ['matched', 'amount_differs', 'theirs_only', 'ours_only', 'outside_period'] as const;
export type Finding = (typeof FINDINGS)[number];

/** What is done about a finding. */
export const ACTIONS = ['none', 'kept_unmatched', 'settled_attempt', 'booked_reversal', 'opened_review', 'added_to_review'] as const;
export type Action = (typeof ACTIONS)[number];

/** A row of the ledger, as far as a statement can be compared with it. */
export interface LedgerEntry {
  readonly paymentId: string;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  readonly amount: Senti;
  /** Nothing is booked, reversed or marked of it, and no attempt is known for it. */
  readonly untouched: boolean;
}

export interface Found {
  readonly finding: Finding;
  readonly action: Action;
  readonly ledgerAmount: Senti | null;
  readonly paymentId: string | null;
}

/**
 * Compares a line of a statement with what the ledger has under its transaction. Pure.
 * @param entry the ledger's row, if there is one.
 * @param isOurs whether the line's reference is that of one of the account's attempts.
 */
export function compare(line: StatementLine, period: Period, entry: LedgerEntry | undefined, isOurs: boolean): Found {
  if (!isWithin(period, line.completedAt)) return { finding: 'outside_period', action: 'none', ledgerAmount: null, paymentId: null };
  if (!entry) {
    const keep = isOurs ? 'settled_attempt' : 'kept_unmatched';
    return { finding: 'theirs_only', action: line.kind === 'reversal' ? 'booked_reversal' : keep, ledgerAmount: null, paymentId: null };
  }
  const { amount, paymentId, untouched } = entry;
  if (amount !== line.amount) return { finding: 'amount_differs', action: 'opened_review', ledgerAmount: amount, paymentId };
  // Money that was nobody's, and now the provider says whose prompt it answers.
  const settles = line.kind === 'payment' && untouched && isOurs;
  return { finding: 'matched', action: settles ? 'settled_attempt' : 'none', ledgerAmount: amount, paymentId };
}
