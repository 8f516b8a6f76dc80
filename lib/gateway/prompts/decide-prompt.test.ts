import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { attemptWith } from '@/testing/data/attempts';
import {
  API_WINDOWS,
  amountChoice,
  amountProblem,
  BILL_WINDOWS,
  type BillPrompt,
  decidePrompt,
  findNumberProblem,
  HIGHEST_LIMIT,
  isAboveWallet,
  NUMBER_WINDOWS,
  type Prompt,
  type PromptFacts,
  reachedLimit,
  requestedAt,
  SMALLEST_PART,
  shownAt,
  USUAL_LIMIT,
} from './decide-prompt';
import type { BillAttempt } from './prompt-store';

const now = new Date('2026-11-22T12:00:00.000Z');
const MOBILE = '0712345678';

function attempt(changes: Partial<BillAttempt> = {}): BillAttempt {
  const sent = attemptWith({ state: 'EXPIRED', mobile: MOBILE, network: 'vodacom', createdAt: addMs(now, -MINUTE_MS), ...changes });
  return { source: 'web', formId: null, ...changes, ...sent };
}

const bill = { amount: 500_000n, paidAmount: 0n, reservedAmount: 0n, closedAt: null, expiresAt: null };
const facts: PromptFacts = {
  bill,
  attempts: [],
  merchant: { active: true, partialPayments: false },
  mobile: MOBILE,
  network: 'vodacom',
  served: true,
  requested: null,
  refused: false,
  prompts: [],
  now,
};
const times = (count: number, one = attempt()) => Array.from({ length: count }, () => one);
const open = attempt({ state: 'AWAITING_CUSTOMER' });
const all = { ...bill, reservedAmount: 500_000n };

/** Facts, each of which alone prevents a prompt. They are in the order in which the payment page checks them. */
const PREVENTING: readonly (readonly [string, Partial<PromptFacts>, object])[] = [
  ['the bill is closed', { bill: { ...bill, closedAt: now } }, { kind: 'closed' }],
  ['the bill has expired', { bill: { ...bill, expiresAt: now } }, { kind: 'closed' }],
  ['the merchant is not active', { merchant: { active: false, partialPayments: false } }, { kind: 'inactive' }],
  ['all is paid', { bill: { ...bill, paidAmount: 500_000n } }, { kind: 'nothing_left' }],
  [
    'a part is requested, and the merchant allows no part payments',
    { requested: 100_000n },
    { kind: 'amount_wrong', problem: 'amountNoLonger' },
  ],
  ['the amount exceeds what the network can send', { bill: { ...bill, amount: 10n ** 12n }, requested: null }, { kind: 'amount_wrong' }],
  ['no account serves the network', { served: false }, { kind: 'not_served', network: 'vodacom' }],
  ['the number is blocked', { refused: true }, { kind: 'refused' }],
];

describe.each(['page', 'dashboard'] as const)('for the %s', (requester) => {
  test('a prompt for the whole remaining amount is allowed if nothing prevents it', () => {
    expect(decidePrompt(facts, requester)).toEqual({ ok: true, value: 500_000n });
    expect(decidePrompt({ ...facts, bill: { ...bill, paidAmount: 100_000n } }, requester)).toEqual({ ok: true, value: 400_000n });
  });

  test.each(PREVENTING)('no prompt is allowed if %s', (_what, changes, problem) => {
    expect(decidePrompt({ ...facts, ...changes }, requester)).toEqual({ ok: false, error: expect.objectContaining(problem) });
  });

  test('the first of several problems is returned', () => {
    const several = Object.assign({}, facts, ...PREVENTING.map(([, changes]) => changes));
    expect(decidePrompt(several, requester)).toEqual({ ok: false, error: { kind: 'inactive' } });
  });

  test('the problem is all_asked if open attempts reserve the whole remaining amount', () => {
    const other = attempt({ state: 'AWAITING_CUSTOMER', mobile: '0755000000' });
    expect(decidePrompt({ ...facts, bill: all, attempts: [other] }, requester)).toEqual({ ok: false, error: { kind: 'all_asked' } });
  });
});

