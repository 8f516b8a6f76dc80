import { describe, expect, test } from 'vitest';
import { parseDay, parseInstant, parseSwapped } from './instant';

describe('parsing an instant', () => {
  test.each([
    ['2026-11-20T14:05:09+03:00', '2026-11-20T11:05:09.000Z'],
    ['2026-11-20T11:05:09Z', '2026-11-20T11:05:09.000Z'],
    ['2026-11-20T11:05:09.123456Z', '2026-11-20T11:05:09.123Z'],
    ['2026-11-20T11:05:09.5Z', '2026-11-20T11:05:09.500Z'],
    ['2026-11-19 20:05-0600', '2026-11-20T02:05:00.000Z'],
    ['2026-11-20 14:05:09', '2026-11-20T11:05:09.000Z'],
    ['2026-11-20 00:00:00', '2026-11-19T21:00:00.000Z'],
    ['20-11-2026 14:05:09', '2026-11-20T11:05:09.000Z'],
    ['01/02/2026 14:05', '2026-02-01T11:05:00.000Z'],
    ['2028-02-29 12:00:00', '2028-02-29T09:00:00.000Z'],
  ])('%s means %s', (text, expected) => {
    expect(parseInstant(text, ['iso', 'year_first', 'day_first'])?.toISOString()).toBe(expected);
  });

  test.each([
    '',
    '2026-11-20',
    '2026-11-31 10:00:00',
    '2027-02-29 12:00:00',
    '2026-13-01 10:00:00',
    '2026-11-20 24:00:00',
    '2026-11-20 10:60:00',
    '2026-11-20T10:00:00+24:00',
    '2026-11-20T10:00:00+03:61',
    '2026-11-20T10:00:00',
    '20.11.2026 10:00:00',
    ' 2026-11-20 10:00:00',
    '0026-11-20 10:00:00',
  ])('%j is not an instant', (text) => {
    expect(parseInstant(text, ['iso', 'year_first', 'day_first'])).toBeNull();
  });

  test('accepts only the requested formats', () => {
    expect(parseInstant('20-11-2026 14:05:09', ['iso', 'year_first'])).toBeNull();
    expect(parseInstant('2026-11-20 14:05:09', ['iso'])).toBeNull();
  });
});

test('a day starts at midnight in East Africa', () => {
  expect(parseDay('2026-11-20')?.toISOString()).toBe('2026-11-19T21:00:00.000Z');
  expect(parseDay('2026-02-30')).toBeNull();
  expect(parseDay('20-11-2026')).toBeNull();
});

test('a time that starts with the day can be read with the day as the month', () => {
  expect(parseSwapped('11/10/2026 15:30:00')).toEqual(parseInstant('2026-11-10 15:30:00', ['year_first']));
  expect(parseSwapped('20/10/2026 15:30:00')).toBeNull();
  expect(parseSwapped('2026-11-10 15:30:00')).toBeNull();
});
