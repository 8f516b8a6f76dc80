import type { Scope } from '@/lib/core/scope';

/**
 * The number of entries of a merchant in one bucket. A search looks into one bucket after the other, newest first, and stops as soon as it
 * has found enough matches. So a search with many matches reads few entries, and a search without matches needs one look-up per bucket.
 */
const BUCKET_ENTRIES = 16_384n;

/** Returns the number of the bucket for a merchant's next search entry. @param entries how many search entries the merchant has. */
export function bucketOf(entries: bigint): number {
  return Number(entries / BUCKET_ENTRIES);
}

/** What a fragment is searched in: `text` is references and names, `receipt` is the provider's receipt numbers. */
export type FragmentKind = 'text' | 'mobile' | 'receipt';

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
 * Returns the search keys of a text that was made uniform by `fold`: all sequences of three characters, or for a mobile number its
 * beginnings and ends.
 */
export function partsOf(kind: FragmentKind, text: string): readonly string[] {
  const parts = new Set<string>();
  if (kind === 'mobile') {
    for (let length = FRAGMENT_MIN; length <= NUMBER_PART_MAX; length += 1) parts.add(beginning(text, length)).add(ending(text, length));
  } else {
    for (const part of sequences(text)) parts.add(`${kind} ${part}`);
  }
  return [...parts];
}

/** Returns groups of parts. A text that contains the fragment has all parts of at least one group. */
export function partsToFind(kind: FragmentKind, fragment: string): readonly (readonly string[])[] {
  if (kind === 'mobile') {
    const length = Math.min(fragment.length, NUMBER_PART_MAX);
    return [[ending(fragment, length)], ...(fragment.startsWith('0') ? [[beginning(fragment, length)]] : [])];
  }
  const parts = [...new Set(sequences(fragment))].map((part) => `${kind} ${part}`);
  const step = Math.max(1, (parts.length - 1) / (LOOKED_UP_MAX - 1));
  return [[...new Set(Array.from({ length: Math.min(parts.length, LOOKED_UP_MAX) }, (_, index) => parts[Math.round(index * step)] ?? ''))]];
}

const beginning = (text: string, length: number) => `mobile ${text.slice(0, length)}*`;
const ending = (text: string, length: number) => `mobile *${text.slice(-length)}`;

/** Sequences of code points, because half of a surrogate pair is no character. */
function sequences(text: string): string[] {
  const characters = [...text];
  return characters.slice(FRAGMENT_MIN - 1).map((_, index) => characters.slice(index, index + FRAGMENT_MIN).join(''));
}

/** The entries that a search may find: all of a merchant in one environment, or only those of bills that one member created. */
interface KeySpace extends Scope {
  readonly createdById: string | null;
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns the search keys of parts of a text (see `partsOf`) in one bucket of a merchant's entries. A key is a hash, as an integer of
 * PostgreSQL. The merchant and the bucket are part of the hash, so that the index never leads to entries of other merchants, however many
 * entries they have. Two parts may have the same key, so the search also compares the text.
 */
export function keysOf({ merchantId, environment, createdById }: KeySpace, bucket: number, parts: readonly string[]): readonly number[] {
  const start = hash(`${merchantId}/${environment}/${createdById ?? ''}/${bucket}/`, FNV_BASIS);
  return [...new Set(parts.map((part) => hash(part, start) | 0))];
}

/**
 * Returns the FNV-1a hash over UTF-16 units (http://www.isthe.com/chongo/tech/comp/fnv/). Entries store the result, so it must not change.
 */
function hash(text: string, start: number): number {
  let result = start;
  for (let at = 0; at < text.length; at += 1) result = Math.imul(result ^ text.charCodeAt(at), FNV_PRIME);
  return result;
}
