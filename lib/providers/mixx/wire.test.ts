import { expect, test } from 'vitest';
import type { PromptRequest, RawAnswer, Refund } from '@/lib/providers/port/port';
import { writeFlatXml } from '@/lib/providers/port/xml';
import { answer, PROMPT } from '@/testing/providers/samples';
import { COMMAND, endsToken, readPushAnswer, readRefundAnswer, readRefundStatus, readStatusAnswer } from './wire';

const prompt: PromptRequest = { ...PROMPT, mobile: '0714000001', network: 'yas' };
const OURS = `BILI${prompt.reference}`;
const json = (body: object, status = 200) => answer(status, JSON.stringify(body));
const push = (ResponseCode: string, fields: object = {}, status = 200) => json({ ResponseCode, ReferenceID: OURS, ...fields }, status);
const failed = (reason: string) => ({ kind: 'failed', reason });

test.each([
  ['accepted', push('BILLER-18-0000-S', { ResponseStatus: true }), { kind: 'accepted', providerReference: OURS }],
  ['accepted, with the flag as text', push('BILLER-18-0000-S', { ResponseStatus: 'true' }), { kind: 'accepted', providerReference: OURS }],
  ['accepted, without our reference', push('BILLER-30-0000-S', { ReferenceID: null }), { kind: 'accepted', providerReference: null }],
  ['accepted, and the status is false', push('BILLER-18-0000-S', { ResponseStatus: false }), { kind: 'unknown' }],
  ['accepted, with an error status', push('BILLER-18-0000-S', { ResponseStatus: true }, 403), { kind: 'unknown' }],
  ['about another reference', push('BILLER-18-0000-S', { ReferenceID: 'BILIOTHER' }), { kind: 'unknown' }],
  ['a duplicate by its code', push('DuplicateRefID'), { kind: 'duplicate' }],
  ['a duplicate by its text', push('BILLER-18-3020-E', { ResponseDescription: 'DuplicateRefID' }), { kind: 'duplicate' }],
  ['not registered', push('DebitMandate-10-2005-E', { ResponseStatus: false }), failed('mobile_not_registered')],
  ['a refusal that says success', push('DebitMandate-10-2005-E', { ResponseStatus: true }), { kind: 'unknown' }],
  ['wrong credentials', push('DebitMandate-10-3000-E'), failed('merchant_config')],
  ['an inactive biller', push('BILLER-18-3022-E'), failed('merchant_config')],
  ['could not be created', push('BILLER-18-3023-E'), { kind: 'unknown' }],
  ['an internal error', push('DebitMandate-10-1000-E'), { kind: 'unknown' }],
  ['a name of the prototype', push('constructor'), { kind: 'unknown' }],
  ['a refusal with an error of the server', push('DebitMandate-10-2005-E', {}, 500), { kind: 'unknown' }],
  ['a refusal with a time-out', push('DebitMandate-10-2005-E', {}, 408), { kind: 'unknown' }],
  ['a refused token', answer(401, '<html>'), { kind: 'not_sent' }],
  ['wrong credentials at the token service', json({ error: 'invalid_grant' }, 400), failed('merchant_config')],
  ['another error of the token service', json({ error: 'server_error' }, 400), { kind: 'unknown' }],
  ['too many requests', answer(429, ''), { kind: 'not_sent' }],
])('a payment request: %s', (_name, answer, outcome) => {
  expect(readPushAnswer(answer, prompt)).toEqual(outcome);
});

const status = (fields: Record<string, string>, http = 200) =>
  answer(http, writeFlatXml(COMMAND, { RESULTCODE: '0', EXTERNALREFID: OURS, AMOUNT: '5000', TXNID: 'MP1', ...fields }));

