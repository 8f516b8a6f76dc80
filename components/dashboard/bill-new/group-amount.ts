const PLAIN = /^([\d,]+)(\.\d*)?$/;
/**
 * Matches an amount with points between thousands, as in 12.500 and 1.250.000. An amount has at most two decimals, so a point before three
 * digits is no decimal point.
 */
const POINT_GROUPS = /^\d{1,3}(,?\d{3})*(\.\d{3})+$/;

/** Returns a typed amount with a comma between thousands: `12500` becomes `12,500`. Returns anything else as it is. Pure. */
export function groupAmount(typed: string): string {
  const [, whole = '', fraction = ''] = PLAIN.exec(readPoints(typed)) ?? [];
  const digits = whole.replaceAll(',', '');
  return digits === '' ? typed : digits.replace(/\B(?=(\d{3})+$)/g, ',') + fraction;
}

/** Returns whether a typed amount separates thousands by points. */
export function usesPoints(typed: string): boolean {
  return POINT_GROUPS.test(typed.trim());
}

function readPoints(typed: string): string {
  return usesPoints(typed) ? typed.trim().replaceAll('.', '') : typed;
}

/**
 * Returns the position of the caret in the grouped text `after`, such that as many digits are before the caret as in the text `before`.
 * Pure.
 */
export function caretAfterGrouping(before: string, caret: number, after: string): number {
  const counted = after.includes('.') ? /[\d.]/ : /\d/;
  let left = [...before.slice(0, caret)].filter((character) => counted.test(character)).length;
  let position = 0;
  while (left > 0 && position < after.length) {
    if (counted.test(after.charAt(position))) left -= 1;
    position += 1;
  }
  return position;
}
