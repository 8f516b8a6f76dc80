import { expect, test } from 'vitest';
import type { AttemptDay, PaymentDay } from './day-store';
import { changeInPercent, compareInterval, dayFigures, networkFigures, reasonFigures, totalsOf } from './figures';
import { comparisonsAt } from './periods';

const day = (name: string, collected: bigint, more: Partial<PaymentDay> = {}): [string, PaymentDay] => [
  name,
  { day: name, collected, reversed: 0n, payments: 1, billsCreated: 2, billsPaid: 1, paidAfterMs: 60_000n, ...more },
];
const known = new Map([
  day('2026-11-10', 1_000n),
  day('2026-11-11', 9_999n),
  day('2026-11-16', 700n, { reversed: 200n, paidAfterMs: 30_000n }),
  day('2026-11-18', 1_000n),
]);
const attempt = (network: string, state: AttemptDay['state'], reason: string, count: number): AttemptDay => ({
  day: '2026-11-18',
  network,
  state,
  reason,
  count,
});

test('an interval is the sum of its days minus reversals, compared with the same part of the previous one', () => {
  const week = comparisonsAt(new Date('2026-11-18T09:00:00+03:00'))[1];
  if (!week) throw new Error('there is a week');
  // Only the amount until nine o'clock counts for last Wednesday.
  expect(compareInterval(week, known, 200n)).toMatchObject({
    collected: 1_700n,
    reversed: 200n,
    net: 1_500n,
    payments: 2,
    billsCreated: 4,
    billsPaid: 2,
    averageMs: 45_000,
    netBefore: 1_200n,
    change: 25,
  });
});

test.each([
  [100n, 112n, 12],
  [100n, 50n, -50],
  [300n, 301n, 0],
  [100n, 0n, -100],
  [0n, 50n, null],
  [-10n, 50n, null],
])('the change from %s to %s is %s per cent', (before, now, change) => {
  expect(changeInPercent(before, now)).toBe(change);
});

test('days without activity have zeros', () => {
  expect(dayFigures(known, ['2026-11-16', '2026-11-17'])).toEqual([
    { day: '2026-11-16', collected: 700n, reversed: 200n, net: 500n, payments: 1 },
    { day: '2026-11-17', collected: 0n, reversed: 0n, net: 0n, payments: 0 },
  ]);
  expect(totalsOf(known, ['2026-11-17']).averageMs).toBeNull();
});

test('networks and reasons are summed over their days, the most frequent first', () => {
  const attempts = [
    attempt('yas', 'SUCCEEDED', '', 1),
    attempt('vodacom', 'SUCCEEDED', '', 3),
    attempt('vodacom', 'FAILED', 'wrong_pin', 1),
    attempt('vodacom', 'FAILED', 'provider_unavailable', 2),
    attempt('yas', 'EXPIRED', '', 2),
  ];
  expect(networkFigures(attempts)).toEqual([
    { network: 'vodacom', ended: 6, succeeded: 3, unavailable: 2 },
    { network: 'yas', ended: 3, succeeded: 1, unavailable: 0 },
  ]);
  expect(reasonFigures(attempts)).toEqual([
    { reason: 'no_answer', count: 2 },
    { reason: 'provider_unavailable', count: 2 },
    { reason: 'wrong_pin', count: 1 },
  ]);
});
