import type { InstantForm } from '@/lib/core/instant';

/** Describes the format of a provider's statement. Column names are compared case-insensitively. */
export interface StatementMapping {
  readonly columns: {
    readonly transactionId: string;
    readonly completedAt: string;
    /** Our reference. */
    readonly reference: string;
    /** The payer's number. A name after the number (` - ASHA JUMA`) is ignored. */
    readonly mobile: string;
    /** For a reversal: the receipt number of the reversed payment. */
    readonly reversedTransactionId: string;
  };
  readonly amounts: TypedAmounts | SidedAmounts;
  readonly instants: readonly InstantForm[];
  readonly thousandsSeparator: ',' | null;
  /** The column and value of completed transactions. Money did not move in lines with another value. */
  readonly completed: { readonly column: string; readonly value: string } | null;
  /**
   * If true, the first line must be the header, other columns are not allowed, and an unreadable value is an error. If false,
   * lines before the header are skipped, and an invalid reference or number is ignored.
   */
  readonly strict: boolean;
}

/** One column contains the kind of the transaction, another one the amount. */
interface TypedAmounts {
  readonly kind: 'typed';
  readonly type: string;
  readonly amount: string;
}

/** One column contains money in, another one money out. */
interface SidedAmounts {
  readonly kind: 'sided';
  readonly in: string;
  readonly out: string;
  /** The column with the reason. If the reason matches `reversal`, money out reverses a payment, and money in is not a payment. */
  readonly reason: string;
  readonly reversal: RegExp;
}
