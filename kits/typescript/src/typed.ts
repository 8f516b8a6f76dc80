const INVISIBLE = /[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const MARKS = /[\p{Pd}\u2212.,()/+_'"]/gu;
/** Matches a number with a decimal, such as `71234500.0`, which a spreadsheet writes. Without the point, it would have one more digit. */
const DECIMAL = /^[^.,]*[.,]\d{1,2}\D*$/;
const MOBILE_MAX_LENGTH = 100;
const SHILLINGS_MAX_LENGTH = 40;

/**
 * Reads a mobile number that a person typed or pasted: with spaces, punctuation and invisible characters, full-width and Arabic digits,
 * `+255 (0) 712 345 678`, `00255…`, or without the zero in front. Show the result to the person, who can then see a wrong reading.
 * @returns the national form, `0712345678`, or null if it is not a Tanzanian mobile number.
 */
export function readMobile(text: string): string | null {
  if (text.length > MOBILE_MAX_LENGTH) return null;
  const plain = normalize(text).replace(/o/gi, '0');
  if (DECIMAL.test(plain)) return null;
  const national = plain
    .replace(MARKS, '')
    .replace(/^(00)?2550?(?=\d{9}$)/, '0')
    .replace(/^(?=\d{9}$)/, '0');
  return /^0[67]\d{8}$/.test(national) ? national : null;
}

/**
 * Reads whole shillings that a person typed: `2000`, `2,000`, `TSh 2 000/=`, `2000.00`. The ambiguous `2.000` is refused.
 * @returns null if the text is not a positive number of whole shillings.
 */
export function readShillings(text: string): number | null {
  if (text.length > SHILLINGS_MAX_LENGTH) return null;
  const found = /^(?:t[sz][hs]|shs?)?\.?(\d{1,3}(?:,\d{3})+|\d+)(?:\.00?)?(?:\/[=-])?$/i.exec(normalize(text));
  const digits = found?.[1]?.replaceAll(',', '') ?? '';
  return digits.length <= 15 && Number(digits) > 0 ? Number(digits) : null;
}

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(INVISIBLE, '');
}
