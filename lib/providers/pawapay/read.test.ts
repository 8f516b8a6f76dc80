import { expect, test } from 'vitest';
import { answer } from '@/lib/testing/providers/samples';
import { idOf } from './ids';
import { readDepositAnswer, readDepositStatus, readRefundAnswer, readRefundStatus } from './read';

const ID = idOf('0123456789ABCDEFGHIJ');
const OTHER = idOf('ABCDEFGHIJ0123456789');
const failure = (failureCode: string) => ({ failureReason: { failureCode, failureMessage: 'text' } });

test('ids are UUIDs of version 4 that depend on the reference only', () => {
  expect(ID).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idOf('0123456789ABCDEFGHIJ')).toBe(ID);
  expect(OTHER).not.toBe(ID);
});

test.each([
  ['accepted', answer(200, { depositId: ID, status: 'ACCEPTED' }), { kind: 'accepted', providerReference: ID }],
  ['about another deposit', answer(200, { depositId: OTHER, status: 'ACCEPTED' }), { kind: 'unknown' }],
  ['accepted and failed', answer(200, { depositId: ID, status: 'ACCEPTED', ...failure('INVALID_AMOUNT') }), { kind: 'unknown' }],
  ['a duplicate', answer(200, { depositId: ID, status: 'DUPLICATE_IGNORED' }), { kind: 'duplicate' }],
  ['rejected', answer(200, { depositId: ID, status: 'REJECTED', ...failure('AMOUNT_OUT_OF_BOUNDS') }), failed('amount_invalid')],
  ['rejected for an unknown reason', answer(200, { depositId: ID, status: 'REJECTED', ...failure('constructor') }), { kind: 'unknown' }],
  ['a wrong token', answer(403, failure('AUTHENTICATION_ERROR')), failed('merchant_config')],
  ['deposits are not allowed', answer(403, { depositId: ID, ...failure('DEPOSITS_NOT_ALLOWED') }), failed('merchant_config')],
  [
    'the wallet is down',
    answer(200, { depositId: ID, status: 'REJECTED', ...failure('PROVIDER_TEMPORARILY_UNAVAILABLE') }),
    failed('provider_unavailable'),
  ],
  ['a documented code with an error of the server', answer(500, failure('INVALID_AMOUNT')), { kind: 'unknown' }],
  ['refused and accepted', answer(400, { depositId: ID, status: 'ACCEPTED', ...failure('INVALID_AMOUNT') }), { kind: 'unknown' }],
  ['a refusal of another deposit', answer(400, { depositId: OTHER, ...failure('INVALID_AMOUNT') }), { kind: 'unknown' }],
  ['a refusal of this deposit', answer(400, { depositId: ID, status: 'REJECTED', ...failure('INVALID_AMOUNT') }), failed('amount_invalid')],
  ['a documented code with a time-out', answer(408, failure('INVALID_AMOUNT')), { kind: 'unknown' }],
  ['a refusal by something else', answer(403, { message: 'forbidden' }), { kind: 'unknown' }],
])('a request for a deposit: %s', (_name, received, outcome) => {
  expect(readDepositAnswer(received, ID)).toEqual(outcome);
});

const found = (data: object) => answer(200, { status: 'FOUND', data: { depositId: ID, currency: 'TZS', amount: '5000.00', ...data } });

test.each([
  ['completed', found({ status: 'COMPLETED' }), { kind: 'paid', transactionId: ID, amount: 500_000n }],
  [
    'completed, with an amount that is a number',
    found({ status: 'COMPLETED', amount: 5_000 }),
    { kind: 'paid', transactionId: ID, amount: 500_000n },
  ],
  ['another deposit', found({ status: 'COMPLETED', depositId: OTHER }), { kind: 'unknown' }],
  ['another currency', found({ status: 'COMPLETED', currency: 'KES' }), { kind: 'unknown' }],
  ['a fraction of a shilling', found({ status: 'COMPLETED', amount: '5000.50' }), { kind: 'unknown' }],
  ['no amount', found({ status: 'COMPLETED', amount: null }), { kind: 'unknown' }],
  ['completed and failed', found({ status: 'COMPLETED', ...failure('PAYER_NOT_FOUND') }), { kind: 'unknown' }],
  ['the outer status says that the search succeeded', answer(200, { status: 'COMPLETED', data: { depositId: ID } }), { kind: 'unknown' }],
  ['in reconciliation', found({ status: 'IN_RECONCILIATION' }), { kind: 'pending' }],
  ['failed', found({ status: 'FAILED', ...failure('PAYER_LIMIT_REACHED') }), failed('limit_exceeded')],
  ['failed without a reason', found({ status: 'FAILED' }), failed('rejected')],
  ['an unknown status', found({ status: 'NEW' }), { kind: 'unknown' }],
  ['not found', answer(200, { status: 'NOT_FOUND' }), { kind: 'not_found' }],
  ['not found and found', answer(200, { status: 'NOT_FOUND', data: { depositId: ID } }), { kind: 'unknown' }],
  ['404', answer(404, { status: 'NOT_FOUND' }), { kind: 'unknown' }],
])('a status query: %s', (_name, received, outcome) => {
  expect(readDepositStatus(received, ID)).toEqual(outcome);
});

test.each([
  ['accepted', answer(200, { refundId: ID, status: 'ACCEPTED' }), { kind: 'pending' }],
  ['a duplicate', answer(200, { refundId: ID, status: 'DUPLICATE_IGNORED' }), { kind: 'unknown' }],
  ['already refunded', answer(200, { refundId: ID, status: 'REJECTED', ...failure('ALREADY_REFUNDED') }), failed('rejected')],
  ['about another refund', answer(200, { refundId: OTHER, status: 'ACCEPTED' }), { kind: 'unknown' }],
])('a request for a refund: %s', (_name, received, outcome) => {
  expect(readRefundAnswer(received, ID)).toEqual(outcome);
});

const refund = (data: object) => answer(200, { status: 'FOUND', data: { refundId: ID, currency: 'TZS', amount: '2000', ...data } });

test.each([
  ['completed', refund({ status: 'COMPLETED' }), { kind: 'reversed', transactionId: ID, amount: 200_000n }],
  ['another refund', refund({ status: 'COMPLETED', refundId: OTHER }), { kind: 'unknown' }],
  ['failed', refund({ status: 'FAILED' }), failed('rejected')],
  ['in progress', refund({ status: 'PROCESSING' }), { kind: 'pending' }],
  ['not found', answer(200, { status: 'NOT_FOUND' }), { kind: 'pending' }],
])('a status query about a refund: %s', (_name, received, outcome) => {
  expect(readRefundStatus(received, ID)).toEqual(outcome);
});

function failed(reason: string) {
  return { kind: 'failed', reason };
}