test('the page checks last whether a number has an open attempt, so that nobody can guess the number; the dashboard checks it first', () => {
  const withOpen = { ...facts, bill: all, attempts: [open], served: false };
  expect(decidePrompt(withOpen, 'page')).toEqual({ ok: false, error: { kind: 'all_asked' } });
  expect(decidePrompt({ ...withOpen, bill }, 'page')).toEqual({ ok: false, error: { kind: 'not_served', network: 'vodacom' } });
  expect(decidePrompt({ ...withOpen, bill, served: true }, 'page')).toEqual({
    ok: false,
    error: { kind: 'already_open', attemptId: 'attempt' },
  });
  expect(decidePrompt(withOpen, 'dashboard')).toEqual({ ok: false, error: { kind: 'already_open', attemptId: 'attempt' } });
});

test('page, dashboard and API limit the prompts to a number, and the page also those for a bill', () => {
  const until = (limit: 'bill' | 'number') => ({ ok: false, error: { kind: 'too_many', limit, until: addMs(now, 9 * MINUTE_MS) } });
  expect(decidePrompt({ ...facts, prompts: times(2) }, 'page').ok).toBe(true);
  expect(decidePrompt({ ...facts, prompts: times(3) }, 'page')).toEqual(until('number'));
  expect(decidePrompt({ ...facts, prompts: times(5) }, 'dashboard').ok).toBe(true);
  expect(decidePrompt({ ...facts, prompts: times(6) }, 'dashboard')).toEqual(until('number'));
  expect(findNumberProblem({ refused: false, prompts: times(6), now }, 'api')).toEqual(until('number').error);
  expect(decidePrompt({ ...facts, attempts: times(10) }, 'page')).toEqual(until('bill'));
  expect(decidePrompt({ ...facts, attempts: times(10) }, 'dashboard').ok).toBe(true);
});

const tzs = (shillings: number) => BigInt(shillings) * 100n;

const billOf = (shillings: number) => ({ amount: tzs(shillings) });

describe('a customer', () => {
  test('pays the whole bill if the merchant allows no part payments', () => {
    expect(amountChoice(tzs(5_000), billOf(5_000), false)).toBeNull();
    expect(amountChoice(USUAL_LIMIT, { amount: USUAL_LIMIT }, false)).toBeNull();
  });

  test('can choose if the merchant allows part payments and more than the smallest part is left', () => {
    const choice = { min: tzs(500), max: tzs(5_000), proposed: tzs(5_000), because: 'merchant' };
    expect(amountChoice(tzs(5_000), billOf(9_000), true)).toEqual(choice);
    expect(amountChoice(tzs(500), billOf(9_000), true)).toBeNull();
  });

  test('can choose for every part of a bill that exceeds what most wallets can send at once', () => {
    const choice = { min: tzs(500), max: tzs(4_000_000), proposed: tzs(3_000_000), because: 'wallet_limit' };
    expect(amountChoice(tzs(4_000_000), billOf(4_000_000), false)).toEqual(choice);
    expect(amountChoice(tzs(1_000_000), billOf(4_000_000), false)).toMatchObject({ max: tzs(1_000_000), proposed: tzs(1_000_000) });
    expect(amountChoice(tzs(1_000_000_000), billOf(1_000_000_000), true)).toMatchObject({ max: HIGHEST_LIMIT, because: 'wallet_limit' });
  });

  test('gets no prompt for another amount if there is no choice any more', () => {
    expect(amountProblem(tzs(1_000), null, tzs(5_000))).toBe('amountNoLonger');
    expect(amountProblem(null, null, tzs(5_000))).toBe('amountNoLonger');
    expect(amountProblem(tzs(5_000), null, tzs(5_000))).toBeNull();
  });
});

test.each([
  [null, 'amountInvalid'],
  [tzs(5_000), null],
  [tzs(5_001), 'amountTooLarge'],
  [tzs(500), null],
  [tzs(499), 'amountTooSmall'],
  [tzs(4_500), null],
  [tzs(4_501), 'amountLeavesTooLittle'],
])('paying %s senti of a bill of 5,000 shillings: %s', (amount, problem) => {
  const choice = amountChoice(tzs(5_000), billOf(5_000), true);
  expect(choice && amountProblem(amount, choice, tzs(5_000))).toBe(problem);
});

