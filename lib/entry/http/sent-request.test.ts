import { expect, test } from 'vitest';
import { ignoredHeader, unknownMembers } from './sent-request';

test('members that a schema does not have are unknown, whatever their names', () => {
  const body: Record<string, unknown> = JSON.parse('{"phone":1,"amount":2,"__proto__":3,"constructor":4}');
  expect(unknownMembers(body, ['amount', 'reference'])).toEqual(['phone', '__proto__', 'constructor']);
});

test('a request without ignored members gets no header', () => {
  expect(ignoredHeader([])).toEqual({});
});

test.each([
  [['phone', 'currency'], 'phone, currency'],
  [['a, b', 'c\r\nset-cookie: d'], 'a??b, c??set-cookie??d'],
  [['', 'jina\u00e9', '\ud83d\ude00'], '?, jina?, ??'],
  [['x'.repeat(5000)], 'x'.repeat(40)],
])('the names %j are safe in a header', (names, value) => {
  expect(ignoredHeader(names)).toEqual({ 'bili-ignored': value });
  expect(new Headers(ignoredHeader(names)).get('bili-ignored')).toBe(value);
});

test('the header names at most 20 members', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `m${index}`);
  expect(ignoredHeader(names)).toEqual({ 'bili-ignored': names.slice(0, 20).join(', ') });
});
