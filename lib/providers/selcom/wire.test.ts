import { expect, test } from 'vitest';
import type { FailureReason } from '@/lib/providers/port/outcome';
import { answer, PROMPT } from '@/testing/providers/samples';
import {
  authorizationOf,
  digestOf,
  formatTimestamp,
  provenFields,
  readOrderAnswer,
  readPaymentAnswer,
  readStatusAnswer,
  signHeaders,
} from './wire';

const { reference } = PROMPT;
const envelope = (resultcode: string | number, result: string | undefined, more: object = {}) => ({
  reference: '0289999288',
  resultcode,
  result,
  message: '',
  data: [],
  ...more,
});
const fail = (status: number, resultcode: string, message = '', result: string | undefined = 'FAIL') =>
  answer(status, envelope(resultcode, result, { message, reference: '' }));
const unknown = { kind: 'unknown' } as const;
const duplicate = { kind: 'duplicate' } as const;
const accepted = { kind: 'accepted', providerReference: '0289999288' } as const;
const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;

test.each([
  ['in progress', answer(200, envelope('111', 'PENDING', { transid: reference })), accepted],
  ['in progress at the wallet', answer(200, envelope('927', 'INPROGRESS')), accepted],
  ['successful, which is only about the call', answer(200, envelope('000', 'SUCCESS')), accepted],
  ['in progress, without the member data', answer(200, envelope('111', 'PENDING', { data: undefined })), accepted],
  ['refused, without the member data', answer(403, { resultcode: '403', result: 'FAIL' }), failed('merchant_config')],
  ['without a reference', answer(200, envelope('111', 'PENDING', { reference: '' })), { kind: 'accepted', providerReference: null }],
  ["about another payment's transid", answer(200, envelope('111', 'PENDING', { transid: 'OTHER' })), unknown],
  ['ambiguous', answer(200, envelope('999', 'AMBIGOUS')), unknown],
  ['ambiguous, but marked as failed', fail(200, '999', 'No response from upstream system'), unknown],
  ['in progress, but marked as failed', fail(200, '111'), unknown],
  ['successful, but marked as failed', fail(200, '000'), unknown],
  ['successful by its word only', answer(200, envelope('403', 'SUCCESS')), unknown],
  ['successful by its code only', answer(200, envelope('000', undefined)), unknown],
  ['a number instead of a code', answer(200, envelope(0, 'SUCCESS')), unknown],
  ['successful, with an HTTP error', answer(500, envelope('000', 'SUCCESS')), unknown],
  ['in progress, with an HTTP error', answer(404, envelope('111', 'PENDING')), unknown],
  ['a failure of the server', fail(500, '651', 'Invalid PIN'), unknown],
  ['a code of a server', fail(200, '503', 'Service unavailable'), unknown],
  ['a redirect', fail(302, '403'), unknown],
  ['too many requests', fail(429, '429', 'Too many requests'), unknown],
  ['a time-out of the wallet', fail(200, '651', 'Request timed out'), unknown],
  ['a page of a gateway', answer(403, '<html>Forbidden</html>'), unknown],
  ['a refusal in other JSON', answer(403, { message: 'Forbidden' }), unknown],
  ['a used transid', fail(200, '403', 'Duplicate transid'), duplicate],
  ['a used order id', fail(409, '409', 'Order already exists'), duplicate],
  ['a used order id, in words without a space', fail(200, '403', 'OrderId already exists'), duplicate],
  ['an order id that is not unique', fail(200, '403', 'order_id must be unique'), duplicate],
  ['a conflict in other words', fail(409, '409', 'Conflict'), duplicate],
  ['a conflict by its code only', fail(200, '409', 'Conflict'), duplicate],
  ['refused by the customer, with the code of any failure', fail(200, '403', 'Declined by the customer'), failed('user_cancelled')],
  ['not authorised by the customer', fail(200, '651', 'Transaction not authorized by customer'), failed('rejected')],
  ['a failure without a reason', fail(200, '403'), failed('rejected')],
  ['not enabled, with HTTP 200', fail(200, '403', 'API endpoint not enabled for the vendor (4035)'), failed('merchant_config')],
  ['a missing order', fail(200, '404', 'order does not exist'), failed('rejected')],
  ['a product that is not enabled', fail(403, '403', 'API endpoint not enabled for the vendor (4035)'), failed('merchant_config')],
  ['a product that is not enabled, without a result', fail(403, '403', 'Not enabled', ''), failed('merchant_config')],
  ['wrong credentials', fail(401, '401', 'Unauthorized'), failed('merchant_config')],
  ['an HTTP error with another code and no result', fail(412, '000', '', ''), unknown],
  ['a missing parameter', fail(412, '412', 'Parameter no_of_items is invalid or missing'), failed('merchant_config')],
  ['an invalid number', fail(412, '412', 'Parameter msisdn is invalid or missing'), failed('mobile_not_registered')],
  ['an invalid amount', fail(412, '412', 'Parameter amount is invalid or missing'), failed('amount_invalid')],
  ['a bad mobile number', fail(200, '010', 'Invalid mobile number'), failed('mobile_not_registered')],
  ['a bad reference', fail(200, '010', 'Invalid reference'), failed('rejected')],
  ['a wrong amount', fail(200, '012'), failed('amount_invalid')],
  ['an amount that is too high', fail(200, '014'), failed('limit_exceeded')],
  ['an amount that is too low', fail(200, '015'), failed('amount_invalid')],
  ['an unknown vendor', fail(200, '651', 'Invalid vendor'), failed('merchant_config')],
  ['too little money', fail(200, '651', 'Insufficient balance.'), failed('insufficient_funds')],
  ['a code that is a name in JavaScript', fail(200, 'constructor'), failed('rejected')],
])('a payment request: %s', (_name, received, outcome) => {
  expect(readPaymentAnswer(received, PROMPT)).toEqual(outcome);
});

