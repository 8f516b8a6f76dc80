import { expect, test } from 'vitest';
import type { AttemptDay, PaymentDay } from './day-store';
import { changeInPercent, dayFigures, firstShown, netBefore, networkFigures, reasonFigures, totalsOf } from './figures';
import { readRange } from './periods';

const day = (name: string, collected: bigint, more: Partial<PaymentDay> = {}): [string, PaymentDay] => [
  name,
  { day: name, collected, byHand: 0n, reversed: 0n, payments: 1, billsCreated: 2, billsPaid: 1, paidAfterMs: 60_000n, ...more },
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

test('a range is the sum of its days minus reversals, and is compared with earlier days, the last of them up to the same time', () => {
  const range = readRange({ from: '2026-11-16', to: '2026-11-18' }, '2026-11-18');
  expect(totalsOf(known, ['2026-11-16', '2026-11-17', '2026-11-18'])).toMatchObject({
    collected: 1_700n,
    reversed: 200n,
    net: 1_500n,
    payments: 2,
    billsCreated: 4,
    billsPaid: 2,
    averageMs: 45_000,
  });
  const earlier = readRange({ from: '2026-11-12', to: '2026-11-13' }, '2026-11-18');
  expect(netBefore(known, range, null)).toBe(0n);
  expect(netBefore(known, earlier, null)).toBe(10_999n);
  expect(netBefore(known, earlier, 200n)).toBe(1_200n);
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

test('a week is drawn with the days before it, and a day among the days before it', () => {
  const week = dayFigures(known, readRange({ from: '2026-11-12', to: '2026-11-18' }, '2026-11-18'));
  expect(week.map(({ day, net, netBefore: before }) => [day.slice(8), net, before])).toEqual([
    ['12', 0n, 0n],
    ['13', 0n, 0n],
    ['14', 0n, 0n],
    ['15', 0n, 0n],
    ['16', 500n, 0n],
    ['17', 0n, 1_000n],
    ['18', 1_000n, 9_999n],
  ]);
  const day = readRange({ from: '2026-11-18', to: '2026-11-18' }, '2026-11-18');
  const shown = dayFigures(known, day);
  expect([shown.length, shown[0]?.day, firstShown(day)]).toEqual([14, '2026-11-05', '2026-11-05']);
  expect(shown.filter(({ chosen }) => chosen)).toEqual([
    { day: '2026-11-18', chosen: true, collected: 1_000n, reversed: 0n, net: 1_000n, payments: 1, netBefore: null },
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
