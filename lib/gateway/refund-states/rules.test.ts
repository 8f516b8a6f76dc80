import { describe, expect, test } from 'vitest';
import type { RefundOutcome } from '@/lib/providers/port/port';
import { decideRefund, type Refund } from './rules';

const now = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const pace = { unknownQueryMs: 3_000, maxQueryMs: 60_000, retryMs: 2_000, giveUpMs: 10_000 };

function refund(changes: Partial<Refund> = {}): Refund {
  return {
    id: 'r',
    environment: 'sandbox',
    paymentId: 'p',
    billId: null,
    amount: 100n,
    whole: true,
    way: 'reversal',
    ourReference: 'R'.repeat(20),
    state: 'SENDING',
    providerReference: null,
    failureReason: null,
    reason: 'wrong goods',
    requestedBy: 'test',
    requestedById: null,
    sendCount: 1,
    queryCount: 0,
    leaseToken: 1,
    sentAt: now,
    ...changes,
  };
}

describe('a refund', () => {
  test.each<[RefundOutcome, string]>([
    [{ kind: 'refunded', transactionId: 'R1', amount: null }, 'refunded'],
    [{ kind: 'failed', reason: 'rejected' }, 'failed'],
    [{ kind: 'pending' }, 'again'],
    [{ kind: 'unknown' }, 'again'],
    [{ kind: 'not_sent' }, 'again'],
  ])('with the outcome %j leads to: %s', (outcome, kind) => {
    expect(decideRefund(refund(), outcome, pace, now).kind).toBe(kind);
  });

  test('whose answer was lost is queried with growing delays, and never sent again', () => {
    for (const kind of ['pending', 'unknown', 'not_sent'] as const) {
      const decisions = [0, 1, 2, 10].map((queryCount) => decideRefund(refund({ state: 'UNKNOWN', queryCount }), { kind }, pace, now));
      expect(decisions).toEqual([3_000, 6_000, 12_000, 60_000].map((ms) => ({ kind: 'again', state: 'UNKNOWN', dueAt: later(ms) })));
    }
  });

  test('that was certainly not sent is sent again with growing delays, then fails', () => {
    const decisions = [1, 2, 3].map((sendCount) => decideRefund(refund({ sendCount }), { kind: 'not_sent' }, pace, now));
    expect(decisions).toEqual([2_000, 4_000, 4_000].map((ms) => ({ kind: 'again', state: 'QUEUED', dueAt: later(ms) })));
    expect(decideRefund(refund({ sendCount: 4 }), { kind: 'not_sent' }, pace, now)).toEqual({
      kind: 'failed',
      reason: 'provider_unavailable',
    });
  });

  test('that has been unknown for 72 hours is unresolved', () => {
    const old = refund({ state: 'UNKNOWN', sentAt: later(-72 * 3_600_000) });
    expect(decideRefund(old, { kind: 'unknown' }, pace, now)).toEqual({ kind: 'unresolved' });
    expect(decideRefund(old, { kind: 'refunded', transactionId: null, amount: null }, pace, now).kind).toBe('refunded');
  });
});
