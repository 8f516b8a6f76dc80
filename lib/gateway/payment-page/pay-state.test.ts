import { describe, expect, test } from 'vitest';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { attemptWith } from '@/testing/data/attempts';
import { pagePace, payState } from './pay-state';

const now = new Date('2026-11-21T11:30:00Z');
const bill = {
  id: 'bill',
  merchantId: 'merchant',
  environment: 'live',
  amount: 500_000n,
  reference: 'R',
  mobile: null,
  paidAmount: 0n,
  reservedAmount: 0n,
  status: 'NOT_PAID',
  createdAt: now,
  paidAt: null,
  closedAt: null,
  expiresAt: null,
  merchantActive: true,
  reversedAmount: 0n,
} as const;

const attempt = (id: string, changes: Partial<Attempt> = {}): Attempt =>
  attemptWith({ id, state: 'AWAITING_CUSTOMER', amount: 200_000n, createdAt: now, sentAt: addMs(now, -10 * SECOND_MS), ...changes });

type Changes = Partial<Omit<Parameters<typeof payState>[0], 'bill'>> & { bill?: object };
const at = ({ bill: changes = {}, ...rest }: Changes = {}) =>
  payState({
    bill: { ...bill, ...changes },
    attempts: [],
    ownAttemptId: null,
    served: true,
    down: [],
    now,
    providerOf: () => ({ promptMs: 2 * MINUTE_MS, promptName: null }),
    ...rest,
  });

describe('the state that the payment page shows first', () => {
  test.each([
    ['ready', {}, true],
    ['unserved', { served: false }, false],
    ['inactive', { bill: { merchantActive: false } }, false],
    ['closed', { bill: { closedAt: now, merchantActive: false } }, false],
    ['paid', { bill: { paidAmount: 500_000n, status: 'FULLY_PAID', closedAt: now } }, false],
    ['paid', { bill: { amount: 499_950n, paidAmount: 500_000n, status: 'FULLY_PAID' } }, false],
    ['overpaid', { bill: { paidAmount: 500_100n, status: 'FULLY_PAID' } }, false],
    ['prompted', { attempts: [attempt('a')], bill: { reservedAmount: 500_000n } }, false],
    ['prompted', { attempts: [attempt('a')], bill: { reservedAmount: 200_000n, closedAt: now } }, false],
    ['unknown', { attempts: [attempt('a', { state: 'UNKNOWN' }), attempt('b')], bill: { reservedAmount: 500_000n } }, false],
    ['queued', { attempts: [attempt('a', { state: 'QUEUED' })], bill: { reservedAmount: 500_000n } }, false],
  ] as const)('is %s', (kind, changes, payable) => {
    expect(at(changes)).toMatchObject({ state: { kind }, payable });
  });

  test("is the device's own prompt; other devices see the form and the prompts on other phones", () => {
    const attempts = [attempt('a'), attempt('b', { mobile: '0754000001' })];
    const reserved = { bill: { reservedAmount: 400_000n }, attempts };
    expect(at({ ...reserved, ownAttemptId: 'a' })).toMatchObject({
      state: { kind: 'prompted', own: true, attempt: { id: 'a' } },
      others: [{ own: false, attempt: { id: 'b' } }],
      payable: true,
    });
    expect(at(reserved)).toMatchObject({
      state: { kind: 'ready' },
      others: [{ attempt: { id: 'a' } }, { attempt: { id: 'b' } }],
      payable: true,
    });
  });

  test("contains the device's own failure rather than others', and no failure after a payment", () => {
    const attempts = [
      attempt('a', { state: 'FAILED', failureReason: 'wrong_pin' }),
      attempt('b', { state: 'FAILED', failureReason: 'insufficient_funds' }),
    ];
    expect(at({ attempts }).state).toMatchObject({ failure: { reason: 'not_completed', own: false } });
    for (const failureReason of ['no_provider', 'merchant_config', 'provider_unavailable', 'not_sent_in_time']) {
      const unsent = [attempt('a', { state: 'FAILED', failureReason })];
      expect(at({ attempts: unsent }).state).toMatchObject({ failure: { reason: failureReason, own: false, mayStillBePaid: false } });
    }
    expect(at({ attempts, ownAttemptId: 'a' }).state).toMatchObject({ failure: { reason: 'wrong_pin', own: true } });
    const paid = [attempt('a', { state: 'SUCCEEDED' })];
    expect(at({ attempts: paid, bill: { paidAmount: 200_000n, status: 'PARTIALLY_PAID' } }).state).toMatchObject({ failure: null });
    expect(at({ attempts: paid, bill: { reversedAmount: 200_000n } }).state).toMatchObject({ failure: { reason: 'reversed' } });
    expect(at({ attempts: paid }).state).toMatchObject({ failure: { reason: 'not_counted' } });
    const expired = [attempt('a', { state: 'EXPIRED' })];
    expect(at({ attempts: expired, ownAttemptId: 'a' }).state).toMatchObject({ failure: { reason: 'expired' } });
    expect(at({ attempts: expired }).state).toMatchObject({ failure: { reason: 'not_completed' } });
    expect(at({ attempts: [attempt('a', { state: 'UNKNOWN', releasedAt: now })] }).state).toMatchObject({
      failure: { reason: 'released' },
    });
  });
});

