import { expect, test } from 'vitest';
import { answer, PROMPT, REFUND } from '@/testing/providers/samples';
import { checksumOf, fits, readPayoutAnswer, readPayoutStatus, readPushAnswer, readStatusAnswer } from './wire';

const { reference } = PROMPT;
const error = (statusCode: number, message: string | string[]) => answer(statusCode, { message, error: 'Error', statusCode });
const payment = (status: string, more: object = {}) => ({
  id: 'LCP1',
  status,
  orderReference: reference,
  collectedAmount: '5000.00',
  collectedCurrency: 'TZS',
  ...more,
});
const money = { transactionId: 'LCP1', amount: 500_000n };

test.each([
  ['an accepted request', answer(200, payment('PROCESSING')), { kind: 'accepted', providerReference: 'LCP1' }],
  ["another payment's answer", answer(200, payment('PROCESSING', { orderReference: 'OTHER' })), { kind: 'unknown' }],
  ['a wrong checksum', error(400, 'Invalid checksum'), { kind: 'failed', reason: 'merchant_config' }],
  ['several messages', error(400, ['phoneNumber is invalid', 'Invalid phone']), { kind: 'failed', reason: 'mobile_not_registered' }],
  ['a time-out behind ClickPesa', error(400, 'Request timed out'), { kind: 'unknown' }],
  ['a refusal that may be repeated', error(400, 'Something went wrong, please try again'), { kind: 'unknown' }],
  ['a final cause', error(400, 'Insufficient balance, please try again'), { kind: 'failed', reason: 'insufficient_funds' }],
  ['a product that is not enabled', error(404, 'Not available'), { kind: 'failed', reason: 'merchant_config' }],
  ['a 404 of a gateway', answer(404, { error: 'no route' }), { kind: 'unknown' }],
  ['a reference that was used', error(409, 'Already used'), { kind: 'duplicate' }],
  ['a payment that is reported as paid at once', answer(200, payment('SUCCESS')), { kind: 'accepted', providerReference: 'LCP1' }],
  ['a reference that was used, as a validation error', error(400, 'orderReference already used'), { kind: 'duplicate' }],
  ['an address that may not call', error(403, 'IP not allowed'), { kind: 'failed', reason: 'merchant_config' }],
  ['a page of a gateway with 403', answer(403, {}), { kind: 'unknown' }],
  ['an expired token', error(401, 'Unauthorized'), { kind: 'not_sent' }],
  ['too many requests', error(429, 'Too many'), { kind: 'not_sent' }],
  ['an error of the server', error(500, 'Insufficient balance'), { kind: 'unknown' }],
])('a payment request: %s', (_name, received, outcome) => {
  expect(readPushAnswer(received, PROMPT)).toEqual(outcome);
});

test.each([
  ['in an array', answer(200, [payment('SUCCESS')]), { kind: 'paid', ...money }],
  ['as an object', answer(200, payment('SETTLED', { collectedAmount: 5000 })), { kind: 'paid', ...money }],
  ['waiting', answer(200, [payment('PENDING')]), { kind: 'pending' }],
  ['on hold', answer(200, [payment('ON-HOLD')]), { kind: 'pending' }],
  ['failed', answer(200, [payment('FAILED', { message: 'Insufficient balance' })]), { kind: 'failed', reason: 'insufficient_funds' }],
  ['refunded', answer(200, [payment('REFUNDED')]), { kind: 'reversed', ...money, reversed: null, reversalTransactionId: null }],
  [
    'reversed, without an amount',
    answer(200, [payment('REVERSED', { collectedAmount: '0' })]),
    { kind: 'reversed', ...money, assumed: true, reversed: null, reversalTransactionId: null },
  ],
  ['twice in the answer', answer(200, [payment('FAILED'), payment('SUCCESS')]), { kind: 'unknown' }],
  ['with a long message', answer(200, [payment('SUCCESS', { message: 'x'.repeat(3_000) })]), { kind: 'paid', ...money }],
  ['in another currency', answer(200, [payment('SUCCESS', { collectedCurrency: 'USD' })]), { kind: 'unknown' }],
  ['with cents', answer(200, [payment('SUCCESS', { collectedAmount: '5000.50' })]), { kind: 'unknown' }],
  ['with a state that is not documented', answer(200, [payment('CHARGEBACK')]), { kind: 'unknown' }],
  ['not in the answer', answer(200, [payment('SUCCESS', { orderReference: 'OTHER' })]), { kind: 'unknown' }],
  ['not found', error(404, 'Payment not found'), { kind: 'not_found' }],
  ['an expired token', error(401, 'Unauthorized'), { kind: 'unknown' }],
])('a status query: %s', (_name, received, outcome) => {
  expect(readStatusAnswer(received, PROMPT)).toEqual(outcome);
});

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

