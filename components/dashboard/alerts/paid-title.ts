/** The title of the tab before `announceInTitle` replaced it. Null if the title announces no payment. */
let before: string | null = null;
let shown = '';

/** Announces money in the title of a tab in the background: `(2) Paid TZS 5,000 · Bills`. */
export function announceInTitle(count: number, text: string): void {
  if (before === null || document.title !== shown) before = document.title;
  shown = `(${count}) ${text} · ${before}`;
  document.title = shown;
}

/** Restores the title, unless another page has set its own meanwhile. */
export function restoreTitle(): void {
  if (before !== null && document.title === shown) document.title = before;
  before = null;
}
