import { describe, expect, test } from 'vitest';
import { queryMethod } from '@/lib/gateway/attempts/query-attempt';
import type { Outcome } from '@/lib/providers/port/outcome';
import { PROVIDERS } from '@/lib/providers/registry';
import { attemptWith, PACE } from '@/testing/data/attempts';
import {
  type Attempt,
  type AttemptState,
  checkTransitions,
  decide,
  isOpen,
  mayBecome,
  mayGoElsewhere,
  reserves,
  TRANSITIONS,
} from './rules';

test('every state is defined and can be reached', () => {
  expect(() => checkTransitions()).not.toThrow();
});

test('a table with an unreachable or undefined state is rejected', () => {
  expect(() => checkTransitions({ QUEUED: ['SENDING'], SENDING: [], LOST: [] })).toThrow('no state leads to these states: LOST');
  expect(() => checkTransitions({ QUEUED: ['GONE'] })).toThrow('GONE is not defined');
});

const states = Object.keys(TRANSITIONS).filter((state): state is AttemptState => state in TRANSITIONS);

test('a payment can be recorded in every state; only SUCCEEDED and CANCELLED are final', () => {
  for (const state of states) expect(mayBecome(state, 'SUCCEEDED')).toBe(state !== 'SUCCEEDED' && state !== 'CANCELLED');
});

test('a settled state never becomes open again', () => {
  for (const from of states.filter((state) => !isOpen(state))) {
    for (const to of states.filter(isOpen)) expect(mayBecome(from, to)).toBe(false);
  }
});

const now = new Date('2026-11-20T12:00:00Z');

function attemptIn(state: AttemptState, changes: Partial<Attempt> = {}): Attempt {
  const createdAt = new Date(now.getTime() - 1_000);
  return attemptWith({ state, createdAt, unknownSince: state === 'UNKNOWN' ? now : null, ...changes });
}

const later = (ms: number) => new Date(now.getTime() + ms);
const paid: Outcome = { kind: 'paid', transactionId: 'T1', amount: 500000n };
const outcomes: Outcome[] = [
  { kind: 'accepted', providerReference: null },
  { kind: 'pending' },
  paid,
  { kind: 'failed', reason: 'wrong_pin' },
  { kind: 'expired' },
  { kind: 'unknown' },
  { kind: 'not_sent' },
  { kind: 'not_found' },
  { kind: 'overtaken' },
  { kind: 'duplicate' },
  { kind: 'reversed', transactionId: 'T1', amount: 500000n, reversed: null, reversalTransactionId: null },
];

test('no outcome causes a transition that the table forbids', () => {
  for (const state of Object.keys(TRANSITIONS).filter((key): key is AttemptState => key in TRANSITIONS)) {
    for (const outcome of outcomes) {
      const decision = decide(attemptIn(state), outcome, PACE, now);
      if (decision && decision.state !== state) expect(mayBecome(state, decision.state), `${state} by ${outcome.kind}`).toBe(true);
      else expect(decision?.state ?? state).toBe(state);
    }
  }
});

test('an open attempt always has a due time for its next step', () => {
  for (const state of ['SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN'] as const) {
    for (const outcome of outcomes) {
      const decision = decide(attemptIn(state), outcome, PACE, now);
      if (decision && ['QUEUED', 'AWAITING_CUSTOMER', 'UNKNOWN'].includes(decision.state)) expect(decision.dueAt).not.toBeNull();
      else if (decision?.state !== 'EXPIRED') expect(decision?.dueAt ?? null).toBeNull();
    }
  }
});

