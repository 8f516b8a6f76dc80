import { describe, expect, test } from 'vitest';
import type { PromptRequest, Refund } from '@/lib/providers/port/port';
import { answer, PROMPT, REFUND } from '@/testing/providers/samples';
import {
  readPayoutAnswer,
  readPayoutStatus,
  readPushAnswer,
  readRefundAnswer,
  readRefundStatus,
  readStatusAnswer,
  unlessAboutAnother,
} from './read';
import { toReferenceText } from './wire';

const reference = '0123456789ABCDEFGHIJ';
const receipt = 'MP210603.1234.L06941';
const prompt: PromptRequest = { ...PROMPT, mobile: '0684000001', network: 'airtel' };
const FINE = { code: '200', message: 'SUCCESS', result_code: 'ESB000010', response_code: 'DP00800001006', success: true };
const about = (transaction: object, status: object = {}, http = 200) =>
  answer(http, { data: { transaction }, status: { ...FINE, ...status } });
const error = (response_code: string, message = 'Failed', http = 400) =>
  answer(http, { status: { response_code, code: String(http), success: false, message } });
const state = (letters: string, more: object = {}, status: object = {}) =>
  about({ id: reference, status: letters, airtel_money_id: receipt, ...more }, status);
const denied = (response_code: string, message: string) => ({ response_code, result_code: null, success: false, message });
const authError = { error: 'invalid_token', error_description: 'expired' };

const unknown = { kind: 'unknown' };
const accepted = { kind: 'accepted', providerReference: null };
const failed = (reason: string) => ({ kind: 'failed', reason });
const money = { transactionId: receipt, amount: 500_000n, assumed: true };
const paid = { kind: 'paid', ...money };

test.each([
  ["the portal's sample, with false as id", about({ id: false, status: 'SUCCESS' }), accepted],
  ['another sample', about({ id: reference, status: 'Success.' }), accepted],
  ['an answer without a payment', answer(200, { status: FINE }), accepted],
  ["another payment's answer", about({ id: 'OTHER', status: 'SUCCESS' }), unknown],
  ['HTTP 200 with success: false', about({ id: reference, status: 'SUCCESS' }, { success: false }), unknown],
  ['HTTP 200 with an error', error('DP00800001007', 'Not enough balance', 200), unknown],
  ['HTTP 200 with the code of an error', about({ id: reference, status: 'SUCCESS' }, { code: '400' }), unknown],
  ['success with a code of a failure', about({ id: reference, status: 'SUCCESS' }, { response_code: 'DP00800001007' }), unknown],
  ['success with a code that is not listed', about({ id: reference, status: 'SUCCESS' }, { response_code: 'DP99' }), unknown],
  ['success with a failed payment', about({ id: reference, status: 'FAILED' }), unknown],
  ['success, but ambiguous', about({ id: reference, status: 'SUCCESS' }, { result_code: '0000900' }), unknown],
  ['HTTP 400 with success', about({ id: reference, status: 'SUCCESS' }, {}, 400), unknown],
  ['an unknown number', error('DP00800001005', 'Msisdn Not Found'), failed('mobile_not_registered')],
  ['a number with 255', error('ESB000036', 'Invalid MSISDN Length'), failed('mobile_not_registered')],
  ['a failure of any kind', error('DP00800001005', 'Something Went Wrong'), unknown],
  ['a failure of any kind, which ended in a time-out', error('DP00800001005', 'Request timed out'), unknown],
  ['a failure of any kind, without a cause', error('DP00800001005', 'Transaction Failed'), unknown],
  ['a failure without a text', answer(400, { status: { result_code: 'ESB000011', code: '400', success: false } }), unknown],
  ['a failure with a cause', error('ESB000011', 'Subscriber is barred'), failed('mobile_not_registered')],
  ['a failure with a text that is not known', error('DP00800001005', 'Invalid transaction id'), failed('rejected')],
  ['the same with HTTP 500', error('DP00800001005', 'Msisdn Not Found', 500), unknown],
  ['a maintenance', error('ESB000039', 'Maintenance', 503), unknown],
  ['too little money', error('DP00800001007'), failed('insufficient_funds')],
  ['an amount that is too small', error('DP00800001004'), failed('amount_invalid')],
  ['a refusal of the merchant', error('DP00800001010'), failed('merchant_config')],
  ['a wrong signature', error('DP00800001026'), failed('merchant_config')],
  [
    'a missing header, with the code of the router in `code`',
    answer(400, { status: { code: 'ROUTER003', success: false } }),
    failed('merchant_config'),
  ],
  ['an ambiguous code', error('ESB000004'), unknown],
  [
    'an ambiguous code beside a refusal',
    answer(400, { status: { response_code: 'DP00800001007', result_code: 'ESB000001', success: false } }),
    unknown,
  ],
  ['a time-out', error('DP00800001024'), unknown],
  ['a code that is not listed', error('DP00800001099'), unknown],
  ['a used reference', error('ESB000041'), { kind: 'duplicate' }],
  [
    'a used reference, with a general code',
    answer(400, { status: { response_code: 'DP00800001005', result_code: 'ESB000041', success: false } }),
    { kind: 'duplicate' },
  ],
  ['a used reference with HTTP 200', error('ESB000041', 'exists', 200), { kind: 'duplicate' }],
  ['a refused token', answer(401, authError), { kind: 'not_sent' }],
  ['a page of a gateway with 401', answer(401, '<html></html>'), unknown],
  ['a page of a gateway with 403', answer(403, { error: 'no route' }), unknown],
  ['a forbidden product', answer(403, { error: 'access_denied', error_description: 'no' }), failed('merchant_config')],
  ['wrong credentials', answer(401, { error: 'invalid_client', error_description: 'wrong' }), failed('merchant_config')],
  ['too many requests', answer(429, 'slow down'), { kind: 'not_sent' }],
  ['a time-out of the gateway', error('ESB000008', 'time-out', 408), unknown],
])('a payment request: %s', (_name, received, outcome) => {
  expect(readPushAnswer(received, prompt)).toEqual(outcome);
});

