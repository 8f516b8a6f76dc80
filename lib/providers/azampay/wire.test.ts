import { expect, test } from 'vitest';
import { answer, PROMPT } from '@/testing/providers/samples';
import { readNotice, readPushAnswer, readStatusAnswer } from './wire';

const id = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const prompt = { ...PROMPT, providerReference: id };
const accepted = (providerReference: string | null) => ({ kind: 'accepted', providerReference });
const failed = (reason: string) => ({ kind: 'failed', reason });
const unknown = { kind: 'unknown' };
const refusal = (message: string | null) => answer(200, { transactionId: null, message, success: false });

test.each([
  ['accepted', answer(200, { transactionId: id, message: 'ok', success: true }), accepted(id)],
  ['accepted, with a nested id', answer(200, { success: true, data: { result: [{ transactionId: id }] } }), accepted(id)],
  ['accepted, with an id in another case', answer(200, { success: true, TransactionID: id }), accepted(id)],
  ['accepted, with an id in snake case', answer(200, { success: true, transaction_id: 4711 }), accepted('4711')],
  ['accepted, with the same id twice', answer(200, { transactionId: id, data: { transactionid: id } }), accepted(id)],
  ['accepted, with the text "null" as id', answer(200, { transactionId: 'null', success: true }), accepted(null)],
  ['accepted, with a GUID of zeros', answer(200, { transactionId: '00000000-0000-0000-0000-000000000000', success: true }), accepted(null)],
  ['accepted, with an id that is no id', answer(200, { transactionId: 'a\u0007 b', success: true }), accepted(null)],
  ['accepted, without an id', answer(200, { message: 'ok', success: true }), accepted(null)],
  ['two different ids', answer(200, { transactionId: id, data: { transactionId: 'other' }, success: true }), unknown],
  [
    'an id and success:false, which a status query decides',
    answer(200, { transactionId: id, success: false, message: 'no' }),
    accepted(id),
  ],
  ['refused', refusal('Insufficient balance'), failed('insufficient_funds')],
  ['refused for an unknown reason', refusal('Operator mismatch'), failed('rejected')],
  ['refused because of us', refusal('Vendor is not active'), failed('merchant_config')],
  ['refused without a message', refusal(null), unknown],
  ['refused with the text "null"', refusal('null'), unknown],
  ['refused by a time-out behind AzamPay', refusal('Request timed out'), unknown],
  ['refused because of a silent network', refusal('No response from partner'), unknown],
  ['refused because a network was not reached', refusal('Could not connect to the operator'), unknown],
  ['refused with an error of a system', refusal('Application error'), unknown],
  ['refused by a partner, which may be the network', refusal('Declined: partner limit'), failed('limit_exceeded')],
  ['refused with an internal error', refusal('An error occurred, please try again'), unknown],
  ['refused as a duplicate', refusal('Duplicate external id'), { kind: 'duplicate' }],
  ['neither success nor an id', answer(200, { message: 'ok' }), unknown],
  ['success as text', answer(200, { success: 'true' }), unknown],
  ['a wrong amount', answer(400, { errors: { Amount: ['out of range'] } }), failed('amount_invalid')],
  ['a wrong provider', answer(400, { errors: { provider: ['invalid'] } }), failed('merchant_config')],
  ['a reference that was used', answer(400, { errors: { externalId: ['Already used'] } }), { kind: 'duplicate' }],
  ['400 without errors', answer(400, { errors: {} }), unknown],
  ['400 of a gateway', answer(400, { message: 'Bad Request' }), unknown],
  ['an expired token', answer(401, '', { 'www-authenticate': 'Bearer error="invalid_token"' }), { kind: 'not_sent' }],
  ['401 of a gateway', answer(401, '<html>'), unknown],
  ['a forbidden merchant', answer(403, { success: false, message: 'Not allowed' }), failed('merchant_config')],
  ['403 of a gateway', answer(403, { message: 'Forbidden' }), unknown],
  ['too many requests, which is not documented', answer(429, { success: false, message: 'Too many requests' }), unknown],
  ['an error of the server with a refusal', answer(500, { success: false, message: 'Insufficient balance' }), unknown],
])('a payment request: %s', (_name, received, outcome) => {
  expect(readPushAnswer(received)).toEqual(outcome);
});

