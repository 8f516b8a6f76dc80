import { describe, expect, test } from 'vitest';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import { attemptWith, PACE } from '@/testing/data/attempts';
import type { Attempt, Pace } from './rules';
import { firstFollowUp, nextQuery, nextQueryOfSettled } from './rules';

const MINUTE = 60_000;
const now = new Date('2026-11-20T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

function attempt(changes: Partial<Attempt>): Attempt {
  return attemptWith({ state: 'AWAITING_CUSTOMER', queryCount: 14, createdAt: now, acknowledgedAt: now, ...changes });
}

describe('an attempt that ends unpaid', () => {
  test.each<{ reason: FailureReason | null; state: Attempt['state']; ms: number | null }>([
    { reason: null, state: 'AWAITING_CUSTOMER', ms: 2 * MINUTE },
    { reason: null, state: 'SENDING', ms: 2 * MINUTE },
    { reason: 'rejected', state: 'UNKNOWN', ms: 2 * MINUTE },
    { reason: 'user_timeout', state: 'AWAITING_CUSTOMER', ms: 2 * MINUTE },
    { reason: 'rejected', state: 'SENDING', ms: null },
    { reason: 'wrong_pin', state: 'AWAITING_CUSTOMER', ms: null },
    { reason: 'user_cancelled', state: 'UNKNOWN', ms: null },
    { reason: 'insufficient_funds', state: 'AWAITING_CUSTOMER', ms: null },
  ])('with the reason $reason in $state is queried after $ms ms', ({ reason, state, ms }) => {
    expect(firstFollowUp(attempt({ state }), reason, PACE, now)).toEqual(ms === null ? null : later(ms));
  });

  test('is queried soon after any refusal if a callback claimed that it was paid', () => {
    expect(firstFollowUp(attempt({ claimedPaidAt: now }), 'wrong_pin', PACE, now)).toEqual(later(3_000));
  });

  test('is not queried if it was never given to a provider', () => {
    expect(firstFollowUp(attempt({ providerAccountId: null }), 'rejected', PACE, now)).toBeNull();
  });
});

describe('a settled attempt', () => {
  const expired = attempt({ state: 'EXPIRED', settledAt: now });
  const answered = (outcome: Outcome, one: Attempt, ms: number) => nextQueryOfSettled(one, outcome, PACE, later(ms));

  test('is queried after 2 and 15 minutes, 2 hours and a day, and not later', () => {
    const still: Outcome = { kind: 'expired' };
    expect(answered(still, expired, 2 * MINUTE)).toEqual(later(15 * MINUTE));
    expect(answered(still, expired, 15 * MINUTE)).toEqual(later(120 * MINUTE));
    expect(answered(still, expired, 120 * MINUTE)).toEqual(later(1_440 * MINUTE));
    expect(answered(still, expired, 1_440 * MINUTE)).toBeNull();
  });

  test('is queried again after each denial if a callback claimed that it was paid', () => {
    const claimed = attempt({ state: 'FAILED', failureReason: 'wrong_pin', settledAt: now, claimedPaidAt: now, queryCount: 1 });
    const denied: Outcome = { kind: 'failed', reason: 'wrong_pin' };
    expect(answered(denied, claimed, 0)).toEqual(later(6_000));
    expect(answered(denied, { ...claimed, queryCount: 13 }, 0)).toEqual(later(60 * MINUTE));
    expect(answered(denied, { ...claimed, claimedPaidAt: null }, 0)).toBeNull();
  });

  test('is not queried after it is paid', () => {
    const paid: Outcome = { kind: 'paid', transactionId: 'T', amount: 1n };
    expect(answered(paid, attempt({ state: 'SUCCEEDED', settledAt: now }), 0)).toBeNull();
  });
});

describe('the pause between status queries doubles', () => {
  const pauses = (state: Attempt['state'], own: Pace) =>
    [0, 1, 2, 3, 4, 20].map((queryCount) => nextQuery(attempt({ state, queryCount }), own, now).getTime() - now.getTime());

  test('up to a minute while the customer can answer', () => {
    expect(pauses('AWAITING_CUSTOMER', PACE)).toEqual([10_000, 20_000, 40_000, MINUTE, MINUTE, MINUTE]);
  });

  test('and is constant if the provider asks for longer pauses', () => {
    const slow = { ...PACE, firstQueryMs: 3 * MINUTE };
    expect(pauses('AWAITING_CUSTOMER', slow)).toEqual([3, 3, 3, 3, 3, 3].map((minutes) => minutes * MINUTE));
  });

  test('and up to an hour afterwards', () => {
    expect(pauses('UNKNOWN', PACE)).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60 * MINUTE]);
  });
});
