import { describe, expect, test } from 'vitest';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { type AskedRange, addDays, daysFrom, formatRange, RANGE_DAYS_MAX, readRange, spanOf, startOf, unfinishedDay } from './periods';

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

const TODAY = '2026-11-21';
const days = (asked: AskedRange, today = TODAY) => {
  const { name, first, last } = readRange(asked, today);
  return [name, first, last];
};
const before = (asked: AskedRange, today = TODAY) => {
  const range = readRange(asked, today).before;
  return [range.first, range.last];
};

describe('the range of an address', () => {
  test.each([
    [{ range: 'today' }, ['today', TODAY, TODAY]],
    [{ range: 'yesterday' }, ['yesterday', '2026-11-20', '2026-11-20']],
    [{ range: 'week' }, ['week', '2026-11-15', TODAY]],
    [{ range: 'month' }, ['month', '2026-10-23', TODAY]],
    [{}, ['week', '2026-11-15', TODAY]],
    [{ range: 'year' }, ['week', '2026-11-15', TODAY]],
    [{ from: '2026-11-01', to: '2026-11-10' }, ['custom', '2026-11-01', '2026-11-10']],
    [{ from: '2026-11-01', to: '' }, ['custom', '2026-11-01', TODAY]],
    [{ from: '2026-11-01', to: '2026-12-24' }, ['custom', '2026-11-01', TODAY]],
    [{ from: '2026-11-10', to: '2026-11-01' }, ['week', '2026-11-15', TODAY]],
    [{ from: '2026-02-30', to: '2026-11-01' }, ['week', '2026-11-15', TODAY]],
    [{ from: '2026-12-24' }, ['week', '2026-11-15', TODAY]],
  ])('%j is %j', (asked, expected) => {
    expect(days(asked)).toEqual(expected);
  });

  test('has at most as many days as a chart can show', () => {
    const { first, last } = readRange({ from: '2020-01-01', to: TODAY }, TODAY);
    expect([first, last]).toEqual(['2025-11-21', TODAY]);
    expect(RANGE_DAYS_MAX).toBe(366);
  });

  test.each([{ range: 'today' }, {}, { range: 'month', compare: 'month' }, { from: '2026-11-01', to: '2026-11-10' }])(
    '%j is the same after it was written to an address',
    (asked) => {
      const range = readRange(asked, TODAY);
      expect(readRange(Object.fromEntries(formatRange(range)), TODAY)).toEqual(range);
    },
  );
});

describe('a range is compared', () => {
  test.each([
    ['with yesterday', { range: 'today' }, ['2026-11-20', '2026-11-20']],
    ['with as many days before it', { from: '2026-11-01', to: '2026-11-10' }, ['2026-10-22', '2026-10-31']],
    ['with the same days of the month before', { from: '2026-11-01', to: '2026-11-10', compare: 'month' }, ['2026-10-01', '2026-10-10']],
    ['with the last day of a shorter month', { from: '2026-03-01', to: '2026-03-31', compare: 'month' }, ['2026-02-01', '2026-02-28']],
    ['with December in January', { from: '2026-01-05', to: '2026-01-06', compare: 'month' }, ['2025-12-05', '2025-12-06']],
  ])('%s', (_name, asked, expected) => {
    expect(before(asked)).toEqual(expected);
  });

  test('until the same time if it ends today, otherwise with whole days', () => {
    const now = eat('2026-11-21T14:05:00');
    expect(unfinishedDay(readRange({ range: 'week' }, TODAY), now)).toEqual({
      from: eat('2026-11-14T00:00:00'),
      to: eat('2026-11-14T14:05:00'),
    });
    expect(unfinishedDay(readRange({ range: 'yesterday' }, TODAY), now)).toBeNull();
  });
});
