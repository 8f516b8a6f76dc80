import { describe, expect, test } from 'vitest';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { addDays, comparisonsAt, cutIntoDays, daysFrom, type Interval, readPeriod, spanOf, startOf } from './periods';

/** Returns an instant given in East Africa Time. */
const eat = (text: string) => new Date(`${text}+03:00`);

describe('a day', () => {
  test.each([
    ['2026-11-20T20:59:59.999Z', '2026-11-20'],
    ['2026-11-20T21:00:00.000Z', '2026-11-21'],
    ['2026-12-31T21:00:00.000Z', '2027-01-01'],
  ])('%s is in %s', (instant, day) => {
    expect(eastAfricanDay(new Date(instant))).toBe(day);
  });

  test('starts and ends at midnight East Africa Time', () => {
    expect(startOf('2026-11-21')).toEqual(eat('2026-11-21T00:00:00'));
    expect(spanOf('2026-02-28')).toEqual({ from: eat('2026-02-28T00:00:00'), to: eat('2026-03-01T00:00:00') });
  });

  test.each(['2026-03-29', '2026-10-25', '2026-11-01'])('has 24 hours on days when other countries change their clocks: %s', (day) => {
    const { from, to } = spanOf(day);
    expect(to.getTime() - from.getTime()).toBe(86_400_000);
  });

  test('plus a number of days crosses months and leap days', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(daysFrom('2026-12-30', '2027-01-02')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']);
    expect(daysFrom('2026-12-30', '2026-12-29')).toEqual([]);
  });
});

describe('the comparisons', () => {
  const earlierOf = (interval: Interval, now: string) =>
    comparisonsAt(eat(now)).find((comparison) => comparison.interval === interval)?.before;
  const begins = (interval: Interval, now: string) =>
    comparisonsAt(eat(now)).find((comparison) => comparison.interval === interval)?.now.from;

  test('today is compared with yesterday until the same time', () => {
    expect(begins('today', '2026-11-21T00:00:00')).toEqual(eat('2026-11-21T00:00:00'));
    expect(earlierOf('today', '2026-11-21T14:05:00')).toEqual({ from: eat('2026-11-20T00:00:00'), to: eat('2026-11-20T14:05:00') });
  });

  test.each([
    ['a Monday', '2026-11-16T00:00:00', '2026-11-16'],
    ['a Saturday', '2026-11-21T14:05:00', '2026-11-16'],
    ['a Sunday until its end', '2026-11-22T23:59:59', '2026-11-16'],
    ['a week over the new year', '2027-01-01T12:00:00', '2026-12-28'],
  ])('the week starts on Monday: %s', (_name, now, monday) => {
    expect(begins('week', now)).toEqual(startOf(monday));
    const elapsed = eat(now).getTime() - startOf(monday).getTime();
    const earlier = startOf(addDays(monday, -7));
    expect(earlierOf('week', now)).toEqual({ from: earlier, to: new Date(earlier.getTime() + elapsed) });
  });

  test.each([
    ['as many days of the month before', '2026-11-21T14:05:00', '2026-10-01T00:00:00', '2026-10-21T14:05:00'],
    ['all of a shorter one', '2026-03-30T09:00:00', '2026-02-01T00:00:00', '2026-03-01T00:00:00'],
    ['the last day that the shorter one has', '2026-03-28T09:00:00', '2026-02-01T00:00:00', '2026-02-28T09:00:00'],
    ['December in January', '2027-01-31T23:00:00', '2026-12-01T00:00:00', '2026-12-31T23:00:00'],
    ['nothing in the first instant', '2026-11-01T00:00:00', '2026-10-01T00:00:00', '2026-10-01T00:00:00'],
  ])('the month: %s', (_name, now, from, to) => {
    expect(earlierOf('month', now)).toEqual({ from: eat(from), to: eat(to) });
  });
});

test('a span is split into whole days and the rest of the last day', () => {
  expect(cutIntoDays({ from: startOf('2026-11-16'), to: eat('2026-11-18T07:00:00') })).toEqual({
    days: ['2026-11-16', '2026-11-17'],
    rest: { from: startOf('2026-11-18'), to: eat('2026-11-18T07:00:00') },
  });
  const { days, rest } = cutIntoDays({ from: startOf('2026-02-01'), to: startOf('2026-03-01') });
  expect([days.length, rest.to.getTime() - rest.from.getTime()]).toEqual([28, 0]);
});

test.each([
  ['7', 7],
  ['90', 90],
  ['8', 30],
  ['-7', 30],
  [null, 30],
])('the period %s has %i days', (text, days) => {
  expect(readPeriod(text)).toBe(days);
});
