import { describe, expect, test } from 'vitest';
import { REVIEW_AFTER_MS } from '@/lib/gateway/payments/rules';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { InstrumentOffer, InstrumentStatus, IssueOutcome } from '@/lib/providers/port/instrument';
import {
  chooseOffers,
  decideChange,
  decideIssue,
  decideStatus,
  endOf,
  INSTRUMENT_STATES,
  INSTRUMENT_TRANSITIONS,
  type InstrumentState,
  instrumentAmount,
  isCurrent,
} from './rules';

const NOW = new Date('2026-11-27T12:00:00Z');
const ago = (ms: number) => addMs(NOW, -ms);
const pace = {
  firstQueryMs: 10 * SECOND_MS,
  unknownQueryMs: 3 * SECOND_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 2 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  indexingMs: 5 * SECOND_MS,
  signsCallbacks: true,
};
const bill = { amount: 500_050n, paidAmount: 0n, closedAt: null, expiresAt: null, merchantActive: true };
const issued = { kind: 'issued', ways: { number: '12345', qr: null, link: null }, providerReference: 'P', expiresAt: null } as const;
const payment = { kind: 'paid', transactionId: 'T', amount: 100n } as const;

describe('the amount of an instrument', () => {
  test('is what is left, in whole shillings, whatever prompts reserve', () => {
    expect(instrumentAmount(bill, NOW)).toBe(500_100n);
    expect(instrumentAmount({ ...bill, paidAmount: 200_000n }, NOW)).toBe(300_100n);
  });

  test.each([
    ['a paid bill', { paidAmount: 500_050n }],
    ['a closed bill', { closedAt: ago(1) }],
    ['an expired bill', { expiresAt: NOW }],
    ['a bill of a suspended merchant', { merchantActive: false }],
  ])('is nothing for %s', (_what, change) => {
    expect(instrumentAmount({ ...bill, ...change }, NOW)).toBe(0n);
  });
});

test.each([
  [null, {}, {}],
  ['paid', { paidAmount: 500_050n }, {}],
  ['paid', { paidAmount: 700_000n, closedAt: ago(1) }, {}],
  ['closed', { closedAt: ago(1) }, {}],
  ['closed', { merchantActive: false }, {}],
  ['expired', {}, { expiresAt: NOW }],
  [null, {}, { expiresAt: addMs(NOW, 1) }],
  ['changed', { paidAmount: 100n }, {}],
  ['expired', { paidAmount: 100n }, { expiresAt: ago(1) }],
] as const)('an instrument ends because it is %s', (end, ofBill, ofInstrument) => {
  expect(endOf({ amount: 500_100n, expiresAt: null, ...ofInstrument }, { ...bill, ...ofBill }, NOW)).toBe(end);
});

describe('the choice of offers', () => {
  const offer = (kind: string, ways: InstrumentOffer['ways'], more: Partial<InstrumentOffer> = {}) => {
    const all = { kind, ways, networks: [], minAmount: 100n, maxAmount: 1_000_000n, takes: 'exact', ...more } as const;
    return { accountId: kind, offer: all };
  };
  const kinds = (...args: Parameters<typeof chooseOffers>) => chooseOffers(...args).map(({ offer: { kind } }) => kind);

  test('takes another number for networks that the first one does not serve', () => {
    const offers = [
      offer('a', ['number'], { networks: ['vodacom', 'yas'] }),
      offer('b', ['number'], { networks: ['yas'] }),
      offer('c', ['number'], { networks: ['yas', 'airtel'] }),
    ];
    expect(kinds(offers, [], 500n)).toEqual(['a', 'c']);
  });

  test('takes the first offer of each way, and none that adds no way', () => {
    const offers = [offer('a', ['number']), offer('b', ['number', 'qr']), offer('c', ['qr', 'link']), offer('d', ['link'])];
    expect(kinds(offers, [], 500n)).toEqual(['a', 'b', 'c']);
    const has = (...ways: InstrumentOffer['ways']) => [offer('own', ways).offer];
    expect(kinds(offers, has('number'), 500n)).toEqual(['b', 'c']);
    expect(kinds(offers, has('number', 'qr', 'link'), 500n)).toEqual([]);
  });

  test('respects the limits of amounts', () => {
    const offers = [offer('a', ['number'], { minAmount: 1_000n }), offer('b', ['number'], { maxAmount: 5_000n }), offer('c', ['number'])];
    expect([100n, 999n, 1_000n, 5_001n].map((amount) => kinds(offers, [], amount))).toEqual([['b'], ['b'], ['a'], ['a']]);
    expect(kinds(offers, [], 1_000_100n)).toEqual([]);
  });
});

