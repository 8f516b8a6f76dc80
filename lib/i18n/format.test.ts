import { expect, test } from 'vitest';
import { formatAmount, formatExactInstant, formatInstant, formatMoney, formatRecent } from './format';

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
