import { expect, test } from 'vitest';
import { BILL_TABS, inTab, tabOf } from './bill-tabs';
import { ALL_BILLS, formatBillQuery } from './filter';
import { parseBillQuery, queryValues } from './parse-filter';

test.each([
  ['all', ''],
  ['not_paid', 'status=NOT_PAID&state=open'],
  ['part_paid', 'status=PARTIALLY_PAID&state=open'],
  ['paid', 'status=FULLY_PAID'],
  ['overpaid', 'overpaid=1'],
  ['failed', 'last=failed'],
  ['closed', 'state=closed'],
] as const)('the tab %s has the query string %j and keeps the other filters', (tab, text) => {
  const filter = inTab({ ...ALL_BILLS, network: 'vodacom', statuses: ['FULLY_PAID'], closed: true }, tab);
  expect(formatBillQuery({ filter: { ...filter, network: null }, sort: 'newest', size: 25 }).toString()).toBe(text);
  expect(filter.network).toBe('vodacom');
  const { query } = parseBillQuery(queryValues(new URLSearchParams(`${text}&network=vodacom`)));
  expect(tabOf(query.filter)).toBe(tab);
});

test('other combinations of the same conditions are no tab', () => {
  for (const text of ['status=NOT_PAID', 'status=NOT_PAID&status=PARTIALLY_PAID&state=open', 'state=open', 'overpaid=1&last=failed'])
    expect(tabOf(parseBillQuery(queryValues(new URLSearchParams(text))).query.filter)).toBeNull();
  expect(BILL_TABS).toHaveLength(7);
});
