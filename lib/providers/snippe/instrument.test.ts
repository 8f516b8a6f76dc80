import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HOUR_MS } from '@/lib/platform/core/clock';
import type { InstrumentRequest } from '@/lib/providers/port/instrument';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { accountOf, answer, clock, newPrompt, random } from '@/testing/providers/samples';
import { createSnippeAdapter } from './adapter';
import { readCancelAnswer, readInstrumentAnswer, readInstrumentStatus } from './instrument-wire';
import { startSnippeSimulator } from './simulator';

const ID = '6a490816-799b-4fc9-b9b6-2ec67c54e17e';
const QR =
  '000201010212041552545429990002026390014tz.go.bot.tips01050399802086389040052045999530383454035005802TZ5909NEUROTECH6003DSM610512345622401086389040003086389040081500012tz.co.selcom0130 https://selcom.link/addbbff1 630401F1';
const PAGE = 'https://tz.selcom.online/paymentgw/checkout/1';
const asked: InstrumentRequest = {
  reference: '0123456789ABCDEFGHIJ',
  providerReference: null,
  kind: 'dynamic_qr',
  number: null,
  amount: 50_000n,
  description: 'Bill 0123456789ABCDEFGHIJ',
};
const known = { ...asked, providerReference: ID };
const card = { ...asked, kind: 'card' };
const unknown = { kind: 'unknown' } as const;
const tzs = (value: number, currency = 'TZS') => ({ value, currency });
/** The sample of the documentation. */
const SAMPLE = {
  object: 'payment',
  reference: ID,
  status: 'pending',
  amount: tzs(500),
  expires_at: '2026-01-25T04:47:50.159178853Z',
  payment_type: 'dynamic-qr',
  payment_qr_code: QR,
  payment_token: '63890400',
  payment_url: PAGE,
};
const found = (data: object = {}, status = 200) => answer(status, { status: 'success', code: status, data: { ...SAMPLE, ...data } });
const error = (status: number, error_code: string, message = '') => answer(status, { status: 'error', code: status, error_code, message });
const expiresAt = new Date('2026-01-25T04:47:50.159Z');
const issued = { kind: 'issued', providerReference: ID, expiresAt, ways: { number: '63890400', qr: QR, link: null } } as const;

test.each([
  ['the sample of the documentation', found({}, 201), asked, issued],
  ['a page for cards', found({}, 201), card, { ...issued, ways: { number: null, qr: null, link: PAGE } }],
  ['a token that nobody can type', found({ payment_token: 'A1' }), asked, { ...issued, ways: { number: null, qr: QR, link: null } }],
  ['a page without TLS', found({ payment_url: 'http://tz.selcom.online/1' }), card, unknown],
  ['no way to pay', found({ payment_token: null, payment_qr_code: null }), asked, unknown],
  ['another amount', found({ amount: tzs(501) }), asked, unknown],
  ['another currency', found({ amount: tzs(500, 'USD') }), asked, unknown],
  ['the metadata of another request', found({ metadata: { reference: 'OTHER' } }), asked, unknown],
  ['an answer that is not pending', found({ status: 'failed' }, 201), asked, unknown],
  ['a key with another body', error(422, 'validation_error', 'Idempotency-Key was used'), asked, unknown],
  ['a failed upstream provider', error(500, 'PAY_001'), asked, unknown],
  ['too many requests', error(429, 'rate_limit_exceeded'), asked, { kind: 'not_sent' }],
  ['a key without the scope', error(403, 'insufficient_scope'), asked, { kind: 'refused', reason: 'merchant_config' }],
  ['an amount that is too small', error(400, 'validation_error', 'min 500'), asked, { kind: 'refused', reason: 'rejected' }],
])('a request for an instrument gets %s', (_name, received, request, outcome) => {
  expect(readInstrumentAnswer(received, request)).toEqual(outcome);
});

const paid = {
  kind: 'paid',
  transactionId: ID,
  amount: 50_000n,
  fee: 250n,
  happenedAt: new Date('2026-01-25T04:00:00Z'),
} as const;
const completed = { status: 'completed', settlement: { fees: tzs(2.5) }, completed_at: '2026-01-25T04:00:00Z' };

