import { describe, expect, test } from 'vitest';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { addDays, daysFrom, spanOf, startOf } from './periods';

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
