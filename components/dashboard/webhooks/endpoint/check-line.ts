/** A step of a receiver check, in words. */
export interface CheckedStep {
  readonly step: string;
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped';
  readonly tried: string;
  readonly text: string;
}

/** One line of what a running check answers: where it stands, that it is over, or why it was not made. */
export type CheckLine =
  | { readonly kind: 'steps' | 'over'; readonly steps: readonly CheckedStep[] }
  | { readonly kind: 'refused'; readonly text: string };
