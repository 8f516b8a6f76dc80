import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { NETWORKS } from '@/lib/platform/core/network';
import { anyQuery } from '@/testing/data/bill-queries';
import {
  ALL_BILLS,
  BILL_TABS,
  formatBillQuery,
  inTab,
  PAGE_SIZES,
  type PRESETS,
  parseBillQuery,
  periodInstants,
  queryValues,
  SORTS,
  tabOf,
} from './bill-query';

const read = (text: string) => parseBillQuery(queryValues(new URLSearchParams(text)));

test('a formatted query is parsed to the same query, and has only one shortest form', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const text = formatBillQuery(query).toString();
      const again = read(text);
      expect(again.problems).toEqual([]);
      expect(formatBillQuery(again.query).toString()).toBe(text);
    }),
  );
  expect(formatBillQuery({ filter: ALL_BILLS, sort: 'newest', size: 25 }).toString()).toBe('');
});

test('no query string causes an error', () => {
  const names = [
    'status',
    'state',
    'period',
    'from',
    'to',
    'by',
    'least',
    'most',
    'network',
    'reference',
    'mobile',
    'failed',
    'reason',
    'last',
    'checks',
    'sort',
    'size',
  ];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 }))), (values) => {
      const { query } = parseBillQuery(values);
      expect(BILL_STATUSES).toEqual(expect.arrayContaining([...query.filter.statuses]));
      expect(SORTS).toContain(query.sort);
      expect(PAGE_SIZES).toContain(query.size);
      expect([null, ...NETWORKS]).toContain(query.filter.network);
    }),
  );
});

test.each([
  ['status=PAID', 'status'],
  ['state=ajar', 'state'],
  ['period=someday', 'period'],
  ['from=2026-02-30', 'from'],
  ['to=31.11.2026', 'to'],
  ['from=2026-11-20&to=2026-11-19', 'days'],
  ['period=today&by=luck', 'by'],
  ['least=much', 'least'],
  ['most=1.234', 'most'],
  ['least=200&most=100', 'amounts'],
  ['network=vodafone', 'network'],
  ['reference=a%00b', 'reference'],
  ['mobile=0812345678', 'mobile'],
  ['reason=bad_luck', 'reason'],
  ['last=paid', 'last'],
  ['sort=random', 'sort'],
  ['size=1000000', 'size'],
])('%s is reported as invalid, and the other parts apply', (text, field) => {
  const { query, problems } = read(`${text}&failed=1`);
  expect(problems.map((problem) => problem.field)).toEqual([field]);
  expect(query.filter).toEqual({ ...ALL_BILLS, failed: true, ...(field === 'by' && { period: 'today' }) });
});

test('amounts and mobile numbers are read in the notations that people use', () => {
  const { query } = read('least=TSh+5%2C000&most=12500.50&mobile=%2B255+712-345-678');
  expect(query.filter).toMatchObject({ least: 500_000n, most: 1_250_050n, mobile: '0712345678' });
});

test('empty fields of a form are ignored', () => {
  const { query, problems } = read(
    'status=NOT_PAID&period=&from=&to=&by=paid&least=&most=&network=&reference=&mobile=&state=&sort=newest&size=25',
  );
  expect(problems).toEqual([]);
  expect(formatBillQuery(query).toString()).toBe('status=NOT_PAID');
});

test('a named period has priority over days that are also set', () => {
  expect(read('period=today&from=2026-01-01').query.filter.period).toBe('today');
  expect(read('period=days&from=2026-01-01').query.filter.period).toEqual({ from: '2026-01-01', to: null });
});

test('periods start at midnight East Africa Time, weeks on Monday', () => {
  // Saturday evening in UTC is Sunday in East Africa.
  const now = new Date('2026-11-21T21:30:00Z');
  const of = (period: (typeof PRESETS)[number]) => {
    const { from, until } = periodInstants(period, now);
    return [from?.toISOString(), until?.toISOString()];
  };
  expect(of('today')).toEqual(['2026-11-21T21:00:00.000Z', '2026-11-22T21:00:00.000Z']);
  expect(of('yesterday')).toEqual(['2026-11-20T21:00:00.000Z', '2026-11-21T21:00:00.000Z']);
  expect(of('this_week')).toEqual(['2026-11-15T21:00:00.000Z', '2026-11-22T21:00:00.000Z']);
  expect(of('this_month')).toEqual(['2026-10-31T21:00:00.000Z', '2026-11-30T21:00:00.000Z']);
  expect(of('last_7_days')).toEqual(['2026-11-15T21:00:00.000Z', '2026-11-22T21:00:00.000Z']);
  expect(of('last_30_days')).toEqual(['2026-10-23T21:00:00.000Z', '2026-11-22T21:00:00.000Z']);
  expect(of('last_month')).toEqual(['2026-09-30T21:00:00.000Z', '2026-10-31T21:00:00.000Z']);
  expect(periodInstants({ from: '2026-11-20', to: '2026-11-20' }, now)).toEqual({
    from: new Date('2026-11-19T21:00:00Z'),
    until: new Date('2026-11-20T21:00:00Z'),
  });
});

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
