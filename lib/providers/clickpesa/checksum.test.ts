import { expect, test } from 'vitest';
import { checksumOf, fits } from './checksum';

const KEY = 'test-checksum-key';
const push = { phoneNumber: '255712345678', orderReference: '0123456789ABCDEFGHIJ', currency: 'TZS', amount: '5000' };
const webhook = {
  event: 'PAYMENT RECEIVED',
  data: {
    status: 'SUCCESS',
    orderReference: '0123456789ABCDEFGHIJ',
    paymentReference: '7K123ABC',
    id: 'LCP0001',
    customer: { customerPhoneNumber: '255712345678', customerName: 'Asha Juma' },
    collectedCurrency: 'TZS',
    collectedAmount: '5000',
    clientId: 'IDtest',
    channel: 'M-PESA',
  },
};

// The vectors were computed independently with Node and Python.
test('a checksum covers the message with sorted keys, at every level', () => {
  expect(checksumOf(push, KEY)).toBe('92c6223b0c22c6af02fc573549cb9a359346e094bd57582f07baadf7584c698c');
  expect(checksumOf(webhook, KEY)).toBe('3a7e19621083260d03fd6e9e0276ae724436c123ae94009cfb9f7b1904dd9573');
});

test('the legacy checksum covers the values in the order of their keys', () => {
  const message = { reference: 'TX123', currency: 'USD', amount: 100 };
  expect(checksumOf(message, 'secret-key', 'legacy')).toBe('85b65bf2670dcdcb8ebb8d19939e4fd59b02d5218741be2eaf9f575273b101d1');
});

test('the checksum itself and the name of its method are not covered', () => {
  const checksum = checksumOf(webhook, KEY);
  expect(fits({ ...webhook, checksum, checksumMethod: 'HMAC-SHA256' }, checksum, KEY, 'canonical')).toBe(true);
  expect(fits({ ...webhook, event: 'PAYMENT FAILED' }, checksum, KEY, 'canonical')).toBe(false);
  expect(fits(webhook, undefined, KEY, 'canonical')).toBe(false);
  expect(fits(webhook, checksum.slice(2), KEY, 'canonical')).toBe(false);
  expect(fits(webhook, checksum, 'another key', 'canonical')).toBe(false);
});
