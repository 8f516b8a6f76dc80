import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isUuid, newId, newPaymentReference } from './ids';

const random = (bytes: number) => new Uint8Array(randomBytes(bytes));

test('ids are ordered by the time of the given clock', () => {
  const earlier = newId({ clock: () => new Date(1_000), random });
  const later = newId({ clock: () => new Date(2_000), random });
  expect(isUuid(earlier)).toBe(true);
  expect(earlier < later).toBe(true);
  expect(newId({ clock: () => new Date(1_000), random })).not.toBe(earlier);
});

test('our reference has the form that every provider accepts', () => {
  const references = new Set(Array.from({ length: 1_000 }, () => newPaymentReference(random)));
  expect(references.size).toBe(1_000);
  for (const reference of references) expect(reference).toMatch(/^[A-Z0-9]{20}$/);
});

test.each(['', 'nope', '018f', '{018f2b1c-0000-7000-8000-000000000000}', '018f2b1c00007000800000000000000'])('%j is not a UUID', (text) => {
  expect(isUuid(text)).toBe(false);
});
