declare const brand: unique symbol;
/** A Tanzanian mobile number in national form: `0712345678`. */
export type Mobile = string & { readonly [brand]: 'Mobile' };

const NATIONAL = /^0[67]\d{8}$/;

/** Parses a number for the API: `0712 345 678`, `+255-712-345-678`, `255712345678`. Returns null if it is not a Tanzanian mobile number. */
export function parseMobile(text: string): Mobile | null {
  const digits = text.replace(/[ \u00a0-]/g, '');
  const national = digits.replace(/^\+?255/, '0');
  return isMobile(national) ? national : null;
}

const MARKS_AND_SPACES = /[\p{Z}\p{Cf}\p{Cc}\p{Pd}.,()/+_'"]/gu;
const TYPED_MAX_LENGTH = 100;

/**
 * Parses a number that a person typed or pasted into a form. It accepts more than the API: any spaces and punctuation, full-width and
 * Arabic digits, the letter O for zero, `+255 (0) 712 345 678`, `00255…` and a missing leading zero. The form shows the parsed number, so
 * the person can see a wrong reading. Returns null if it is not a Tanzanian mobile number.
 */
export function readMobile(text: string): Mobile | null {
  if (text.length > TYPED_MAX_LENGTH) return null;
  const national = readDigits(text)
    .replace(/^(00)?2550?(?=\d{9}$)/, '0')
    .replace(/^(?=\d{9}$)/, '0');
  return isMobile(national) ? national : null;
}

/** Returns the digits of a typed number. Letters stay, because they make it invalid. */
function readDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/o/gi, '0')
    .replace(MARKS_AND_SPACES, '');
}

/** What is wrong with a typed number. `digits` is the number of typed digits, without the country code. */
export type MobileProblem =
  | { readonly kind: 'mobileTooShort' | 'mobileTooLong'; readonly digits: number }
  | { readonly kind: 'mobileForeign' | 'mobileLandline' | 'mobileInvalid' };

/** Returns why `readMobile` does not accept a text. */
export function mobileProblem(text: string): MobileProblem {
  const digits = text.length > TYPED_MAX_LENGTH ? '' : readDigits(text);
  if (!/^\d+$/.test(digits)) return { kind: 'mobileInvalid' };
  const abroad = /^\s*(?:\+|00)/.test(text) && !/^(?:00)?255/.test(digits);
  // Twelve digits without a zero in front are a number with a country code.
  if (abroad || /^(?!255)[1-9]\d{11}$/.test(digits)) return { kind: 'mobileForeign' };
  const national = digits.replace(/^(?:00)?2550?/, '0');
  if (/^0(?:2|800)/.test(national)) return { kind: 'mobileLandline' };
  if (!/^0?[67]/.test(national)) return { kind: 'mobileInvalid' };
  return { kind: national.length < 10 ? 'mobileTooShort' : 'mobileTooLong', digits: national.length };
}

function isMobile(text: string): text is Mobile {
  return NATIONAL.test(text);
}

/** Formats a number as `255712345678`, which most providers require. */
export function toInternational(mobile: string): string {
  return `255${mobile.slice(1)}`;
}

/** Converts a number such as `255712345678` to the national form. */
export function toNational(international: string): string {
  return `0${international.slice(3)}`;
}

/** Formats a number as `0712 345 678`, with non-breaking spaces. */
export function formatMobile(mobile: string): string {
  return `${mobile.slice(0, 4)}\u00a0${mobile.slice(4, 7)}\u00a0${mobile.slice(7)}`;
}

/** Masks a number as `0*** *** 678`. The person with this number recognises it, and nobody else can guess the hidden digits. */
export function maskMobile(mobile: string): string {
  return `0***\u00a0***\u00a0${mobile.slice(7)}`;
}
