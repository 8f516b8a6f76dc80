/** A Bloom filter. It finds every word of the set, and wrongly also about two in a thousand other words. */
export interface BloomFilter {
  readonly bits: Uint8Array;
  /** How many bits each word sets. */
  readonly hashes: number;
}

/** Pure. Adds a word to the filter, in place. */
export function addWord({ bits, hashes }: BloomFilter, word: string): void {
  for (const at of positions(word, bits.length * 8, hashes)) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
}

export function hasWord({ bits, hashes }: BloomFilter, word: string): boolean {
  return positions(word, bits.length * 8, hashes).every((at) => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0);
}

/** Returns the bits of a word by double hashing (Kirsch and Mitzenmacher, 2006) of two FNV-1a hashes. */
function positions(word: string, size: number, hashes: number): number[] {
  const [first, second] = [fnv(word, 0x811c9dc5), (fnv(word, 0x050c5d1f) | 1) >>> 0];
  return Array.from({ length: hashes }, (_, i) => (first + i * second) % size);
}

function fnv(word: string, offset: number): number {
  let hash = offset;
  for (const byte of new TextEncoder().encode(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  // Short words have similar low bits in FNV. This finalizer of MurmurHash3 mixes them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}
