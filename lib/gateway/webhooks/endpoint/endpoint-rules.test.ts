import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import {
  currentHold,
  earliestAttempt,
  type Health,
  MAX_PARALLELISM,
  mustBeDisabled,
  nextHealth,
  type Outcome,
  resetHealth,
  warningsDue,
} from './endpoint-rules';

const START = new Date('2026-01-01T00:00:00Z');
const at = (ms: number) => addMs(START, ms);
/** The health of a new endpoint. */
const FRESH: Health = {
  parallelism: 4,
  failureCount: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  slowedAt: null,
  restUntil: null,
  breakerStep: 0,
  warningsGiven: 0,
  catchUpFrom: null,
};

interface Call {
  /** When the call started. `to`: when it ended. `asks`: the time in Retry-After. All in milliseconds after START. */
  readonly from: number;
  readonly to?: number;
  readonly asks?: number;
}

const call = ({ from, to = from, asks }: Call, delivered: boolean, overloaded: boolean): Outcome => ({
  startedAt: at(from),
  endedAt: at(to),
  delivered,
  overloaded,
  retryAfter: asks === undefined ? null : at(asks),
});
const success = (from: number, to?: number) => call(to === undefined ? { from } : { from, to }, true, false);
const overload = (one: Call) => call(one, false, true);
const refusal = (from: number) => call({ from }, false, false);
const healthAfter = (outcomes: readonly Outcome[], health: Health = FRESH) => outcomes.reduce(nextHealth, health);
const times = (count: number, outcome: (n: number) => Outcome) => Array.from({ length: count }, (_, n) => outcome(n));

describe('parallelism', () => {
  test.each<[string, readonly Outcome[], number]>([
    ['is 4 initially', [], 4],
    ['grows by one with each success', times(3, (n) => success(n)), 7],
    ['does not grow beyond the maximum', times(100, (n) => success(n)), MAX_PARALLELISM],
    ['is halved by an overload', [...times(6, (n) => success(n)), overload({ from: 10 })], 5],
    ['is halved once by parallel calls that are overloaded', times(8, () => overload({ from: 0, to: 5 })), 2],
    ['is halved again by an overload of a later call', [overload({ from: 0, to: 5 }), overload({ from: 5 })], 1],
    ['never falls below one', times(20, (n) => overload({ from: n })), 1],
    ['does not grow while answers are slow', times(9, (n) => success(n, n + 6 * SECOND_MS)), 4],
    ['falls to the initial value when answers become slow', [...times(9, (n) => success(n)), success(9, 6 * SECOND_MS)], 4],
    ['is not changed by failures other than overload', times(3, refusal), 4],
  ])('%s', (_name, outcomes, parallelism) => {
    expect(healthAfter(outcomes).parallelism).toBe(parallelism);
  });
});

describe('the circuit breaker', () => {
  const opened = healthAfter(times(5, (n) => refusal(n)));

  test('opens at the fifth failure in a row, for five seconds', () => {
    expect(healthAfter(times(4, (n) => refusal(n)))).toMatchObject({ breakerStep: 0, restUntil: null });
    expect(opened).toMatchObject({ breakerStep: 1, restUntil: at(4 + 5 * SECOND_MS), failureCount: 5, failingSince: at(0) });
    expect(healthAfter([...times(4, refusal), success(5), ...times(4, (n) => refusal(6 + n))])).toMatchObject({ breakerStep: 0 });
  });

  test('pauses longer after each failed probe, up to ten minutes', () => {
    const pauses: number[] = [];
    let health = opened;
    for (let n = 0; n < 9; n += 1) {
      const probe = refusal((health.restUntil?.getTime() ?? 0) - START.getTime());
      health = nextHealth(health, probe);
      pauses.push(((health.restUntil?.getTime() ?? 0) - probe.endedAt.getTime()) / SECOND_MS);
    }
    expect(pauses).toEqual([10, 30, 60, 120, 300, 600, 600, 600, 600]);
  });

  test('pauses at most fifteen seconds in the sandbox during the first hour', () => {
    const pauseAfter = (health: Health) => {
      const probe = { ...refusal((health.restUntil?.getTime() ?? 0) - START.getTime()), inSandbox: true };
      const next = nextHealth(health, probe);
      return { next, seconds: ((next.restUntil?.getTime() ?? 0) - probe.endedAt.getTime()) / SECOND_MS };
    };
    let health = opened;
    for (const pause of [10, 15, 15, 15, 15, 15, 15]) {
      const { next, seconds } = pauseAfter(health);
      expect(seconds).toBe(pause);
      health = next;
    }
    const late = { ...health, restUntil: at(2 * 3_600 * SECOND_MS) };
    expect(pauseAfter(late).seconds).toBe(600);
  });

  test('ignores failures of calls that were running when it opened', () => {
    expect(nextHealth(opened, call({ from: 3, to: 100 }, false, true))).toMatchObject({
      breakerStep: 1,
      restUntil: opened.restUntil,
      failureCount: 6,
    });
  });

  test('is closed by one success, and waiting retries are made due', () => {
    expect(nextHealth(opened, success(6_000, 6_100))).toMatchObject({
      breakerStep: 0,
      restUntil: null,
      failureCount: 0,
      failingSince: null,
      warningsGiven: 0,
      catchUpFrom: at(6_100),
    });
  });
});

