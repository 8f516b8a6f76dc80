import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { InstrumentRequest } from '@/lib/providers/port/instrument';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { accountOf, answer, clock, newPrompt, random } from '@/testing/providers/samples';
import { createClickpesaAdapter } from './adapter';
import { readChangeAnswer, readNumberAnswer, readNumberStatus, toAmountCall, toCancelCall, toIssueCall, toQueryCall } from './billpay-wire';
import { startClickpesaSimulator } from './simulator';
import { checksumOf } from './wire';

const REFERENCE = '0123456789ABCDEFGHIJ';
/** 1122, and ten digits of the SHA-256 of the reference: computed with Python. */
const NUMBER = '11226795110435';
const asked: InstrumentRequest = {
  reference: REFERENCE,
  providerReference: null,
  kind: 'control_number',
  number: null,
  amount: 9_090_000n,
  description: `Bill ${REFERENCE}`,
};
const named = { ...asked, number: NUMBER };
const open = { ...named, kind: 'customer_number' };
const unknown = { kind: 'unknown' } as const;
const orders = { billPayNumber: '1122' };
const customers = { ...orders, billPayEmail: 'payments@example.com' };
const error = (status: number, message: string) => answer(status, { message, error: 'Error', statusCode: status });
const shown = (change: object = {}) =>
  answer(200, { billPayNumber: NUMBER, billDescription: `Bill ${REFERENCE}`, billAmount: 90_900, billPaymentMode: 'EXACT', ...change });
const issued = { kind: 'issued', ways: { number: NUMBER, qr: null, link: null }, providerReference: null, expiresAt: null } as const;

test('a control number follows from our reference, and begins with the digits of the merchant', () => {
  const bill = { billReference: NUMBER, billAmount: 90_900, billDescription: `Bill ${REFERENCE}` };
  expect(toIssueCall(orders, asked)).toEqual({
    path: '/third-parties/billpay/create-order-control-number',
    body: { ...bill, billPaymentMode: 'EXACT' },
  });
  expect(toIssueCall(customers, open)).toEqual({
    path: '/third-parties/billpay/create-customer-control-number',
    body: {
      ...bill,
      billPaymentMode: 'ALLOW_PARTIAL_AND_OVER_PAYMENT',
      customerName: 'Customer',
      customerEmail: 'payments@example.com',
    },
  });
});

test('an account that does not issue a kind of control numbers sends no request for it', () => {
  expect([toIssueCall({}, asked), toIssueCall(customers, asked), toIssueCall(orders, open)]).toEqual([null, null, null]);
  expect([toQueryCall({}, asked), toCancelCall({}, asked), toAmountCall({}, asked)]).toEqual([null, null, null]);
  // An issued number can still be asked for and closed.
  expect(toQueryCall({}, named)).toEqual({ path: `/third-parties/payments/${NUMBER}` });
  expect(toCancelCall({}, named)).toEqual({ path: `/third-parties/billpay/${NUMBER}`, method: 'PATCH', body: { billStatus: 'INACTIVE' } });
  expect(toAmountCall({}, named)).toMatchObject({ body: { billAmount: 90_900 } });
});

test('before an answer has named the number, a status query asks whether it exists', () => {
  expect(toQueryCall(orders, asked)).toEqual({ path: `/third-parties/billpay/${NUMBER}` });
});

test.each([
  ['the number', shown(), issued],
  ['the number, without a description', shown({ billDescription: undefined, billAmount: null }), issued],
  ['a number of ClickPesa', shown({ billPayNumber: '55042914871931' }), { ...issued, ways: { ...issued.ways, number: '55042914871931' } }],
  ['the number of another bill', shown({ billDescription: 'Bill OTHER' }), unknown],
  ['another number', shown({ billPayNumber: '55042914871931', billDescription: undefined }), unknown],
  ['another amount', shown({ billAmount: 90_901 }), unknown],
  ['a number that nobody can type', shown({ billPayNumber: 'INV2025001' }), unknown],
  ['a used number', error(409, 'billReference was already used'), unknown],
  ['a used number, with another code', error(400, 'billReference already exists'), unknown],
  ['an error of the server', error(500, 'Internal server error'), unknown],
  ['too many requests', error(429, 'Too Many Requests'), { kind: 'not_sent' }],
  ['a wrong token', error(401, 'Unauthorized'), { kind: 'not_sent' }],
  ['an invalid amount', error(400, 'billAmount must be positive'), { kind: 'refused', reason: 'rejected' }],
  ['an application without BillPay', error(404, 'Not available'), { kind: 'refused', reason: 'merchant_config' }],
  ['a wrong checksum', error(400, 'Invalid checksum'), { kind: 'refused', reason: 'merchant_config' }],
])('a request for a control number gets %s', (_name, received, outcome) => {
  expect(readNumberAnswer(received, asked)).toEqual(outcome);
});

const payment = (change: object = {}) => ({
  id: 'LCP1',
  status: 'SUCCESS',
  orderReference: NUMBER,
  collectedAmount: '90900',
  collectedCurrency: 'TZS',
  ...change,
});
const paid = { kind: 'paid', transactionId: 'LCP1', amount: 9_090_000n } as const;
const part = { kind: 'paid', transactionId: 'LCP2', amount: 100_000n } as const;
const reversed = { kind: 'reversed', transactionId: 'LCP1', amount: 9_090_000n, reversed: null, reversalTransactionId: null } as const;

