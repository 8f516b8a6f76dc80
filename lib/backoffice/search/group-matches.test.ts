import { expect, test } from 'vitest';
import type { SearchedBill } from './group-matches';
import { groupMatches, matchOf } from './group-matches';

const bill: SearchedBill = {
  id: '019a0000-0000-7000-8000-000000000001',
  reference: 'ORD-12-12',
  customerName: null,
  merchantId: '019a0000-0000-7000-8000-000000000002',
  environment: 'live',
  mobile: null,
  amount: 500_000n,
  paidAmount: 0n,
  reservedAmount: 0n,
  paidAt: null,
  closedAt: null,
  status: 'NOT_PAID',
  createdAt: new Date('2026-11-23T10:00:00Z'),
};

test.each([
  ['0712071207', '1207', [6, 10]],
  ['0712071207', '0712', [0, 4]],
  ['0710000071', '071', [7, 10]],
] as const)('of the number %s, the part that matched %s is marked', (value, part, [from, to]) => {
  expect(matchOf('mobile', bill, { value, part }).mark).toEqual({ from, to });
});

test('of another text, the first occurrence is marked', () => {
  expect(matchOf('reference', bill, { value: bill.reference, part: '12' }).mark).toEqual({ from: 4, to: 6 });
});

test('a bill that matches twice in one way is shown once', () => {
  const matches = ['0712000111', '0754000111'].map((value) => matchOf('mobile', bill, { value, part: '0111' }));
  expect(groupMatches(matches, 4)).toMatchObject([{ kind: 'mobile', matches: [{ value: '0754000111' }], more: false }]);
});