const found = (status: string, more: object = {}, data: object = {}) =>
  answer(200, {
    data: { status, pgReferenceId: id, operator: 'azampesa', ...data },
    success: true,
    message: null,
    statusCode: 200,
    ...more,
  });
const paid = { kind: 'paid', transactionId: id, amount: 500_000n };
const reversed = { ...paid, kind: 'reversed', reversed: null, reversalTransactionId: null };

test.each([
  ['paid', found('Success'), { ...paid, assumed: true }],
  ['paid, as a word', answer(200, { data: 'completed', success: true, statusCode: 200 }), { ...paid, assumed: true }],
  ['paid, with an amount', found('success', {}, { amount: '5000.00', currency: 'TZS' }), paid],
  ['paid, with success:false', found('Success', { success: false }), unknown],
  ['paid, without success', found('Success', { success: null }), unknown],
  ['paid, with the status code of an error', found('Success', { statusCode: 500 }), unknown],
  ['paid, with a code that is no number', found('Success', { statusCode: 'ERR' }), unknown],
  ["another payment's", found('Success', {}, { pgReferenceId: 'other' }), unknown],
  ['paid with another amount', found('Success', {}, { amount: 4_000 }), unknown],
  ['paid with cents', found('Success', {}, { amount: '5000.50' }), unknown],
  ['paid in another currency', found('Success', {}, { currency: 'USD' }), unknown],
  ['pending, with success:false', answer(200, { data: 'pending', success: false, statusCode: 200 }), { kind: 'pending' }],
  ['nothing but success:false', answer(200, { data: null, success: false, message: 'No', statusCode: 200 }), unknown],
  ['failed', found('Failure', {}, { reasonOfTransactionFailure: 'Insufficient balance' }), failed('insufficient_funds')],
  [
    'failed, because the number was not found',
    found('Failure', {}, { reasonOfTransactionFailure: 'Transaction failed: number not found' }),
    failed('mobile_not_registered'),
  ],
  [
    'failed, because nothing was found',
    found('Failure', {}, { reasonOfTransactionFailure: 'Transaction not found' }),
    { kind: 'not_found' },
  ],
  ['failed, with an error of the server', found('Failure', { success: false, statusCode: 500 }), unknown],
  ['failed, with a code that is no number', found('Failure', { statusCode: 'ERR' }), unknown],
  ['reversed', found('Reversed', { success: false }), { ...reversed, assumed: true }],
  ['reversed, with an amount', found('reversed', {}, { amount: '5000' }), reversed],
  ['reversed, with an error of the server', found('Reversed', { statusCode: 500 }), unknown],
  ['expired', found('Expired'), { kind: 'expired' }],
  ['a word that is not known', found('Settling'), unknown],
  ['not found', answer(404, { data: null, success: false, message: 'Transaction not found' }), { kind: 'not_found' }],
  ['not found, with HTTP 200', answer(200, { data: null, success: false, message: 'Transaction not found' }), { kind: 'not_found' }],
  ['404 of a gateway', answer(404, { statusCode: 404, message: 'Resource not found' }), unknown],
  ['paid, with an error of HTTP', answer(502, { data: { status: 'Success' }, success: true }), unknown],
])('a status query: %s', (_name, received, outcome) => {
  expect(readStatusAnswer(received, prompt)).toEqual(outcome);
});

test('a status without an id to compare reports nothing', () => {
  expect(readStatusAnswer(found('Success'), { ...prompt, providerReference: null })).toEqual(unknown);
});

test('a callback names the payment with any of its ids, and is never proof', () => {
  const read = (message: object) => readNotice({ body: answer(200, message).body });
  const { reference } = prompt;
  const base = { utilityref: reference, externalreference: 'EXT', transactionstatus: 'success' };
  expect(read({ ...base, transid: id })).toEqual({ reference, providerReference: id, claimsPaid: true });
  expect(read({ ...base, transid: 'null' })).toEqual({ reference, providerReference: 'EXT', claimsPaid: true });
  expect(read({ ...base, transid: 'a b\u001b[31m', externalreference: null })).toMatchObject({ providerReference: null });
  for (const transactionstatus of ['failure', 'failed', 'pending', null])
    expect(read({ ...base, transactionstatus })).toMatchObject({ claimsPaid: false });
});
