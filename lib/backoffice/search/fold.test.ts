import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFragment, fold } from './fold';

test.each([
  ['ORD-7 / Ásha', 'ord7asha'],
  ['ＡＢＣ１２３', 'abc123'],
  ['Straße №5', 'straßeno5'],
  ['🎉 – …', ''],
  ['ÇELİK', 'celik'],
])('%j is folded to %j', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test.each([
  ['Kodi ya Novemba – Ásha', 'ásha', 'Ásha'],
  ['ORD-BKSU-0002998', 'bksu0002', 'BKSU-0002'],
  ['ﬁne', 'i', 'ﬁ'],
  ['abc', 'x', null],
  ['abc', '', null],
])('in %j, the fragment %j is %j', (text, fragment, found) => {
  const mark = findFragment(text, fold(fragment));
  expect(mark && text.slice(mark.from, mark.to)).toBe(found);
});

test('every part of a text is found in it, and the marked part folds to a text that contains it', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (whole, a, b) => {
      const folded = fold(whole);
      expect(fold(folded)).toBe(folded);
      const [from = 0, to = 0] = [a % (folded.length + 1), b % (folded.length + 1)].sort((x, y) => x - y);
      const fragment = folded.slice(from, to);
      const mark = findFragment(whole, fragment);
      expect(mark === null).toBe(fragment === '');
      if (mark) expect(fold(whole.slice(mark.from, mark.to))).toContain(fragment);
    }),
  );
});
