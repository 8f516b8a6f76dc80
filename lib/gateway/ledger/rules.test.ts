import { describe, expect, test } from 'vitest';
import type { Balance } from './balance-store';
import { splitCorrection, splitReversal } from './rules';

const payment = {
  id: 'p',
  environment: 'sandbox',
  merchantId: 'm',
  providerAccountId: 'a',
  transactionId: 'RECEIPT',
  attemptId: null,
  instrumentId: null,
  amount: 1_000n,
  mobile: null,
  recordedAt: new Date(0),
  source: 'provider',
} as const;
const onBill = (billId: string, amount: bigint) => ({ billId, merchantId: 'm', amount });

function balance(changes: Partial<Balance> = {}): Balance {
  return {
    payment,
    received: 1_000n,
    reversals: [],
    corrections: [],
    allocated: [onBill('b2', 400n), onBill('b1', 500n)],
    kept: 1_000n,
    left: 1_000n,
    unmatched: 100n,
    refunds: [],
    refunded: 0n,
    overRefunded: 0n,
    fee: null,
    happenedAt: null,
    ...changes,
  };
}

const reported = (changes: Partial<Parameters<typeof splitReversal>[1]> = {}) => ({
  amount: null,
  requested: null,
  billId: null,
  reversalTransactionId: null,
  ...changes,
});

describe('a reversal', () => {
  test('of the whole payment takes all allocations from the bills', () => {
    expect(splitReversal(balance(), reported())).toEqual({
      kind: 'booked',
      amount: 1_000n,
      taken: [onBill('b2', 400n), onBill('b1', 500n)],
    });
  });

  test('of a part takes the unmatched part first, then the last allocations', () => {
    expect(splitReversal(balance(), reported({ amount: 100n }))).toEqual({ kind: 'booked', amount: 100n, taken: [] });
    expect(splitReversal(balance(), reported({ amount: 150n }))).toEqual({ kind: 'booked', amount: 150n, taken: [onBill('b2', 50n)] });
    expect(splitReversal(balance(), reported({ amount: 600n }))).toMatchObject({ taken: [onBill('b2', 400n), onBill('b1', 100n)] });
  });

  test('without an amount has the requested amount', () => {
    expect(splitReversal(balance(), reported({ requested: 300n }))).toMatchObject({ kind: 'booked', amount: 300n });
  });

  const reversal = (transactionId: string, amount: bigint) => ({
    id: transactionId,
    kind: 'reversal' as const,
    transactionId,
    laterReceipt: null,
    amount,
  });
  const known = { kind: 'known', identified: null };

  test('is booked once with its receipt', () => {
    const one = balance({ reversals: [reversal('R1', 300n)], kept: 700n });
    expect(splitReversal(one, reported({ reversalTransactionId: 'R1', amount: 300n }))).toEqual(known);
    expect(splitReversal(one, reported())).toEqual(known);
    expect(splitReversal(one, reported({ reversalTransactionId: 'R2', requested: 300n }))).toMatchObject({ kind: 'booked', amount: 300n });
  });

  test('that was first reported without a receipt is not booked again with its receipt, but the next one is', () => {
    const withoutReceipt = { ...reversal('RECEIPT', 300n), id: 'n' };
    const before = balance({ reversals: [withoutReceipt], kept: 700n });
    const first = reported({ reversalTransactionId: 'R1', amount: 300n });
    expect(splitReversal(before, first)).toEqual({ kind: 'known', identified: { reversalId: 'n', receipt: 'R1' } });
    expect(splitReversal(before, reported({ amount: 300n }))).toEqual(known);
    const after = balance({ reversals: [{ ...withoutReceipt, laterReceipt: 'R1' }], kept: 700n });
    expect(splitReversal(after, first)).toEqual(known);
    expect(splitReversal(after, reported({ reversalTransactionId: 'R2', amount: 300n }))).toMatchObject({ kind: 'booked', amount: 300n });
    const all = balance({ reversals: [reversal('RECEIPT', 1_000n)], kept: 0n, allocated: [], unmatched: 0n });
    const other = reported({ reversalTransactionId: 'R2', amount: 400n });
    expect(splitReversal(all, other)).toEqual({ kind: 'differs', identified: { reversalId: 'RECEIPT', receipt: 'R2' } });
    const allNamed = balance({ ...all, reversals: [{ ...reversal('RECEIPT', 1_000n), laterReceipt: 'R1' }] });
    expect(splitReversal(allNamed, other)).toEqual({ kind: 'exceeds' });
  });

  test('that exceeds the remaining amount is never booked', () => {
    expect(splitReversal(balance(), reported({ amount: 1_001n }))).toEqual({ kind: 'exceeds' });
    const gone = balance({ reversals: [reversal('R1', 1_000n)], kept: 0n, allocated: [], unmatched: 0n });
    expect(splitReversal(gone, reported({ reversalTransactionId: 'R2', amount: 1n }))).toEqual({ kind: 'exceeds' });
  });
});