describe('a request for a prompt', () => {
  test.each<{ outcome: Outcome; state: AttemptState }>([
    { outcome: { kind: 'accepted', providerReference: 'X' }, state: 'AWAITING_CUSTOMER' },
    { outcome: paid, state: 'SUCCEEDED' },
    { outcome: { kind: 'failed', reason: 'mobile_not_registered' }, state: 'FAILED' },
    { outcome: { kind: 'unknown' }, state: 'UNKNOWN' },
    { outcome: { kind: 'not_sent' }, state: 'QUEUED' },
  ])('with the outcome $outcome.kind leads to $state', ({ outcome, state }) => {
    expect(decide(attemptIn('SENDING'), outcome, PACE, now)?.state).toBe(state);
  });

  test('that is accepted has the provider reference of the newest answer, because status queries must ask about the newest prompt', () => {
    const accepted = (providerReference: string | null) =>
      decide(attemptIn('UNKNOWN', { providerReference: 'OLD' }), { kind: 'accepted', providerReference }, PACE, now);
    expect([accepted('NEW')?.providerReference, accepted(null)?.providerReference]).toEqual(['NEW', 'OLD']);
  });

  test('that certainly never arrived is retried with growing delays, the last time at `giveUpMs`', () => {
    const dueTimes = [1, 2, 3, 4, 5, 6].map(
      (sendCount) => decide(attemptIn('SENDING', { sendCount }), { kind: 'not_sent' }, PACE, now)?.dueAt,
    );
    expect(dueTimes).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 58_000].map(later));
    expect(decide(attemptIn('SENDING', { sendCount: 7 }), { kind: 'not_sent' }, PACE, now)).toMatchObject({
      state: 'FAILED',
      failureReason: 'provider_unavailable',
    });
  });

  test('whose answer was lost is queried, and never sent again while the provider may have it', () => {
    const unknown = attemptIn('UNKNOWN');
    const lost = { state: 'UNKNOWN', evidence: 'answer_lost' };
    expect(decide(attemptIn('SENDING'), { kind: 'unknown' }, PACE, now)).toMatchObject(lost);
    expect(decide(attemptIn('SENDING', { providerAccountId: null }), { kind: 'unknown' }, PACE, now)).toMatchObject({ evidence: null });
    expect(decide(unknown, { kind: 'not_found' }, PACE, now)?.state).toBe('UNKNOWN');
    expect(decide({ ...unknown, sentAt: later(-5_000) }, { kind: 'not_found' }, PACE, now)?.state).toBe('QUEUED');
    expect(decide({ ...unknown, sentAt: later(-5_000) }, { kind: 'not_found' }, { ...PACE, refusesDuplicates: false }, now)?.state).toBe(
      'UNKNOWN',
    );
  });
});

describe('a request whose answer was lost is repeated', () => {
  const repeating = [...PROVIDERS].filter(({ capabilities }) => capabilities.refusesDuplicates);

  test.each(repeating.map(({ name, capabilities }) => [name, capabilities] as const))(
    'only within ten minutes after the attempt was created, and is then unknown with a review: %s',
    (_name, pace) => {
      let attempt = attemptIn('SENDING', { createdAt: now, sentAt: now, sendCount: 1, answerLostAt: null });
      let at = now;
      const sent = [0];
      for (let step = 0; step < 200 && attempt.state !== 'UNKNOWN'; step += 1) {
        attempt = { ...attempt, state: 'UNKNOWN', unknownSince: at, answerLostAt: attempt.answerLostAt ?? at };
        at = new Date(Math.max(at.getTime() + pace.unknownQueryMs, (attempt.sentAt?.getTime() ?? 0) + pace.indexingMs));
        const decision = decide(attempt, { kind: 'not_found' }, pace, at);
        if (decision?.state !== 'QUEUED') expect(decision).toMatchObject({ state: 'UNKNOWN', review: 'attempt_unresolved' });
        if (decision?.state !== 'QUEUED' || !decision.dueAt) break;
        at = decision.dueAt;
        sent.push(at.getTime() - now.getTime());
        attempt = { ...attempt, state: 'SENDING', sentAt: at, sendCount: attempt.sendCount + 1 };
      }
      expect(sent.length).toBeGreaterThan(1);
      expect(Math.max(...sent)).toBeLessThanOrEqual(10 * 60_000);
    },
  );

  test('also where the repetition is the query: within ten minutes, and only while the provider repeats its answer', () => {
    const unknown = attemptIn('UNKNOWN', { createdAt: now, sentAt: later(5 * 60_000) });
    const query = (minutes: number, repeatsAnswerMs: number) =>
      queryMethod(unknown, { queriedBy: 'providerReference', repeatsAnswerMs }, later(minutes * 60_000));
    expect([query(9, 3_600_000), query(10, 3_600_000)]).toEqual(['repeat', 'nothing']);
    expect([query(5.9, 60_000), query(6, 60_000), query(9, 0)]).toEqual(['repeat', 'nothing', 'nothing']);
  });

  test('unlike a request that certainly never arrived, which may belong to an import', () => {
    const old = attemptIn('SENDING', { createdAt: later(-3_600_000) });
    expect(decide(old, { kind: 'not_sent' }, PACE, now)?.state).toBe('QUEUED');
    expect(decide({ ...old, answerLostAt: later(-60_000) }, { kind: 'not_sent' }, PACE, now)?.state).toBe('UNKNOWN');
  });
});