test('only an instrument that takes any amount stays current when the amount changes', () => {
  const current = (amount: bigint, takes: 'exact' | 'open') => isCurrent({ amount }, { takes }, 500n);
  expect([current(500n, 'exact'), current(400n, 'exact'), current(400n, 'open')]).toEqual([true, false, true]);
  expect(isCurrent({ amount: 400n }, undefined, 500n)).toBe(false);
});

describe('the answer to a request', () => {
  const decide = (outcome: IssueOutcome, sendCount = 1) => decideIssue({ sendCount, queryCount: 0 }, outcome, pace, NOW);

  test('issues, refuses, or leaves it unknown', () => {
    expect(decide(issued)).toEqual({ state: 'ACTIVE', issued, dueAt: addMs(NOW, pace.firstQueryMs) });
    const refused = { state: 'ENDED', end: 'refused', failureReason: 'rejected', closed: true, dueAt: null };
    expect(decide({ kind: 'refused', reason: 'rejected' })).toEqual(refused);
    expect(decide({ kind: 'unknown' })).toEqual({ state: 'UNKNOWN', dueAt: addMs(NOW, pace.unknownQueryMs) });
  });

  test('that certainly did not arrive is sent again, a limited number of times', () => {
    const states = Array.from({ length: 8 }, (_, index) => decide({ kind: 'not_sent' }, index + 1).state);
    expect(states).toEqual(['ASKED', 'ASKED', 'ASKED', 'ASKED', 'ASKED', 'ENDED', 'ENDED', 'ENDED']);
    expect(decide({ kind: 'not_sent' }, 6)).toMatchObject({ end: 'refused', failureReason: 'provider_unavailable', dueAt: null });
  });
});