test.each([
  ['open, with what was issued', found(), asked, { kind: 'open', payments: [], issued }],
  [
    'open, without what was issued',
    found({ payment_qr_code: null, payment_token: null }),
    known,
    { kind: 'open', payments: [], issued: null },
  ],
  ['unknown, if a repeated request does not say what was issued', found({ payment_qr_code: null, payment_token: null }), asked, unknown],
  ['paid, with its fee', found(completed), known, { kind: 'ended', payments: [paid] }],
  ['unknown, if the amount is unreadable', found({ ...completed, amount: tzs(0.5) }), known, unknown],
  ['ended, because it failed', found({ status: 'failed' }), known, { kind: 'ended', payments: [] }],
  ['ended, because it was voided', found({ status: 'voided' }), known, { kind: 'ended', payments: [] }],
  ['ended, because it expired', found({ status: 'expired' }), known, { kind: 'ended', payments: [] }],
  ['unknown, in a state that is not documented', found({ status: 'refunding' }), known, unknown],
  ["unknown, if it is another payment's", found({ reference: 'other' }), known, unknown],
  ['not found', error(404, 'not_found'), known, { kind: 'not_found' }],
  ['unknown, at a gateway', answer(404, { message: 'no route' }), known, unknown],
])('a status query says that an instrument is %s', (_name, received, request, status) => {
  expect(readInstrumentStatus(received, request)).toEqual(status);
});

test.each([
  ['voided', found({ status: 'voided' }), 'done'],
  ['still pending', found(), 'unknown'],
  ['no payment', answer(200, { status: 'success' }), 'unknown'],
  ['a conflict', error(409, 'conflict'), 'refused'],
  ['not found', error(404, 'not_found'), 'refused'],
  ['a 409 of a gateway', answer(409, 'no'), 'unknown'],
  ['an error of the server', error(500, 'PAY_001'), 'unknown'],
])('the answer to a cancellation is %s', (_name, received, result) => {
  expect(readCancelAnswer(received)).toBe(result);
});

const adapter = createSnippeAdapter({ clock });
const { signal } = new AbortController();
let simulator: Awaited<ReturnType<typeof startSnippeSimulator>>;
let account: ProviderAccount;

beforeAll(async () => {
  simulator = await startSnippeSimulator({ clock, random });
  account = accountOf('snippe', simulator.credentials, { callbackUrl: 'http://127.0.0.1:9/callback' });
});
afterAll(() => simulator.stop());

const newInstrument = (change: Partial<InstrumentRequest> = {}) => ({ ...asked, reference: newPrompt().reference, ...change });
const issuedWith = (reference: string) => simulator.instruments.filter((one) => one.reference === reference);

async function query(request: InstrumentRequest) {
  const { instruments } = adapter;
  if (!instruments) throw new Error('Snippe has instruments');
  return instruments.readStatus(await instruments.query(account, request, signal), request);
}

test('after a lost answer, the same request gets the first answer, but never a day later', async () => {
  const request = newInstrument({ sentAt: clock() });
  simulator.control({ failInstruments: ['unanswered'] });
  await adapter.instruments?.send(account, request, signal);
  expect(await query({ ...request, sentAt: new Date(clock().getTime() - 24 * HOUR_MS) })).toEqual(unknown);
  expect(await query({ ...request, sentAt: null })).toEqual(unknown);
  const status = await query(request);
  expect(status).toMatchObject({ kind: 'open', issued: { ways: { number: issuedWith(request.reference)[0]?.number } } });
  expect(issuedWith(request.reference)).toHaveLength(1);
});

test('a request for a card contains an address and the page of the bill', async () => {
  const request = newInstrument({ kind: 'card', pageUrl: 'https://pay.example.com/pay?bill=1' });
  const received = await adapter.instruments?.send(account, request, signal);
  expect(received?.status).toBe(201);
  const incomplete = accountOf('snippe', { ...simulator.credentials, payerCity: '' });
  expect(adapter.checkCredentials(incomplete.credentials, 'sandbox')).toHaveLength(1);
  expect(adapter.instruments?.offeredBy(incomplete.credentials, 'card')).toBe(false);
});

test('a signed callback about an instrument names it, its payment and the number that paid', async () => {
  const request = newInstrument();
  await adapter.instruments?.send(account, request, signal);
  const [instrument] = issuedWith(request.reference);
  if (!instrument) throw new Error('the instrument was not issued');
  simulator.payInstrument({ number: instrument.number ?? '', mobile: '255754000123' });
  const { headers = {}, body } = await vi.waitUntil(() => simulator.announcements.find((one) => one.body.includes(request.reference)));
  expect(adapter.readCallback(account, { headers, body: new Uint8Array(Buffer.from(body)) })).toMatchObject({
    reference: request.reference,
    providerReference: instrument.id,
    payer: '0754000123',
    verified: true,
    outcome: { kind: 'paid', transactionId: instrument.id, amount: 50_000n, fee: 300n },
  });
});

test('without the id, an instrument is not cancelled', async () => {
  const received = await adapter.instruments?.cancel?.send(account, newInstrument(), signal);
  expect(received?.lost).toBe('not_sent');
});
