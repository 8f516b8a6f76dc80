import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caretAfterGrouping, groupAmount, usesPoints } from './group-amount';

describe('an amount while it is typed', () => {
  test.each([
    ['', ''],
    ['5', '5'],
    ['12500', '12,500'],
    ['1,2500', '12,500'],
    ['12,500.', '12,500.'],
    ['12500.5', '12,500.5'],
    ['12.50', '12.50'],
    ['12.500', '12,500'],
    ['1.250.000', '1,250,000'],
    ['1,250.000', '1,250,000'],
    ['TSh 12500', 'TSh 12500'],
    ['abc', 'abc'],
    [',', ','],
    ['12.5000', '12.5000'],
  ])('%j becomes %j', (typed, grouped) => {
    expect(groupAmount(typed)).toBe(grouped);
  });

  test('keeps its value, and grouping it again changes nothing', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), fc.constantFrom('', '.', '.5', '.25'), (whole, fraction) => {
        const grouped = groupAmount(`${whole}${fraction}`);
        expect(grouped.replaceAll(',', '')).toBe(`${whole}${fraction}`);
        expect(groupAmount(grouped)).toBe(grouped);
      }),
    );
  });

  test('keeps the caret behind the same digit', () => {
    // `|` is the caret: 12345|6 becomes 123,45|6.
    expect(caretAfterGrouping('123456', 5, '123,456')).toBe(6);
    expect(caretAfterGrouping('1,2345', 6, '12,345')).toBe(6);
    expect(caretAfterGrouping('12,500.', 7, '12,500.')).toBe(7);
    expect(caretAfterGrouping('12.500', 6, '12,500')).toBe(6);
  });

  test('says whether a point separates thousands', () => {
    expect(['12.500', '1.000.000', '12.50', '12,500', '12.5000', '.500'].map(usesPoints)).toEqual([true, true, false, false, false, false]);
  });
});
