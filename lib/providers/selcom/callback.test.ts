import { expect, test } from 'vitest';
import { accountOf } from '@/testing/providers/samples';
import { readSelcomCallback } from './adapter';
import { digestOf } from './wire';

const SECRET = 'callback-secret';
const NOW = new Date('2026-11-23T12:00:00Z');
const TIMESTAMP = '2026-11-23T09:30:46+03:00';
const DOCUMENTED = ['transid', 'order_id', 'reference', 'result', 'resultcode', 'payment_status'];
const WHOLE = [...DOCUMENTED, 'amount'];
const accountWith = (apiSecret: string) =>
  accountOf('selcom', { apiKey: 'callback-key', apiSecret, vendor: 'V1', buyerEmail: 'payments@example.com' });
const account = accountWith(SECRET);

type Message = Record<string, string | number>;
const MESSAGE: Message = {
  transid: 'A',
  order_id: 'A',
  reference: '0289999288',
  result: 'SUCCESS',
  resultcode: '000',
  payment_status: 'COMPLETED',
  channel: 'MPESA-TZ',
  amount: '5000',
};
const hint = (claimsPaid: boolean) => ({ reference: 'A', verified: false, outcome: null, claimsPaid });
const paid = { reference: 'A', verified: true, outcome: { kind: 'paid', transactionId: '0289999288', amount: 500_000n } };

/** Receives a signed message in which `change` replaced fields after signing. */
function receive(
  message: Message,
  { signed = WHOLE, change = {}, timestamp = TIMESTAMP }: { signed?: readonly string[]; change?: object; timestamp?: string } = {},
) {
  const values: Message = message.resulcode === undefined ? message : { ...message, resultcode: message.resulcode };
  const digest = digestOf(timestamp, Object.fromEntries(signed.map((name) => [name, values[name] ?? ''])), SECRET);
  const headers = { timestamp, digest, 'signed-fields': signed.join(','), 'digest-method': 'HS256' };
  return readSelcomCallback(account, { headers, body: toBytes({ ...message, ...change }) }, NOW);
}

const toBytes = (message: object) => new Uint8Array(Buffer.from(JSON.stringify(message)));

test('a callback whose digest covers the whole payment proves it', () => {
  expect(receive(MESSAGE)).toMatchObject(paid);
  expect(receive({ ...MESSAGE, amount: 5000 })).toMatchObject(paid);
});

test('a result code under its misspelt name counts, and its digest may use either name', () => {
  const { resultcode: _, ...rest } = MESSAGE;
  expect(receive({ ...rest, resulcode: '000' })).toMatchObject(paid);
  const misspelt = WHOLE.map((name) => (name === 'resultcode' ? 'resulcode' : name));
  expect(receive({ ...rest, resulcode: '000' }, { signed: misspelt })).toMatchObject(paid);
});

test('a callback without a digest is only a hint, as real ones are', () => {
  expect(readSelcomCallback(account, { headers: {}, body: toBytes(MESSAGE) }, NOW)).toMatchObject(hint(true));
});

test('the documented digest does not cover the amount, so that a status query decides', () => {
  expect(receive(MESSAGE, { signed: DOCUMENTED })).toMatchObject(hint(true));
  expect(receive(MESSAGE, { signed: DOCUMENTED, change: { amount: '9000' } })).toMatchObject(hint(true));
});

test.each([
  ['a changed amount', MESSAGE, { amount: '9000' }],
  ['a changed receipt number', MESSAGE, { reference: 'OTHER' }],
  ['a result that was added under the other name', MESSAGE, { resulcode: '999' }],
  ['a contradictory result', { ...MESSAGE, result: 'FAIL' }, {}],
  ['a contradictory code', { ...MESSAGE, resultcode: '999' }, {}],
  ['no receipt number', { ...MESSAGE, reference: '' }, {}],
  ['an amount with cents', { ...MESSAGE, amount: '5000.50' }, {}],
  ['another currency', { ...MESSAGE, currency: 'USD' }, {}],
])('a signed callback with %s is only a hint', (_name, message, change) => {
  expect(receive(message, { change })).toMatchObject(hint(true));
});

test('a callback about a failure claims no payment', () => {
  expect(receive({ ...MESSAGE, result: 'FAIL', resultcode: '651', payment_status: 'REJECTED' })).toMatchObject(hint(false));
});

test('a digest of another account proves nothing', () => {
  const digest = digestOf(TIMESTAMP, Object.fromEntries(WHOLE.map((name) => [name, MESSAGE[name] ?? ''])), SECRET);
  const headers = { timestamp: TIMESTAMP, digest, 'signed-fields': WHOLE.join(',') };
  expect(readSelcomCallback(accountWith('another-secret'), { headers, body: toBytes(MESSAGE) }, NOW)).toMatchObject(hint(true));
  expect(readSelcomCallback(account, { headers, body: toBytes(MESSAGE) }, NOW)).toMatchObject(paid);
});

test.each([
  ['of the day before', '2026-11-22T14:59:59+03:00'],
  ['of the day after', '2026-11-24T15:00:01+03:00'],
  ['in another form', '2026-23-11 09:30:46'],
  ['that contains a field', `${TIMESTAMP}&remark=x`],
])('a signed callback with a timestamp %s is only a hint', (_name, timestamp) => {
  expect(receive(MESSAGE, { timestamp })).toMatchObject(hint(true));
});

test('a signed callback whose values could hide other fields is only a hint', () => {
  expect(receive({ ...MESSAGE, remark: 'x&order_id=A' }, { signed: ['remark', ...WHOLE] })).toMatchObject(hint(true));
  // The digest of this text is the same for both readings of it.
  const remark = 'x&order_id=A&reference=0289999288&result=SUCCESS&resultcode=000&payment_status=COMPLETED&amount=5000';
  expect(receive({ ...MESSAGE, transid: remark }, { signed: WHOLE })).toMatchObject(hint(true));
});
