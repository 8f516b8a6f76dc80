import { BiliError } from './errors.ts';

/** Whole shillings as a number or bigint, or a decimal text with at most two decimals, for example "12500.50". */
export type AmountInput = number | bigint | string;

const DECIMAL = /^\d{1,15}(\.\d{1,2})?$/;

/**
 * Returns an amount as JSON number. A number with a fraction is refused, because it may already be rounded.
 * @throws BiliError if the amount is neither whole shillings nor a decimal text
 */
export function amountJson(amount: AmountInput): string {
  if (amount === undefined || amount === null) throw new BiliError('amount is required');
  if (!['number', 'bigint', 'string'].includes(typeof amount) || (typeof amount === 'number' && !Number.isSafeInteger(amount)))
    throw new BiliError('amount must be a whole number, or a text such as "12500.50"');
  const text = String(amount);
  if (typeof amount === 'string' && !DECIMAL.test(text))
    throw new BiliError('amount must be a decimal text with at most two decimals, such as "12500.50"');
  // JSON allows no leading zeros.
  return text.replace(/^0+(?=\d)/, '');
}

/**
 * Returns an amount as JSON, or null if there is none. Does not check it, because Bili refuses a wrong amount. A number with a fraction
 * becomes a JSON string, which Bili refuses.
 */
export function uncheckedAmountJson(amount: AmountInput): string | null {
  if (amount === undefined || amount === null) return null;
  if (typeof amount === 'number' && !Number.isSafeInteger(amount)) return `"${amount}"`;
  const text = String(amount).replace(/^0+(?=\d)/, '');
  return /^-?\d{1,21}(\.\d{1,20})?$/.test(text) ? text : JSON.stringify(text);
}

/**
 * Returns a JSON object with an amount that is JSON already; null if there is none. JSON.stringify would need a number for the amount, and
 * a number cannot represent every decimal text exactly.
 */
export function jsonWithAmount(amount: string | null, others: object): string {
  const rest = JSON.stringify(others).slice(1, -1);
  return `{${[amount === null ? '' : `"amount":${amount}`, rest].filter(Boolean).join()}}`;
}

/** Returns an amount of an answer as a text with two decimals. A double holds amounts up to 90 billion shillings exactly. */
export function amountText(amount: number): string {
  return amount.toFixed(2);
}

/** Returns an amount such as "12500.50" in hundredths of a shilling, to calculate with. */
export function toSenti(amount: string): bigint {
  if (!DECIMAL.test(amount)) throw new BiliError(`"${amount}" is not an amount`);
  const [shillings = '', fraction = ''] = amount.split('.');
  return BigInt(shillings + fraction.padEnd(2, '0'));
}
