import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PromptRequest, ProviderAccount, Refund } from '@/lib/providers/port/port';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { accountOf, clock, newPrompt, REFUND, random } from '@/testing/providers/samples';
import { createAzampayAdapter } from './adapter';
import { startAzampaySimulator } from './simulator';

const adapter = createAzampayAdapter({ clock, sessions: createPrivateSessions() });
const { signal } = new AbortController();
const spki = { type: 'spki', format: 'der' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(spki).toString('base64');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(spki).toString('base64');
let simulator: Awaited<ReturnType<typeof startAzampaySimulator>>;
let account: ProviderAccount;

beforeAll(async () => {
  simulator = await startAzampaySimulator({ clock, random, delayFactor: 0.01 });
  account = accountWith({});
});
afterAll(() => simulator.stop());

function accountWith(change: object, id = 'account'): ProviderAccount {
  return accountOf('azampay', { ...simulator.credentials, ...change }, { id });
}

async function send(prompt: PromptRequest, at = account) {
  return adapter.readAnswer(await adapter.send(at, prompt, signal), prompt);
}

async function sendAndName(network: PromptRequest['network'] = 'vodacom', at = account): Promise<PromptRequest> {
  const prompt = newPrompt({ network });
  const outcome = await send(prompt, at);
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  return { ...prompt, providerReference: outcome.providerReference };
}

async function query(prompt: PromptRequest, at = account) {
  return adapter.readStatus(await adapter.query(at, prompt, signal), prompt);
}

test('one token serves many calls, and an ended one is renewed at once', async () => {
  const prompt = await sendAndName();
  expect(await send(newPrompt())).toMatchObject({ kind: 'accepted' });
  expect(simulator.tokensIssued()).toBe(1);
  simulator.control({ endTokens: true });
  expect((await query(prompt)).kind).toMatch(/pending|paid/);
  expect(simulator.tokensIssued()).toBe(2);
  simulator.control({ endTokens: true });
  expect(await send(newPrompt())).toMatchObject({ kind: 'accepted' });
  expect(simulator.tokensIssued()).toBe(3);
});

test('wrong credentials and an expired secret send nothing, and no message contains the secret', async () => {
  const payments = simulator.payments.length;
  const wrong = await adapter.send(accountWith({ clientSecret: 'wrong-secret' }, 'wrong'), newPrompt(), signal);
  expect(wrong).toMatchObject({ lost: 'not_sent', error: expect.stringContaining('HTTP 423') });
  expect(wrong.error).not.toContain('wrong-secret');
  expect(adapter.readAnswer(wrong, newPrompt())).toEqual({ kind: 'failed', reason: 'merchant_config' });
  const wrongKey = accountWith({ apiKey: 'another-key' }, 'wrong-key');
  expect(await adapter.send(wrongKey, newPrompt(), signal)).toMatchObject({ lost: 'not_sent', error: 'no token: HTTP 401' });
  expect(simulator.payments).toHaveLength(payments);
});

test('a suspended merchant is a refusal of the merchant', async () => {
  simulator.control({ suspended: true });
  expect(await send(newPrompt())).toEqual({ kind: 'failed', reason: 'merchant_config' });
  simulator.control({ suspended: false });
});

test('amounts and names of networks are sent as the account says', async () => {
  const prompt = await sendAndName('vodacom', accountWith({ amountAs: 'number', providerNames: { vodacom: 'azampesa' } }));
  const payment = simulator.payments.find(({ reference }) => reference === prompt.reference);
  expect(payment).toMatchObject({ amount: 5_000, mobile: '255754000001', details: { provider: 'azampesa' } });
});

test.each(['vodacom', 'yas', 'airtel', 'halotel'] as const)('a payment of %s is found', async (network) => {
  const prompt = await sendAndName(network);
  await expect
    .poll(() => query(prompt))
    .toEqual({ kind: 'paid', transactionId: prompt.providerReference, amount: 500_000n, assumed: true });
});

test('operators are tried in turn, and the one that found a paid payment is tried first the next time', async () => {
  const at = accountWith({ operators: { vodacom: ['mpesa', 'vodacom', 'azampesa'] } }, 'operators');
  const prompt = await sendAndName('vodacom', at);
  const requestsOf = async (work: () => Promise<unknown>) => {
    const before = simulator.requestsInMinute();
    await work();
    return simulator.requestsInMinute() - before;
  };
  expect(await requestsOf(() => query(prompt, at))).toBe(3);
  await expect.poll(async () => (await query(prompt, at)).kind).toBe('paid');
  expect(await requestsOf(() => query(prompt, at))).toBe(1);
});

test('without an id there is nothing to ask', async () => {
  const answer = await adapter.query(account, newPrompt(), signal);
  expect(answer).toMatchObject({ lost: 'not_sent', error: expect.stringContaining('its own id') });
  expect(adapter.readStatus(answer, newPrompt())).toEqual({ kind: 'unknown' });
});

test('an account in live must not use the sandbox, and the reverse, also for one of the hosts', () => {
  const live = {
    authUrl: 'https://authenticator.azampay.co.tz',
    checkoutUrl: 'https://checkout.azampay.co.tz',
    payoutUrl: 'https://api-disbursement.azampay.co.tz',
  };
  const sandbox = {
    authUrl: 'https://authenticator-sandbox.azampay.co.tz',
    checkoutUrl: 'https://sandbox.azampay.co.tz',
    payoutUrl: 'https://api-disbursement-sandbox.azampay.co.tz',
  };
  const problems = (urls: object, environment: 'live' | 'sandbox') => adapter.checkCredentials(accountWith(urls).credentials, environment);
  expect(problems(live, 'live')).toEqual([]);
  expect(problems(sandbox, 'sandbox')).toEqual([]);
  expect(problems(live, 'sandbox')).toHaveLength(3);
  expect(problems(sandbox, 'live')).toHaveLength(3);
  // An account without payouts does not use their host.
  expect(problems({ ...sandbox, payoutUrl: undefined, payouts: undefined }, 'sandbox')).toEqual([]);
  expect(problems({ ...live, checkoutUrl: sandbox.checkoutUrl }, 'live')).toEqual([
    'checkoutUrl must be https://checkout.azampay.co.tz for an account in live.',
  ]);
  expect(problems({ ...live, checkoutUrl: 'https://checkout.azampay.co.tz/path' }, 'live')).toHaveLength(1);
  expect(problems({ ...live, checkoutUrl: 'http://checkout.azampay.co.tz' }, 'live')).toHaveLength(1);
});

test.each([
  [{ operators: { vodacom: [] } }, 'operators must not be empty.'],
  [{ operators: { vodacom: ['a b'] } }, /^operators must be/],
  [{ operators: { safaricom: ['x'] } }, 'AzamPay credentials have no safaricom.'],
  [{ providerNames: 'Mpesa' }, /^providerNames must be an object/],
  [{ checkoutPath: 'https://elsewhere.example' }, /^checkoutPath must be a path/],
  [{ appName: '' }, /^appName must be/],
  [{ payouts: { key: 'AAAA', account: '1', name: 'Shop' } }, /^payouts.key must be an RSA public key/],
  [{ payouts: { key: ec, account: '1', name: 'Shop' } }, /^payouts.key must be an RSA public key/],
  [{ payouts: { key: rsa, name: 'Shop' } }, 'payouts.account is missing.'],
  [{ payouts: { key: rsa, account: '1', name: 'Shop', app: { appName: 'App' } } }, /^payouts.app.clientId is missing/],
  [{ payouts: 'yes' }, /^payouts must be an object/],
])('the credentials %j are refused', (change, problem) => {
  const problems = adapter.checkCredentials(accountWith(change).credentials, 'sandbox');
  expect(problems[0]).toMatch(problem);
  expect(adapter.payouts?.offeredBy(accountWith(change).credentials)).toBe(false);
});

test('only an account with the credentials of payouts offers them', () => {
  const { payouts } = adapter;
  if (!payouts) throw new Error('AzamPay has payouts');
  const pem = `-----BEGIN PUBLIC KEY-----\n${rsa}\n-----END PUBLIC KEY-----\n`;
  expect(payouts.offeredBy(accountWith({ payouts: { key: pem, account: '1', name: 'Shop' } }).credentials)).toBe(true);
  expect(payouts.offeredBy(accountWith({ payouts: undefined }).credentials)).toBe(false);
});

async function payOut(change: object, refund: Partial<Refund> = {}) {
  if (!adapter.payouts) throw new Error('AzamPay has payouts');
  const sent = { ...REFUND, reference: newPrompt().reference, ...refund };
  const answer = await adapter.payouts.send(accountWith(change), sent, signal);
  const made = simulator.payouts.find((payout) => payout.reference === sent.reference);
  return { outcome: adapter.payouts.readAnswer(answer, sent), made };
}

test('a payout names both accounts as its credentials say, and has a token of its own', async () => {
  const before = simulator.tokensIssued();
  const payouts = { ...simulator.credentials.payouts, bank: 'NMB', payeeName: 'Mteja', bankNames: { yas: 'Vodacom' } };
  const { outcome, made } = await payOut({ payouts }, { network: 'yas', mobile: '0654000001' });
  expect(outcome).toEqual({ kind: 'pending', providerReference: made?.id });
  expect(JSON.parse(made?.text ?? '{}')).toMatchObject({
    source: { accountNumber: payouts.account, fullName: payouts.name, bankName: 'NMB', currency: 'TZS' },
    destination: { accountNumber: '255654000001', fullName: 'Mteja', bankName: 'Vodacom', currency: 'TZS' },
    transferDetails: { type: 'FUND', amount: 5_000 },
  });
  expect(simulator.tokensIssued()).toBe(before + 1);
});

test.each([
  ['another key', { key: rsa }, {}, { kind: 'failed', reason: 'rejected' }],
  ['another app', { app: { appName: 'App', clientId: 'other', clientSecret: 'other' } }, {}, { kind: 'failed', reason: 'merchant_config' }],
  ['a number of another country', {}, { network: 'other' as const }, { kind: 'not_sent' }],
  ['no number', {}, { mobile: null }, { kind: 'not_sent' }],
])('a payout with %s pays nothing', async (_name, change, refund, outcome) => {
  expect(await payOut({ payouts: { ...simulator.credentials.payouts, ...change } }, refund)).toEqual({ outcome, made: undefined });
});
