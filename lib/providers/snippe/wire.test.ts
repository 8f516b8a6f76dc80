import { expect, test } from 'vitest';
import { answer, PROMPT } from '@/testing/providers/samples';
import { isSigned, readPaymentAnswer, readStatusAnswer, signWebhook } from './wire';

const REFERENCE = '5f0c5e3c-6a70-4b9e-8c0c-2a4a4b1a0001';
const prompt = { ...PROMPT, providerReference: REFERENCE };
const error = (status: number, error_code: string, message = '') => answer(status, { status: 'error', code: status, error_code, message });
const found = (data: object) => answer(200, { status: 'success', code: 200, data: { reference: REFERENCE, ...data } });
const tzs = (value: number, currency = 'TZS') => ({ value, currency });

test.each([
  ['a wrong API key', error(401, 'unauthorized'), { kind: 'failed', reason: 'merchant_config' }],
  ['a key without the scope', error(403, 'insufficient_scope'), { kind: 'failed', reason: 'merchant_config' }],
  ['an invalid request', error(400, 'validation_error', 'amount must be at least 500'), { kind: 'failed', reason: 'rejected' }],
  ['a failed upstream provider', error(500, 'PAY_001'), { kind: 'unknown' }],
  ['an error of the server with the code of a refusal', error(500, 'payment_failed', 'Insufficient balance'), { kind: 'unknown' }],
  [
    'an invalid request with the status 422',
    error(422, 'validation_error', 'phone_number is invalid'),
    { kind: 'failed', reason: 'rejected' },
  ],
  ['an undocumented code with the status 422', error(422, 'unprocessable'), { kind: 'unknown' }],
  ['an undocumented code', error(409, 'conflict'), { kind: 'unknown' }],
  ['the same key with another body', error(422, 'idempotency_conflict'), { kind: 'duplicate' }],
  ['the same key with another body, by its text', error(422, 'validation_error', 'Idempotency-Key was used'), { kind: 'duplicate' }],
  ['too many requests', error(429, 'rate_limit_exceeded'), { kind: 'not_sent' }],
  ['a refusal without a code', answer(401, { message: 'no' }), { kind: 'unknown' }],
])('a payment request: %s', (_name, received, outcome) => {
  expect(readPaymentAnswer(received)).toEqual(outcome);
});

test.each([
  ['pending', found({ status: 'pending' }), { kind: 'pending' }],
  ['completed, with its fee', found({ status: 'completed', amount: tzs(5_000), settlement: { fees: tzs(25.5) } }), paid(500_000n, 2_550n)],
  ['completed, without a fee', found({ status: 'completed', amount: tzs(5_000) }), paid(500_000n)],
  ['completed in another currency', found({ status: 'completed', amount: tzs(5_000, 'USD') }), { kind: 'unknown' }],
  ['completed without an amount', found({ status: 'completed' }), { kind: 'unknown' }],
  ['failed', found({ status: 'failed', failure_reason: 'Insufficient balance' }), { kind: 'failed', reason: 'insufficient_funds' }],
  ['voided', found({ status: 'voided' }), { kind: 'failed', reason: 'rejected' }],
  ['expired', found({ status: 'expired' }), { kind: 'expired' }],
  ['a state that is not documented', found({ status: 'refunding' }), { kind: 'unknown' }],
  [
    "another payment's answer",
    answer(200, { status: 'success', data: { reference: 'other', status: 'completed', amount: tzs(5_000) } }),
    { kind: 'unknown' },
  ],
  [
    'completed, with a fee that is no amount',
    found({ status: 'completed', amount: tzs(5_000), settlement: { fees: tzs(1e308) } }),
    paid(500_000n),
  ],
  [
    'completed, with a fee that no binary fraction equals',
    found({ status: 'completed', amount: tzs(5_000), settlement: { fees: tzs(1.005) } }),
    paid(500_000n, 101n),
  ],
  ['not found', error(404, 'not_found'), { kind: 'not_found' }],
  ['a 404 of a gateway', answer(404, { message: 'no route' }), { kind: 'unknown' }],
  ['too many requests', error(429, 'rate_limit_exceeded'), { kind: 'unknown' }],
])('a status query: %s', (_name, received, outcome) => {
  expect(readStatusAnswer(received, prompt)).toEqual(outcome);
});

function paid(amount: bigint, fee?: bigint) {
  return { kind: 'paid', transactionId: REFERENCE, amount, ...(fee !== undefined && { fee }) };
}

const SECRET = 'whk_test';
const TIMESTAMP = '1795213485';
const BODY = '{"id":"evt_1","type":"payment.completed","api_version":"2026-01-25"}';
const SIGNATURE = 'f193c774b538b193bc7296f14d56db9b8104c9d8a570c70022df1c8275440aa1';
const NOW = new Date(1_795_213_485_000);

const callback = (change: { timestamp?: string; signature?: string; body?: string } = {}) => ({
  headers: { 'x-webhook-timestamp': change.timestamp ?? TIMESTAMP, 'x-webhook-signature': change.signature ?? SIGNATURE },
  body: new Uint8Array(Buffer.from(change.body ?? BODY)),
});

// The expected signature was computed independently, with Node and with Python.
test('a webhook is signed over its timestamp and its bytes', () => {
  expect(signWebhook(SECRET, TIMESTAMP, BODY)).toBe(SIGNATURE);
  expect(isSigned(callback(), SECRET, NOW)).toBe(true);
});

test.each([
  ['another body', { body: BODY.replace('completed', 'failed') }],
  ['another timestamp', { timestamp: '1795213486' }],
  ['a timestamp that is no number', { timestamp: 'now' }],
  ['no signature', { signature: '' }],
  ['a short signature', { signature: SIGNATURE.slice(2) }],
  ['a signature that is not hexadecimal', { signature: 'z'.repeat(64) }],
])('a webhook with %s is not signed', (_name, change) => {
  expect(isSigned(callback(change), SECRET, NOW)).toBe(false);
});

test('a webhook is signed with one secret, and for five minutes', () => {
  expect(isSigned(callback(), 'whk_other', NOW)).toBe(false);
  expect(isSigned(callback(), SECRET, new Date(NOW.getTime() + 299_000))).toBe(true);
  expect(isSigned(callback(), SECRET, new Date(NOW.getTime() + 301_000))).toBe(false);
});
