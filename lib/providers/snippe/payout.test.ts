import { expect, test } from 'vitest';
import { accountOf, answer, clock, REFUND } from '@/testing/providers/samples';
import { createSnippeAdapter } from './adapter';
import { readPayoutAnswer, readPayoutStatus, signWebhook } from './wire';

const ID = '667c9279-846f-4001-b046-fdecab204f4f';
const refund = { ...REFUND, providerReference: ID };
const unknown = { kind: 'unknown' } as const;
const error = (status: number, error_code: string, message = '') => answer(status, { status: 'error', code: status, error_code, message });
const payout = (data: object, status = 200) =>
  answer(status, { status: 'success', code: status, data: { reference: ID, metadata: { reference: refund.reference }, ...data } });
const tzs = (value: number, currency = 'TZS') => ({ value, currency });

test.each([
  ['accepted', payout({ status: 'pending' }, 201), { kind: 'pending', providerReference: ID }],
  ['completed, which a status query must confirm', payout({ status: 'completed' }, 201), { kind: 'pending', providerReference: ID }],
  ['accepted, without the id', answer(201, { status: 'success', data: { status: 'pending' } }), unknown],
  ['refused: a wrong API key', error(401, 'unauthorized'), { kind: 'failed', reason: 'merchant_config' }],
  ['refused: a key without the scope', error(403, 'insufficient_scope'), { kind: 'failed', reason: 'merchant_config' }],
  ['refused: an invalid request', error(400, 'validation_error', 'amount is below minimum'), { kind: 'failed', reason: 'rejected' }],
  [
    'refused: too little money in the account',
    error(500, 'payment_failed', 'insufficient balance: available 5000, required 6500'),
    { kind: 'failed', reason: 'insufficient_funds' },
  ],
  ['refused: too many requests', error(429, 'rate_limit_exceeded'), { kind: 'not_sent' }],
  ['open: a failure whose text has a balance somewhere', error(500, 'payment_failed', 'timeout; insufficient balance?'), unknown],
  ['open: a failure of processing', error(400, 'payment_failed', 'failed to initiate payout'), unknown],
  ['open: a failed upstream provider', error(500, 'PAY_001'), unknown],
  ['open: the provider cannot be reached', error(503, 'INT_003'), unknown],
  ['open: the same key with another body', error(422, 'validation_error', 'idempotency key already used'), unknown],
  ['open: a conflict', error(409, 'conflict'), unknown],
  ['open: a 429 of a gateway', answer(429, 'slow down'), unknown],
  ['open: a 403 of a gateway', answer(403, { message: 'no' }), unknown],
])('the answer to a payout is %s', (_name, received, outcome) => {
  expect(readPayoutAnswer(received)).toEqual(outcome);
});

test.each([
  ['pending', payout({ status: 'pending' }), { kind: 'pending' }],
  ['completed', payout({ status: 'completed', amount: tzs(5_000) }), { kind: 'refunded', transactionId: ID, amount: 500_000n }],
  ['completed, with another amount', payout({ status: 'completed', amount: tzs(6_500) }), unknown],
  ['completed, in another currency', payout({ status: 'completed', amount: tzs(5_000, 'USD') }), unknown],
  ['completed, without an amount', payout({ status: 'completed' }), unknown],
  ['failed', payout({ status: 'failed', failure_reason: 'number not registered' }), { kind: 'failed', reason: 'mobile_not_registered' }],
  ['reversed', payout({ status: 'reversed' }), { kind: 'failed', reason: 'rejected' }],
  ['in a state that is not documented', payout({ status: 'processing' }), unknown],
  ['of another payout', payout({ status: 'failed', reference: 'other' }), unknown],
  ['of a payout with another reference of ours', payout({ status: 'failed', metadata: { reference: 'OTHER' } }), unknown],
  ['of a payout without our reference', payout({ status: 'pending', metadata: null }), { kind: 'pending' }],
  ['not found', error(404, 'not_found'), unknown],
])('the status of a payout is %s', (_name, received, outcome) => {
  expect(readPayoutStatus(received, refund)).toEqual(outcome);
});

const SECRET = 'whk_simulated_secret';
const adapter = createSnippeAdapter({ clock });
const credentials = { apiKey: 'snp_simulated_key', webhookSecret: SECRET, payerEmail: 'payments@example.com' };
const account = accountOf('snippe', credentials);

function callback(type: string, secret = SECRET) {
  const data = { reference: ID, status: 'completed', amount: tzs(5_000), metadata: { reference: refund.reference } };
  const body = JSON.stringify({ id: 'evt_1', type, data });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signWebhook(secret, timestamp, body) };
  return adapter.readCallback(account, { headers, body: new Uint8Array(Buffer.from(body)) });
}

test.each(['payout.completed', 'payout.failed', 'payout.reversed'])('a callback %s names the payout and settles nothing', (type) => {
  expect(callback(type)).toMatchObject({ reference: refund.reference, providerReference: ID, verified: true, outcome: null });
});

test('only a signed callback says that the money of a payout came back', () => {
  const returned = (['payout.completed', 'payout.reversed'] as const).map((type) => callback(type).payoutReturned);
  expect(returned).toEqual([false, true]);
  expect(callback('payout.reversed', 'another secret').payoutReturned).toBeUndefined();
});

test('a forged callback about a payout does not teach us the id of a payout', () => {
  const read = callback('payout.completed', 'another secret');
  expect(read).toMatchObject({ reference: refund.reference, verified: false, outcome: null, claimsPaid: false });
  expect(read.providerReference ?? null).toBeNull();
});

test('payouts are offered only if the account says that its API key may send them', () => {
  const offered = [{}, { payouts: false }, { payouts: true }].map((more) =>
    adapter.payouts?.offeredBy(JSON.stringify({ ...credentials, ...more })),
  );
  expect(offered).toEqual([false, false, true]);
});

test('without a number, no payout is sent', async () => {
  const sent = await adapter.payouts?.send(account, { ...refund, mobile: null }, AbortSignal.timeout(1_000));
  expect(sent).toMatchObject({ lost: 'not_sent', status: null });
});
