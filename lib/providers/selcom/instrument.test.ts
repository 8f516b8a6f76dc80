import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InstrumentRequest } from '@/lib/providers/port/instrument';
import type { FailureReason } from '@/lib/providers/port/outcome';
import { accountOf, answer, clock, newPrompt, random } from '@/testing/providers/samples';
import { createSelcomAdapter } from './adapter';
import { readCancelAnswer, readInstrumentStatus, readIssueAnswer } from './instrument-wire';
import { startSelcomSimulator } from './simulator';

const REQUEST: InstrumentRequest = {
  reference: '0123456789ABCDEFGHIJ',
  providerReference: null,
  kind: 'order',
  number: null,
  amount: 500_000n,
  description: 'Bill',
};
const { reference } = REQUEST;
const EXPIRES_AT = new Date('2026-11-28T09:00:00Z');
const LINK = 'https://checkout.example/pay/1';
const QR = '00020101021252045734';
const unknown = { kind: 'unknown' } as const;
const refused = (reason: FailureReason) => ({ kind: 'refused', reason }) as const;
const issued = (ways: object, providerReference: string | null = '0289999288') => ({
  kind: 'issued',
  ways: { number: null, qr: null, link: null, ...ways },
  providerReference,
  expiresAt: EXPIRES_AT,
});
const envelope = (resultcode: string, result: string | undefined, data: unknown, more: object = {}) =>
  answer(200, { reference: '0289999288', resultcode, result, message: '', data, ...more });
const created = (order: object, more: object = {}) => envelope('000', 'SUCCESS', [order], more);
const fail = (status: number, resultcode: string, message = '') =>
  answer(status, { reference: '', resultcode, result: 'FAIL', message, data: [] });
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  [
    'everything',
    created({ gateway_buyer_uuid: '', payment_token: '80001234', qr: QR, payment_gateway_url: base64(LINK) }),
    issued({ number: '80001234', qr: QR, link: LINK }),
  ],
  ['an address that is not in Base64', created({ payment_gateway_url: LINK }), issued({ link: LINK })],
  ['a token that is a number', created({ payment_token: 80001234 }), issued({ number: '80001234' })],
  ['a token only, and null members', created({ payment_token: '8000', qr: null, payment_gateway_url: null }), issued({ number: '8000' })],
  ['no reference of its own', created({ qr: QR }, { reference: '' }), issued({ qr: QR }, null)],
  ['members of another type', created({ payment_token: '80001234', qr: {}, payment_gateway_url: 5 }), issued({ number: '80001234' })],
  ['a token that cannot be typed', created({ payment_token: 'A-1', qr: QR }), issued({ qr: QR })],
  ['a token that is too short', created({ payment_token: '123', qr: QR }), issued({ qr: QR })],
  ['a token that is too long, and a sample instead of a code', created({ payment_token: '8'.repeat(21), qr: 'QR' }), unknown],
  ['a code with a line break', created({ payment_token: '80001234', qr: `${QR}\n` }), issued({ number: '80001234' })],
  [
    'an address without TLS',
    created({ payment_token: '80001234', payment_gateway_url: base64('http://a.example') }),
    issued({ number: '80001234' }),
  ],
  ['an address that runs a script', created({ qr: QR, payment_gateway_url: 'javascript:alert(1)//https://a' }), issued({ qr: QR })],
  ['an address with a space', created({ qr: QR, payment_gateway_url: 'https://a.example/ x' }), issued({ qr: QR })],
  ['nothing that can be paid', created({ gateway_buyer_uuid: '' }), unknown],
  ['no order', envelope('000', 'SUCCESS', []), unknown],
  ['no data', envelope('000', 'SUCCESS', undefined), unknown],
  ['success by its word only', envelope('999', 'SUCCESS', [{ payment_token: '80001234' }]), unknown],
  ['success by its code only', envelope('000', undefined, [{ payment_token: '80001234' }]), unknown],
  ['progress', envelope('111', 'PENDING', []), unknown],
  ['an ambiguous result', fail(200, '999'), unknown],
  ['a gateway error', fail(502, '502'), unknown],
  ['a used order id, which only an earlier request of ours can have', fail(200, '409', 'Duplicate order_id'), unknown],
  ['a product that is not enabled', fail(403, '403', 'API endpoint not enabled for the vendor (4035)'), refused('merchant_config')],
  ['a wrong number of the account', fail(412, '412', 'Parameter buyer_phone is invalid or missing'), refused('merchant_config')],
  ['an amount that is too low', fail(200, '015'), refused('amount_invalid')],
  ['an amount that is too high', fail(200, '014'), refused('limit_exceeded')],
])('the answer to create-order has %s', (_name, received, outcome) => {
  expect(readIssueAnswer(received, EXPIRES_AT)).toEqual(outcome);
});

