/** With fewer receipt numbers, a comparison is not reliable. */
const MIN_RECEIPTS = 3;
const CLASSES: readonly RegExp[] = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/];

/**
 * Finds out whether a receipt number may be mistyped. Compares its form (its length and kinds of characters) with other receipt numbers of
 * the same account. Returns one of the other numbers if none of them has the same form. Returns null if one of them has the same form, or
 * if there are too few numbers.
 */
export function findDifferentForm(receipt: string, others: readonly string[]): string | null {
  const form = formOf(receipt);
  const [example] = others;
  return example === undefined || others.length < MIN_RECEIPTS || others.some((other) => formOf(other) === form) ? null : example;
}

function formOf(receipt: string): string {
  return [receipt.length, ...CLASSES.map((characters) => characters.test(receipt))].join(' ');
}
