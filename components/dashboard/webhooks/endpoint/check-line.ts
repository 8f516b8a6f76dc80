/** A step of a receiver check as a text. */
export interface CheckedStep {
  readonly step: string;
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped';
  readonly tried: string;
  readonly text: string;
}

/** One line of the streamed answer of a check: the steps so far, the final result, or a refusal. */
export type CheckLine =
  | { readonly kind: 'steps' | 'over'; readonly steps: readonly CheckedStep[] }
  | { readonly kind: 'refused'; readonly text: string };
