import { expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import {
  API_WINDOWS,
  BILL_WINDOWS,
  type BillPrompt,
  NUMBER_WINDOWS,
  type Prompt,
  reachedLimit,
  requestedAt,
  shownAt,
} from './prompt-limits';

const NOW = new Date('2026-11-22T12:00:00Z');
const ago = (ms: number) => addMs(NOW, -ms);

function prompt(shownMsAgo: number, change: Partial<Prompt> = {}): Prompt {
  const sentAt = ago(shownMsAgo);
  return { state: 'EXPIRED', failureReason: null, providerAccountId: 'account', sentAt, createdAt: sentAt, ...change };
}

test.each<[string, Partial<Prompt>, 'now' | 'sent' | null]>([
  ['waits', { state: 'QUEUED', sentAt: null, providerAccountId: null }, 'now'],
  ['waits to be sent again', { state: 'QUEUED' }, 'now'],
  ['is being sent', { state: 'SENDING' }, 'sent'],
  ['is on the phone', { state: 'AWAITING_CUSTOMER' }, 'sent'],
  ['may be on the phone', { state: 'UNKNOWN' }, 'sent'],
  ['expired', { state: 'EXPIRED' }, 'sent'],
  ['was declined', { state: 'FAILED', failureReason: 'user_cancelled' }, 'sent'],
  ['was answered with a wrong PIN', { state: 'FAILED', failureReason: 'wrong_pin' }, 'sent'],
  ['was approved', { state: 'SUCCEEDED' }, null],
  ['was cancelled', { state: 'CANCELLED' }, null],
  ['never reached the provider', { state: 'FAILED', failureReason: 'provider_unavailable' }, null],
  ['was for a number without a wallet', { state: 'FAILED', failureReason: 'mobile_not_registered' }, null],
  ['was given to no provider', { state: 'FAILED', failureReason: 'limit_exceeded', providerAccountId: null }, null],
  ['was limited', { state: 'FAILED', failureReason: 'too_many_prompts', providerAccountId: null }, null],
  ['was to a blocked number when it was sent again', { state: 'FAILED', failureReason: 'number_refused' }, null],
])('the limit of a number counts or ignores a prompt that %s', (_, change, counted) => {
  const expected = { now: NOW, sent: ago(MINUTE_MS) };
  expect(shownAt(prompt(MINUTE_MS, change), NOW)).toEqual(counted && expected[counted]);
});

test.each<[string, Partial<BillPrompt>, boolean]>([
  ['waits', { state: 'QUEUED' }, true],
  ['expired', { state: 'EXPIRED' }, true],
  ['was for a number without a wallet, or was given to no provider', { state: 'FAILED' }, true],
  ['was cancelled', { state: 'CANCELLED' }, true],
  ['was approved', { state: 'SUCCEEDED' }, false],
  ['the API requested', { state: 'FAILED', source: 'api' }, false],
])('the limit of a bill counts or ignores a prompt that %s', (_, change, counted) => {
  expect(requestedAt({ state: 'QUEUED', source: 'web', createdAt: NOW, ...change })).toEqual(counted ? NOW : null);
});

const every = (count: number, ms: number, from = ms) => Array.from({ length: count }, (_, index) => ago(from + index * ms));

test.each([
  ['number: two in ten minutes', NUMBER_WINDOWS, every(2, MINUTE_MS), null],
  ['number: three in ten minutes', NUMBER_WINDOWS, every(3, MINUTE_MS), addMs(NOW, 7 * MINUTE_MS)],
  ['number: three, the first ten minutes ago', NUMBER_WINDOWS, every(3, 5 * MINUTE_MS, 0), null],
  ['number: three and one that does not count', NUMBER_WINDOWS, [...every(2, MINUTE_MS), null], null],
  ['number: ten in a day', NUMBER_WINDOWS, every(10, HOUR_MS), addMs(NOW, 14 * HOUR_MS)],
  ['number: ten in more than a day', NUMBER_WINDOWS, every(10, DAY_MS / 9, 1), null],
  ['number: both, the longer one', NUMBER_WINDOWS, [...every(3, MINUTE_MS), ...every(7, HOUR_MS)], addMs(NOW, 17 * HOUR_MS)],
  ['bill: nine in ten minutes', BILL_WINDOWS, every(9, MINUTE_MS), null],
  ['bill: ten in ten minutes', BILL_WINDOWS, every(10, 30_000), addMs(NOW, 5 * MINUTE_MS)],
  ['bill: thirty in a day', BILL_WINDOWS, every(30, 40 * MINUTE_MS), addMs(NOW, 4 * HOUR_MS)],
  ['API: five in ten minutes', API_WINDOWS, every(5, MINUTE_MS), null],
  ['API: six in ten minutes', API_WINDOWS, every(6, MINUTE_MS), addMs(NOW, 4 * MINUTE_MS)],
  ['API: twenty in a day', API_WINDOWS, every(20, HOUR_MS), addMs(NOW, 4 * HOUR_MS)],
])('%s', (_, windows, earlier, until) => {
  expect(reachedLimit(windows, earlier, NOW)).toEqual(until);
  expect(reachedLimit(windows, earlier.toReversed(), NOW)).toEqual(until);
});
