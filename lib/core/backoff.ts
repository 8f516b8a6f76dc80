/** @returns `first` doubled for every try after the first, at most `cap`. `tries` counts from 1. Milliseconds. */
export function doublingDelay(tries: number, first: number, cap: number): number {
  return Math.min(first * 2 ** Math.max(0, Math.min(tries, 40) - 1), cap);
}