describe('a request that the provider has', () => {
  const late = { sentAt: later(-3_600_000), sendCount: 7 };

  test.each<{ outcome: Outcome; from: AttemptState }>([
    { outcome: { kind: 'duplicate' }, from: 'SENDING' },
    { outcome: { kind: 'duplicate' }, from: 'UNKNOWN' },
    { outcome: { kind: 'accepted', providerReference: null }, from: 'SENDING' },
    { outcome: { kind: 'pending' }, from: 'UNKNOWN' },
  ])('is recorded as acknowledged after $outcome.kind in $from', ({ outcome, from }) => {
    expect(decide(attemptIn(from), outcome, PACE, now)).toMatchObject({ evidence: 'acknowledged' });
  });

  test('is UNKNOWN and queried after the provider refused it as a duplicate', () => {
    expect(decide(attemptIn('SENDING'), { kind: 'duplicate' }, PACE, now)).toMatchObject({ state: 'UNKNOWN', dueAt: later(3_000) });
  });

  test('is neither sent again nor failed when later queries do not find it', () => {
    for (const sendCount of [1, 7]) {
      const acknowledged = attemptIn('UNKNOWN', { ...late, sendCount, acknowledgedAt: now });
      expect(decide(acknowledged, { kind: 'not_found' }, PACE, now)).toMatchObject({ state: 'UNKNOWN', review: null });
    }
  });

  test('is not sent again after a callback claims that it is paid, although queries do not find it', () => {
    const claimed = attemptIn('UNKNOWN', { sentAt: later(-3_600_000), answerLostAt: later(-3_600_000), claimedPaidAt: later(-1_000) });
    expect(decide(claimed, { kind: 'not_found' }, PACE, now)).toMatchObject({ state: 'UNKNOWN', dueAt: expect.any(Date) });
  });

  test('is UNKNOWN if a callback claims that it is paid, although the request was refused, not sent or withdrawn', () => {
    const claimed = attemptIn('SENDING', { claimedPaidAt: later(-1_000) });
    const contradicted: Outcome[] = [
      { kind: 'not_sent' },
      { kind: 'failed', reason: 'merchant_config' },
      { kind: 'elsewhere', reason: 'merchant_config', provider: 'mpesa' },
      { kind: 'overtaken' },
      { kind: 'withdrawn', reason: 'bill_expired' },
    ];
    for (const outcome of contradicted)
      expect(decide(claimed, outcome, PACE, now), outcome.kind).toMatchObject({ state: 'UNKNOWN', leaves: false, dueAt: expect.any(Date) });
  });

  test('does not become UNKNOWN before the provider must be able to find it', () => {
    const slow = { ...PACE, indexingMs: 60_000 };
    const sent = (seconds: number) => attemptIn('AWAITING_CUSTOMER', { sentAt: later(-seconds * 1_000) });
    expect(decide(sent(59), { kind: 'not_found' }, slow, now)).toMatchObject({ state: 'AWAITING_CUSTOMER', dueAt: expect.any(Date) });
    expect(decide(sent(60), { kind: 'not_found' }, slow, now)).toMatchObject({ state: 'UNKNOWN' });
  });
});

test('after a lost answer, an attempt that is not sent again stays UNKNOWN, is queried, and gets a review at once', () => {
  const lost = { sentAt: later(-3_600_000), sendCount: 7, answerLostAt: later(-100_000) };
  const unresolved = { state: 'UNKNOWN', dueAt: expect.any(Date), review: 'attempt_unresolved' };
  expect(decide(attemptIn('SENDING', lost), { kind: 'not_sent' }, PACE, now)).toMatchObject(unresolved);
  expect(decide(attemptIn('UNKNOWN', lost), { kind: 'not_found' }, PACE, now)).toMatchObject(unresolved);
  const unsent = { ...lost, answerLostAt: null };
  expect(decide(attemptIn('SENDING', unsent), { kind: 'not_sent' }, PACE, now)).toMatchObject({ state: 'FAILED', dueAt: null });
});

