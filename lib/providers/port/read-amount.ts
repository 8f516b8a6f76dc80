import { SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';

/** Reads an amount in shillings, such as `5000` or `5000.00`. Returns senti; null if it is not whole, not above zero or not an amount. */
export function readAmount(value: string | number | null | undefined): Senti | null {
  const [, shillings = ''] = /^(\d{1,15})(?:\.0+)?$/.exec(String(value ?? '')) ?? [];
  return shillings === '' || BigInt(shillings) === 0n ? null : BigInt(shillings) * SENTI_PER_SHILLING;
}

/** Reads an amount like `readAmount`, for providers that also write `37,600.00`. */
export function readGroupedAmount(value: string | number | null | undefined): Senti | null {
  const text = String(value ?? '');
  return readAmount(/^\d{1,3}(,\d{3}){1,4}(\.0+)?$/.test(text) ? text.replaceAll(',', '') : text);
}

/** Reads a fee in shillings exactly, such as `57.5` or `0`. Returns senti, rounded if there are more than two decimals; null if it is no amount. */
export function readFee(value: string | number | null | undefined): Senti | null {
  const [, shillings, decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(value ?? '')) ?? [];
  if (shillings === undefined) return null;
  const senti = BigInt(shillings) * SENTI_PER_SHILLING + BigInt(decimals.slice(0, 2).padEnd(2, '0'));
  return decimals.charAt(2) >= '5' ? senti + 1n : senti;
}
