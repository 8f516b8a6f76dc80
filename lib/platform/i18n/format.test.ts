import { expect, test } from 'vitest';
import { byDay } from '@/lib/platform/core/east-african-day';
import { formatAgo, formatAmount, formatDayHeading, formatExactInstant, formatInstant, formatMoney, formatRecent } from './format';

// 22 November 2026, 01:30 in East Africa Time, so the day in UTC is still the 21st.
const NOW = new Date('2026-11-21T22:30:00Z');

test.each([
  ['2026-11-21T21:00:00Z', 'today 00:00', 'leo 00:00'],
  ['2026-11-21T20:59:59Z', 'yesterday 23:59', 'jana 23:59'],
  ['2026-11-20T20:59:00Z', '20 Nov 23:59', '20 Nov 23:59'],
  ['2026-11-23T06:00:00Z', '23 Nov 09:00', '23 Nov 09:00'],
  ['2025-12-31T20:00:00Z', '31 Dec 2025', '31 Des 2025'],
])('lists show %s relative to today in East Africa Time', (instant, english, swahili) => {
  expect(formatRecent(new Date(instant), NOW, 'en')).toBe(english);
  expect(formatRecent(new Date(instant), NOW, 'sw')).toBe(swahili);
});

test.each([
  ['2026-11-21T22:29:30Z', 'now', 'sasa hivi'],
  ['2026-11-21T22:27:00Z', '3 min ago', 'dakika 3 zilizopita'],
  ['2026-11-21T21:00:00Z', 'today 00:00', 'leo 00:00'],
])('%s is shown by how long ago it was, if that was in the last hour', (instant, english, swahili) => {
  expect(formatAgo(new Date(instant), NOW, 'en')).toBe(english);
  expect(formatAgo(new Date(instant), NOW, 'sw')).toBe(swahili);
});

test.each([
  ['2026-11-21T21:00:00Z', 'Today', 'Leo'],
  ['2026-11-21T20:59:59Z', 'Yesterday', 'Jana'],
  ['2026-11-20T20:59:00Z', 'Friday 20 November', 'Ijumaa, 20 Novemba'],
  ['2025-12-31T20:00:00Z', 'Wednesday, 31 December 2025', 'Jumatano, 31 Desemba 2025'],
])('the heading of the day of %s names the day in East Africa Time', (instant, english, swahili) => {
  expect(formatDayHeading(new Date(instant), NOW, 'en')).toBe(english);
  expect(formatDayHeading(new Date(instant), NOW, 'sw')).toBe(swahili);
});

test('a list is divided by the days of East Africa', () => {
  const [late, early, before] = ['2026-11-21T22:00:00Z', '2026-11-21T21:00:00Z', '2026-11-21T20:59:59Z'].map((at) => ({
    at: new Date(at),
  }));
  expect(late && early && before && byDay([late, early, before])).toEqual([[late, early], [before]]);
  expect(byDay([])).toEqual([]);
});

test('amounts have decimals only if there are any', () => {
  expect(formatAmount(1_250_000n)).toBe('12,500');
  expect(formatAmount(1_250_050n)).toBe('12,500.50');
  expect(formatAmount(-1_250_000n)).toBe('−12,500');
  expect(formatMoney(-1_250_000n)).toBe('−TZS\u00a012,500');
});

test('a date before a time is not broken over two lines', () => {
  expect(formatInstant(NOW, 'en')).toBe('22\u00a0Nov\u00a02026, 01:30');
  expect(formatInstant(NOW, 'sw')).toBe('22\u00a0Nov\u00a02026, 01:30');
  expect(formatExactInstant(NOW, 'en')).toBe('22\u00a0Nov\u00a02026, 01:30:00');
});
