import { expect, test } from 'vitest';
import { parametersOf, readsOf } from './parameters';
import { listRouteFiles } from './route-files';

test.each([
  ['const { token, problem: wrong } = await searchParams;', ['token', 'problem'], []],
  ['const query = await searchParams;\nsingle(query.said); query.more === undefined;', ['said', 'more'], []],
  ['single((await searchParams).wrong)', ['wrong'], []],
  ["const asked = new URL(request.url).searchParams;\nasked.getAll('id'); asked.get('newest');", ['id', 'newest'], []],
  ["new URL(request.url).searchParams.get('period')", ['period'], []],
  ["function readView(asked: URLSearchParams): View { return asked.get('view'); }", ['view'], []],
  ['const values = await searchParams;\nparseBillQuery(values);', [], ['parseBillQuery']],
  ['const asked = queryOf(request.url);\nparseBillQuery(queryValues(asked));', [], ['parseBillQuery']],
  ['describe(await searchParams, locale)', [], ['describe']],
  ['const asked = await searchParams;\ntakeQuery((name) => single(asked[name]));', [], ['takeQuery']],
  ['<BillPage\n  sent={(email) => t(email)}\n  query={await searchParams}\n/>', [], ['BillPage']],
])('%s', (source, names, readers) => {
  const found = readsOf(source);
  expect([...new Set(found.names)]).toEqual(names);
  expect(found.readers).toEqual(readers);
});

test('the parameters of every page and route are found', () => {
  const all = Object.fromEntries(listRouteFiles().map((file) => [file, parametersOf(file).map(({ name }) => name)]));
  const bills = all['(dashboard)/m/[merchant]/[environment]/bills/page.tsx'];
  expect(bills).toEqual(expect.arrayContaining(['least', 'mobile', 'page', 'reference', 'status', 'to']));
  expect(all['api/v3/events/direct.ts']).toEqual(['after', 'limit']);
  expect(all['p/[[...path]]/direct.ts']).toEqual(['lang', 'show']);
  expect(all['pay/direct.tsx']).toEqual(expect.arrayContaining(['amount', 'bill', 'mobile', 'reason']));
});
