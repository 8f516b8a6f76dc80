import { expect, test } from 'vitest';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { earliestTry, holdUp } from './hold-rules';

const now = new Date('2026-01-01T12:00:00Z');
const before = addMs(now, -MINUTE_MS);
const soon = addMs(now, MINUTE_MS);
const later = addMs(now, 2 * MINUTE_MS);
const active = { status: 'active', statusSince: before, disabledReason: null, breakerStep: 0, restUntil: null } as const;

test('a pause that is over is none; an open breaker holds up until a probe succeeds', () => {
  expect(holdUp({ ...active, restUntil: before }, now)).toBeNull();
  expect(holdUp({ ...active, restUntil: soon }, now)).toEqual({ kind: 'resting', until: soon });
  expect(holdUp({ ...active, breakerStep: 1, restUntil: soon }, now)).toEqual({ kind: 'breaker', until: soon });
  expect(holdUp({ ...active, breakerStep: 1, restUntil: before }, now)).toEqual({ kind: 'breaker', until: null });
});

test('the next try is the later of its own time and what holds it up, and never one that has passed', () => {
  expect(earliestTry(before, null, now)).toBeNull();
  expect(earliestTry(soon, null, now)).toEqual(soon);
  expect(earliestTry(before, { kind: 'breaker', until: soon }, now)).toEqual(soon);
  expect(earliestTry(later, { kind: 'resting', until: soon }, now)).toEqual(later);
  expect(earliestTry(before, { kind: 'breaker', until: null }, now)).toBeNull();
  expect(earliestTry(soon, { kind: 'paused', since: before }, now)).toBeNull();
});
