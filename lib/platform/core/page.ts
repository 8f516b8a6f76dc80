/**
 * Splits rows of a list, of which one more than the size of a page was read. `last` is the row after which the next page starts, or null if
 * there is no next page.
 */
export function splitPage<Row>(rows: readonly Row[], size: number): { readonly shown: readonly Row[]; readonly last: Row | null } {
  const shown = rows.slice(0, size);
  return { shown, last: rows.length > size ? (shown.at(-1) ?? null) : null };
}
