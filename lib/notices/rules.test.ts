import { expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { warningOf } from './key-rules';
import { decideNotice } from './notice-rules';

const NOW = new Date('2026-11-20T09:00:00Z');
const after = (ms: number) => addMs(NOW, ms);

test.each([
  ['nothing stands', { told: [], toldAt: null }, [], [], []],
  ['something has come up', { told: [], toldAt: null }, ['a'], ['a'], ['a']],
  ['what was told stands still', { told: ['a'], toldAt: after(-DAY_MS) }, ['a'], [], ['a']],
  ['more has come up a day later', { told: ['a'], toldAt: after(-DAY_MS) }, ['a', 'b'], ['b'], ['a', 'b']],
  ['more has come up too early', { told: ['a'], toldAt: after(1 - DAY_MS) }, ['a', 'b'], [], ['a']],
  ['what was told has ended', { told: ['a'], toldAt: after(-DAY_MS) }, [], [], []],
  ['one has ended while another came up too early', { told: ['a'], toldAt: NOW }, ['b'], [], []],
])('%s', (_what, before, presentIds, newIds, told) => {
  const judged = decideNotice(before, presentIds, DAY_MS, NOW);
  expect([[...judged.newIds], judged.told]).toEqual([newIds, told]);
  expect(judged.toldAt).toEqual(newIds.length > 0 ? NOW : before.toldAt);
});

const key = (endsInMs: number | null, usedAgoMs: number | null = null) => ({
  state: 'active' as const,
  expiresAt: endsInMs === null ? null : after(endsInMs),
  lastUsedAt: usedAgoMs === null ? null : after(-usedAgoMs),
});
const rolled = (agoMs: number, uses = 0) => ({ createdAt: after(-agoMs), uses });

test.each([
  ['never ends', key(null), null, null],
  ['ends in a week and a bit', key(7 * DAY_MS), null, null],
  ['ends within a week', key(7 * DAY_MS - 1), null, 7],
  ['ends within a day', key(DAY_MS - 1), null, 1],
  ['has ended', { ...key(-1), state: 'expired' as const }, null, null],
  ['was rolled for a week just now', key(7 * DAY_MS - 1, 0), rolled(1), null],
  ['was rolled for a day, and is used still when half of that is over', key(11 * HOUR_MS, MINUTE_MS), rolled(13 * HOUR_MS, 5), 1],
  ['was rolled for a day, and is used still before that', key(13 * HOUR_MS, MINUTE_MS), rolled(11 * HOUR_MS, 5), null],
  ['was rolled for an hour, and is used still', key(20 * MINUTE_MS, MINUTE_MS), rolled(40 * MINUTE_MS), 1],
  ['was rolled for a week, and rests as the new one is used', key(DAY_MS - 1, 2 * DAY_MS), rolled(6 * DAY_MS, 5), null],
  ['was rolled for a week, and was not used since', key(DAY_MS - 1, 8 * DAY_MS), rolled(6 * DAY_MS), null],
])('a key that %s', (_what, ending, successor, days) => {
  expect(warningOf(ending, successor, NOW)).toBe(days);
});
