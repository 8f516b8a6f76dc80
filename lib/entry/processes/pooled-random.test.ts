import { expect, test } from 'vitest';
import { pooledRandom } from './process-runtime';

test('random bytes have the wanted length, and are never given twice or changed afterwards', () => {
  const random = pooledRandom();
  const lengths = Array.from({ length: 2_000 }, (_, n) => [8, 16, 20, 32][n % 4] ?? 0);
  const drawn = lengths.map((length) => random(length));
  expect(drawn.map((bytes) => bytes.length)).toEqual(lengths);
  const first = drawn.map((bytes) => Buffer.from(bytes).toString('hex'));
  for (let n = 0; n < 1_000; n += 1) random(16);
  expect(drawn.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(first);
  expect(new Set(first.map((text) => text.slice(0, 16))).size).toBe(lengths.length);
});