describe('a pause that the receiver asks for with Retry-After', () => {
  test.each([
    ['is respected', 90 * SECOND_MS, 90 * SECOND_MS],
    ['is at most an hour', DAY_MS, HOUR_MS],
  ])('%s', (_name, asks, rests) => {
    expect(healthAfter([overload({ from: 0, asks })]).restUntil).toEqual(at(rests));
  });

  test('is not shortened by another call that succeeds or asks for less', () => {
    const resting = healthAfter([overload({ from: 0, asks: MINUTE_MS })]);
    expect(healthAfter([success(1)], resting).restUntil).toEqual(at(MINUTE_MS));
    expect(healthAfter([overload({ from: 1, asks: 5 * SECOND_MS })], resting).restUntil).toEqual(at(MINUTE_MS));
  });
});

describe('an endpoint without a success', () => {
  test('makes waiting retries due when it recovers after more than a minute', () => {
    expect(healthAfter([refusal(0), success(MINUTE_MS)]).catchUpFrom).toBeNull();
    expect(healthAfter([refusal(0), success(MINUTE_MS + 1)]).catchUpFrom).toEqual(at(MINUTE_MS + 1));
  });

  test.each([
    [HOUR_MS - 1, 0, false],
    [HOUR_MS, 1, false],
    [24 * HOUR_MS, 2, false],
    [72 * HOUR_MS, 3, false],
    [7 * DAY_MS - 1, 3, false],
    [7 * DAY_MS, 3, true],
  ])('for %d ms has %d due warnings; must be disabled: %s', (ms, warnings, disabled) => {
    expect(warningsDue(START, at(ms))).toBe(warnings);
    expect(mustBeDisabled(START, at(ms))).toBe(disabled);
  });

  test('starts like a new one after a reset, and all waiting retries are made due', () => {
    const failing = healthAfter(times(9, (n) => overload({ from: n * MINUTE_MS, asks: DAY_MS })));
    expect(resetHealth(failing, at(DAY_MS))).toEqual({ ...FRESH, lastFailureAt: failing.lastFailureAt, catchUpFrom: at(DAY_MS) });
  });
});

test('the health of a healthy endpoint changes at most every ten seconds', () => {
  const well = healthAfter(times(40, (n) => success(n)));
  expect(nextHealth(well, success(100))).toBe(well);
  expect(nextHealth(well, success(20 * SECOND_MS))).toMatchObject({ lastSuccessAt: at(20 * SECOND_MS) });
});

const anyAnswer = fc.record({
  pause: fc.integer({ min: 0, max: 20 * MINUTE_MS }),
  took: fc.integer({ min: 0, max: 15 * SECOND_MS }),
  answer: fc.constantFrom('ok', 'refused', 'too much', 'later'),
  asks: fc.integer({ min: -HOUR_MS, max: 7 * DAY_MS }),
});

test('after any sequence of answers, an endpoint can be called again within an hour', () => {
  fc.assert(
    fc.property(fc.array(anyAnswer, { maxLength: 60 }), (answers) => {
      let health: Health = FRESH;
      let now = 0;
      let latest = 0;
      for (const { pause, took, answer, asks } of answers) {
        now += pause;
        latest = Math.max(latest, now + took);
        const outcome = call(
          { from: now, to: now + took, ...(answer === 'later' && { asks: now + took + asks }) },
          answer === 'ok',
          answer === 'too much' || answer === 'later',
        );
        health = nextHealth(health, outcome);
        expect(health.parallelism).toBeGreaterThanOrEqual(1);
        expect(health.parallelism).toBeLessThanOrEqual(MAX_PARALLELISM);
        expect(health.restUntil?.getTime() ?? 0).toBeLessThanOrEqual(at(latest + HOUR_MS).getTime());
        // The table has these constraints: while the circuit breaker is open, the time of the next probe is set. While there are
        // failures, the time of the first failure is set.
        expect(health.breakerStep === 0 || health.restUntil !== null).toBe(true);
        expect(health.failureCount > 0).toBe(health.failingSince !== null);
        if (answer === 'ok') expect(health.breakerStep).toBe(0);
      }
    }),
    { numRuns: 300 },
  );
});

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
