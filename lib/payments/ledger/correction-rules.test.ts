import { expect, test } from 'vitest';
import type { Balance } from './balance-store';
import { splitCorrection } from './correction-rules';

const payment = {
  id: 'p',
  environment: 'sandbox',
  merchantId: 'm',
  providerAccountId: 'a',
  transactionId: 'RECEIPT',
  attemptId: null,
  amount: 1_000n,
  mobile: null,
  recordedAt: new Date(0),
} as const;
const onBill = (billId: string, amount: bigint) => ({ billId, merchantId: 'm', amount });
const one = [onBill('b1', 1_000n)];
const two = [onBill('b2', 400n), onBill('b1', 500n)];

function balance(changes: Partial<Balance> = {}): Balance {
  const rest = {
    received: 1_000n,
    reversals: [],
    corrections: [],
    kept: 1_000n,
    unmatched: 0n,
    marked: 0n,
    refundedOutside: 0n,
    fee: null,
    happenedAt: null,
  };
  return { payment, allocated: one, ...rest, ...changes };
}
const ofPayment = (amount: bigint, had = one) => ({ correctsId: 'p', amount, had });
const ofReversal = (amount: bigint, had = one) => ({ correctsId: 'r', amount, had });

test('a smaller payment loses its unmatched part first, then its last allocations', () => {
  const split = balance({ allocated: two, unmatched: 100n });
  expect(splitCorrection(split, ofPayment(-100n))).toEqual([]);
  expect(splitCorrection(split, ofPayment(-150n))).toEqual([onBill('b2', -50n)]);
  expect(splitCorrection(split, ofPayment(-1_000n))).toEqual([onBill('b2', -400n), onBill('b1', -500n)]);
});

test('a correction that leaves less than the reversals is rejected', () => {
  expect(splitCorrection(balance({ kept: 300n }), ofPayment(-301n))).toBeNull();
  expect(splitCorrection(balance({ kept: 300n }), ofReversal(301n))).toBeNull();
});

test('a larger payment gives the surplus to its only bill, now or in the past', () => {
  expect(splitCorrection(balance(), ofPayment(50n))).toEqual([onBill('b1', 50n)]);
  expect(splitCorrection(balance({ allocated: [], kept: 0n, received: 0n }), ofPayment(50n))).toEqual([onBill('b1', 50n)]);
});

test('the surplus of a larger payment is unmatched if it has no bill or several', () => {
  expect(splitCorrection(balance({ allocated: two, unmatched: 100n }), ofPayment(50n, two))).toEqual([]);
  expect(splitCorrection(balance({ allocated: [onBill('b1', 900n)], unmatched: 100n }), ofPayment(50n))).toEqual([]);
  expect(splitCorrection(balance({ allocated: [], unmatched: 1_000n }), ofPayment(50n, []))).toEqual([]);
});

test('money that comes back is refunded outside first, and no bill gets a surplus of a payment with such a part', () => {
  const gone = balance({ allocated: [], kept: 0n, received: 0n, marked: 300n });
  expect(splitCorrection(gone, ofPayment(1_000n, [onBill('b1', 700n)]))).toEqual([]);
  expect(splitCorrection(gone, ofReversal(-200n, [onBill('b1', 700n)]))).toEqual([]);
  expect(splitCorrection(gone, ofReversal(-500n, [onBill('b1', 700n)]))).toEqual([onBill('b1', 200n)]);
  const partly = balance({ allocated: [], kept: 100n, marked: 300n, refundedOutside: 100n });
  expect(splitCorrection(partly, ofReversal(-500n, [onBill('b1', 700n)]))).toEqual([onBill('b1', 300n)]);
});

test('a smaller reversal returns the surplus to the bills from which it took it', () => {
  const back = balance({ allocated: [], kept: 0n });
  expect(splitCorrection(back, ofReversal(-800n))).toEqual([onBill('b1', 800n)]);
  expect(splitCorrection(back, ofReversal(-800n, two))).toEqual([onBill('b2', 400n), onBill('b1', 400n)]);
  expect(splitCorrection(back, ofReversal(-800n, [onBill('b1', 300n)]))).toEqual([onBill('b1', 300n)]);
});