test.each([
  ['posted', status({ TXNSTATUS: 'Posted' }), { kind: 'paid', transactionId: 'MP1', amount: 500_000n }],
  ['posted, with decimals', status({ TXNSTATUS: 'Posted', AMOUNT: '5000.00' }), { kind: 'paid', transactionId: 'MP1', amount: 500_000n }],
  [
    'posted, with a grouped amount',
    status({ TXNSTATUS: 'Posted', AMOUNT: '5,000.00' }),
    { kind: 'paid', transactionId: 'MP1', amount: 500_000n },
  ],
  ['posted, with the code 00', status({ TXNSTATUS: 'Posted', RESULTCODE: '00' }), { kind: 'paid', transactionId: 'MP1', amount: 500_000n }],
  ['posted, with another amount', status({ TXNSTATUS: 'Posted', AMOUNT: '4000' }), { kind: 'unknown' }],
  ['posted, without an amount', status({ TXNSTATUS: 'Posted', AMOUNT: '' }), { kind: 'unknown' }],
  ['posted, without a receipt', status({ TXNSTATUS: 'Posted', TXNID: '' }), { kind: 'unknown' }],
  ['posted, for another reference', status({ TXNSTATUS: 'Posted', EXTERNALREFID: 'BILIOTHER' }), { kind: 'unknown' }],
  ['posted, for no reference', status({ TXNSTATUS: 'Posted', EXTERNALREFID: '' }), { kind: 'unknown' }],
  ['posted, with an error code', status({ TXNSTATUS: 'Posted', RESULTCODE: 'GetSOError009' }), { kind: 'unknown' }],
  ['posted, with an error status', status({ TXNSTATUS: 'Posted' }, 500), { kind: 'unknown' }],
  ['pending', status({ TXNSTATUS: 'Pending' }), { kind: 'pending' }],
  ['failed', status({ TXNSTATUS: 'Failed', RESULTDESC: 'Insufficient balance' }), failed('insufficient_funds')],
  ['failed, with another amount', status({ TXNSTATUS: 'Failed', AMOUNT: '4000' }), { kind: 'unknown' }],
  ['failed, without an amount', status({ TXNSTATUS: 'Failed', AMOUNT: '' }), failed('rejected')],
  ['expired, with another amount', status({ TXNSTATUS: 'Expired', AMOUNT: '4000' }), { kind: 'unknown' }],
  ['an unknown word', status({ TXNSTATUS: 'Queued' }), { kind: 'unknown' }],
  ['not found', status({ RESULTCODE: 'GetSOError003', RESULTDESC: 'Transaction not found' }), { kind: 'not_found' }],
  ['not found, in other words', status({ RESULTCODE: 'GetSOError003', RESULTDESC: 'No sales order found' }), { kind: 'not_found' }],
  ['an unknown biller', status({ RESULTCODE: 'GetSOError004', RESULTDESC: 'Biller MSISDN not found' }), { kind: 'unknown' }],
  ['another error', status({ RESULTCODE: 'GetSOError002', RESULTDESC: 'Invalid PIN' }), { kind: 'unknown' }],
  ['JSON', json({ RESULTCODE: '0', TXNSTATUS: 'Posted' }), { kind: 'unknown' }],
])('a status query: %s', (_name, answer, outcome) => {
  expect(readStatusAnswer(answer, prompt)).toEqual(outcome);
});

test.each([
  ['a refused token', answer(401, '<html>'), true],
  ['401 with a code of the operator', push('DebitMandate-10-3000-E', {}, 401), true],
  ['wrong credentials', push('DebitMandate-10-3000-E'), true],
  ['another refusal', push('DebitMandate-10-2005-E'), false],
  ['a lost answer', { ...answer(401, ''), lost: 'unknown' }, false],
] satisfies [string, RawAnswer, boolean][])('after %s, the token is used again or not', (_name, answer, ends) => {
  expect(endsToken(answer)).toBe(ends);
});

const reversal: Refund = {
  reference: 'JIHGFEDCBA9876543210',
  transactionId: 'MP1',
  promptReference: prompt.reference,
  mobile: prompt.mobile,
  network: prompt.network,
  providerReference: null,
  amount: prompt.amount,
};

test.each([
  ['refunded', push('RefundTransaction-20-0000-S', { ResponseStatus: true }), { kind: 'refunded', transactionId: null, amount: null }],
  ['refunded, and the status is false', push('RefundTransaction-20-0000-S', { ResponseStatus: false }), { kind: 'unknown' }],
  ['failed', push('RefundTransaction-20-3039-E', { ResponseStatus: false }), failed('rejected')],
  [
    'refunded, by its own reference',
    push('RefundTransaction-20-0000-S', { ReferenceID: `BILI${reversal.reference}` }),
    { kind: 'refunded', transactionId: null, amount: null },
  ],
  ['refunded, another payment', push('RefundTransaction-20-0000-S', { ReferenceID: 'BILIOTHER' }), { kind: 'unknown' }],
  ['failed, another payment', push('RefundTransaction-20-3039-E', { ReferenceID: 'BILIOTHER' }), { kind: 'unknown' }],
  ['a used reference', push('RefundTransaction-20-3039-E', { ResponseDescription: 'DuplicateRefID' }), { kind: 'unknown' }],
  ['wrong credentials at the token service', json({ error: 'invalid_grant' }, 400), failed('merchant_config')],
  ['another code', push('BILLER-18-9999-F'), { kind: 'unknown' }],
  ['an error of the server', push('RefundTransaction-20-3039-E', {}, 502), { kind: 'unknown' }],
])('a request for a refund: %s', (_name, answer, outcome) => {
  expect(readRefundAnswer(answer, reversal)).toEqual(outcome);
});

test.each([
  ['reversed', status({ TXNSTATUS: 'Reversed' }), { kind: 'refunded', transactionId: null, amount: null }],
  ['not reversed', status({ TXNSTATUS: 'Posted' }), { kind: 'pending' }],
  ['reversed, another payment', status({ TXNSTATUS: 'Reversed', EXTERNALREFID: 'BILIOTHER' }), { kind: 'unknown' }],
])('a status query about a refund: %s', (_name, answer, outcome) => {
  expect(readRefundStatus(answer, prompt.reference)).toEqual(outcome);
});