test('a refusal of the merchant says nothing about an earlier request whose answer was lost', () => {
  for (const reason of ['merchant_config', 'provider_unavailable'] as const) {
    const refused: Outcome = { kind: 'failed', reason };
    expect(decide(attemptIn('SENDING'), refused, PACE, now)).toMatchObject({ state: 'FAILED', failureReason: reason });
    const repeated = attemptIn('SENDING', { answerLostAt: later(-100_000) });
    expect(decide(repeated, refused, PACE, now)).toMatchObject({ state: 'UNKNOWN', failureReason: null, dueAt: later(3_000) });
  }
  const ofCustomer: Outcome = { kind: 'failed', reason: 'insufficient_funds' };
  expect(decide(attemptIn('SENDING', { answerLostAt: later(-100_000) }), ofCustomer, PACE, now)?.state).toBe('FAILED');
});

describe('a status query', () => {
  test('is repeated with growing delays while the answer is "pending"', () => {
    const dueTimes = [0, 1, 2, 3].map(
      (queryCount) => decide(attemptIn('AWAITING_CUSTOMER', { queryCount }), { kind: 'pending' }, PACE, now)?.dueAt,
    );
    expect(dueTimes).toEqual([10_000, 20_000, 40_000, 60_000].map(later));
    expect(decide(attemptIn('UNKNOWN', { queryCount: 500 }), { kind: 'pending' }, PACE, now)?.dueAt).toEqual(later(3_600_000));
  });

  test('after the life of the prompt makes the attempt UNKNOWN, never FAILED', () => {
    const old = attemptIn('AWAITING_CUSTOMER', { sentAt: later(-120_001) });
    expect(decide(old, { kind: 'pending' }, PACE, now)?.state).toBe('UNKNOWN');
    expect(decide(old, { kind: 'unknown' }, PACE, now)?.state).toBe('UNKNOWN');
  });
});

describe('a payment', () => {
  test.each(['FAILED', 'EXPIRED'] as const)('that arrives after %s is recorded and marked as late', (state) => {
    expect(decide(attemptIn(state), paid, PACE, now)).toMatchObject({ state: 'SUCCEEDED', payment: { late: true, allocate: true } });
  });

  test('that arrives in time is not late', () => {
    expect(decide(attemptIn('AWAITING_CUSTOMER'), paid, PACE, now)?.payment).toEqual({
      transactionId: 'T1',
      amount: 500000n,
      late: false,
      allocate: true,
    });
  });

  test.each(['SUCCEEDED', 'CANCELLED'] as const)('that arrives after %s is recorded as unmatched', (state) => {
    expect(decide(attemptIn(state), paid, PACE, now)).toMatchObject({ state, payment: { allocate: false } });
  });

  test('is not undone by later outcomes: a denial opens a review', () => {
    for (const outcome of outcomes.filter(({ kind }) => kind !== 'paid' && kind !== 'reversed')) {
      const denied = outcome.kind === 'failed' || outcome.kind === 'expired';
      const decision = decide(attemptIn('SUCCEEDED'), outcome, PACE, now);
      if (denied) expect(decision).toMatchObject({ state: 'SUCCEEDED', payment: null, review: 'contradiction' });
      else expect(decision).toBeNull();
    }
  });

  test('that was reversed before Bili learned of it is still recorded as a payment', () => {
    const reversed: Outcome = { kind: 'reversed', transactionId: 'T1', amount: 500000n, reversed: null, reversalTransactionId: null };
    expect(decide(attemptIn('UNKNOWN'), reversed, PACE, now)).toMatchObject({ state: 'SUCCEEDED', payment: { allocate: true } });
  });
});

