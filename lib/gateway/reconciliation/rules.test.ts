import { describe, expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { parsePeriod } from '@/lib/platform/core/period';
import { compare, findSamePayment, isMuchMissing, type LedgerEntry, totalsOf } from './rules';
import type { StatementLine } from './statement';

const period = { from: new Date('2026-11-19T21:00:00Z'), to: new Date('2026-11-20T21:00:00Z') };
const line: StatementLine = {
  number: 2,
  kind: 'payment',
  transactionId: 'Q1',
  amount: 500_000n,
  completedAt: new Date('2026-11-20T10:00:00Z'),
  reference: null,
  mobile: null,
  reversedTransactionId: null,
  raw: {},
};
const entry: LedgerEntry = {
  paymentId: 'p',
  kind: 'payment',
  transactionId: 'Q1',
  amount: 500_000n,
  requestId: 'a',
  untouched: false,
};
const unmatched = { ...entry, requestId: null, untouched: true };
const own = { paymentIsElsewhere: false, samePayment: undefined };

describe('a line of a statement', () => {
  test.each([
    ['has the same amount as the ledger entry', line, entry, own, 'matched', 'none'],
    ['matches an unmatched payment and names our attempt', line, unmatched, own, 'matched', 'settled_attempt'],
    ['matches an unmatched payment and names no attempt', line, unmatched, undefined, 'matched', 'none'],
    ['matches an unmatched payment and names an attempt that was refused', line, unmatched, 'refused', 'matched', 'opened_review'],
    ['names another attempt than the ledger', line, entry, { ...own, paymentIsElsewhere: true }, 'attempt_differs', 'opened_review'],
    ['has another amount', { ...line, amount: 500_001n }, unmatched, own, 'amount_differs', 'opened_review'],
    ['is not in the ledger and names our attempt', line, undefined, own, 'theirs_only', 'settled_attempt'],
    ['is not in the ledger', line, undefined, undefined, 'theirs_only', 'kept_unmatched'],
    ['is not in the ledger and names an attempt that was refused', line, undefined, 'refused', 'theirs_only', 'kept_unmatched'],
    ['is in the ledger with another receipt', line, undefined, { ...own, samePayment: entry }, 'receipt_differs', 'opened_review'],
    ['is a reversal that is not in the ledger', { ...line, kind: 'reversal' }, undefined, own, 'theirs_only', 'booked_reversal'],
    ['is a reversal that the ledger has', { ...line, kind: 'reversal' }, { ...entry, kind: 'reversal' }, own, 'matched', 'none'],
    ['is from the first instant of the period', { ...line, completedAt: period.from }, entry, own, 'matched', 'none'],
    ['is from the end of the period', { ...line, completedAt: period.to }, undefined, own, 'outside_period', 'none'],
    ['is from before the period', { ...line, completedAt: new Date(period.from.getTime() - 1) }, undefined, own, 'outside_period', 'none'],
  ] as const)('that %s', (_case, statementLine, known, attempt, finding, action) => {
    const compared = finding !== 'theirs_only' && finding !== 'outside_period';
    expect(compare(statementLine, period, known, attempt)).toEqual({
      finding,
      action,
      ledgerAmount: compared ? 500_000n : null,
      paymentId: compared ? 'p' : null,
    });
  });
});

describe('the payment of a line with another receipt number', () => {
  const payment = { paymentId: 'p', transactionId: 'Q2', amount: 500_000n, happenedAt: addMs(line.completedAt, MINUTE_MS) };
  const none = { receipts: new Set<string>(), period };
  test.each([
    ['has the same amount and time', payment, none, true],
    ['is not one with another amount', { ...payment, amount: 1n }, none, false],
    ['is not one from another time', { ...payment, happenedAt: addMs(line.completedAt, HOUR_MS) }, none, false],
    ['is not one that the statement contains', payment, { ...none, receipts: new Set(['Q2']) }, false],
    ['is not one from before the period', payment, { ...none, period: { ...period, from: line.completedAt } }, false],
  ])('%s', (_case, known, options, same) => {
    expect(findSamePayment(line, [known], options)?.paymentId).toBe(same ? 'p' : undefined);
  });
});

test.each([
  [{ missing: 0, entries: 0, empty: true }, false],
  [{ missing: 1, entries: 1, empty: true }, true],
  [{ missing: 2, entries: 3, empty: false }, false],
  [{ missing: 3, entries: 14, empty: false }, true],
  [{ missing: 3, entries: 15, empty: false }, false],
])('of a statement with %j, much is missing: %s', (share, much) => {
  expect(isMuchMissing(share)).toBe(much);
});

describe('a period', () => {
  test.each([
    ['2026-11-20', '2026-11-20', period.from, period.to],
    ['2026-11-20T00:00:00+03:00', '2026-11-21T00:00:00+03:00', period.from, period.to],
    ['2026-11-01', '2026-11-30', new Date('2026-10-31T21:00:00Z'), new Date('2026-11-30T21:00:00Z')],
  ])('from %s to %s', (from, to, start, end) => {
    expect(parsePeriod(from, to)).toEqual({ ok: true, value: { from: start, to: end } });
  });

  test.each([
    ['2026-11-20', '2026-11-19', 'the period from 2026-11-20 to 2026-11-19 is empty'],
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00Z', 'the period from 2026-11-20T10:00:00Z to 2026-11-20T10:00:00Z is empty'],
    ['yesterday', '2026-11-19', '"yesterday" must be a day like'],
    ['2026-11-20', '2026-11-20 10:00:00', '"2026-11-20 10:00:00" must be a day like'],
    ['2026-02-30', '2026-03-01', '"2026-02-30" must be a day like'],
  ])('from %s to %s is refused', (from, to, reason) => {
    expect(parsePeriod(from, to)).toEqual({ ok: false, error: expect.stringContaining(reason) });
  });
});

test('totals contain only lines of the period, on both sides', () => {
  const tally = { kind: 'payment', action: 'none', lines: 1, statementAmount: 100n, ledgerAmount: 10n } as const;
  const totals = totalsOf([
    { ...tally, finding: 'matched' },
    { ...tally, finding: 'amount_differs' },
    { ...tally, finding: 'theirs_only', ledgerAmount: 0n },
    { ...tally, finding: 'ours_only', statementAmount: 0n },
    { ...tally, finding: 'outside_period' },
  ]);
  expect(totals).toEqual([
    { kind: 'payment', statement: { lines: 3, amount: 300n }, ledger: { lines: 3, amount: 30n } },
    { kind: 'reversal', statement: { lines: 0, amount: 0n }, ledger: { lines: 0, amount: 0n } },
  ]);
});
