import { expect, test } from 'vitest';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { currentHold, earliestAttempt } from './hold-rules';

const now = new Date('2026-01-01T12:00:00Z');
const before = addMs(now, -MINUTE_MS);
const soon = addMs(now, MINUTE_MS);
const later = addMs(now, 2 * MINUTE_MS);
const active = { status: 'active', statusSince: before, disabledReason: null, breakerStep: 0, restUntil: null } as const;

test('an ended pause does not hold deliveries, but an open circuit breaker does until a probe succeeds', () => {
  expect(currentHold({ ...active, restUntil: before }, now)).toBeNull();
  expect(currentHold({ ...active, restUntil: soon }, now)).toEqual({ kind: 'resting', until: soon });
  expect(currentHold({ ...active, breakerStep: 1, restUntil: soon }, now)).toEqual({ kind: 'breaker', until: soon });
  expect(currentHold({ ...active, breakerStep: 1, restUntil: before }, now)).toEqual({ kind: 'breaker', until: null });
});

test('the next attempt is at the later of its own time and the end of the hold, and never in the past', () => {
  expect(earliestAttempt(before, null, now)).toBeNull();
  expect(earliestAttempt(soon, null, now)).toEqual(soon);
  expect(earliestAttempt(before, { kind: 'breaker', until: soon }, now)).toEqual(soon);
  expect(earliestAttempt(later, { kind: 'resting', until: soon }, now)).toEqual(later);
  expect(earliestAttempt(before, { kind: 'breaker', until: null }, now)).toBeNull();
  expect(earliestAttempt(soon, { kind: 'paused', since: before }, now)).toBeNull();
});
