import type { Scope } from '@/lib/core/scope';
import { fold } from './fold';
import { type FragmentKind, keysOf, partsOf } from './search-keys';

/**
 * A row of the table of bills, attempts or allocations, with the texts by which its bill can be found. A text is null if it is empty, or if
 * another row of the same bill already has it.
 */
export interface SearchSourceRow extends Scope {
  readonly id: string;
  readonly billId: string;
  /** The member who created the bill; null if the bill was not created by a member. */
  readonly createdById: string | null;
  readonly reference: string | null;
  readonly customerName: string | null;
  readonly mobile: string | null;
  readonly receipt: string | null;
}

interface SearchEntry {
  readonly id: string;
  /** One line for each folded text: its kind, a space and the text, for example `receipt qk12ab34cd`. */
  readonly text: string;
  readonly keys: readonly number[];
}

/** Returns the search entry of a row in a bucket; null if the row has no text. */
export function searchEntry(row: SearchSourceRow, bucket: number): SearchEntry | null {
  const texts: readonly (readonly [FragmentKind, string | null])[] = [
    ['text', row.reference],
    ['text', row.customerName],
    ['mobile', row.mobile],
    ['receipt', row.receipt],
  ];
  const folded = texts.flatMap(([kind, text]) => (text ? [{ kind, text: fold(text) }] : [])).filter(({ text }) => text !== '');
  if (folded.length === 0) return null;
  const parts = folded.flatMap(({ kind, text }) => partsOf(kind, text));
  // Members who may see only their own bills search with separate keys, so that their search never reads the bills of colleagues.
  const searchers = row.createdById === null ? [null] : [null, row.createdById];
  return {
    id: row.id,
    text: folded.map(({ kind, text }) => `${kind} ${text}\n`).join(''),
    keys: searchers.flatMap((createdById) => keysOf({ ...row, createdById }, bucket, parts)),
  };
}

/** Returns the folded texts of one kind. @param text the `text` of a search entry */
export function valuesOf(text: string, kind: FragmentKind): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []));
}

/** Returns whether a mobile number begins or ends with these digits. Digits in the middle mean nothing to people. */
export function numberMatches(mobile: string, digits: string): boolean {
  return mobile.startsWith(digits) || mobile.endsWith(digits);
}