describe('a status answer', () => {
  const open = { kind: 'open', payments: [], issued: null } as const;
  const statuses = {
    open,
    repeated: { ...open, issued },
    paid: { kind: 'ended', payments: [payment] },
    ended: { kind: 'ended', payments: [] },
    missing: { kind: 'not_found' },
    silent: { kind: 'unknown' },
  } as const satisfies Record<string, InstrumentStatus>;

  function decide(state: InstrumentState, status: keyof typeof statuses, more: object = {}): string {
    const instrument = { state, queryCount: 1, sentAt: ago(HOUR_MS), endedAt: state === 'ENDED' ? ago(MINUTE_MS) : null, closedAt: null };
    const move = decideStatus({ ...instrument, ...more }, statuses[status], pace, NOW);
    return [move.state, move.end, move.closed && 'closed', move.dueAt && 'due'].filter(Boolean).join(' ');
  }

  test.each([
    ['UNKNOWN', 'open', 'ENDED lost due'],
    ['UNKNOWN', 'repeated', 'ACTIVE due'],
    ['UNKNOWN', 'paid', 'ENDED lost closed'],
    ['UNKNOWN', 'ended', 'ENDED lost closed'],
    ['UNKNOWN', 'missing', 'ENDED lost closed'],
    ['UNKNOWN', 'silent', 'UNKNOWN due'],
    ['ACTIVE', 'open', 'ACTIVE due'],
    ['ACTIVE', 'repeated', 'ACTIVE due'],
    ['ACTIVE', 'paid', 'ENDED paid closed'],
    ['ACTIVE', 'ended', 'ENDED expired closed'],
    ['ACTIVE', 'missing', 'ENDED expired due'],
    ['ACTIVE', 'silent', 'ACTIVE due'],
    ['ENDED', 'open', 'ENDED due'],
    ['ENDED', 'repeated', 'ENDED due'],
    ['ENDED', 'paid', 'ENDED closed'],
    ['ENDED', 'ended', 'ENDED closed'],
    ['ENDED', 'missing', 'ENDED closed'],
    ['ENDED', 'silent', 'ENDED due'],
  ] as const)('about an instrument that is %s, %s, makes it %s', (state, status, result) => {
    expect(decide(state, status)).toBe(result);
    expect([state, ...INSTRUMENT_TRANSITIONS[state]]).toContain(result.split(' ')[0]);
  });

  test('that does not find it proves nothing shortly after the request', () => {
    const fresh = { sentAt: ago(SECOND_MS) };
    expect(INSTRUMENT_STATES.slice(2).map((state) => decide(state, 'missing', fresh))).toEqual(['UNKNOWN due', 'ACTIVE due', 'ENDED due']);
    const unknown = { state: 'UNKNOWN', queryCount: 5, ...fresh, endedAt: null, closedAt: null } as const;
    expect(decideStatus(unknown, statuses.missing, pace, NOW).dueAt).toEqual(addMs(fresh.sentAt, pace.indexingMs));
  });

  test('ends the queries after some days', () => {
    expect(decide('UNKNOWN', 'silent', { sentAt: ago(REVIEW_AFTER_MS) })).toBe('ENDED lost due');
    const since = (ms: number) => ({ endedAt: ago(ms) });
    expect(decide('ENDED', 'open', since(REVIEW_AFTER_MS - 1))).toBe('ENDED due');
    expect(decide('ENDED', 'open', since(REVIEW_AFTER_MS))).toBe('ENDED');
    expect(decide('ENDED', 'silent', since(REVIEW_AFTER_MS))).toBe('ENDED due');
    expect(decide('ENDED', 'silent', since(2 * REVIEW_AFTER_MS))).toBe('ENDED');
    // After a cancellation, one answer is enough.
    expect(decide('ENDED', 'open', { closedAt: ago(SECOND_MS) })).toBe('ENDED');
  });

  test('is asked for less and less often: at least hourly if no signed callback reports payments', () => {
    const wait = (queryCount: number, signsCallbacks: boolean) => {
      const instrument = { state: 'ACTIVE', queryCount, sentAt: ago(HOUR_MS), endedAt: null, closedAt: null } as const;
      return (decideStatus(instrument, open, { ...pace, signsCallbacks }, NOW).dueAt?.getTime() ?? 0) - NOW.getTime();
    };
    expect([wait(1, true), wait(2, true), wait(30, true), wait(30, false)]).toEqual([20_000, 40_000, DAY_MS, HOUR_MS]);
  });

  test('is asked for only about instruments that were sent', () => {
    expect(() => decide('ASKED', 'open')).toThrow('was queried');
  });
});

test('after a change or cancellation, a query follows: soon, at once, or later if nobody knows whether it happened', () => {
  const wait = (result: 'done' | 'refused' | 'unknown', state: 'ACTIVE' | 'ENDED', queryCount = 1) => {
    const { dueAt, closed } = decideChange({ state, queryCount }, result, pace, NOW);
    return [(dueAt?.getTime() ?? 0) - NOW.getTime(), closed];
  };
  expect(wait('done', 'ACTIVE')).toEqual([3_000, false]);
  expect(wait('done', 'ENDED')).toEqual([3_000, true]);
  expect(wait('refused', 'ENDED')).toEqual([0, false]);
  expect([wait('unknown', 'ENDED', 1), wait('unknown', 'ENDED', 5)]).toEqual([
    [20_000, false],
    [320_000, false],
  ]);
});