test.each([
  ['paid', state('TS'), paid],
  ['paid, without an id of ours', state('TS', { id: false }), paid],
  ['paid, with an amount', state('TS', { amount: '5000.00', currency: 'TZS' }), { kind: 'paid', transactionId: receipt, amount: 500_000n }],
  ['paid, with an amount in groups', state('TS', { amount: '5,000.00' }), { kind: 'paid', transactionId: receipt, amount: 500_000n }],
  ['paid, with an amount in wrong groups', state('TS', { amount: '50,00' }), unknown],
  ['paid, with another amount', state('TS', { amount: 4000 }), unknown],
  ['paid, with cents', state('TS', { amount: '5000.50' }), unknown],
  ['paid, in another currency', state('TS', { currency: 'USD' }), unknown],
  ['paid, but another payment', state('TS', { id: 'OTHER' }), unknown],
  ['paid, without a receipt number', state('TS', { airtel_money_id: null }), unknown],
  ['paid, with a placeholder as receipt number', state('TS', { airtel_money_id: 'N/A' }), unknown],
  ['paid, with success: false', state('TS', {}, { success: false }), unknown],
  ['paid, with the code of an error', state('TS', {}, { code: '400' }), unknown],
  ['paid, with a code of a failure', state('TS', {}, { response_code: 'DP00800001007' }), unknown],
  ['paid, with HTTP 400', about({ id: reference, status: 'TS', airtel_money_id: receipt }, {}, 400), unknown],
  ['in progress', state('TIP'), { kind: 'pending' }],
  ['ambiguous', state('TA'), unknown],
  ['expired', state('TE', {}, denied('DP00800001029', 'Expired')), { kind: 'expired' }],
  ['reversed', state('TR'), { kind: 'reversed', ...money, reversed: null, reversalTransactionId: null }],
  ['reversed, without a receipt number', state('TR', { airtel_money_id: null }), unknown],
  ["failed: the portal's sample", state('TF', {}, denied('DP00800001005', 'FAILED')), failed('rejected')],
  [
    'failed: not enough balance',
    state('TF', { message: 'Not enough balance' }, denied('DP00800001005', 'FAILED')),
    failed('insufficient_funds'),
  ],
  ['failed: no PIN', state('TF', { message: "User didn't enter the PIN" }, denied('DP00800001005', 'FAILED')), failed('user_timeout')],
  ['failed: wrong PIN', state('TF', {}, denied('DP00800001002', 'FAILED')), failed('wrong_pin')],
  ['failed: refused', state('TF', {}, denied('DP00800001008', 'Refused')), failed('rejected')],
  [
    'failed: declined by the user',
    state('TF', { message: 'Declined by user' }, denied('DP00800001008', 'FAILED')),
    failed('user_cancelled'),
  ],
  ['failed: timed out', state('TF', {}, denied('DP00800001024', 'FAILED')), failed('user_timeout')],
  ['failed, with the code of a success', state('TF', {}, { response_code: 'DP00800001001' }), unknown],
  ['expired, with the code of a success', state('TE', {}, { response_code: 'DP00800001001' }), unknown],
  ['a state that is not documented', state('TX'), unknown],
  ['not found', error('DP00800001025', 'not found'), { kind: 'not_found' }],
  ['not found, with HTTP 404', error('ESB000045', 'No Transaction Found', 404), { kind: 'not_found' }],
  ['not found, with success', answer(200, { status: { ...FINE, response_code: 'DP00800001025' } }), unknown],
  ['not found, with HTTP 500', error('DP00800001025', 'not found', 500), unknown],
  ['a 404 of a gateway', answer(404, { error: 'no route' }), unknown],
  ['a refused token', answer(401, authError), unknown],
])('an enquiry: %s', (_name, received, outcome) => {
  expect(readStatusAnswer(received, prompt)).toEqual(outcome);
});

