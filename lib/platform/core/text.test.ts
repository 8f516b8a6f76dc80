import { expect, test } from 'vitest';
import { isolated, manyLines, visibleLine } from './text';

test.each([
  ['  one  \r\n two \t\n\n\n\nthree\u2028four  ', 'one\n two\n\nthree\nfour'],
  ['one   two', 'one   two'],
  ['one \n \n two', 'one\n\n two'],
  [' \n ', ''],
])('%j becomes %j', (text, lines) => {
  expect(manyLines(text)).toBe(lines);
});

test.each([
  [' one\u{3164} \n\ttwo\u{fe0f}\ud800 ', 'one two'],
  ['\u{3164}\u{200b}\u{034f}', ''],
])('%j is shown as %j', (text, shown) => {
  expect(visibleLine(text)).toBe(shown);
});

test('reads a long run of spaces in linear time (quadratic time would take a minute)', () => {
  const text = `x${' '.repeat(200_000)}x`;
  expect(manyLines(text)).toBe(text);
});

test('a name is isolated only if it can change the order of a sentence', () => {
  expect(['Duka la Élan', '24/7 ★'].map(isolated)).toEqual(['Duka la Élan', '24/7 ★']);
  expect(['مدرسة', 'Kodi\u202eabc'].map(isolated)).toEqual(['\u2068مدرسة\u2069', '\u2068Kodi\u202eabc\u2069']);
});