test.each([
  ['created', answer(200, envelope('000', 'SUCCESS', { data: [{ payment_token: '80008000' }] }))],
  ['exists', fail(200, '409', 'Duplicate order_id')],
  ['exists', fail(400, '400', 'order_id has already been used')],
  ['refused', fail(403, '403', 'API endpoint not enabled for the vendor (4035)')],
  ['refused', fail(412, '412', 'Parameter no_of_items is invalid or missing')],
  ['created', answer(200, { resultcode: '000', result: 'SUCCESS' })],
  ['refused', answer(412, { resultcode: '412', result: 'FAIL' })],
  ['unclear', answer(200, envelope('111', 'PENDING'))],
  ['unclear', answer(200, envelope('000', 'FAIL'))],
  ['unclear', fail(200, '999')],
  ['unclear', fail(502, '502')],
  ['unclear', answer(200, '<html></html>')],
  ['unclear', { ...answer(200, envelope('000', 'SUCCESS')), lost: 'unknown' as const }],
])('an order is %s', (state, received) => {
  expect(readOrderAnswer(received)).toBe(state);
});

const order = (payment_status: string, more: object = {}) => ({
  order_id: reference,
  amount: '5000',
  payment_status,
  reference: '0289999288',
  ...more,
});
const found = (...data: readonly object[]) => answer(200, envelope('000', 'SUCCESS', { data }));
const paid = { kind: 'paid', transactionId: '0289999288', amount: 500_000n } as const;

test.each([
  ['paid', found(order('COMPLETED')), paid],
  ['paid, with a number as amount', found(order('COMPLETED', { amount: 5000, currency: 'TZS' })), paid],
  ['paid, with decimals', found(order('COMPLETED', { amount: '5000.00' })), paid],
  ['paid, with separated thousands', found(order('COMPLETED', { amount: '5,000.00' })), paid],
  ['paid, with a comma for decimals', found(order('COMPLETED', { amount: '5000,00' })), unknown],
  ['waiting', found(order('PENDING', { reference: null })), { kind: 'pending' }],
  ['in progress', found(order('INPROGRESS')), { kind: 'pending' }],
  ['cancelled by the customer', found(order('USERCANCELLED')), failed('user_cancelled')],
  ['cancelled', found(order('CANCELLED')), failed('rejected')],
  ['rejected', found(order('REJECTED')), failed('rejected')],
  ['in a state that is not documented', found(order('CANCEL')), unknown],
  ['in a state that is a name in JavaScript', found(order('constructor')), unknown],
  ['paid, of another order', found(order('COMPLETED', { order_id: 'OTHER' })), unknown],
  ['rejected, of another order', found(order('REJECTED', { order_id: 'OTHER' })), unknown],
  ['two orders', found(order('PENDING'), order('COMPLETED')), unknown],
  ['no order', found(), unknown],
  ['paid, with another amount', found(order('COMPLETED', { amount: '500' })), unknown],
  ['rejected, with another amount', found(order('REJECTED', { amount: '500' })), unknown],
  ['rejected, in another currency', found(order('REJECTED', { currency: 'USD' })), unknown],
  ['waiting, with another amount', found(order('PENDING', { amount: '500' })), unknown],
  ['rejected, without an amount', found(order('REJECTED', { amount: null })), failed('rejected')],
  ['paid, with cents', found(order('COMPLETED', { amount: '5000.50' })), unknown],
  ['paid, with a negative amount', found(order('COMPLETED', { amount: -5000 })), unknown],
  ['paid, without an amount', found(order('COMPLETED', { amount: null })), unknown],
  ['paid, in another currency', found(order('COMPLETED', { currency: 'USD' })), unknown],
  ['paid, without a receipt number', found(order('COMPLETED', { reference: '' })), unknown],
  ['paid, in a search that failed', answer(200, envelope('000', 'FAIL', { data: [order('COMPLETED')] })), unknown],
  ['paid, in a search that is pending', answer(200, envelope('111', 'PENDING', { data: [order('COMPLETED')] })), unknown],
  ['paid, with an HTTP error', answer(502, envelope('000', 'SUCCESS', { data: [order('COMPLETED')] })), unknown],
  ['not found', fail(200, '404', 'order not found'), { kind: 'not_found' }],
  ['not found, without the member data', answer(200, { resultcode: '404', result: 'FAIL' }), { kind: 'not_found' }],
  ['not found, with the same HTTP status', fail(404, '404', 'order not found'), { kind: 'not_found' }],
  ['not found, but with an order', answer(200, envelope('404', 'FAIL', { data: [order('COMPLETED')] })), unknown],
  ['not found, but successful', answer(200, envelope('404', 'SUCCESS')), unknown],
  ['not found by a gateway', answer(404, '<html></html>'), unknown],
  ['wrong credentials', fail(401, '401'), unknown],
  ['a product that is not enabled', fail(403, '403'), unknown],
])('a status query: %s', (_name, received, outcome) => {
  expect(readStatusAnswer(received, PROMPT)).toEqual(outcome);
});

