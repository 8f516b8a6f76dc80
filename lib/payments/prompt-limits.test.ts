import { expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { API_WINDOWS, PAGE_WINDOWS, type Prompt, reachedLimit, shownAt } from './prompt-limits';

const NOW = new Date('2026-11-22T12:00:00Z');
const ago = (ms: number) => addMs(NOW, -ms);

function prompt(shownMsAgo: number, change: Partial<Prompt> = {}): Prompt {
  const sentAt = ago(shownMsAgo);
  return { state: 'EXPIRED', failureReason: null, providerAccountId: 'account', sentAt, createdAt: sentAt, ...change };
}
const every = (count: number, ms: number, from = ms) => Array.from({ length: count }, (_, index) => prompt(from + index * ms));

test.each<[string, Partial<Prompt>, 'now' | 'sent' | null]>([
  ['waits', { state: 'QUEUED', sentAt: null, providerAccountId: null }, 'now'],
  ['waits to be tried again', { state: 'QUEUED' }, 'now'],
  ['is being sent', { state: 'SENDING' }, 'sent'],
  ['is on the phone', { state: 'AWAITING_CUSTOMER' }, 'sent'],
  ['may be on the phone', { state: 'UNKNOWN' }, 'sent'],
  ['ran out', { state: 'EXPIRED' }, 'sent'],
  ['was declined', { state: 'FAILED', failureReason: 'user_cancelled' }, 'sent'],
  ['was answered with a wrong PIN', { state: 'FAILED', failureReason: 'wrong_pin' }, 'sent'],
  ['was approved', { state: 'SUCCEEDED' }, null],
  ['was cancelled', { state: 'CANCELLED' }, null],
  ['never reached the provider', { state: 'FAILED', failureReason: 'provider_unavailable' }, null],
  ['was for no wallet', { state: 'FAILED', failureReason: 'mobile_not_registered' }, null],
  ['was given to nobody', { state: 'FAILED', failureReason: 'limit_exceeded', providerAccountId: null }, null],
  ['was limited', { state: 'FAILED', failureReason: 'too_many_prompts', providerAccountId: null }, null],
  ['was refused on a second try', { state: 'FAILED', failureReason: 'number_refused' }, null],
])('a prompt that %s', (_, change, counted) => {
  const expected = { now: NOW, sent: ago(MINUTE_MS) };
  expect(shownAt(prompt(MINUTE_MS, change), NOW)).toEqual(counted && expected[counted]);
});

test.each([
  ['page: two in ten minutes', PAGE_WINDOWS, { number: every(2, MINUTE_MS), bill: [] }, null],
  [
    'page: three in ten minutes',
    PAGE_WINDOWS,
    { number: every(3, MINUTE_MS), bill: [] },
    { limit: 'number', until: addMs(NOW, 7 * MINUTE_MS) },
  ],
  ['page: three, the first ten minutes ago', PAGE_WINDOWS, { number: every(3, 5 * MINUTE_MS, 0), bill: [] }, null],
  ['page: ten in a day', PAGE_WINDOWS, { number: every(10, HOUR_MS), bill: [] }, { limit: 'number', until: addMs(NOW, 14 * HOUR_MS) }],
  ['page: ten in more than a day', PAGE_WINDOWS, { number: every(10, DAY_MS / 9, 1), bill: [] }, null],
  ['page: a bill', PAGE_WINDOWS, { number: [], bill: every(10, 30_000) }, { limit: 'bill', until: addMs(NOW, 5 * MINUTE_MS) }],
  [
    'page: a bill, all day',
    PAGE_WINDOWS,
    { number: [], bill: every(30, 40 * MINUTE_MS) },
    { limit: 'bill', until: addMs(NOW, 4 * HOUR_MS) },
  ],
  [
    'page: both, the longer one',
    PAGE_WINDOWS,
    { number: every(3, MINUTE_MS), bill: every(30, 30 * MINUTE_MS) },
    { limit: 'bill', until: addMs(NOW, 9 * HOUR_MS) },
  ],
  ['API: five in ten minutes', API_WINDOWS, { number: every(5, MINUTE_MS), bill: [] }, null],
  [
    'API: six in ten minutes',
    API_WINDOWS,
    { number: every(6, MINUTE_MS), bill: [] },
    { limit: 'number', until: addMs(NOW, 4 * MINUTE_MS) },
  ],
  ['API: twenty in a day', API_WINDOWS, { number: every(20, HOUR_MS), bill: [] }, { limit: 'number', until: addMs(NOW, 4 * HOUR_MS) }],
])('%s', (_, windows, earlier, reached) => {
  expect(reachedLimit(windows, earlier, NOW)).toEqual(reached);
});

test('in whatever order they come', () => {
  const number = every(3, MINUTE_MS);
  expect(reachedLimit(PAGE_WINDOWS, { number: number.toReversed(), bill: [] }, NOW)).toEqual(
    reachedLimit(PAGE_WINDOWS, { number, bill: [] }, NOW),
  );
});
