import { expect, test } from 'vitest';
import { answer, PROMPT } from '@/lib/testing/providers/samples';
import { readPushAnswer, readStatusAnswer } from './read';

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
