/** The reasons of a review, in the order of the database enum. */
export const REVIEW_KINDS = [
  /**
   * An attempt's outcome is unknown for 72 hours, or work on the attempt fails, or only an unsigned callback says that it is paid, or a
   * message of the provider cannot be applied.
   */
  'attempt_unresolved',
  /** The outcome of a reversal has been unknown for 72 hours. */
  'refund_unresolved',
  /** The provider denies or changes what it has confirmed. */
  'contradiction',
  /** The same receipt number was reported for two attempts. */
  'receipt_conflict',
  /** The provider's statement differs from the ledger. */
  'statement_differs',
  /** A payment was reversed without a request, and the provider gave no amount. All that was left of the payment was booked as reversed. */
  'reversal_assumed',
] as const;

/** `data.problem` of a contradiction: the provider had refused an attempt, but its statement has a payment with the attempt's reference. */
export const CHARGED_THOUGH_REFUSED = 'charged_though_refused';

export type ReviewKind = (typeof REVIEW_KINDS)[number];
