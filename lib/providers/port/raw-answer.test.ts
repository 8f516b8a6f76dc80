import { expect, test } from 'vitest';
import { readAmount, readFee, readGroupedAmount, reasonOfText } from './raw-answer';

test.each([
  ['5000', 500_000n],
  ['5000.00', 500_000n],
  [5_000, 500_000n],
  ['999999999999999', 99_999_999_999_999_900n],
  ['9999999999999999', null],
  ['5000.50', null],
  ['5,000', null],
  ['0.00', null],
  ['-5000', null],
  ['', null],
  [undefined, null],
] as const)('the amount %j is read as %s', (value, amount) => {
  expect(readAmount(value)).toBe(amount);
});

test.each([
  ['37,600.00', 3_760_000n],
  ['1,000,000', 100_000_000n],
  ['5000', 500_000n],
  ['37,60', null],
  ['5000,000', null],
  [null, null],
] as const)('the grouped amount %j is read as %s', (value, amount) => {
  expect(readGroupedAmount(value)).toBe(amount);
});

test.each([
  [57.5, 5_750n],
  ['57.50', 5_750n],
  [0, 0n],
  [1.15, 115n],
  ['1.005', 101n],
  [1e21, null],
  [-1, null],
  ['x', null],
])('a fee %j is %s senti', (value, senti) => {
  expect(readFee(value)).toBe(senti);
});

test.each([
  ['Insufficient balance', 'insufficient_funds'],
  ['Not enough funds to stay within your limit', 'insufficient_funds'],
  ['Customer entered a wrong PIN', 'wrong_pin'],
  ['Daily limit exceeded', 'limit_exceeded'],
  ['Transaction was cancelled by the customer', 'user_cancelled'],
  ['Request declined', 'user_cancelled'],
  ['Subscriber is not registered', 'mobile_not_registered'],
  ['Invalid phone number', 'mobile_not_registered'],
  ['Transaction timed out', 'user_timeout'],
  ['Request expired', 'user_timeout'],
  ['Something else', 'rejected'],
  [null, 'rejected'],
])('%s: %s', (text, reason) => {
  expect(reasonOfText(text)).toBe(reason);
});
