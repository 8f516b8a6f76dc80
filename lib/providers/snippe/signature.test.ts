import { expect, test } from 'vitest';
import { isSigned, signWebhook } from './signature';

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