describe('an unknown attempt', () => {
  const since = (hours: number) => attemptIn('UNKNOWN', { unknownSince: later(-hours * 3_600_000), sentAt: later(-hours * 3_600_000) });
  const silent = { ...PACE, refusesDuplicates: false };

  test.each(['pending', 'not_found'] as const)('is queried for 72 hours while the answer is "%s", then gets a review', (kind) => {
    expect(decide(since(71.9), { kind }, silent, now)).toMatchObject({ state: 'UNKNOWN', dueAt: expect.any(Date), review: null });
    expect(decide(since(72), { kind }, silent, now)).toMatchObject({ state: 'UNKNOWN', dueAt: null, review: 'attempt_unresolved' });
  });

  test('is queried for 30 days while the provider does not answer, and gets a review after 72 hours', () => {
    const unanswered = (hours: number) => decide(since(hours), { kind: 'unknown' }, silent, now);
    expect(unanswered(71.9)).toMatchObject({ state: 'UNKNOWN', dueAt: expect.any(Date), review: null });
    expect(unanswered(72)).toMatchObject({ state: 'UNKNOWN', dueAt: expect.any(Date), review: 'attempt_unresolved' });
    expect(unanswered(30 * 24)).toMatchObject({ state: 'UNKNOWN', dueAt: null, review: 'attempt_unresolved' });
  });

  test('is queried for six more hours after a callback claims that it is paid', () => {
    const claimed = (hours: number) => ({ ...since(100), claimedPaidAt: later(-hours * 3_600_000) });
    expect(decide(claimed(0), { kind: 'pending' }, silent, now)).toMatchObject({ state: 'UNKNOWN', dueAt: expect.any(Date), review: null });
    expect(decide(claimed(6), { kind: 'pending' }, silent, now)).toMatchObject({ dueAt: null, review: 'attempt_unresolved' });
  });

  test('is settled by a payment at any later time', () => {
    expect(decide(since(1_000), paid, silent, now)).toMatchObject({ state: 'SUCCEEDED', payment: { late: false, allocate: true } });
  });

  test('reserves its amount until it is released, and is not sent again after that', () => {
    const lost = attemptIn('UNKNOWN', { sentAt: later(-3_600_000), releasedAt: now, answerLostAt: later(-3_600_000) });
    expect(reserves(attemptIn('UNKNOWN'))).toBe(true);
    expect(reserves(lost)).toBe(false);
    expect(decide(lost, { kind: 'not_found' }, PACE, now)).toMatchObject({ state: 'UNKNOWN', dueAt: expect.any(Date), review: null });
  });
});

describe('another account may send an attempt', () => {
  test.each<[string, Outcome, Partial<Attempt>, boolean]>([
    ['whose request never left', { kind: 'not_sent' }, {}, true],
    ['with which the provider refused the merchant', { kind: 'failed', reason: 'merchant_config' }, {}, true],
    ['that the customer declined', { kind: 'failed', reason: 'user_cancelled' }, {}, false],
    ['with a wrong PIN', { kind: 'failed', reason: 'wrong_pin' }, {}, false],
    ['without enough balance', { kind: 'failed', reason: 'insufficient_funds' }, {}, false],
    ['of a number without a wallet', { kind: 'failed', reason: 'mobile_not_registered' }, {}, false],
    ['refused for a reason that is not known', { kind: 'failed', reason: 'rejected' }, {}, false],
    ['with an unknown outcome', { kind: 'unknown' }, {}, false],
    ['that the provider had before', { kind: 'duplicate' }, {}, false],
    ['of which an earlier answer was lost', { kind: 'not_sent' }, { answerLostAt: now }, false],
    ['whose payment an unsigned callback claims', { kind: 'failed', reason: 'merchant_config' }, { claimedPaidAt: now }, false],
    ['whose payment an unsigned callback claims, and that was not sent', { kind: 'not_sent' }, { claimedPaidAt: now }, false],
    ['that a provider has shown to have', { kind: 'failed', reason: 'merchant_config' }, { acknowledgedAt: now }, false],
  ])('%s', (_name, outcome, changes, may) => {
    expect(mayGoElsewhere(attemptIn('SENDING', changes), outcome)).toBe(may);
  });

  test('which then waits for it, and only if this account was about to send it', () => {
    const elsewhere: Outcome = { kind: 'elsewhere', reason: 'merchant_config', provider: 'mpesa' };
    expect(decide(attemptIn('SENDING'), elsewhere, PACE, now)).toMatchObject({ state: 'QUEUED', leaves: true, dueAt: now });
    for (const state of ['QUEUED', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const)
      expect(decide(attemptIn(state), elsewhere, PACE, now)).toBeNull();
  });
});
