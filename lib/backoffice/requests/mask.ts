import { maskMobile, parseMobile } from '@/lib/platform/core/mobile';

/** Secrets that somebody put into a path or body by mistake. */
const SECRET = /\b(bili_(?:live|sandbox)_secret_|whsec_)[\w+/=-]+/g;
/**
 * The position where a phone number can start. Digits after a letter, digit or point belong to an id or a time, not to a phone number. But
 * a phone number can follow an escape sequence, which ends with a letter or digit.
 */
const BEFORE = String.raw`(?:(?<![\w.])|(?<=%[\da-f]{2}|\\[bfnrt]|\\u[\da-f]{4}))`;
/** Spaces and hyphens between digits. In a query string, they may be escaped. */
const GAP = String.raw`(?:[\s+-]|%20|%C2%A0){0,3}`;
/** A mobile number in any form that the API accepts, in a text, in JSON or in a query string. */
const MOBILE = new RegExp(String.raw`${BEFORE}(?:\+|%2B)?(?:255|0)${GAP}[67](?:${GAP}\d){8}(?!\w|\.\d)`, 'gi');
/** The value of a JSON member whose name stands for a phone number. The value can have any form. */
const MEMBER = /("(?:mobile|phone|msisdn|phone_?number|mobile_?number)"\s*:\s*)("(?:[^"\\]|\\.)*"|[\d.+-]+)/gi;

/** A text with fewer digits is shown, because it is not a phone number. */
const SHOWN_DIGITS = 7;

/** Hides secrets in a text. */
export function maskSecrets(text: string): string {
  return text.replace(SECRET, '$1***');
}

/** Hides secrets and phone numbers in a text. The last three digits of a number stay visible. */
export function maskText(text: string): string {
  return maskSecrets(text)
    .replace(MEMBER, (_, name: string, value: string) => name + maskValue(value))
    .replace(MOBILE, maskNumber);
}

function maskValue(value: string): string {
  return value.startsWith('"') ? `"${maskNumber(value.slice(1, -1))}"` : `"${maskNumber(value)}"`;
}

/** Masks a phone number. An invalid number keeps its length and form, so that people can see what is wrong with it. */
function maskNumber(text: string): string {
  const parsed = parseMobile(text.replace(/^%2B/i, '+').replace(/%20|%C2%A0|\s|(?<=\d)\+/gi, ' '));
  if (parsed !== null) return maskMobile(parsed).replaceAll('\u00a0', ' ');
  const digits = text.replace(/\D/g, '').length;
  return digits < SHOWN_DIGITS ? text : text.replace(/\d(?=(?:\D*\d){3})/g, '*');
}

// TypeScript does not declare JSON.rawJSON (ECMAScript 2026, Node 22). lib/entry/http/body.ts declares that a reviver gets the source text.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/**
 * Parses JSON. Each number becomes an object from which JSON.stringify writes the same text, so `5000.0` stays `5000.0`. Throws a
 * SyntaxError.
 */
export function parseKeepingNumbers(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  );
}

/** Indents JSON, without changing how numbers are written: amounts keep their decimal point. Returns other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseKeepingNumbers(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return text;
    throw error;
  }
}
