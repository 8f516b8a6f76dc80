import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { accountOf, clock, newPrompt, REFUND, random } from '@/testing/providers/samples';
import { createClickpesaAdapter } from './adapter';
import { startClickpesaSimulator } from './simulator';
import { checksumOf } from './wire';

const adapter = createClickpesaAdapter({ clock, sessions: createPrivateSessions() });
const { signal } = new AbortController();
let simulator: Awaited<ReturnType<typeof startClickpesaSimulator>>;
let account: ProviderAccount;

beforeAll(async () => {
  simulator = await startClickpesaSimulator({ clock, random, delayFactor: 0.01 });
  account = accountOf('clickpesa', simulator.credentials);
});
afterAll(() => simulator.stop());

async function send(): Promise<string> {
  const prompt = newPrompt();
  return adapter.readAnswer(await adapter.send(account, prompt, signal), prompt).kind;
}

test('one token serves many calls, and a new one is opened after the provider has ended it', async () => {
  expect([await send(), await send()]).toEqual(['accepted', 'accepted']);
  expect(simulator.tokensIssued()).toBe(1);
  simulator.control({ endTokens: true });
  expect(await send()).toBe('accepted');
  expect(simulator.tokensIssued()).toBe(2);
});

test('wrong credentials send nothing, and are a problem of the merchant', async () => {
  const wrong = { ...account, id: 'other', credentials: JSON.stringify({ ...simulator.credentials, apiKey: 'SKwrong' }) };
  const prompt = newPrompt();
  const answer = await adapter.send(wrong, prompt, signal);
  expect(answer).toMatchObject({ lost: 'not_sent', error: 'the provider refuses the credentials: HTTP 401' });
  expect(adapter.readAnswer(answer, prompt)).toEqual({ kind: 'failed', reason: 'merchant_config' });
  // A refusal by a server in front of ClickPesa says nothing about the credentials.
  const foreign = { ...answer, lost: null, body: new Uint8Array(Buffer.from('<html>')), status: 403 };
  expect(adapter.readAnswer(foreign, prompt)).toEqual({ kind: 'unknown' });
});

test('a wrong checksum key is a problem of the merchant', async () => {
  const credentials = JSON.stringify({ ...simulator.credentials, checksumKey: 'CHKwrong' });
  const prompt = newPrompt();
  const answer = await adapter.send({ ...account, credentials }, prompt, signal);
  expect(adapter.readAnswer(answer, prompt)).toEqual({ kind: 'failed', reason: 'merchant_config' });
});

test('a client that asks for the status at an address from public code is noticed', async () => {
  await fetch(`${simulator.url}/third-parties/payments/query?orderReference=X`);
  expect(simulator.complaints.map(({ rule }) => rule)).toEqual(['wrong_address']);
});

test('an account in live must not use the sandbox, and the reverse', () => {
  const at = (baseUrl: string) => JSON.stringify({ ...simulator.credentials, baseUrl });
  expect(adapter.checkCredentials(at('https://api.clickpesa.com'), 'live')).toEqual([]);
  expect(adapter.checkCredentials(at('https://api-sandbox.clickpesa.com'), 'sandbox')).toEqual([]);
  for (const host of ['api-sandbox.clickpesa.com', 'sandbox.clickpesa.com', 'clickpesa.example'])
    expect(adapter.checkCredentials(at(`https://${host}`), 'live')).toHaveLength(1);
  expect(adapter.checkCredentials(at('https://api.clickpesa.com'), 'sandbox')).toHaveLength(1);
});

const webhook = (event: string, status: string, data: object = {}) => ({
  event,
  data: { id: 'LCP1', status, orderReference: 'A', collectedAmount: '5000', collectedCurrency: 'TZS', ...data },
});

function receive(
  message: Record<string, unknown>,
  { headers = {}, change = {} }: { headers?: Record<string, string>; change?: object } = {},
) {
  const credentials = JSON.stringify({ ...simulator.credentials, ...change });
  return adapter.readCallback({ ...account, credentials }, { headers, body: new Uint8Array(Buffer.from(JSON.stringify(message))) });
}

test('a webhook proves its outcome by a checksum in its body or in a header', () => {
  const message = webhook('PAYMENT RECEIVED', 'SUCCESS');
  const checksum = checksumOf(message, simulator.credentials.checksumKey);
  const paid = { verified: true, outcome: { kind: 'paid', transactionId: 'LCP1', amount: 500_000n } };
  expect(receive({ ...message, checksum })).toMatchObject(paid);
  expect(receive({ ...message, checksum: null }, { headers: { 'x-clickpesa-checksum': checksum } })).toMatchObject(paid);
});