describe('a refund', () => {
  test.each([
    ['done', about({ airtel_money_id: 'CI1', status: 'SUCCESS' }), { kind: 'refunded', transactionId: null, amount: null }],
    ["the portal's sample with success: false", about({ airtel_money_id: 'CI1', status: 'SUCCESS' }, { success: false }), unknown],
    ['success without a status', answer(200, { status: FINE }), unknown],
    ['a refusal of the customer', error('DP00800001007'), unknown],
    ['already refunded', error('ESB000011'), unknown],
    ['a refusal of the merchant', error('ESB000039'), failed('merchant_config')],
    [
      'a refusal of the merchant with a state',
      about({ status: 'SUCCESS' }, { success: false, response_code: 'DP00800001010' }, 400),
      unknown,
    ],
    ['a refused token', answer(401, authError), { kind: 'not_sent' }],
    ['an error of the server', error('ESB000039', 'x', 500), unknown],
  ])('%s', (_name, received, outcome) => {
    expect(readRefundAnswer(received)).toEqual(outcome);
  });

  test.each([
    ['reversed', state('TR'), { kind: 'refunded', transactionId: null, amount: null }],
    ['still paid', state('TS'), { kind: 'pending' }],
    ['failed', state('TF'), unknown],
    ["another payment's state", unlessAboutAnother(state('TR', { id: 'OTHER' }), reference), unknown],
    ['our payment', unlessAboutAnother(state('TR'), reference), { kind: 'refunded', transactionId: null, amount: null }],
    ['not found', error('DP00800001025'), unknown],
  ])('an enquiry: %s', (_name, received, outcome) => {
    expect(readRefundStatus(received)).toEqual(outcome);
  });
});

