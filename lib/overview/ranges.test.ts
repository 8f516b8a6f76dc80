import { describe, expect, test } from 'vitest';
import { type AskedRange, formatRange, RANGE_DAYS_MAX, readRange, unfinishedDay } from './ranges';

const TODAY = '2026-11-21';
/** Returns an instant given in East Africa Time. */
const eat = (text: string) => new Date(`${text}+03:00`);
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