const order = (payment_status: string, more: object = {}) => ({ order_id: reference, amount: '5000', payment_status, ...more });
const found = (...orders: object[]) => envelope('000', 'SUCCESS', orders);
const paid = (transactionId: string, amount = 500_000n) => ({ kind: 'paid', transactionId, amount });
const open = { kind: 'open', payments: [], issued: null } as const;
const ended = (...payments: object[]) => ({ kind: 'ended', payments });

test.each([
  ['open', found(order('PENDING')), open],
  ['open while somebody pays', found(order('INPROGRESS')), open],
  ['paid', found(order('COMPLETED', { reference: 'R1' })), ended(paid('R1'))],
  ['paid with another amount', found(order('COMPLETED', { reference: 'R1', amount: '4,000.00' })), ended(paid('R1', 400_000n))],
  ['paid twice', found(order('COMPLETED', { reference: 'R1' }), order('COMPLETED', { reference: 'R2' })), ended(paid('R1'), paid('R2'))],
  ['paid without a receipt number', found(order('COMPLETED')), unknown],
  ['paid without an amount', found(order('COMPLETED', { reference: 'R1', amount: undefined })), unknown],
  ['paid in another currency', found(order('COMPLETED', { reference: 'R1', currency: 'USD' })), unknown],
  ['ended by the customer', found(order('USERCANCELLED')), ended()],
  ['cancelled', found(order('CANCELLED')), ended()],
  ['rejected', found(order('REJECTED')), ended()],
  ['in a state that no source explains', found(order('CANCEL')), unknown],
  ["another order's", found(order('COMPLETED', { reference: 'R1', order_id: 'OTHER' })), unknown],
  ['mixed with another order', found(order('PENDING'), order('PENDING', { order_id: 'OTHER' })), unknown],
  ['missing from the answer', found(), unknown],
  ['not found', fail(200, '404', 'order not found'), { kind: 'not_found' }],
  ['not found by its message only', fail(200, '403', 'order not found'), unknown],
  ['refused', fail(403, '403', 'API endpoint not enabled for the vendor (4035)'), unknown],
  ['a page of a gateway', answer(502, '<html></html>'), unknown],
])('the order of an instrument is %s', (_name, received, status) => {
  expect(readInstrumentStatus(received, REQUEST)).toEqual(status);
});

test.each([
  ['done', envelope('000', 'SUCCESS', []), 'done'],
  ['refused', fail(200, '403', 'order cannot be cancelled'), 'refused'],
  ['about an unknown order', fail(200, '404', 'order not found'), 'refused'],
  ['ambiguous', fail(200, '999'), 'unknown'],
  ['a gateway error', fail(502, '502'), 'unknown'],
  ['not JSON', answer(200, '<html></html>'), 'unknown'],
])('the answer to cancel-order is %s', (_name, received, result) => {
  expect(readCancelAnswer(received)).toBe(result);
});

