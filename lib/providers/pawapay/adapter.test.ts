import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { testReceiver } from '@/testing/fakes/receiver';
import { accountOf, clock, newPrompt, random } from '@/testing/providers/samples';
import { createPawapayAdapter } from './adapter';
import { startPawapaySimulator } from './simulator';
import { idOf } from './wire';

const adapter = createPawapayAdapter({ clock });
const { signal } = new AbortController();
const receiver = testReceiver();
let simulator: Awaited<ReturnType<typeof startPawapaySimulator>>;

beforeAll(async () => {
  // With this delay factor, a refund takes long enough for a second request to arrive while it is in progress.
  simulator = await startPawapaySimulator({ clock, random, delayFactor: 0.05, callbackUrl: receiver.url('/callback') });
});
afterAll(() => simulator.stop());

function accountWith(change: object = {}): ProviderAccount {
  return accountOf('pawapay', { ...simulator.credentials, ...change }, { callbackUrl: receiver.url('/callback') });
}

async function send(account: ProviderAccount, prompt = newPrompt()) {
  return adapter.readAnswer(await adapter.send(account, prompt, signal), prompt);
}

test('a wrong token and a suspended product are problems of the merchant', async () => {
  expect(await send(accountWith({ apiToken: 'another-token' }))).toEqual({ kind: 'failed', reason: 'merchant_config' });
  simulator.control({ suspended: true });
  expect(await send(accountWith())).toEqual({ kind: 'failed', reason: 'merchant_config' });
  simulator.control({ suspended: false });
});

test('a network that pawaPay does not reach is not asked', async () => {
  expect(await send(accountWith(), newPrompt({ network: 'ttcl' }))).toEqual({ kind: 'not_sent' });
});

test('without a public key, or with the key of another account, a callback is only a hint', async () => {
  const prompt = newPrompt();
  expect(await send(accountWith(), prompt)).toEqual({ kind: 'accepted', providerReference: idOf(prompt.reference) });
  const about = () => receiver.received.find(({ body }) => body.toString().includes(prompt.reference));
  await expect.poll(about).toBeDefined();
  const callback = { headers: about()?.headers ?? {}, body: new Uint8Array(Buffer.from(about()?.body ?? '')) };
  expect(adapter.readCallback(accountWith(), callback)).toMatchObject({ verified: true, outcome: { kind: 'paid', amount: 500_000n } });
  const hint = { reference: prompt.reference, verified: false, outcome: null, claimsPaid: true };
  expect(adapter.readCallback(accountWith({ callbackPublicKey: undefined }), callback)).toMatchObject(hint);
  expect(adapter.readCallback({ ...accountWith(), callbackUrl: receiver.url('/other') }, callback)).toMatchObject(hint);
});

test('a callback to the address with the name of the provider is verified too', async () => {
  const prompt = newPrompt();
  const named = await startPawapaySimulator({ clock, random, delayFactor: 0.05, callbackUrl: receiver.url('/callbacks/pawapay/token') });
  const account = accountOf('pawapay', named.credentials, { callbackUrl: receiver.url('/callbacks/account/token') });
  await send(account, prompt);
  const about = () => receiver.received.find(({ body }) => body.toString().includes(prompt.reference));
  await expect.poll(about).toBeDefined();
  const callback = { headers: about()?.headers ?? {}, body: new Uint8Array(Buffer.from(about()?.body ?? '')) };
  expect(adapter.readCallback(account, callback)).toMatchObject({ verified: true });
  expect(adapter.readCallback({ ...account, callbackUrl: receiver.url('/callbacks/account/other') }, callback)).toMatchObject({
    verified: false,
  });
  await named.stop();
});

