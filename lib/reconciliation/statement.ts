import type { Senti } from '@/lib/core/money';

export const MONEY_KINDS = ['payment', 'reversal'] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];

/** One movement of money, as a provider's statement has it. */
export interface StatementLine {
  /** The line of the file, from 1. */
  readonly number: number;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  /** Senti, positive for a reversal too. */
  readonly amount: Senti;
  readonly completedAt: Date;
  /** Ours; null when the line has none that could be. */
  readonly reference: string | null;
  /** National form. */
  readonly mobile: string | null;
  /** Of a reversal: the payment that it takes back, if the statement says. */
  readonly reversedTransactionId: string | null;
  /** As it stood there, by column. */
  readonly raw: Readonly<Record<string, string>>;
}

/** Why a line is left out: money that did not move, money that is no payment's, the same line again. */
export type Skipped = 'not_completed' | 'other_money' | 'repeated';

export interface Statement {
  readonly lines: readonly StatementLine[];
  /** The file's last line. */
  readonly lastNumber: number;
  readonly skipped: Readonly<Record<Skipped, number>>;
}

/** What is wrong with a line of the file, in words. */
export interface StatementProblem {
  readonly line: number;
  readonly reason: string;
}

/** Whether two lines say the same about the same transaction. */
export function saysTheSame(one: StatementLine, other: StatementLine): boolean {
  return (
    one.amount === other.amount &&
    one.completedAt.getTime() === other.completedAt.getTime() &&
    one.reference === other.reference &&
    one.reversedTransactionId === other.reversedTransactionId
  );
}
