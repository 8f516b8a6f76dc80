import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { idRange } from './redelivery-rules';

const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

test('the id range of a period contains all its deliveries, even if clocks differ by hours', () => {
  fc.assert(
    fc.property(
      instant,
      fc.nat(10 ** 10),
      fc.nat(10 ** 10),
      fc.integer({ min: -23 * HOUR_MS, max: 23 * HOUR_MS }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      (from, length, offset, skew, random) => {
        const to = addMs(from, length + 1);
        const createdAt = addMs(from, offset % (length + 1));
        const id = newId({ clock: () => addMs(createdAt, skew), random: () => random });
        const { after, before } = idRange({ from, to });
        expect(after < id && id < before).toBe(true);
      },
    ),
  );
});

test('a period may have no beginning or no end', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const id = newId({ clock: () => now, random: (bytes) => new Uint8Array(bytes) });
  for (const period of [
    { from: null, to: null },
    { from: now, to: null },
    { from: null, to: addMs(now, 1) },
  ]) {
    const { after, before } = idRange(period);
    expect(after < id && id < before).toBe(true);
  }
  expect(idRange({ from: addMs(now, 48 * HOUR_MS), to: null }).after > id).toBe(true);
  expect(idRange({ from: null, to: addMs(now, -48 * HOUR_MS) }).before < id).toBe(true);
});