const adapter = createSelcomAdapter({ clock });
const { instruments } = adapter;
const { signal } = new AbortController();
let simulator: Awaited<ReturnType<typeof startSelcomSimulator>>;
beforeAll(async () => {
  simulator = await startSelcomSimulator({ clock, random });
});
afterAll(() => simulator.stop());

test('without the number of a buyer, nothing is offered or sent', async () => {
  const { buyerPhone: _, ...without } = simulator.credentials;
  const account = accountOf('selcom', without);
  expect(instruments?.offeredBy(account.credentials, REQUEST.kind)).toBe(false);
  expect(await instruments?.send(account, REQUEST, signal)).toMatchObject({ lost: 'not_sent', status: null });
  expect(simulator.instruments).toEqual([]);
  for (const buyerPhone of ['', '255754000099', '0222000099', '07540000999'])
    expect(adapter.checkCredentials(JSON.stringify({ ...simulator.credentials, buyerPhone }), 'sandbox')).toHaveLength(1);
});

test('an order has the number of the account, ends after a day, and sends no prompt', async () => {
  const before = Date.now();
  const account = accountOf('selcom', { ...simulator.credentials, orderMinutes: 10 }, { callbackUrl: 'https://bili.example/callbacks/x' });
  const request = { ...REQUEST, reference: newPrompt().reference };
  const received = await instruments?.send(account, request, signal);
  const [instrument] = simulator.instruments;
  expect(instrument).toMatchObject({ reference: request.reference, amount: 5_000, callbackUrl: account.callbackUrl });
  expect(simulator.payments).toEqual([]);
  const outcome = received && instruments?.readAnswer(received, request);
  if (outcome?.kind !== 'issued' || !outcome.expiresAt) throw new Error('the order was not created');
  // Customers are not asked to pay in its last minutes.
  const minutes = (at: number) => Math.round((at - before) / 60_000);
  expect([minutes(instrument?.expiresAt ?? 0), minutes(outcome.expiresAt.getTime())]).toEqual([1_440, 1_430]);
});

test('an order that has expired cannot be paid or cancelled, and its status says that it has ended', async () => {
  let now = new Date();
  const late = await startSelcomSimulator({ clock: () => now, random });
  try {
    const there = createSelcomAdapter({ clock: () => now }).instruments;
    const account = accountOf('selcom', late.credentials);
    const query = async () => there?.readStatus((await there.query(account, REQUEST, signal)) ?? answer(500, ''), REQUEST);
    await there?.send(account, REQUEST, signal);
    const number = late.instruments[0]?.number ?? '';
    expect(await query()).toEqual(open);
    now = new Date(now.getTime() + 24 * 3_600_000);
    expect(await query()).toEqual(ended());
    expect(late.payInstrument({ number })).toEqual({ refusal: 'the instrument has expired' });
    expect(there?.cancel?.readAnswer(await there.cancel.send(account, REQUEST, signal))).toBe('refused');
    const paidLate = late.payInstrument({ number, underWay: true });
    expect(await query()).toEqual(ended(paid('payment' in paidLate ? paidLate.payment.receipt : '')));
  } finally {
    await late.stop();
  }
});

test('an order with a prompt can also be paid by its number, and then its status shows both payments', async () => {
  const account = accountOf('selcom', simulator.credentials);
  const prompt = newPrompt({ neverReached: true, mobile: '0754000001' });
  await adapter.send(account, prompt, signal);
  const instrument = simulator.instruments.find((one) => one.reference === prompt.reference);
  simulator.payInstrument({ number: instrument?.number ?? '', callback: false });
  const query = async () => {
    const status = await instruments?.query(account, { ...REQUEST, ...prompt, number: null }, signal);
    return status && readInstrumentStatus(status, { ...REQUEST, reference: prompt.reference });
  };
  await expect.poll(query).toMatchObject({ kind: 'ended', payments: [{ kind: 'paid' }, { kind: 'paid' }] });
});