const payout = (status: string, more: object = {}) => ({
  id: 'PAY1',
  status,
  orderReference: REFUND.reference,
  amount: '5047.00',
  fee: '47.00',
  ...more,
});
const unknown = { kind: 'unknown' };
const failed = (reason: string) => ({ kind: 'failed', reason });

test.each([
  ['accepted', answer(200, payout('AUTHORIZED')), { kind: 'pending', providerReference: 'PAY1' }],
  ['successful, which only a status query confirms', answer(201, payout('SUCCESS')), { kind: 'pending', providerReference: 'PAY1' }],
  ['failed at once', answer(200, payout('REVERSED')), failed('rejected')],
  ["another reference's", answer(200, payout('AUTHORIZED', { orderReference: 'other' })), unknown],
  ['a used reference', error(409, 'orderReference was already used'), unknown],
  ['a used reference with 400', error(400, ['orderReference already exists']), unknown],
  ['a balance that is too small', error(400, 'Insufficient balance'), failed('insufficient_funds')],
  ['a wrong checksum', error(400, 'Invalid checksum'), failed('merchant_config')],
  ['a refusal that leaves the end open', error(400, 'Something went wrong'), unknown],
  ['payouts that are not enabled', error(403, 'Forbidden'), failed('merchant_config')],
  ['403 of a gateway', answer(403, '<html>'), unknown],
  ['a refused token', error(401, 'Unauthorized'), { kind: 'not_sent' }],
  ['too many requests', error(429, 'Too Many Requests'), { kind: 'not_sent' }],
  ['429 of a gateway', answer(429, '<html>'), unknown],
  ['an error of the server', error(500, 'Insufficient balance'), unknown],
])('the answer to a payout: %s', (_name, received, outcome) => {
  expect(readPayoutAnswer(received, REFUND)).toEqual(outcome);
});

const done = { kind: 'refunded', transactionId: 'PAY1', amount: null };

test.each([
  ['paid', answer(200, [payout('SUCCESS')]), done],
  ['paid, as an object', answer(200, payout('SUCCESS')), done],
  ['about to begin', answer(200, [payout('AUTHORIZED')]), { kind: 'pending', providerReference: 'PAY1' }],
  ['in progress', answer(200, [payout('PROCESSING')]), { kind: 'pending', providerReference: 'PAY1' }],
  ['failed at the network', answer(200, [payout('REVERSED', { notes: 'Account limit exceeded' })]), failed('limit_exceeded')],
  ['failed at ClickPesa', answer(200, [payout('REFUNDED')]), failed('rejected')],
  ['failed', answer(200, [payout('FAILED')]), failed('rejected')],
  ['a word that is not known', answer(200, [payout('ON-HOLD')]), unknown],
  ['two payouts', answer(200, [payout('SUCCESS'), payout('FAILED')]), unknown],
  ['none', answer(200, []), unknown],
  ["another reference's", answer(200, [payout('SUCCESS', { orderReference: 'other' })]), unknown],
  ['not found, so that no money has moved so far', error(404, 'Payout not found'), { kind: 'pending' }],
  ['404 of a gateway', answer(404, '<html>'), unknown],
  ['a refused token', error(401, 'Unauthorized'), unknown],
  ['paid, with an error of HTTP', answer(500, [payout('SUCCESS')]), unknown],
])('the status of a payout: %s', (_name, received, outcome) => {
  expect(readPayoutStatus(received, REFUND)).toEqual(outcome);
});
