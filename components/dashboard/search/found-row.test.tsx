import { expect, test } from 'vitest';
import type { SearchedBill } from '@/lib/backoffice/search/group-matches';
import { groupMatches, type MatchKind, matchOf } from '@/lib/backoffice/search/group-matches';
import { foundRows } from './found-row';

const NOW = new Date('2026-11-23T10:00:00Z');

function groupOf(kind: MatchKind, values: readonly string[], part: string) {
  const matches = values.map((value, index) => {
    const bill: SearchedBill = {
      ...{
        id: `019a0000-0000-7000-8000-00000000000${index}`,
        merchantId: 'm',
        environment: 'live' as const,
        reference: value,
        customerName: null,
      },
      ...{
        mobile: null,
        amount: 700_000n,
        paidAmount: 0n,
        reservedAmount: 0n,
        status: 'NOT_PAID' as const,
        createdAt: NOW,
        paidAt: null,
        closedAt: null,
      },
    };
    return kind === 'amount' ? { kind, bill, value: '', mark: null } : matchOf(kind, bill, { value, part });
  });
  const [group] = groupMatches(matches, 2);
  if (!group) throw new Error('there is no group');
  return group;
}

test.each([
  // The search finds a text anywhere in a reference, for example in MEZA-KITI. But the bill list only filters references by their
  // beginning, so it cannot list exactly these three bills.
  ['reference', ['MEZA-KITI', 'KITI-1', 'KITI-2'], 'KITI', { page: 'search', query: 'q=KITI&kind=reference' }],
  ['mobile', ['0712345001', '0712345001', '0712345001'], '5001', { page: 'search', query: 'q=5001&kind=mobile' }],
  ['mobile', ['0712345001', '0712345001', '0712345001'], '0712345001', { page: 'bills', query: 'mobile=0712345001' }],
  ['amount', ['A', 'B', 'C'], '7,000', { page: 'bills', query: 'least=7000.00&most=7000.00' }],
  ['reference', ['KITI-1', 'KITI-2'], 'KITI', null],
] as const)('all results of %s %j for %j are on a page that lists exactly them', (kind, values, typed, all) => {
  expect(foundRows(groupOf(kind, values, typed), { typed, now: NOW, locale: 'en' }).all).toEqual(all);
});

test('the page of one group leads to no other page', () => {
  const group = groupOf('reference', ['A-1', 'A-2', 'A-3'], 'A-');
  expect(foundRows(group, { typed: 'A-', alone: true, now: NOW, locale: 'en' })).toMatchObject({ more: true, all: null });
});
