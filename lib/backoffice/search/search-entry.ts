import type { Scope } from '@/lib/platform/core/scope';
import { fold } from './fold';

/** What a fragment is searched in: `text` is references and names, `receipt` is the provider's receipt numbers. */
const KINDS = ['text', 'mobile', 'receipt'] as const;
export type FragmentKind = (typeof KINDS)[number];

/** The minimum length of a fragment. Fewer characters would match too many bills. */
export const FRAGMENT_MIN = 3;
/**
 * A mobile number has keys for its beginnings and its ends of up to this many digits. For a longer fragment, the keys of only its first and
 * its last digits are looked up, and then the whole fragment is compared with the text.
 */
const NUMBER_PART_MAX = 6;
/** Of a long fragment, at most this many keys are looked up. That is enough, because the whole fragment is then compared with the text. */
const LOOKED_UP_MAX = 5;
/**
 * The number of entries of a merchant in one bucket. A search looks into one bucket after the other, newest first, and stops as soon as it
 * has found enough matches. So a search with many matches reads few entries, and a search without matches needs one look-up per bucket.
 */
const BUCKET_ENTRIES = 16_384n;

/** Returns the number of the newest bucket. Older buckets have lower numbers. @param entries how many search entries the merchant has */
export function bucketOf(entries: bigint): number {
  return Number(entries / BUCKET_ENTRIES);
}

/** A row of the table of bills, attempts or allocations. */
export interface SearchSourceRow extends Scope {
  readonly id: string;
  readonly billId: string;
  /** The member who created the bill; null if the bill was not created by a member. */
  readonly createdById: string | null;
  /** The texts by which the bill can be found, each after its kind, for example `receipt QK-12 AB34CD`. */
  readonly texts: readonly string[];
}

interface SearchEntry {
  /** One line for each folded text: its kind, a space and the text, for example `receipt qk12ab34cd`. */
  readonly text: string;
  readonly keys: readonly number[];
}

/** Returns the search entry of a row in a bucket. */
export function searchEntry(row: SearchSourceRow, bucket: number): SearchEntry {
  const text = KINDS.flatMap((kind) =>
    valuesOf(row.texts, kind)
      .map(fold)
      .filter((folded) => folded !== '')
      .map((folded) => ({ kind, folded })),
  );
  const parts = text.flatMap(({ kind, folded }) => partsOf(kind, folded));
  // Members who may see only their own bills search with separate keys, so that their search never reads the bills of colleagues.
  const searchers = row.createdById === null ? [null] : [null, row.createdById];
  return {
    text: text.map(({ kind, folded }) => `${kind} ${folded}\n`).join(''),
    keys: searchers.flatMap((createdById) => keysOf({ ...row, createdById }, bucket, parts)),
  };
}

/** Returns the texts of one kind. @param texts the texts of all kinds, each after its kind */
export function valuesOf(texts: readonly string[], kind: FragmentKind): string[] {
  return texts.flatMap((text) => (text.startsWith(`${kind} `) ? [text.slice(kind.length + 1)] : []));
}

/**
 * Returns the search keys of parts of a text (see `partsOf`) in one bucket of a merchant's entries: of all entries, or only those of bills
 * that one member created. A key is a hash, as an integer of PostgreSQL. The merchant and the bucket are part of the hash, so that the index
 * never leads to entries of other merchants, however many entries they have. Two parts may have the same key, so the search also compares
 * the text.
 */
export function keysOf(
  { merchantId, environment, createdById }: Pick<SearchSourceRow, 'merchantId' | 'environment' | 'createdById'>,
  bucket: number,
  parts: readonly string[],
): readonly number[] {
  const start = hash(`${merchantId}/${environment}/${createdById ?? ''}/${bucket}/`, FNV_BASIS);
  return [...new Set(parts.map((part) => hash(part, start) | 0))];
}

/**
 * Returns the parts of a text that was made uniform by `fold`: all sequences of three characters, or for a mobile number its beginnings and
 * ends.
 */
export function partsOf(kind: FragmentKind, text: string): readonly string[] {
  if (kind !== 'mobile') return sequences(kind, text);
  const lengths = Array.from({ length: NUMBER_PART_MAX - FRAGMENT_MIN + 1 }, (_, index) => FRAGMENT_MIN + index);
  return [...new Set(lengths.flatMap((length) => [beginning(text, length), ending(text, length)]))];
}

/** Returns groups of parts. A text that contains the fragment has all parts of at least one group. */
export function partsToFind(kind: FragmentKind, fragment: string): readonly (readonly string[])[] {
  if (kind === 'mobile') {
    const length = Math.min(fragment.length, NUMBER_PART_MAX);
    return [[ending(fragment, length)], ...(fragment.startsWith('0') ? [[beginning(fragment, length)]] : [])];
  }
  const parts = sequences(kind, fragment);
  const step = Math.max(1, (parts.length - 1) / (LOOKED_UP_MAX - 1));
  const chosen = new Set(Array.from({ length: LOOKED_UP_MAX }, (_, index) => Math.round(index * step)));
  return [parts.filter((_, index) => chosen.has(index))];
}

const beginning = (text: string, length: number) => `mobile ${text.slice(0, length)}*`;
const ending = (text: string, length: number) => `mobile *${text.slice(-length)}`;

/** Sequences of code points, because half of a surrogate pair is no character. */
function sequences(kind: FragmentKind, text: string): string[] {
  const characters = [...text];
  const all = characters.slice(FRAGMENT_MIN - 1).map((_, index) => `${kind} ${characters.slice(index, index + FRAGMENT_MIN).join('')}`);
  return [...new Set(all)];
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns the FNV-1a hash over UTF-16 units (http://www.isthe.com/chongo/tech/comp/fnv/). Entries store the result, so it must not change.
 */
function hash(text: string, start: number): number {
  let result = start;
  for (let at = 0; at < text.length; at += 1) result = Math.imul(result ^ text.charCodeAt(at), FNV_PRIME);
  return result;
}
