import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountChoice, amountProblem, isAboveWallet } from './choose-amount';
import { HIGHEST_LIMIT, SMALLEST_PART, USUAL_LIMIT } from './wallet-limits';

const tzs = (shillings: number) => BigInt(shillings) * 100n;

const bill = (shillings: number) => ({ amount: tzs(shillings) });

describe('a customer', () => {
  test('pays the whole bill if the merchant allows no part payments', () => {
    expect(amountChoice(tzs(5_000), bill(5_000), false)).toBeNull();
    expect(amountChoice(USUAL_LIMIT, { amount: USUAL_LIMIT }, false)).toBeNull();
  });

  test('can choose if the merchant allows part payments and more than the smallest part is left', () => {
    const choice = { min: tzs(500), max: tzs(5_000), proposed: tzs(5_000), because: 'merchant' };
    expect(amountChoice(tzs(5_000), bill(9_000), true)).toEqual(choice);
    expect(amountChoice(tzs(500), bill(9_000), true)).toBeNull();
  });

  test('can choose for every part of a bill that exceeds what most wallets can send at once', () => {
    const choice = { min: tzs(500), max: tzs(4_000_000), proposed: tzs(3_000_000), because: 'wallet_limit' };
    expect(amountChoice(tzs(4_000_000), bill(4_000_000), false)).toEqual(choice);
    expect(amountChoice(tzs(1_000_000), bill(4_000_000), false)).toMatchObject({ max: tzs(1_000_000), proposed: tzs(1_000_000) });
    expect(amountChoice(tzs(1_000_000_000), bill(1_000_000_000), true)).toMatchObject({ max: HIGHEST_LIMIT, because: 'wallet_limit' });
  });

  test('gets no prompt for another amount if there is no choice any more', () => {
    expect(amountProblem(tzs(1_000), null, tzs(5_000))).toBe('amountNoLonger');
    expect(amountProblem(null, null, tzs(5_000))).toBe('amountNoLonger');
    expect(amountProblem(tzs(5_000), null, tzs(5_000))).toBeNull();
  });
});

test.each([
  [null, 'amountInvalid'],
  [tzs(5_000), null],
  [tzs(5_001), 'amountTooLarge'],
  [tzs(500), null],
  [tzs(499), 'amountTooSmall'],
  [tzs(4_500), null],
  [tzs(4_501), 'amountLeavesTooLittle'],
])('paying %s senti of a bill of 5,000 shillings: %s', (amount, problem) => {
  const choice = amountChoice(tzs(5_000), bill(5_000), true);
  expect(choice && amountProblem(amount, choice, tzs(5_000))).toBe(problem);
});

test('the rest after a part payment is never below the smallest part', () => {
  const amount = fc.integer({ min: 501, max: 20_000_000 });
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 1_000 }), (payable, left) => {
      const choice = amountChoice(tzs(payable), bill(payable), true);
      const fine = choice !== null && amountProblem(tzs(payable - left), choice, tzs(payable)) === null;
      expect(fine && left > 0 && tzs(left) < SMALLEST_PART).toBe(false);
    }),
  );
});

test("a network's limit is checked before a prompt is sent", () => {
  expect(isAboveWallet(tzs(5_000_000), 'airtel')).toBe(false);
  expect(isAboveWallet(tzs(5_000_001), 'airtel')).toBe(true);
  expect(isAboveWallet(tzs(5_000_001), 'vodacom')).toBe(false);
});
