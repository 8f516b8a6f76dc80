import { isUuid } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { BillQuery } from './filter';

/** What bills are sorted by. Bills with equal keys are sorted by their ids. */
export type SortKey = 'created' | 'paid' | 'amount';

/**
 * Returns the sort order of a query. `newest` and `oldest` compare the times of full payment if the filter selects by these, else the times
 * of creation.
 */
export function sortOf({ sort, filter }: BillQuery): { readonly key: SortKey; readonly descending: boolean } {
  if (sort === 'largest' || sort === 'smallest') return { key: 'amount', descending: sort === 'largest' };
  return { key: filter.period !== null && filter.by === 'paid' ? 'paid' : 'created', descending: sort === 'newest' };
}

interface Position {
  readonly id: string;
  /** The bill's amount in senti, or its time of payment in Unix milliseconds; 0 if the list is sorted by id. */
  readonly value: bigint;
}

/** A page: the bills after or before a position. */
export interface PageCursor {
  readonly side: 'after' | 'before';
  readonly position: Position;
}

const LETTERS: Readonly<Record<SortKey, string>> = { created: 'c', paid: 'p', amount: 'a' };
const FORM = /^([acp])([<>])(\d{1,19})\.([0-9a-f-]{36})$/;
/** The largest value of a bigint column, and the largest timestamp of a Date (ECMA-262, 21.4.1.1). */
const LARGEST: Readonly<Record<SortKey, bigint>> = { created: 0n, paid: 8_640_000_000_000_000n, amount: 2n ** 63n - 1n };

/** Returns the cursor as it appears in the address. Only `readCursor` interprets it. */
export function formatCursor(key: SortKey, { side, position }: PageCursor): string {
  return Buffer.from(`${LETTERS[key]}${side === 'after' ? '>' : '<'}${position.value}.${position.id}`).toString('base64url');
}

/** Reads a cursor. Returns null if it is invalid or belongs to another sort order. */
export function readCursor(key: SortKey, text: string): PageCursor | null {
  if (text.length > 100) return null;
  const [, letter, sign, value = '', id = ''] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (letter !== LETTERS[key] || !isUuid(id) || BigInt(value) > LARGEST[key]) return null;
  return { side: sign === '>' ? 'after' : 'before', position: { id, value: BigInt(value) } };
}

export function positionOf(
  key: SortKey,
  { id, amount, paidAt }: { readonly id: string; readonly amount: Senti; readonly paidAt: Date | null },
): Position {
  return { id, value: key === 'amount' ? amount : key === 'paid' ? BigInt(paidAt?.getTime() ?? 0) : 0n };
}