test('a part of a payment is refunded, and then no more than the rest', async () => {
  const { reversals } = adapter;
  if (!reversals) throw new Error('pawaPay refunds payments');
  const prompt = newPrompt();
  await send(accountWith(), prompt);
  await expect.poll(async () => adapter.readStatus(await adapter.query(accountWith(), prompt, signal), prompt).kind).toBe('paid');
  const payment = {
    transactionId: idOf(prompt.reference),
    promptReference: prompt.reference,
    mobile: prompt.mobile,
    network: prompt.network,
    providerReference: null,
  };
  const refund = async (reference: string, amount: bigint) => {
    const reversal = { ...payment, reference, amount };
    return {
      answer: reversals.readAnswer(await reversals.send(accountWith(), reversal, signal), reversal),
      find: async () => reversals.readStatus(await reversals.query(accountWith(), reversal, signal), reversal),
    };
  };
  const part = await refund('PART', 200_000n);
  expect(part.answer).toEqual({ kind: 'pending' });
  // pawaPay refuses a second refund of a deposit while the first one is in progress.
  expect((await refund('EARLY', 100_000n)).answer).toEqual({ kind: 'failed', reason: 'rejected' });
  await expect.poll(part.find).toEqual({ kind: 'refunded', transactionId: idOf('PART'), amount: 200_000n });
  expect((await refund('WHOLE', prompt.amount)).answer).toEqual({ kind: 'failed', reason: 'amount_invalid' });
  expect((await refund('REST', 300_000n)).answer).toEqual({ kind: 'pending' });
});

test.each([
  ['decimals', { amount: '5000.50' }, 'INVALID_AMOUNT', 200],
  ['another currency', { currency: 'KES' }, 'INVALID_CURRENCY', 200],
  ['a number with 0', { phoneNumber: '0754000001' }, 'INVALID_PHONE_NUMBER', 200],
  ['the wallet of another country', { provider: 'MPESA_KEN' }, 'INVALID_PROVIDER', 200],
  ['an amount that is a number', { amount: 5_000 }, 'INVALID_PARAMETER', 400],
  ['an id that is not a UUID of version 4', { depositId: '1' }, 'INVALID_PARAMETER', 400],
  ['an unknown member', { phone: '1' }, 'UNSUPPORTED_PARAMETER', 400],
])(
  'the simulator refuses %s with the documented code',
  async (_name, { phoneNumber, provider, ...change }: Record<string, unknown>, code, status) => {
    const accountDetails = { phoneNumber: phoneNumber ?? '255754000001', provider: provider ?? 'VODACOM_TZA' };
    const depositId = idOf('REFUSED');
    const deposit = { depositId, amount: '5000', currency: 'TZS', payer: { type: 'MMO', accountDetails }, ...change };
    const headers = { authorization: `Bearer ${simulator.credentials.apiToken}` };
    const answer = await fetch(`${simulator.url}/v2/deposits`, { method: 'POST', headers, body: JSON.stringify(deposit) });
    expect(answer.status).toBe(status);
    const rejected = status === 200 ? { depositId, status: 'REJECTED' } : {};
    expect(await answer.json()).toMatchObject({ ...rejected, failureReason: { failureCode: code } });
  },
);

test('a client that uses the addresses of version 1 is noticed', async () => {
  await fetch(`${simulator.url}/deposits/${idOf('A')}`);
  expect(simulator.complaints.map(({ rule }) => rule)).toEqual(['wrong_address']);
});

test('an account in live must not use the sandbox, and the reverse', () => {
  const problems = (baseUrl: string, environment: 'live' | 'sandbox') =>
    adapter.checkCredentials(accountWith({ baseUrl }).credentials, environment);
  expect(problems('https://api.pawapay.io', 'live')).toEqual([]);
  expect(problems('https://api.sandbox.pawapay.io', 'sandbox')).toEqual([]);
  expect(problems('https://api.sandbox.pawapay.io', 'live')).toEqual(['baseUrl must be https://api.pawapay.io for an account in live.']);
  expect(problems('https://api.pawapay.io', 'sandbox')).toHaveLength(1);
  expect(adapter.checkCredentials(accountWith({ callbackPublicKey: 'nonsense' }).credentials, 'sandbox')).toHaveLength(1);
});
