import { describe, expect, test } from 'vitest';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { attemptWith } from '@/lib/testing/data/attempts';
import { decidePrompt, findNumberProblem, type PromptFacts } from './decide-prompt';
import type { BillAttempt } from './request-store';

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
