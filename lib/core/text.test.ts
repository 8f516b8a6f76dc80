import { expect, test } from 'vitest';
import { manyLines } from './text';

test.each([
  ['  one  \r\n two \t\n\n\n\nthree\u2028four  ', 'one\n two\n\nthree\nfour'],
  ['one   two', 'one   two'],
  ['one \n \n two', 'one\n\n two'],
  [' \n ', ''],
])('%j becomes %j', (text, lines) => {
  expect(manyLines(text)).toBe(lines);
});

test('reads a long run of spaces in linear time (quadratic time would take a minute)', () => {
  const text = `x${' '.repeat(200_000)}x`;
  expect(manyLines(text)).toBe(text);
});