test.each([
  ['customer', { customer: { customerName: 'Asha', customerPhoneNumber: '255712345678' } }],
  ['customer, under the name of a client', { customer: { phoneNumber: '+255 712 345 678' } }],
  ['payment', { phoneNumber: '0712345678' }],
])("a webhook names the payer's number as a member of the %s", (_name, data) => {
  expect(receive(webhook('PAYMENT RECEIVED', 'SUCCESS', data))).toMatchObject({ reference: 'A', payer: '0712345678' });
});

test.each([
  ['contradicts itself', webhook('PAYMENT FAILED', 'SUCCESS'), {}],
  ["is about another application's payment", webhook('PAYMENT RECEIVED', 'SUCCESS', { clientId: 'IDother' }), {}],
  ['has a legacy checksum, which does not cover the payment', webhook('PAYMENT RECEIVED', 'SUCCESS'), { checksumScheme: 'legacy' }],
])('a webhook that %s is only a hint', (_name, message, change) => {
  const scheme = 'checksumScheme' in change ? 'legacy' : 'canonical';
  const checksum = checksumOf(message, simulator.credentials.checksumKey, scheme);
  expect(receive({ ...message, checksum }, { change })).toMatchObject({ reference: 'A', verified: false, outcome: null, claimsPaid: true });
});

test('a webhook with thousands of levels is read without an error', () => {
  const deep = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`);
  expect(receive({ ...webhook('PAYMENT RECEIVED', 'SUCCESS'), deep, checksum: 'ab' })).toMatchObject({ reference: 'A', verified: false });
});

test('without a checksum key, a webhook is only a hint', () => {
  const { checksumKey: _, ...rest } = simulator.credentials;
  const body = JSON.stringify({
    event: 'PAYMENT RECEIVED',
    data: { id: 'LCP1', status: 'SUCCESS', orderReference: 'A', collectedAmount: '5000', collectedCurrency: 'TZS' },
    checksum: '',
  });
  const read = adapter.readCallback(
    { ...account, credentials: JSON.stringify(rest) },
    { headers: {}, body: new Uint8Array(Buffer.from(body)) },
  );
  expect(read).toMatchObject({ reference: 'A', verified: false, outcome: null, claimsPaid: true });
});

test('only an account that says so offers payouts', () => {
  const offeredBy = (change: object) => adapter.payouts?.offeredBy(JSON.stringify({ ...simulator.credentials, ...change }));
  expect([{}, { payouts: false }, { payouts: undefined }, { payouts: 'yes' }].map(offeredBy)).toEqual([true, false, false, false]);
});

test('a payout with a refused token is not repeated by the adapter', async () => {
  if (!adapter.payouts) throw new Error('ClickPesa has payouts');
  const { reference } = newPrompt();
  const refund = { ...REFUND, reference };
  const payOut = async () => adapter.payouts?.readAnswer(await adapter.payouts.send(account, refund, signal), refund);
  await send();
  simulator.control({ endTokens: true });
  const before = simulator.requestsInMinute();
  expect(await payOut()).toEqual({ kind: 'not_sent' });
  expect(simulator.requestsInMinute()).toBe(before + 1);
  expect(await payOut()).toMatchObject({ kind: 'pending' });
  expect(simulator.payouts.filter((payout) => payout.reference === reference)).toHaveLength(1);
});

test.each(['PAYOUT INITIATED', 'PAYOUT REFUNDED', 'PAYOUT REVERSED'])(
  'the event %s names a refund, and never settles a payment',
  (event) => {
    for (const status of ['SUCCESS', 'REVERSED']) {
      const message = webhook(event, status, { customer: { customerPhoneNumber: '255712345678' } });
      const checksum = checksumOf(message, simulator.credentials.checksumKey);
      expect(receive({ ...message, checksum })).toMatchObject({
        reference: 'A',
        providerReference: 'LCP1',
        payer: null,
        outcome: null,
        claimsPaid: false,
      });
    }
  },
);

test('another event names nothing', () => {
  expect(receive(webhook('DEPOSIT RECEIVED', 'SUCCESS'))).toMatchObject({ reference: null, providerReference: null, outcome: null });
});