describe('a prompt that exceeds the remaining amount of the bill', () => {
  const open = [attempt('a', { amount: 500_000n }), attempt('b', { amount: 200_000n })];
  const paid = { paidAmount: 500_000n, reservedAmount: 700_000n, status: 'FULLY_PAID', paidAt: now };

  test.each([null, 'a', 'b', 'c'])('must be declined after the bill is paid, on every device (own: %s)', (ownAttemptId) => {
    const page = at({ attempts: open, bill: paid, ownAttemptId });
    expect(page).toMatchObject({ state: { kind: 'decline', prompts: [{ attempt: open[0] }, { attempt: open[1] }] }, payable: false });
    expect(page.others).toEqual([]);
  });

  test('must be declined also if its outcome is unknown', () => {
    const unknown = [attempt('a', { state: 'UNKNOWN' })];
    expect(at({ attempts: unknown, bill: paid }).state).toMatchObject({ kind: 'decline', prompts: [{ kind: 'unknown' }] });
  });

  test("must be declined while a part is left, but a device's own prompt that does not exceed it is shown first", () => {
    const bill = { amount: 499_950n, paidAmount: 200_000n, reservedAmount: 700_000n, status: 'PARTIALLY_PAID' };
    expect(at({ attempts: open, bill })).toMatchObject({ state: { kind: 'decline', prompts: [{ attempt: { id: 'a' } }] } });
    expect(at({ attempts: open, bill, ownAttemptId: 'b' })).toMatchObject({
      state: { kind: 'prompted', attempt: { id: 'b' } },
      others: [{ attempt: { id: 'a' }, excessive: true }],
    });
    const exact = [attempt('a', { amount: 300_000n })];
    expect(at({ attempts: exact, bill: { ...bill, reservedAmount: 300_000n } }).state).toMatchObject({ kind: 'prompted' });
    const unknown = [attempt('a', { amount: 500_000n, state: 'UNKNOWN' })];
    expect(at({ attempts: unknown, bill }).state).toMatchObject({ kind: 'unknown' });
  });
});

