import { describe, expect, test } from 'vitest';
import { groupEntries, type PaymentEntry, type TimelineEntry } from './timeline';

const at = (seconds: number) => new Date(seconds * 1_000);
const prompt = (id: string, seconds = 0): TimelineEntry => ({
  kind: 'prompt',
  id: `prompt-${id}`,
  at: at(seconds),
  reason: null,
  by: null,
  prompt: {
    id,
    source: 'api',
    mobile: '0712345678',
    network: 'vodacom',
    amount: 100n,
    ourReference: 'A',
    providerReference: null,
    state: 'FAILED',
    createdAt: at(seconds),
    provider: null,
  },
});
const moved = (id: string, attemptId: string | null, seconds = 0): TimelineEntry => ({
  kind: 'moved',
  id,
  at: at(seconds),
  attemptId,
  state: 'SENDING',
  reason: null,
  mobile: null,
  via: null,
});
const payment = (id: string, seconds: number, changes: Partial<PaymentEntry['payment']> = {}): TimelineEntry => ({
  kind: 'payment',
  id,
  at: at(seconds),
  payment: {
    id,
    paymentId: id,
    attemptId: 'a',
    transactionId: 'T1',
    amount: 100n,
    mobile: null,
    late: false,
    amountDiffers: false,
    kind: 'payment',
    source: 'provider',
    happenedAt: null,
    instrument: null,
    reason: null,
    allocatedBy: 'gateway',
    allocatedAt: at(seconds),
    note: null,
    ...changes,
  },
});
const status = (seconds: number): TimelineEntry => ({
  kind: 'status',
  id: `status-${seconds}`,
  at: at(seconds),
  status: 'FULLY_PAID',
  paid: 100n,
});
const note: TimelineEntry = { kind: 'note', id: 'note', at: at(0), by: 'user:a', text: 'x' };

const shown = (entries: readonly TimelineEntry[]) =>
  groupEntries(entries).map(({ entry, steps, payment: money, status: now }) => [
    entry.id,
    ...steps.map(({ id }) => id),
    ...(money ? [money.id] : []),
    ...(now ? [now] : []),
  ]);

describe('the history', () => {
  test('has one entry for a payment request with its steps, where the last step was', () => {
    const entries = [
      prompt('a'),
      moved('1', 'a'),
      note,
      prompt('b'),
      moved('2', 'b'),
      moved('3', 'a', 7),
      moved('4', null),
      moved('5', 'gone'),
    ];
    expect(shown(entries)).toEqual([['note'], ['prompt-b', '2'], ['prompt-a', '1', '3'], ['4'], ['5']]);
    expect(groupEntries(entries).find(({ entry }) => entry.id === 'prompt-a')?.at).toEqual(at(7));
  });

  test('joins the payment of a request and the status that it caused', () => {
    expect(shown([prompt('a'), moved('1', 'a', 2), payment('money', 2), status(2)])).toEqual([['prompt-a', '1', 'money', 'FULLY_PAID']]);
  });

  test('keeps a reversal, money that a person allocated and an unknown request apart from the request', () => {
    for (const changes of [
      { amount: -100n, kind: 'reversal' as const },
      { allocatedBy: 'user:a' },
      { attemptId: 'gone' },
      { attemptId: null },
    ])
      expect(shown([prompt('a'), payment('money', 2, changes), status(2)])).toEqual([['prompt-a'], ['money', 'FULLY_PAID']]);
  });

  test('keeps a status of another moment apart', () => {
    expect(shown([prompt('a'), payment('money', 2), status(3)])).toEqual([['prompt-a', 'money'], ['status-3']]);
  });
});
