declare const brand: unique symbol;
/** A Tanzanian mobile number in national form: `0712345678`. */
export type Mobile = string & { readonly [brand]: 'Mobile' };

const NATIONAL = /^0[67]\d{8}$/;

/**
 * Accepts the ways people write a number: `0712 345 678`, `+255-712-345-678`, `255712345678`.
 * @returns the national form, or null when it is no Tanzanian mobile number.
 */
export function parseMobile(text: string): Mobile | null {
  const digits = text.replace(/[ \u00a0-]/g, '');
  const national = digits.replace(/^\+?255/, '0');
  return isMobile(national) ? national : null;
}

const MARKS_AND_SPACES = /[\p{Z}\p{Cf}\p{Cc}\p{Pd}.,()/+_'"]/gu;
const TYPED_MAX_LENGTH = 100;

/**
 * Reads a number that somebody typed or pasted into a form, more kindly than the API does: with any spaces and marks in it, in
 * full-width or Arabic digits, with the letter O for a zero, as `+255 (0) 712 345 678`, `00255…` or without its leading zero.
 * Whatever is understood is shown back, and the phone that it is rings: so a wrong guess is seen.
 * @returns the national form, or null when it is no Tanzanian mobile number.
 */
export function readMobile(text: string): Mobile | null {
  if (text.length > TYPED_MAX_LENGTH) return null;
  const digits = text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/o/gi, '0')
    .replace(MARKS_AND_SPACES, '');
  const national = digits.replace(/^(00)?2550?(?=\d{9}$)/, '0').replace(/^(?=\d{9}$)/, '0');
  return isMobile(national) ? national : null;
}

function isMobile(text: string): text is Mobile {
  return NATIONAL.test(text);
}

/** @returns `255712345678`, the form most providers take. */
export function toInternational(mobile: string): string {
  return `255${mobile.slice(1)}`;
}

/** @returns `0712 345 678`, with spaces that do not break. */
export function formatMobile(mobile: string): string {
  return `${mobile.slice(0, 4)}\u00a0${mobile.slice(4, 7)}\u00a0${mobile.slice(7)}`;
}

/** @returns `0*** *** 678`: enough for its owner to recognise, too little for anybody else to find it by trying. */
export function maskMobile(mobile: string): string {
  return `0***\u00a0***\u00a0${mobile.slice(7)}`;
}
