/** With fewer receipts, a comparison is not reliable. */
const MIN_RECEIPTS = 3;
const CLASSES: readonly RegExp[] = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/];

/**
 * Finds out whether a receipt number may be mistyped. Compares its form with other receipts of the same account. The form is the length and
 * the kinds of characters. Returns one of the other receipts if none of them has the same form. Returns null if one of them has the same
 * form, or if there are too few receipts.
 */
export function findDifferentForm(receipt: string, others: readonly string[]): string | null {
  const form = formOf(receipt);
  const [example] = others;
  return example === undefined || others.length < MIN_RECEIPTS || others.some((other) => formOf(other) === form) ? null : example;
}

function formOf(receipt: string): string {
  return [receipt.length, ...CLASSES.map((characters) => characters.test(receipt))].join(' ');
}
