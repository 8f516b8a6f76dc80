import { expect, test } from 'vitest';
import { joinTimeline } from './timeline';
import type { EventRow, PaymentRow, PromptRow } from './timeline-store';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds));

function event(type: string, seconds: number, changes: Partial<EventRow> = {}): EventRow {
  return {
    number: 1,
    type,
    at: at(seconds),
    by: null,
    source: null,
    attemptId: null,
    reason: null,
    transactionId: null,
    amount: null,
    ledgerAmount: null,
    from: null,
    to: null,
    provider: null,
    note: null,
    ...changes,
  };
}

const prompt: PromptRow = {
  id: 'p1',
  source: 'api',
  mobile: '0712345001',
  network: 'yas',
  amount: 500000n,
  ourReference: 'R'.repeat(20),
  providerReference: null,
  state: 'SUCCEEDED',
  failureReason: null,
  createdAt: at(0),
  provider: 'mixx',
};
const payment: PaymentRow = {
  id: 'l1',
  attemptId: null,
  paymentId: 'p1',
  transactionId: 'T1',
  amount: 500000n,
  mobile: '0712345001',
  late: false,
  amountDiffers: false,
  kind: 'payment',
  source: 'provider',
  happenedAt: null,
  instrument: null,
  reason: null,
  allocatedBy: 'gateway',
  allocatedAt: at(2),
};

test('rows of several tables form one history, causes before effects, oldest first', () => {
  const entries = joinTimeline({
    events: [
      event('bill.fully_paid', 2, { amount: '500000' }),
      event('payment.recorded', 2),
      event('attempt.succeeded', 2, { attemptId: 'p1' }),
      event('attempt.awaiting_customer', 1, { attemptId: 'p1' }),
      event('bill.created', 0, { by: 'key:k' }),
    ],
    prompts: [prompt],
    payments: [payment],
    deliveries: [],
    notes: [],
    messages: [],
  });
  expect(entries.map(({ kind }) => kind)).toEqual(['created', 'prompt', 'moved', 'moved', 'payment', 'status']);
  expect(entries[3]).toMatchObject({ state: 'SUCCEEDED', mobile: '0712345001' });
  expect(entries[5]).toMatchObject({ status: 'FULLY_PAID', paid: 500000n });
});

test('an unknown reason is not shown, and an unknown event is shown by its type', () => {
  const entries = joinTimeline({
    events: [
      event('attempt.failed', 1, { reason: 'wrong_pin' }),
      event('attempt.failed', 2, { reason: 'dog ate it' }),
      event('bill.blessed', 3),
    ],
    prompts: [],
    payments: [],
    deliveries: [],
    notes: [],
    messages: [],
  });
  expect(entries).toMatchObject([{ reason: 'wrong_pin' }, { reason: null }, { kind: 'other', type: 'bill.blessed' }]);
});

test("corrections, releases and reversals are shown with the member's reason, and only once if the ledger has an entry too", () => {
  const entries = joinTimeline({
    events: [
      event('attempt.released', 1, { attemptId: 'p1', by: 'user:asha@example.com', reason: 'paid in cash' }),
      event('payment.allocated', 2),
      event('reversal.requested', 3, { transactionId: 'T1', amount: '500000', reason: 'wrong goods' }),
      event('reversal.failed', 4, { transactionId: 'T1', amount: '500000', reason: 'rejected' }),
      event('payment.reversed', 5),
    ],
    prompts: [prompt],
    payments: [payment, { ...payment, kind: 'reversal', amount: -500000n, allocatedAt: at(5) }],
    deliveries: [],
    notes: [],
    messages: [],
  });
  expect(entries).toMatchObject([
    { kind: 'prompt' },
    { kind: 'released', mobile: '0712345001', by: 'user:asha@example.com', why: 'paid in cash' },
    { kind: 'payment' },
    { kind: 'refundAsked', amount: 500000n, why: 'wrong goods' },
    { kind: 'refundFailed', reason: 'rejected' },
    { kind: 'payment', payment: { amount: -500000n } },
  ]);
});

test('a correction is shown by its ledger entry, or by its event if no bill changed', () => {
  const parts = { prompts: [], deliveries: [], notes: [], messages: [] };
  const corrected = { by: 'operator:asha', reason: 'typed wrong', transactionId: 'T1', from: '500000', to: '400000' };
  const correction = { ...payment, kind: 'correction' as const, amount: -100_000n, reason: 'typed wrong', allocatedBy: 'operator:asha' };
  const onBill = joinTimeline({
    ...parts,
    events: [event('payment.corrected', 2, { ...corrected, amount: '-100000' })],
    payments: [correction],
  });
  expect(onBill).toMatchObject([{ kind: 'payment', payment: correction }]);
  const elsewhere = joinTimeline({ ...parts, events: [event('payment.corrected', 2, { ...corrected, amount: '0' })], payments: [] });
  expect(elsewhere).toMatchObject([{ kind: 'corrected', from: 500_000n, to: 400_000n, by: 'operator:asha', why: 'typed wrong' }]);
});

test('a contradicted payment is shown with both amounts', () => {
  const data = { transactionId: 'T1', amount: '50000', ledgerAmount: '500000' };
  const parts = { prompts: [], payments: [], deliveries: [], notes: [], messages: [] };
  expect(joinTimeline({ ...parts, events: [event('payment.contradicted', 2, data)] })).toMatchObject([
    { kind: 'contradicted', transactionId: 'T1', amount: 50_000n, recorded: 500_000n },
  ]);
});