describe('a payout', () => {
  const refund: Refund = { ...REFUND, reference };
  const paidOut = { response_code: 'DP00900001001' };
  const payout = (letters: string, status: object = paidOut, more: object = {}) =>
    about({ id: reference, status: letters, reference_id: '1866453354', airtel_money_id: `partner-${reference}`, ...more }, status);
  const done = { kind: 'refunded', transactionId: '1866453354', amount: null };

  test.each([
    ["the portal's sample", payout('TS'), done],
    [
      'done, without the number of the transfer',
      payout('TS', paidOut, { reference_id: null }),
      { ...done, transactionId: `partner-${reference}` },
    ],
    ['done, without any number', payout('TS', paidOut, { reference_id: null, airtel_money_id: null }), { ...done, transactionId: null }],
    ['done, with another amount', payout('TS', paidOut, { amount: 4000 }), unknown],
    ['done, but another payout', payout('TS', paidOut, { id: 'OTHER' }), unknown],
    ['done, with success: false', payout('TS', { ...paidOut, success: false }), unknown],
    ['done, with a code of a failure', payout('TS', { response_code: 'DP00900001007' }), unknown],
    ['in progress', payout('TIP', { response_code: 'DP00900001006' }), { kind: 'pending' }],
    ['ambiguous', payout('TA', { response_code: 'DP00900001000' }), unknown],
    ['reversed', payout('TR'), unknown],
    ['failed', payout('TF', denied('DP00900001012', 'FAILED')), failed('mobile_not_registered')],
    ['failed, without a cause', payout('TF', denied('DP00900001005', 'FAILED')), failed('rejected')],
    ['failed, with success', payout('TF', { response_code: 'DP00900001005' }), unknown],
    ['failed, with the code of a success', payout('TF', denied('DP00900001001', 'FAILED')), unknown],
    ['failed, but timed out', payout('TF', denied('DP00900001014', 'FAILED')), unknown],
    ['not found', error('DP00900001015', 'Transaction Not Found'), unknown],
    ['without a state', answer(200, { status: { ...FINE, ...paidOut } }), unknown],
    ['an error of the server', answer(502, '<html></html>'), unknown],
  ])('%s, in an enquiry and in the answer', (_name, received, outcome) => {
    expect(readPayoutStatus(received, refund)).toEqual(outcome);
    expect(readPayoutAnswer(received, refund)).toEqual(outcome);
  });

  test.each([
    ['not enough money in the wallet', error('DP00900001007'), failed('insufficient_funds')],
    ['an incorrect number', error('DP00900001012'), failed('mobile_not_registered')],
    ['a wrong PIN', error('ROUTER115'), failed('merchant_config')],
    ['a refusal with HTTP 200', error('DP00900001007', 'Failed', 200), unknown],
    ['a refusal with the state of a success', payout('TS', { ...denied('DP00900001007', 'x'), code: '400' }), unknown],
    ['a failure without a cause', error('DP00900001005'), unknown],
    ['a code of collections', error('DP00800001007'), unknown],
    ['a code that is not listed', error('DP00900001099'), unknown],
    ['a reference that exists', error('DP00900001017'), unknown],
    ['an error of the server', error('DP00900001007', 'x', 500), unknown],
    ['a refused token', answer(401, authError), { kind: 'not_sent' }],
    ['a time-out', { ...error('DP00900001007'), lost: 'unknown' as const }, unknown],
  ])('an answer: %s', (_name, received, outcome) => {
    expect(readPayoutAnswer(received, refund)).toEqual(outcome);
    expect(readPayoutStatus(received, refund).kind).not.toBe('failed');
  });
});

test.each([
  ['Ankara — mita 3 (Kariakoo)', 'Ankara mita 3 Kariakoo'],
  ['Café', 'Cafe'],
  ['ab!', 'Bill payment'],
  [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
])('the text for the payer %j has only characters that Airtel accepts', (description, text) => {
  expect(toReferenceText(description)).toBe(text);
});
