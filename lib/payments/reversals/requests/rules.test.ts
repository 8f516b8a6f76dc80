import { describe, expect, test } from 'vitest';
import type { ReversalOutcome } from '@/lib/providers/port/port';
import { decideReversal, type ReversalRequest } from './rules';

const now = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const pace = { unknownQueryMs: 3_000, maxQueryMs: 60_000, retryMs: 2_000, giveUpMs: 10_000 };

function request(changes: Partial<ReversalRequest> = {}): ReversalRequest {
  return {
    id: 'r',
    environment: 'sandbox',
    paymentId: 'p',
    amount: 100n,
    whole: true,
    ourReference: 'R'.repeat(20),
    state: 'SENDING',
    failureReason: null,
    sendCount: 1,
    queryCount: 0,
    leaseToken: 1,
    sentAt: now,
    ...changes,
  };
}

describe('a reversal', () => {
  test.each<[ReversalOutcome, string]>([
    [{ kind: 'reversed', transactionId: 'R1', amount: null }, 'reversed'],
    [{ kind: 'failed', reason: 'rejected' }, 'failed'],
    [{ kind: 'pending' }, 'again'],
    [{ kind: 'unknown' }, 'again'],
    [{ kind: 'not_sent' }, 'again'],
  ])('with the outcome %j leads to: %s', (outcome, kind) => {
    expect(decideReversal(request(), outcome, pace, now).kind).toBe(kind);
  });

  test('whose answer was lost is queried with growing delays, and never sent again', () => {
    for (const kind of ['pending', 'unknown', 'not_sent'] as const) {
      const decisions = [0, 1, 2, 10].map((queryCount) => decideReversal(request({ state: 'UNKNOWN', queryCount }), { kind }, pace, now));
      expect(decisions).toEqual([3_000, 6_000, 12_000, 60_000].map((ms) => ({ kind: 'again', state: 'UNKNOWN', dueAt: later(ms) })));
    }
  });

  test('that was certainly not sent is sent again with growing delays, then fails', () => {
    const decisions = [1, 2, 3].map((sendCount) => decideReversal(request({ sendCount }), { kind: 'not_sent' }, pace, now));
    expect(decisions).toEqual([2_000, 4_000, 4_000].map((ms) => ({ kind: 'again', state: 'QUEUED', dueAt: later(ms) })));
    expect(decideReversal(request({ sendCount: 4 }), { kind: 'not_sent' }, pace, now)).toEqual({
      kind: 'failed',
      reason: 'provider_unavailable',
    });
  });

  test('that has been unknown for 72 hours is unresolved', () => {
    const old = request({ state: 'UNKNOWN', sentAt: later(-72 * 3_600_000) });
    expect(decideReversal(old, { kind: 'unknown' }, pace, now)).toEqual({ kind: 'unresolved' });
    expect(decideReversal(old, { kind: 'reversed', transactionId: null, amount: null }, pace, now).kind).toBe('reversed');
  });
});
