import { describe, expect, test } from 'vitest';
import type { Balance } from './balance-store';
import { splitReversal } from './reversal-rules';

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

function balance(changes: Partial<Balance> = {}): Balance {
  return {
    payment,
    received: 1_000n,
    reversals: [],
    corrections: [],
    allocated: [onBill('b2', 400n), onBill('b1', 500n)],
    kept: 1_000n,
    unmatched: 100n,
    refundedOutside: false,
    ...changes,
  };
}

const told = (changes: Partial<Parameters<typeof splitReversal>[1]> = {}) => ({
  amount: null,
  asked: null,
  reversalTransactionId: null,
  ...changes,
});

describe('a reversal', () => {
  test('of all takes everything back from every bill', () => {
    expect(splitReversal(balance(), told())).toEqual({
      kind: 'booked',
      amount: 1_000n,
      taken: [onBill('b2', 400n), onBill('b1', 500n)],
    });
  });

  test('of a part takes what is unmatched first, then from the bill that had it last', () => {
    expect(splitReversal(balance(), told({ amount: 100n }))).toEqual({ kind: 'booked', amount: 100n, taken: [] });
    expect(splitReversal(balance(), told({ amount: 150n }))).toEqual({ kind: 'booked', amount: 150n, taken: [onBill('b2', 50n)] });
    expect(splitReversal(balance(), told({ amount: 600n }))).toMatchObject({ taken: [onBill('b2', 400n), onBill('b1', 100n)] });
  });

  test('without an amount is what was asked for', () => {
    expect(splitReversal(balance(), told({ asked: 300n }))).toMatchObject({ kind: 'booked', amount: 300n });
  });

  const reversal = (transactionId: string, amount: bigint) => ({ id: transactionId, transactionId, laterReceipt: null, amount });
  const known = { kind: 'known', identified: null };

  test('is booked once under its receipt', () => {
    const one = balance({ reversals: [reversal('R1', 300n)], kept: 700n });
    expect(splitReversal(one, told({ reversalTransactionId: 'R1', amount: 300n }))).toEqual(known);
    expect(splitReversal(one, told())).toEqual(known);
    expect(splitReversal(one, told({ reversalTransactionId: 'R2', asked: 300n }))).toMatchObject({ kind: 'booked', amount: 300n });
  });

  test('that was told without a receipt is not booked again under its receipt, and the next one is', () => {
    const withoutReceipt = { ...reversal('RECEIPT', 300n), id: 'n' };
    const before = balance({ reversals: [withoutReceipt], kept: 700n });
    const first = told({ reversalTransactionId: 'R1', amount: 300n });
    expect(splitReversal(before, first)).toEqual({ kind: 'known', identified: { reversalId: 'n', receipt: 'R1' } });
    expect(splitReversal(before, told({ amount: 300n }))).toEqual(known);
    const after = balance({ reversals: [{ ...withoutReceipt, laterReceipt: 'R1' }], kept: 700n });
    expect(splitReversal(after, first)).toEqual(known);
    expect(splitReversal(after, told({ reversalTransactionId: 'R2', amount: 300n }))).toMatchObject({ kind: 'booked', amount: 300n });
    const all = balance({ reversals: [reversal('RECEIPT', 1_000n)], kept: 0n, allocated: [], unmatched: 0n });
    const other = told({ reversalTransactionId: 'R2', amount: 400n });
    expect(splitReversal(all, other)).toEqual({ kind: 'differs', identified: { reversalId: 'RECEIPT', receipt: 'R2' } });
    const allNamed = balance({ ...all, reversals: [{ ...reversal('RECEIPT', 1_000n), laterReceipt: 'R1' }] });
    expect(splitReversal(allNamed, other)).toEqual({ kind: 'exceeds' });
  });

  test('of more than is there is never booked', () => {
    expect(splitReversal(balance(), told({ amount: 1_001n }))).toEqual({ kind: 'exceeds' });
    const gone = balance({ reversals: [reversal('R1', 1_000n)], kept: 0n, allocated: [], unmatched: 0n });
    expect(splitReversal(gone, told({ reversalTransactionId: 'R2', amount: 1n }))).toEqual({ kind: 'exceeds' });
  });
});
