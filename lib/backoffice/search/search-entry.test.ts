import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './fold';
import { FRAGMENT_MIN, keysOf, partsOf, partsToFind } from './search-entry';

const A = { merchantId: '019aa001-0000-7000-8000-000000000001', environment: 'live', createdById: null } as const;

test('a text has the parts of each of its fragments', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 3, maxLength: 60 }).map(fold), fc.nat(), fc.nat(), (text, a, b) => {
      const characters = [...text];
      const [from = 0, to = 0] = [a % (characters.length + 1), b % (characters.length + 1)].sort((x, y) => x - y);
      fc.pre(to - from >= FRAGMENT_MIN);
      const [group = []] = partsToFind('text', characters.slice(from, to).join(''));
      expect(group.length).toBeGreaterThan(0);
      expect(partsOf('text', text)).toEqual(expect.arrayContaining([...group]));
    }),
  );
});

test('a mobile number has the parts of each of its ends and beginnings', () => {
  const digits = fc.stringMatching(/^0[67]\d{8}$/);
  fc.assert(
    fc.property(digits, fc.integer({ min: FRAGMENT_MIN, max: 10 }), fc.boolean(), (mobile, length, atEnd) => {
      const parts = new Set(partsOf('mobile', mobile));
      const groups = partsToFind('mobile', atEnd ? mobile.slice(-length) : mobile.slice(0, length));
      expect(groups.some((group) => group.every((part) => parts.has(part)))).toBe(true);
    }),
  );
});

test('keys depend on the merchant, the environment, the member, the bucket and the part', () => {
  const all = [
    keysOf(A, 0, ['text abc']),
    keysOf({ ...A, merchantId: A.merchantId.replace(/1$/, '2') }, 0, ['text abc']),
    keysOf({ ...A, environment: 'sandbox' }, 0, ['text abc']),
    keysOf({ ...A, createdById: A.merchantId }, 0, ['text abc']),
    keysOf(A, 1, ['text abc']),
    keysOf(A, 0, ['text abd']),
    keysOf(A, 0, ['receipt abc']),
  ].flat();
  expect(new Set(all).size).toBe(7);
  for (const key of all) expect(key).toBe(key | 0);
  // Search entries store these keys, so a new version of the code must calculate the same keys.
  expect(all[0]).toBe(736691605);
});
