import { expect, test } from 'vitest';
import { readSourceFiles } from '@/testing/structure/source-files';
import { ADVISORY_LOCKS } from './advisory-locks';

test('each advisory lock has its own key, and no other file contains a key', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
  const literal = /advisory(?:_xact)?_lock\(\d|_LOCK = [\d_]+n?;/;
  const own = readSourceFiles().filter(({ isProduct, text }) => isProduct && literal.test(text));
  expect(own.map(({ path }) => path)).toEqual([]);
});
