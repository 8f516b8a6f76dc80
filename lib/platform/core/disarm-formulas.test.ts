import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disarmFormulas } from './csv';

test.each([
  ['=1+1', "'=1+1"],
  ['+255', "'+255"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  [' =1', " '=1"],
  ['\t=1', "\t'=1"],
  ['\r=1', "\r'=1"],
  ['\u200b=1', "\u200b'=1"],
  ['x;=1', "x;'=1"],
  ['x,=1', "x,'=1"],
  ['x\n@a', "x\n'@a"],
  ['x; "=1;y', 'x; "\'=1;y'],
  ['x;;-1,+2', "x;;'-1,'+2"],
])('%j becomes %j', (cell, safe) => {
  expect(disarmFormulas(cell)).toBe(safe);
});

test.each([
  '',
  'A;B',
  'Ada, muhula 1; "darasa" 2',
  'INV-2026-1',
  '1 + 1 = 2',
  'a@example.com',
  "it's; 'fine'",
  'x;',
  'juma +255',
  '{"a":"=x"}',
])('%j stays as it is', (cell) => {
  expect(disarmFormulas(cell)).toBe(cell);
});

const piece = fc.constantFrom('=', '+', '-', '@', '＝', ',', ';', '\t', '\n', '\r', '"', "'", ' ', '\u00a0', '\u200b', 'a', '1');
const cell = fc.string({ unit: piece, maxLength: 12 });

test('no cell starts a formula, whatever separator the file is written or read with', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 3 }),
      fc.constantFrom(',', ';', '\t'),
      (rows, delimiter) => {
        const file = stringify(rows, { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/, cast: { string: disarmFormulas } });
        // The worst case: a reader that ends a cell at every separator and ignores quotes.
        for (const read of file.split(/[,;\t\r\n]/)) expect(read.replace(/^[\s"\p{C}]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('disarming twice changes nothing more, and removes no character', () => {
  fc.assert(
    fc.property(cell, (text) => {
      const safe = disarmFormulas(text);
      expect(disarmFormulas(safe)).toBe(safe);
      expect(safe.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
    }),
    { numRuns: 2_000 },
  );
});

test('handles a long run of separators in linear time', () => {
  const long = '\t;,'.repeat(100_000);
  expect(disarmFormulas(`${long}x`)).toBe(`${long}x`);
});
