/** Generates a text of a given size that is expensive for a bad parser. The same size gives the same text. */
export interface Shape {
  readonly name: string;
  /** @param size the approximate number of characters. */
  readonly write: (size: number) => string;
}

const repeat = (unit: string, size: number) => unit.repeat(Math.max(0, Math.floor(size / unit.length)));

/** Returns a text of numbered units. */
function listed(unit: (n: number) => string, size: number): string {
  const parts: string[] = [];
  for (let n = 0, length = 0; length < size; n += 1) {
    const part = unit(n);
    parts.push(part);
    length += part.length;
  }
  return parts.join('').slice(0, Math.max(0, size));
}

/** Returns a text of nested brackets with as many levels as fit into `size`. */
const nested = (open: string, inside: string, close: string, size: number) => {
  const depth = Math.max(0, Math.floor((size - inside.length) / (open.length + close.length)));
  return open.repeat(depth) + inside + close.repeat(depth);
};

const byte = (n: number, shift: number) => (n >> shift) & 255;

const run = (one: string, size: number) => `x${repeat(one, size - 2)}x`;

/** Texts with long repetitions. Bad regular expressions are slow for them. */
const RUNS: readonly Shape[] = [
  { name: 'letters that end in a sign', write: (size) => `${repeat('a', size - 1)}!` },
  { name: 'digits that end in a letter', write: (size) => `${repeat('1', size - 1)}x` },
  { name: 'spaces between letters', write: (size) => run(' ', size) },
  { name: 'dotted words', write: (size) => `a@${repeat('a.', size - 3)}!` },
];

/**
 * For URLs and headers, which can have at most 16 kB. A text of this length can make a bad regular expression slow, but it has too few list
 * items to make a comparison of all pairs expensive.
 */
export const HEAD_SHAPES: readonly Shape[] = [
  ...RUNS,
  { name: 'path segments and commas', write: (size) => `/${repeat('a/../', size / 2)}${run(',', size / 2)}` },
  { name: 'escapes', write: (size) => repeat('%41%', size) },
  { name: 'pairs between semicolons', write: (size) => listed((n) => `a${n}=b; `, size) },
];

/** For fields of forms and bodies. */
export const BODY_SHAPES: readonly Shape[] = [
  ...RUNS,
  {
    name: 'path segments, commas and empty lines',
    write: (size) => `/${repeat('a/../', size / 3)}${run(',', size / 3)}${run('\r\n', size / 3)}`,
  },
  { name: 'accents on one letter', write: (size) => `a${repeat('\u0301\u0316', size / 2)}` },
  { name: 'pairs with distinct names', write: (size) => listed((n) => `a${n}=b&`, size) },
  { name: 'distinct network addresses', write: (size) => listed((n) => `10.${byte(n, 16)}.${byte(n, 8)}.${byte(n, 0)},\n`, size) },
  { name: 'distinct e-mail addresses', write: (size) => listed((n) => `a${n}@example.com, `, size) },
  { name: 'nested brackets', write: (size) => nested('[', '1', ']', size) },
];

/** For forms with files, whose requests are expensive. */
export const LARGE_SHAPES: readonly Shape[] = RUNS.slice(0, 3);

/** For JSON values that need not be strings. */
export const JSON_SHAPES: readonly Shape[] = [
  { name: 'a number of many digits', write: (size) => repeat('1', size) },
  { name: 'a fraction of many digits', write: (size) => `0.${repeat('1', size - 2)}` },
  { name: 'nested arrays', write: (size) => nested('[', '1', ']', size) },
  { name: 'nested objects', write: (size) => nested('{"a":', '1', '}', size) },
  { name: 'an array of fractions', write: (size) => `[${repeat('1.5,', size - 3)}1]` },
];