describe('after a prompt that may have been answered in its last seconds', () => {
  const ended = (changes: Partial<Attempt>, msAgo: number, ownAttemptId: string | null = 'a') =>
    at({ attempts: [attempt('a', { settledAt: addMs(now, -msAgo), ...changes })], ownAttemptId }).state;

  test.each([
    [{ state: 'EXPIRED' }, 'a', true],
    [{ state: 'EXPIRED' }, null, true],
    [{ state: 'FAILED', failureReason: 'user_timeout' }, 'a', true],
    [{ state: 'FAILED', failureReason: 'wrong_pin' }, 'a', false],
    [{ state: 'FAILED', failureReason: 'wrong_pin' }, null, true],
  ] as const)('a payment may still arrive for two minutes: %o, own: %s', (changes, own, mayStillBePaid) => {
    expect(ended(changes, 2 * MINUTE_MS - 1, own)).toMatchObject({ failure: { mayStillBePaid } });
    expect(ended(changes, 2 * MINUTE_MS, own)).toMatchObject({ failure: { mayStillBePaid: false } });
  });
});

describe('an open page', () => {
  const pace = (changes: Partial<Attempt>, paidAt: Date | null = null, prompted = false) =>
    pagePace({ paidAt }, [attempt('a', changes), attempt('b', { state: 'SUCCEEDED' })], prompted, now);
  const justNow = addMs(now, -10 * MINUTE_MS + 1);
  const before = addMs(now, -10 * MINUTE_MS);

  test('polls slowly for ten minutes after an attempt ended or was released, or the bill was paid', () => {
    for (const [at, expected] of [
      [justNow, 'slow'],
      [before, null],
    ] as const) {
      expect(pace({ state: 'EXPIRED', settledAt: at })).toBe(expected);
      expect(pace({ state: 'FAILED', settledAt: at })).toBe(expected);
      expect(pace({ state: 'UNKNOWN', releasedAt: at })).toBe(expected);
      expect(pace({}, at)).toBe(expected);
    }
  });

  test('polls quickly while an attempt is open, and not at all if nothing has changed for ten minutes', () => {
    expect(pace({}, before, true)).toBe('quick');
    expect(pace({})).toBeNull();
  });
});

describe('a prompt', () => {
  const prompt = (changes: Partial<Attempt>, promptMs = 2 * MINUTE_MS) =>
    at({ attempts: [attempt('a', changes)], bill: { reservedAmount: 500_000n }, providerOf: () => ({ promptMs, promptName: 'DUKA LTD' }) })
      .state;

  test('has the life that its provider states, and help after 30 seconds or a quarter of that life', () => {
    const sentAt = addMs(now, -29 * SECOND_MS);
    expect(prompt({ sentAt })).toMatchObject({
      times: { helpAt: addMs(sentAt, 30 * SECOND_MS), until: addMs(sentAt, 2 * MINUTE_MS) },
      helpDue: false,
    });
    expect(prompt({ sentAt: addMs(now, -30 * SECOND_MS) })).toMatchObject({ helpDue: true });
    expect(prompt({ sentAt }, 40 * SECOND_MS)).toMatchObject({ times: { helpAt: addMs(sentAt, 10 * SECOND_MS) }, helpDue: true });
  });

  test('that is not sent yet has no times', () => {
    expect(prompt({ state: 'QUEUED', sentAt: null, sendCount: 0 })).toMatchObject({ kind: 'sending', times: null, helpDue: false });
    expect(prompt({ state: 'QUEUED' })).toMatchObject({ kind: 'queued', times: null });
  });

  test('is being sent until the provider confirms it, for three seconds at most', () => {
    const sending = (seconds: number, changes: Partial<Attempt> = {}) =>
      prompt({ state: 'SENDING', sentAt: addMs(now, -seconds * SECOND_MS), ...changes });
    expect(sending(2)).toMatchObject({ kind: 'sending', times: null });
    expect(sending(2, { acknowledgedAt: now })).toMatchObject({ kind: 'prompted' });
    expect(sending(2, { state: 'AWAITING_CUSTOMER' })).toMatchObject({ kind: 'prompted' });
    expect(sending(3)).toMatchObject({ kind: 'prompted', times: { sentAt: addMs(now, -3 * SECOND_MS) } });
  });

  test('has the name that its account defines', () => {
    expect(prompt({})).toMatchObject({ promptName: 'DUKA LTD' });
  });
});
