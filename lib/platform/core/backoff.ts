/** Returns the delay before the next retry: `first` after one attempt, doubled with each further attempt, at most `cap`. Milliseconds. */
export function doublingDelay(attempts: number, first: number, cap: number): number {
  return Math.min(first * 2 ** Math.max(0, Math.min(attempts, 40) - 1), cap);
}