// The sample key of the official clients.
const KEY = '202cb962ac59075b964b07152d234b70';
const SECRET = '81dc9bdb52d04dc20036dbd8313ed055';
const TIMESTAMP = '2019-02-26T09:30:46+03:00';
const FIELDS = { utilityref: '12345', transid: 'transid', amount: 5000 };
const DIGEST = 'TFHAyQ1k1d601bVfimp+GJsgiBPzMmmV0QJl0bX1c1Q=';

test('a request has the digest of the official sample', () => {
  expect(digestOf(TIMESTAMP, FIELDS, SECRET)).toBe(DIGEST);
  expect(authorizationOf(KEY)).toBe('SELCOM MjAyY2I5NjJhYzU5MDc1Yjk2NGIwNzE1MmQyMzRiNzA=');
  expect(signHeaders(FIELDS, { apiKey: KEY, apiSecret: SECRET }, new Date('2019-02-26T06:30:46.789Z'))).toEqual({
    authorization: 'SELCOM MjAyY2I5NjJhYzU5MDc1Yjk2NGIwNzE1MmQyMzRiNzA=',
    timestamp: TIMESTAMP,
    'digest-method': 'HS256',
    digest: DIGEST,
    'signed-fields': 'utilityref,transid,amount',
  });
});

test('a timestamp is in East Africa Time, without milliseconds', () => {
  expect(formatTimestamp(new Date('2026-11-23T22:15:00.999Z'))).toBe('2026-11-24T01:15:00+03:00');
});

const headers = { timestamp: TIMESTAMP, digest: DIGEST, 'signed-fields': 'utilityref,transid,amount', 'digest-method': 'HS256' };

test('a digest proves the fields that it covers, and no others', () => {
  expect(provenFields(headers, { ...FIELDS, channel: 'MPESA-TZ' }, SECRET)).toEqual(['utilityref', 'transid', 'amount']);
  const { 'digest-method': _, ...withoutMethod } = headers;
  expect(provenFields(withoutMethod, FIELDS, SECRET)).toEqual(['utilityref', 'transid', 'amount']);
});

test.each([
  ['another value', headers, { ...FIELDS, amount: 5001 }, SECRET],
  ['a missing field', headers, { utilityref: '12345', transid: 'transid' }, SECRET],
  ['a field that is no text or number', headers, { ...FIELDS, amount: { value: 5000 } }, SECRET],
  ['another secret', headers, FIELDS, KEY],
  ['another timestamp', { ...headers, timestamp: '2019-02-26T09:30:47+03:00' }, FIELDS, SECRET],
  ['another order of its fields', { ...headers, 'signed-fields': 'transid,utilityref,amount' }, FIELDS, SECRET],
  ['a field named twice', { ...headers, 'signed-fields': 'utilityref,transid,amount,amount' }, FIELDS, SECRET],
  ['an inherited field', { ...headers, 'signed-fields': 'constructor' }, FIELDS, SECRET],
  ['a shorter digest', { ...headers, digest: DIGEST.slice(1) }, FIELDS, SECRET],
  ['no digest', { ...headers, digest: undefined }, FIELDS, SECRET],
  ['another method', { ...headers, 'digest-method': 'RS256' }, FIELDS, SECRET],
])('a digest proves nothing with %s', (_name, changed, values, secret) => {
  expect(provenFields(changed, values, secret)).toBeNull();
});
