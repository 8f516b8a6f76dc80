import { expect, test } from 'vitest';
import { reasonOfText } from './reason-of-text';

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
