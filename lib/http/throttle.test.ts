import { expect, test } from 'vitest';
import { createThrottle } from './throttle';

test('each address has its own limit, anew each minute', () => {
  let now = new Date('2026-11-21T10:00:00Z');
  const throttle = createThrottle(() => now, 2);
  const asks = (address: string | null) => throttle.admits(address);
  expect(['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2', null].map(asks)).toEqual([true, true, false, true, true]);
  now = new Date('2026-11-21T10:00:59.999Z');
  expect(asks('10.0.0.1')).toBe(false);
  now = new Date('2026-11-21T10:01:00Z');
  expect(asks('10.0.0.1')).toBe(true);
});