test.each([
  ['issued', shown(), asked, { kind: 'open', payments: [], issued }],
  ['issued for another amount', shown({ billAmount: 1 }), asked, { kind: 'open', payments: [], issued: null }],
  ['closed', shown({ billStatus: 'INACTIVE' }), asked, { kind: 'ended', payments: [] }],
  ["another bill's", shown({ billDescription: 'Bill OTHER' }), asked, { kind: 'not_found' }],
  ['not issued', error(404, 'BillPay number not found'), asked, { kind: 'not_found' }],
  ['not paid', error(404, 'Payment not found'), named, { kind: 'open', payments: [], issued: null }],
  ['being paid', answer(200, [payment({ status: 'PROCESSING' })]), named, { kind: 'open', payments: [], issued: null }],
  ['paid', answer(200, [payment()]), named, { kind: 'ended', payments: [paid] }],
  [
    'paid, as another member says',
    answer(200, payment({ orderReference: 'X', billPayNumber: NUMBER })),
    named,
    { kind: 'ended', payments: [paid] },
  ],
  [
    'paid in two parts',
    answer(200, [payment(), payment({ id: 'LCP2', collectedAmount: 1_000 })]),
    open,
    { kind: 'open', payments: [paid, part], issued: null },
  ],
  ['paid and reversed', answer(200, [payment({ status: 'REVERSED' })]), named, { kind: 'ended', payments: [reversed] }],
  ['paid, with an unreadable amount', answer(200, [payment(), payment({ collectedAmount: 'x' })]), open, unknown],
  ["another number's", answer(200, [payment(), payment({ orderReference: 'X' })]), named, unknown],
  ['empty', answer(200, []), named, unknown],
  ['an error of the server', error(500, 'Internal server error'), named, unknown],
  ['a 404 of a gateway', answer(404, 'no route'), named, unknown],
])('a status query says that a control number is %s', (_name, received, request, status) => {
  expect(readNumberStatus(received, request)).toEqual(status);
});

test.each([
  ['a closed number', shown({ billStatus: 'INACTIVE' }), 'done'],
  ['a number without its status', shown(), 'done'],
  ['a number that is still open', shown({ billStatus: 'ACTIVE' }), 'unknown'],
  ['a refusal', error(400, 'The bill was paid'), 'refused'],
  ['an unknown number', error(404, 'BillPay number not found'), 'refused'],
  ['a wrong token', error(401, 'Unauthorized'), 'unknown'],
  ['a 404 of a gateway', answer(404, 'no route'), 'unknown'],
])('a request to close a control number gets %s', (_name, received, result) => {
  expect(readChangeAnswer(received, 'INACTIVE')).toBe(result);
});

const adapter = createClickpesaAdapter({ clock, sessions: createPrivateSessions() });
const { signal } = new AbortController();
let simulator: Awaited<ReturnType<typeof startClickpesaSimulator>>;
let account: ProviderAccount;

beforeAll(async () => {
  simulator = await startClickpesaSimulator({ clock, random, callbackUrl: 'http://127.0.0.1:9/callback' });
  account = accountOf('clickpesa', simulator.credentials);
});
afterAll(() => simulator.stop());

test('the credentials decide which control numbers an account offers', () => {
  const offered = (change: object) =>
    adapter.instruments?.offers
      .map(({ kind }) => kind)
      .filter((kind) => adapter.instruments?.offeredBy(JSON.stringify({ ...simulator.credentials, ...change }), kind));
  expect(offered({})).toEqual(['control_number']);
  expect(offered({ billPayEmail: 'payments@example.com' })).toEqual(['customer_number']);
  expect(offered({ billPayNumber: undefined })).toEqual([]);
  expect(offered({ billPayNumber: '11' })).toEqual([]);
});

test('a control number is asked for once, also with a new token, and is found after a lost answer', async () => {
  const { instruments } = adapter;
  if (!instruments) throw new Error('ClickPesa has control numbers');
  const { reference } = newPrompt();
  const request = { ...asked, reference, description: `Bill ${reference}` };
  await instruments.send(account, { ...asked, reference: newPrompt().reference }, signal);
  simulator.control({ endTokens: true, failInstruments: ['unanswered'] });
  expect(instruments.readAnswer(await instruments.send(account, request, signal), request)).toEqual(unknown);
  const status = instruments.readStatus(await instruments.query(account, request, signal), request);
  const mine = simulator.instruments.filter((one) => one.reference === reference);
  expect(mine).toHaveLength(1);
  expect(status).toMatchObject({ kind: 'open', issued: { ways: { number: mine[0]?.number } } });
});

test('a signed webhook about a control number names it, its payment and the number that paid', async () => {
  const { reference } = newPrompt();
  const request = { ...asked, reference, description: `Bill ${reference}` };
  await adapter.instruments?.send(account, request, signal);
  const number = simulator.instruments.find((one) => one.reference === reference)?.number ?? '';
  simulator.payInstrument({ number, mobile: '255754000123' });
  const { headers = {}, body } = await vi.waitUntil(() => simulator.announcements.find((one) => one.body.includes(number)));
  expect(adapter.readCallback(account, { headers, body: new Uint8Array(Buffer.from(body)) })).toMatchObject({
    reference: number,
    payer: '0754000123',
    verified: true,
    outcome: { kind: 'paid', amount: 9_090_000n },
  });
});

test.each([
  ['billPayNumber', { billPayNumber: NUMBER }],
  ['controlNumber', { controlNumber: NUMBER }],
  ['orderReference', { orderReference: NUMBER }],
])('a webhook names the control number as %s', (_name, data) => {
  const message = { event: 'PAYMENT RECEIVED', data: payment({ orderReference: 'X', ...data }) };
  const body = JSON.stringify({ ...message, checksum: checksumOf(message, simulator.credentials.checksumKey) });
  const read = adapter.readCallback(account, { headers: {}, body: new Uint8Array(Buffer.from(body)) });
  expect(read).toMatchObject({ reference: NUMBER, verified: true, outcome: paid });
});
