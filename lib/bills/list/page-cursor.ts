import { isUuid } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { BillQuery } from './filter';

/** What bills are ordered by; those that are equal in it, by their ids. */
export type SortKey = 'created' | 'paid' | 'amount';

/** How a query's bills are ordered. A list of what was paid in a period is in the order of payment. */
export function sortOf({ sort, filter }: BillQuery): { readonly key: SortKey; readonly descending: boolean } {
  if (sort === 'largest' || sort === 'smallest') return { key: 'amount', descending: sort === 'largest' };
  return { key: filter.period !== null && filter.by === 'paid' ? 'paid' : 'created', descending: sort === 'newest' };
}

/** A place between two bills of an ordered list. */
interface Place {
  readonly id: string;
  /** The amount in senti or the milliseconds of payment, of the bill beside it; 0 where the id alone says the order. */
  readonly value: bigint;
}

/** Which page of a list: what follows a place, or what comes before it. */
export interface PageCursor {
  readonly way: 'after' | 'before';
  readonly place: Place;
}

const LETTERS: Readonly<Record<SortKey, string>> = { created: 'c', paid: 'p', amount: 'a' };
const FORM = /^([acp])([<>])(\d{1,19})\.([0-9a-f-]{36})$/;
/** What a bigint column holds; and the last millisecond that a Date has (ECMA-262, 21.4.1.1). */
const LARGEST: Readonly<Record<SortKey, bigint>> = { created: 0n, paid: 8_640_000_000_000_000n, amount: 2n ** 63n - 1n };

/** Pure. @returns what stands in the address for a page: only `readCursor` knows what it means. */
export function formatCursor(key: SortKey, { way, place }: PageCursor): string {
  return Buffer.from(`${LETTERS[key]}${way === 'after' ? '>' : '<'}${place.value}.${place.id}`).toString('base64url');
}

/** Pure. @returns the page, or null for what this list, in this order, never gave out. */
export function readCursor(key: SortKey, text: string): PageCursor | null {
  if (text.length > 100) return null;
  const [, letter, sign, value = '', id = ''] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (letter !== LETTERS[key] || !isUuid(id) || BigInt(value) > LARGEST[key]) return null;
  return { way: sign === '>' ? 'after' : 'before', place: { id, value: BigInt(value) } };
}

/** @returns the place right at a bill, in a list of that order. */
export function placeOf(
  key: SortKey,
  { id, amount, paidAt }: { readonly id: string; readonly amount: Senti; readonly paidAt: Date | null },
): Place {
  return { id, value: key === 'amount' ? amount : key === 'paid' ? BigInt(paidAt?.getTime() ?? 0) : 0n };
}
