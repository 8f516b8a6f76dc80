import { normalizeTypedNumber } from './text';

/** Money in senti, 1/100 of a Tanzanian shilling. Never a float. */
export type Senti = bigint;

export const SENTI_PER_SHILLING = 100n;

/** Maximum length of a number. Removing trailing zeros takes quadratic time, and no amount is longer. */
const DECIMAL_MAX_LENGTH = 400;

/**
 * Parses the source text of a JSON number ("5000", "5e3", "5000.250") exactly. Returns `digits` / 10^`decimals` with the fewest decimals,
 * or null if the text is not a number, or if its length or exponent is far beyond any amount.
 */
export function parseDecimal(text: string): { digits: bigint; decimals: number } | null {
  if (text.length > DECIMAL_MAX_LENGTH) return null;
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  let mantissa = (whole + fraction).replace(/^0+/, '');
  let decimals = fraction.length - Number(exponent);
  const significant = mantissa.replace(/0+$/, '');
  decimals -= mantissa.length - significant.length;
  mantissa = significant;
  if (mantissa === '') return { digits: 0n, decimals: 0 };
  if (Math.abs(decimals) > 400) return null;
  if (decimals < 0) {
    mantissa += '0'.repeat(-decimals);
    decimals = 0;
  }
  return { digits: BigInt(`${sign}${mantissa}`), decimals };
}

/** Formats an amount for the API, in shillings and always with a decimal point: `5000.0`, `5000.5`, `5000.25`. */
export function formatApiAmount(amount: Senti): string {
  const sign = amount < 0n ? '-' : '';
  const absolute = amount < 0n ? -amount : amount;
  const digits = absolute.toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2, digits.endsWith('0') ? -1 : undefined)}`;
}

/** Formats an amount in shillings with two decimals, for files and programs: `5000.00`. */
export function formatDecimal(amount: Senti): string {
  const absolute = amount < 0n ? -amount : amount;
  return `${amount < 0n ? '-' : ''}${absolute / SENTI_PER_SHILLING}.${(absolute % SENTI_PER_SHILLING).toString().padStart(2, '0')}`;
}

/** Rounds up to whole shillings, because mobile money has no fractions. */
export function roundUpToShilling(amount: Senti): Senti {
  const rest = amount % SENTI_PER_SHILLING;
  return rest > 0n ? amount + SENTI_PER_SHILLING - rest : amount - rest;
}

/** Converts senti to whole shillings. Throws a RangeError for a fraction, which no wallet can transfer. */
export function toWholeShillings(amount: Senti): bigint {
  if (amount % SENTI_PER_SHILLING !== 0n) throw new RangeError(`${amount} senti is not a whole number of shillings`);
  return amount / SENTI_PER_SHILLING;
}

const TYPED_AMOUNT = /^(?:t[sz][hs]|shs?)?\.?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:\/[=-])?$/i;

/**
 * Parses an amount that a person typed: `2000`, `2,000`, `TSh 2 000/=`, `2000.50`, with any Unicode digits. A point starts a fraction and
 * never separates thousands. Returns the digits of the shillings, and the fraction with its point, or null.
 * @param plain the text after `normalizeTypedNumber`. The caller limits its length.
 */
export function parseTypedAmount(plain: string): { readonly shillings: string; readonly fraction: string } | null {
  const [, shillings, fraction = ''] = TYPED_AMOUNT.exec(plain) ?? [];
  return shillings === undefined ? null : { shillings: shillings.replaceAll(',', ''), fraction };
}

/** Maximum digits of a typed amount of shillings. */
const SHILLINGS_MAX_DIGITS = 15;

/**
 * Parses whole shillings that a person typed, so the ambiguous `2.000` is refused. Returns the amount in senti, or null if the text is not a
 * positive number of whole shillings.
 */
export function readShillings(text: string): Senti | null {
  const typed = text.length > 40 ? null : parseTypedAmount(normalizeTypedNumber(text));
  if (typed === null || typed.shillings.length > SHILLINGS_MAX_DIGITS || !/^(?:\.00?)?$/.test(typed.fraction)) return null;
  const amount = BigInt(typed.shillings) * SENTI_PER_SHILLING;
  return amount > 0n ? amount : null;
}
