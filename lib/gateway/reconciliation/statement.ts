import { z } from 'zod';
import type { Senti } from '@/lib/platform/core/money';
import type { StatementMapping } from '@/lib/providers/port/port';

const MONEY_KINDS = ['payment', 'reversal'] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];
/** The kinds that statements contain. Corrections exist only in the ledger. */
export const moneyKindSchema = z.enum(MONEY_KINDS);

/** A payment or reversal in a provider's statement. */
export interface StatementLine {
  /** The line of the file, counted from 1. */
  readonly number: number;
  readonly kind: MoneyKind;
  readonly transactionId: string;
  /** Senti. Positive, also for a reversal. */
  readonly amount: Senti;
  readonly completedAt: Date;
  /** Our reference, or the number of an instrument; null if the line has no text of these forms. */
  readonly reference: string | null;
  /** In national form. */
  readonly mobile: string | null;
  /** For a reversal: the receipt number of the reversed payment, if the statement contains it. */
  readonly reversedTransactionId: string | null;
  /** The original cells, by column. */
  readonly raw: Readonly<Record<string, string>>;
}

/** Why a line is skipped: no money moved; it is neither a payment nor a reversal; it is a duplicate. */
export type SkipReason = 'not_completed' | 'other_money' | 'repeated';

export interface Statement {
  readonly lines: readonly StatementLine[];
  readonly lastNumber: number;
  readonly skipped: Readonly<Record<SkipReason, number>>;
}

/** A problem of a line of the file. `reason` is text for the operator. */
export interface StatementProblem {
  readonly line: number;
  readonly reason: string;
}

/** Returns whether two lines with the same receipt number agree about the transaction. */
export function isSameTransaction(one: StatementLine, other: StatementLine): boolean {
  return (
    one.amount === other.amount &&
    one.completedAt.getTime() === other.completedAt.getTime() &&
    one.reference === other.reference &&
    one.reversedTransactionId === other.reversedTransactionId
  );
}

/**
 * The canonical format, into which every statement can be converted: CSV in UTF-8 with the columns
 * `transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id`. `type` is payment or reversal. `amount` is in
 * shillings, `12500` or `12500.50`. `completed_at` is ISO 8601 with an offset, or `2026-11-20 14:05:09` in East Africa Time.
 * `reversed_transaction_id` is the payment that a reversal reverses.
 */
export const CANONICAL_STATEMENT: StatementMapping = {
  columns: {
    transactionId: 'transaction_id',
    completedAt: 'completed_at',
    reference: 'reference',
    mobile: 'mobile',
    reversedTransactionId: 'reversed_transaction_id',
  },
  amounts: { kind: 'typed', type: 'type', amount: 'amount' },
  instants: ['iso', 'year_first'],
  thousandsSeparator: null,
  completed: null,
  strict: true,
};
