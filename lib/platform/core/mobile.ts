import { normalizeTypedNumber } from './text';

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

const MARKS = /[\p{Pd}\u2212.,()/+_'"]/gu;
/** A spreadsheet that took the number for an amount adds `.0`. Without the point, the decimal would become a digit of the number. */
const DECIMAL = /^[^.,]*[.,]\d{1,2}\D*$/;
const TYPED_MAX_LENGTH = 100;

/**
 * Parses a number that a person typed or pasted into a form. It accepts more than the API: any spaces and punctuation, full-width and
 * Arabic digits, the letter O for zero, `+255 (0) 712 345 678`, `00255…` and a missing leading zero. The form shows the parsed number, so
 * the person can see a wrong reading. Returns null if it is not a Tanzanian mobile number.
 */
export function readMobile(text: string): Mobile | null {
  const national = readNational(text).replace(/^(?=\d{9}$)/, '0');
  return isMobile(national) ? national : null;
}

/** Returns the digits of a typed number, in national form if it has nine digits after the country code. It may not be a valid number. */
export function readNational(text: string): string {
  return readDigits(text).replace(/^(00)?2550?(?=\d{9}$)/, '0');
}

/** Returns the digits of a typed number, '' if the text is too long. Letters, and the point of a decimal number, make it invalid: they stay. */
function readDigits(text: string): string {
  if (text.length > TYPED_MAX_LENGTH) return '';
  const plain = normalizeTypedNumber(text).replace(/o/gi, '0');
  return DECIMAL.test(plain) ? plain : plain.replace(MARKS, '');
}

/** What is wrong with a typed number. `digits` is the number of typed digits, without the country code. */
export type MobileProblem =
  | { readonly kind: 'mobileTooShort' | 'mobileTooLong'; readonly digits: number }
  | { readonly kind: 'mobileForeign' | 'mobileLandline' | 'mobileInvalid' };

/** Returns why `readMobile` does not accept a text. */
export function mobileProblem(text: string): MobileProblem {
  const digits = readDigits(text);
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

/** What stands for a number that was erased: the same number always has the same pseudonym, so that payments can still be counted. */
const PSEUDONYM = /^erased:[\w-]{22}$/;

/** Makes a pseudonym. @param token 128 bits in base64url that only this deployment can derive from the number. */
export function pseudonymOf(token: string): string {
  return `erased:${token}`;
}

/** Returns a stored number, or null if it was erased and only its pseudonym is stored. */
export function knownMobile(stored: string | null): string | null {
  return stored === null || PSEUDONYM.test(stored) ? null : stored;
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
  return `0***\u00a0***\u00a0${knownMobile(mobile)?.slice(7) ?? '***'}`;
}
