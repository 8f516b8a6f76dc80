import { expect, test } from 'vitest';
import { check } from '@/lib/platform/core/check';
import { feedQuerySchema } from './feed-schema';

test.each([
  [{}, 0n, 100],
  [{ after: '0', limit: '1' }, 0n, 1],
  [{ after: '999999999999999999', limit: '500' }, 999_999_999_999_999_999n, 500],
  [{ after: '7', limit: '01', other: 'x' }, 7n, 1],
])('the query %j is accepted', (query, after, limit) => {
  expect(check(feedQuerySchema, query)).toEqual({ ok: true, value: { after, limit } });
});

test.each([
  [{ after: '', limit: '0' }, 'after_invalid'],
  [{ after: '01' }, 'after_invalid'],
  [{ after: '-1' }, 'after_invalid'],
  [{ after: '1000000000000000000' }, 'after_invalid'],
  [{ after: '1', limit: '' }, 'limit_invalid'],
  [{ limit: '0' }, 'limit_invalid'],
  [{ limit: '501' }, 'limit_invalid'],
  [{ limit: '1e2' }, 'limit_invalid'],
  [{ limit: '0100' }, 'limit_invalid'],
])('the query %j is refused', (query, code) => {
  expect(check(feedQuerySchema, query)).toEqual({ ok: false, error: { code } });
});
