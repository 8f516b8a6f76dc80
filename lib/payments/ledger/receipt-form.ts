/** With fewer receipts to compare with, nothing is said. */
const ENOUGH = 3;
const CLASSES: readonly RegExp[] = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/];

/**
 * Compares the form of a receipt number with others of the same account: its length and the kinds of characters in it. Pure.
 * @returns one of the others when none of them has its form, so that a slip of the hand is noticed; null when one has, or when
 *   there are too few.
 */
export function findDifferentForm(receipt: string, others: readonly string[]): string | null {
  const form = formOf(receipt);
  const [example] = others;
  return example === undefined || others.length < ENOUGH || others.some((other) => formOf(other) === form) ? null : example;
}

function formOf(receipt: string): string {
  return [receipt.length, ...CLASSES.map((characters) => characters.test(receipt))].join(' ');
}
