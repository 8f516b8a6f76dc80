/** Why a person has to look at something about money; in the database's order. */
export const REVIEW_KINDS = [
  /** Nobody could say for 72 hours what became of a prompt. */
  'attempt_unresolved',
  /** Nobody could say for 72 hours what became of a reversal. */
  'reversal_unresolved',
  /** The provider denies, or takes back, what it had confirmed. */
  'contradiction',
  /** Two prompts under one receipt. */
  'receipt_conflict',
  /** The provider's statement says otherwise than the ledger. */
  'statement_differs',
  /** A payment went back unasked, and the provider did not say how much: booked as a whole. */
  'reversal_assumed',
] as const;

export type ReviewKind = (typeof REVIEW_KINDS)[number];