test('the rest after a part payment is never below the smallest part', () => {
  const amount = fc.integer({ min: 501, max: 20_000_000 });
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 1_000 }), (payable, left) => {
      const choice = amountChoice(tzs(payable), billOf(payable), true);
      const fine = choice !== null && amountProblem(tzs(payable - left), choice, tzs(payable)) === null;
      expect(fine && left > 0 && tzs(left) < SMALLEST_PART).toBe(false);
    }),
  );
});

test("a network's limit is checked before a prompt is sent", () => {
  expect(isAboveWallet(tzs(5_000_000), 'airtel')).toBe(false);
  expect(isAboveWallet(tzs(5_000_001), 'airtel')).toBe(true);
  expect(isAboveWallet(tzs(5_000_001), 'vodacom')).toBe(false);
});

const ago = (ms: number) => addMs(now, -ms);

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
  const expected = { now, sent: ago(MINUTE_MS) };
  expect(shownAt(prompt(MINUTE_MS, change), now)).toEqual(counted && expected[counted]);
});

test.each<[string, Partial<BillPrompt>, boolean]>([
  ['waits', { state: 'QUEUED' }, true],
  ['expired', { state: 'EXPIRED' }, true],
  ['was for a number without a wallet, or was given to no provider', { state: 'FAILED' }, true],
  ['was cancelled', { state: 'CANCELLED' }, true],
  ['was approved', { state: 'SUCCEEDED' }, false],
  ['the API requested', { state: 'FAILED', source: 'api' }, false],
])('the limit of a bill counts or ignores a prompt that %s', (_, change, counted) => {
  expect(requestedAt({ state: 'QUEUED', source: 'web', createdAt: now, ...change })).toEqual(counted ? now : null);
});

const every = (count: number, ms: number, from = ms) => Array.from({ length: count }, (_, index) => ago(from + index * ms));

test.each([
  ['number: two in ten minutes', NUMBER_WINDOWS, every(2, MINUTE_MS), null],
  ['number: three in ten minutes', NUMBER_WINDOWS, every(3, MINUTE_MS), addMs(now, 7 * MINUTE_MS)],
  ['number: three, the first ten minutes ago', NUMBER_WINDOWS, every(3, 5 * MINUTE_MS, 0), null],
  ['number: three and one that does not count', NUMBER_WINDOWS, [...every(2, MINUTE_MS), null], null],
  ['number: ten in a day', NUMBER_WINDOWS, every(10, HOUR_MS), addMs(now, 14 * HOUR_MS)],
  ['number: ten in more than a day', NUMBER_WINDOWS, every(10, DAY_MS / 9, 1), null],
  ['number: both, the longer one', NUMBER_WINDOWS, [...every(3, MINUTE_MS), ...every(7, HOUR_MS)], addMs(now, 17 * HOUR_MS)],
  ['bill: nine in ten minutes', BILL_WINDOWS, every(9, MINUTE_MS), null],
  ['bill: ten in ten minutes', BILL_WINDOWS, every(10, 30_000), addMs(now, 5 * MINUTE_MS)],
  ['bill: thirty in a day', BILL_WINDOWS, every(30, 40 * MINUTE_MS), addMs(now, 4 * HOUR_MS)],
  ['API: five in ten minutes', API_WINDOWS, every(5, MINUTE_MS), null],
  ['API: six in ten minutes', API_WINDOWS, every(6, MINUTE_MS), addMs(now, 4 * MINUTE_MS)],
  ['API: twenty in a day', API_WINDOWS, every(20, HOUR_MS), addMs(now, 4 * HOUR_MS)],
])('%s', (_, windows, earlier, until) => {
  expect(reachedLimit(windows, earlier, now)).toEqual(until);
  expect(reachedLimit(windows, earlier.toReversed(), now)).toEqual(until);
});