const one = [onBill('b1', 1_000n)];
const two = [onBill('b2', 400n), onBill('b1', 500n)];
const onOneBill = (changes: Partial<Balance> = {}) => balance({ allocated: one, unmatched: 0n, ...changes });
const ofPayment = (amount: bigint, had = one) => ({ correctsId: 'p', amount, had });
const ofReversal = (amount: bigint, had = one) => ({ correctsId: 'r', amount, had });

test('a smaller payment loses its unmatched part first, then its last allocations', () => {
  const split = onOneBill({ allocated: two, unmatched: 100n });
  expect(splitCorrection(split, ofPayment(-100n))).toEqual([]);
  expect(splitCorrection(split, ofPayment(-150n))).toEqual([onBill('b2', -50n)]);
  expect(splitCorrection(split, ofPayment(-1_000n))).toEqual([onBill('b2', -400n), onBill('b1', -500n)]);
});

test('a correction that leaves less than the reversals is rejected', () => {
  expect(splitCorrection(onOneBill({ kept: 300n }), ofPayment(-301n))).toBeNull();
  expect(splitCorrection(onOneBill({ kept: 300n }), ofReversal(301n))).toBeNull();
});

test('a larger payment gives the surplus to its only bill, now or in the past', () => {
  expect(splitCorrection(onOneBill(), ofPayment(50n))).toEqual([onBill('b1', 50n)]);
  expect(splitCorrection(onOneBill({ allocated: [], kept: 0n, received: 0n }), ofPayment(50n))).toEqual([onBill('b1', 50n)]);
});

test('the surplus of a larger payment is unmatched if it has no bill or several', () => {
  expect(splitCorrection(onOneBill({ allocated: two, unmatched: 100n }), ofPayment(50n, two))).toEqual([]);
  expect(splitCorrection(onOneBill({ allocated: [onBill('b1', 900n)], unmatched: 100n }), ofPayment(50n))).toEqual([]);
  expect(splitCorrection(onOneBill({ allocated: [], unmatched: 1_000n }), ofPayment(50n, []))).toEqual([]);
});

test('money that comes back is refunded outside first, and no bill gets a surplus of a payment with such a part', () => {
  const refunds = [{ id: 'f', kind: 'refund' as const, transactionId: 'F', laterReceipt: null, amount: 300n }];
  const gone = onOneBill({ allocated: [], kept: 0n, received: 0n, refunds, overRefunded: 300n });
  expect(splitCorrection(gone, ofPayment(1_000n, [onBill('b1', 700n)]))).toEqual([]);
  expect(splitCorrection(gone, ofReversal(-200n, [onBill('b1', 700n)]))).toEqual([]);
  expect(splitCorrection(gone, ofReversal(-500n, [onBill('b1', 700n)]))).toEqual([onBill('b1', 200n)]);
  const partly = onOneBill({ allocated: [], kept: 100n, refunds, refunded: 100n, overRefunded: 200n });
  expect(splitCorrection(partly, ofReversal(-500n, [onBill('b1', 700n)]))).toEqual([onBill('b1', 300n)]);
});

test('a smaller reversal returns the surplus to the bills from which it took it', () => {
  const back = onOneBill({ allocated: [], kept: 0n });
  expect(splitCorrection(back, ofReversal(-800n))).toEqual([onBill('b1', 800n)]);
  expect(splitCorrection(back, ofReversal(-800n, two))).toEqual([onBill('b2', 400n), onBill('b1', 400n)]);
  expect(splitCorrection(back, ofReversal(-800n, [onBill('b1', 300n)]))).toEqual([onBill('b1', 300n)]);
});
