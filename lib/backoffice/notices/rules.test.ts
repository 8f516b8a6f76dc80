import { expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { decideNotice, warningOf } from './rules';

const NOW = new Date('2026-11-20T09:00:00Z');
const after = (ms: number) => addMs(NOW, ms);

test.each([
  ['no item exists', { told: [], toldAt: null }, [], [], []],
  ['a new item exists', { told: [], toldAt: null }, ['a'], ['a'], ['a']],
  ['an item that was in a notice still exists', { told: ['a'], toldAt: after(-DAY_MS) }, ['a'], [], ['a']],
  ['a new item exists a day after the last mail', { told: ['a'], toldAt: after(-DAY_MS) }, ['a', 'b'], ['b'], ['a', 'b']],
  ['a new item exists less than a day after the last mail', { told: ['a'], toldAt: after(1 - DAY_MS) }, ['a', 'b'], [], ['a']],
  ['an item that was in a notice has disappeared', { told: ['a'], toldAt: after(-DAY_MS) }, [], [], []],
  ['an item has disappeared and a new one exists less than a day after the last mail', { told: ['a'], toldAt: NOW }, ['b'], [], []],
])('decides whether a notice is due: %s', (_what, before, presentIds, newIds, told) => {
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
  ['never expires', key(null), null, null],
  ['expires in more than a week', key(7 * DAY_MS), null, null],
  ['expires within a week', key(7 * DAY_MS - 1), null, 7],
  ['expires within a day', key(DAY_MS - 1), null, 1],
  ['has expired', { ...key(-1), state: 'expired' as const }, null, null],
  ['was rolled just now with an overlap of a week', key(7 * DAY_MS - 1, 0), rolled(1), null],
  ['was rolled with an overlap of a day, and is used in the second half of it', key(11 * HOUR_MS, MINUTE_MS), rolled(13 * HOUR_MS, 5), 1],
  ['was rolled with an overlap of a day, and is used in the first half of it', key(13 * HOUR_MS, MINUTE_MS), rolled(11 * HOUR_MS, 5), null],
  [
    'was rolled with an overlap of an hour, and is used in the second half of it',
    key(20 * MINUTE_MS, MINUTE_MS),
    rolled(40 * MINUTE_MS),
    1,
  ],
  [
    'was rolled with an overlap of a week, and is not used any more, but its successor is',
    key(DAY_MS - 1, 2 * DAY_MS),
    rolled(6 * DAY_MS, 5),
    null,
  ],
  ['was rolled with an overlap of a week, and was not used since then', key(DAY_MS - 1, 8 * DAY_MS), rolled(6 * DAY_MS), null],
])('the warning about a key that %s', (_what, ending, successor, days) => {
  expect(warningOf(ending, successor, NOW)).toBe(days);
});
