import { expect, test } from 'vitest';
import { queryValues } from '@/lib/backoffice/bill-list/bill-query';
import { letIn } from '@/testing/data/access';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { saveView } from './manage-views';
import { VIEW_QUERY_MAX } from './saved-view';

const runtime = testRuntime();

test('a query string that is longer than any filter is rejected before it is parsed', async () => {
  const access = await letIn(runtime(), await makeMerchant(runtime()));
  const save = (name: string, query: string) => saveView(runtime(), access, { name, query });
  const longest = `reference=${'%E2%80%94'.repeat(255)}&status=NOT_PAID`;

  expect(await save('Long', longest)).toMatchObject({ ok: true, value: { query: expect.stringContaining('reference=') } });
  expect(await save('Too long', `${longest}${'&a=b'.repeat(VIEW_QUERY_MAX)}`)).toEqual({ ok: false, error: 'query_too_long' });
});

test('the values of a query string are grouped by name in one pass', () => {
  expect(queryValues(new URLSearchParams('status=A&x=1&status=B&__proto__=2'))).toEqual(
    Object.fromEntries([
      ['status', ['A', 'B']],
      ['x', ['1']],
      ['__proto__', ['2']],
    ]),
  );
  const many = new URLSearchParams(Array.from({ length: 100_000 }, (_, index) => [`n${index}`, '']));
  expect(Object.keys(queryValues(many))).toHaveLength(100_000);
});
