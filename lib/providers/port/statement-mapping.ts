import type { InstantForm } from '@/lib/core/instant';

/** How a provider's statement is read, as data: which column says what. Names are compared without regard to case. */
export interface StatementMapping {
  readonly columns: {
    readonly transactionId: string;
    readonly completedAt: string;
    /** Ours, as the provider was given it. */
    readonly reference: string;
    /** Who paid; what follows the number (` - ASHA JUMA`) is left out. */
    readonly mobile: string;
    /** Of a reversal: the payment that it takes back. */
    readonly reversedTransactionId: string;
  };
  readonly amounts: TypedAmounts | SidedAmounts;
  readonly instants: readonly InstantForm[];
  readonly thousandsSeparator: ',' | null;
  /** Lines that say something else here are about money that did not move. */
  readonly completed: { readonly column: string; readonly value: string } | null;
  /**
   * Whether the first line is the header, no column is there that is not named here, and what cannot be read is wrong. Else
   * lines may stand before the header, and a reference or a number that cannot be one is left out.
   */
  readonly strict: boolean;
}

/** One column says what a line is, another how much. */
interface TypedAmounts {
  readonly kind: 'typed';
  readonly type: string;
  readonly amount: string;
}

/** One column for money in, one for money out. */
interface SidedAmounts {
  readonly kind: 'sided';
  readonly in: string;
  readonly out: string;
  /** Says why money moved. Money out for a reason like `reversal` reverses a payment; money in for one was no payment. */
  readonly reason: string;
  readonly reversal: RegExp;
}
