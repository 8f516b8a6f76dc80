import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { testReceiver } from '@/testing/fakes/receiver';
import { answering } from '@/testing/fakes/start-receiver';
import { accountOf, newPrompt as promptOf, REFUND, random } from '@/testing/providers/samples';
import { createAirtelAdapter } from './adapter';
import { startAirtelSimulator } from './simulator';
import { paymentPath, payoutPath, TOKEN_PATH } from './wire';

let now = new Date();
const clock = () => now;
const adapter = createAirtelAdapter({ clock, random, sessions: createPrivateSessions() });
const { signal } = new AbortController();
const receiver = testReceiver();
let simulator: Awaited<ReturnType<typeof startAirtelSimulator>>;
let account: ProviderAccount;

beforeAll(async () => {
  simulator = await startAirtelSimulator({ clock, random, delayFactor: 0.001 });
});
beforeEach(() => {
  receiver.received.length = 0;
  account = accountWith({});
});
afterAll(() => simulator.stop());

/** Returns an account with a new id, so that it shares no access token with other accounts. */
function accountWith(change: object): ProviderAccount {
  return accountOf('airtel', { ...simulator.credentials, ...change }, { id: crypto.randomUUID() });
}

const newPrompt = () => promptOf({ mobile: '0684000001', network: 'airtel', description: 'Bill 12' });

async function send(from = account) {
  const prompt = newPrompt();
  return adapter.readAnswer(await adapter.send(from, prompt, signal), prompt);
}

const accepted = { kind: 'accepted', providerReference: null };

describe('a token', () => {
  test('serves many calls, and is renewed after 80 % of its lifetime', async () => {
    const before = simulator.tokensIssued();
    await send();
    now = new Date(now.getTime() + 143_000);
    await send();
    expect(simulator.tokensIssued() - before).toBe(1);
    now = new Date(now.getTime() + 2_000);
    expect(await send()).toEqual(accepted);
    expect(simulator.tokensIssued() - before).toBe(2);
  });

  test('that Airtel has ended is replaced, and the call is made once more', async () => {
    const prompt = newPrompt();
    await adapter.send(account, prompt, signal);
    const before = simulator.tokensIssued();
    simulator.control({ endTokens: true });
    expect(await send()).toEqual(accepted);
    simulator.control({ endTokens: true });
    const answer = await adapter.query(account, prompt, signal);
    expect(['pending', 'paid']).toContain(adapter.readStatus(answer, prompt).kind);
    expect(simulator.tokensIssued() - before).toBe(2);
  });

  test.each([
    ['in a documented way is tried twice', '{"error":"invalid_token","error_description":"x"}', 2, 'not_sent'],
    ['by a page of a gateway is not sent again', '<html></html>', 1, 'unknown'],
  ])('that is refused %s', async (_name, body, times, kind) => {
    receiver.answer((request, response) => {
      const isToken = request.path === '/auth/oauth2/token';
      response.writeHead(isToken ? 200 : 401).end(isToken ? '{"access_token":"a","expires_in":"180"}' : body);
    });
    expect((await send(accountWith({ baseUrl: new URL(receiver.url()).origin }))).kind).toBe(kind);
    expect(receiver.received.filter(({ path }) => path === '/merchant/v1/payments/')).toHaveLength(times);
  });

  test('that is refused for an enquiry by a page of a gateway is replaced, and the enquiry is made once more', async () => {
    receiver.answer((request, response) => {
      const isToken = request.path === '/auth/oauth2/token';
      response.writeHead(isToken ? 200 : 401).end(isToken ? '{"access_token":"a","expires_in":"180"}' : '<html></html>');
    });
    const prompt = newPrompt();
    const answer = await adapter.query(accountWith({ baseUrl: new URL(receiver.url()).origin }), prompt, signal);
    expect(adapter.readStatus(answer, prompt)).toEqual({ kind: 'unknown' });
    const enquiry = `/standard/v1/payments/${prompt.reference}`;
    expect(receiver.received.map(({ path }) => path)).toEqual(['/auth/oauth2/token', enquiry, '/auth/oauth2/token', enquiry]);
  });

  test('that cannot be got sends nothing', async () => {
    receiver.answer(answering(503));
    const answer = await adapter.send(accountWith({ baseUrl: new URL(receiver.url()).origin }), newPrompt(), signal);
    expect(answer).toMatchObject({ lost: 'not_sent', error: 'no token: HTTP 503' });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/auth/oauth2/token']);
  });
});

test('a wrong secret is a problem of the merchant, and sends nothing', async () => {
  const before = simulator.payments.length;
  expect(await send(accountWith({ clientSecret: 'wrong' }))).toEqual({ kind: 'failed', reason: 'merchant_config' });
  expect(simulator.payments).toHaveLength(before);
});

test('a number is sent with nine digits', async () => {
  await send();
  expect(simulator.payments.at(-1)).toMatchObject({ mobile: '684000001', amount: 5_000 });
});

describe('message signing', () => {
  const publicKey = () =>
    generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const fetched = () => receiver.received.filter(({ path }) => path === '/v1/rsa/encryption-keys').length;

  function answerWith(payment: string): ProviderAccount {
    const keys = JSON.stringify({ data: { key_id: 1, key: publicKey(), valid_upto: '12-08-2030 21:29:26' } });
    const bodies: Record<string, string> = {
      '/auth/oauth2/token': '{"access_token":"a","expires_in":3600}',
      '/v1/rsa/encryption-keys': keys,
    };
    receiver.answer(({ path }, response) => {
      response.writeHead(path in bodies ? 200 : 400).end(bodies[path] ?? payment);
    });
    return accountWith({ version: 'v2', baseUrl: new URL(receiver.url()).origin });
  }

  test('uses a key for ten minutes', async () => {
    const signing = answerWith('{"status":{"response_code":"DP00800001007","success":false}}');
    await send(signing);
    await send(signing);
    expect(fetched()).toBe(1);
    now = new Date(now.getTime() + 601_000);
    await send(signing);
    expect(fetched()).toBe(2);
  });

  test('fetches the key again after a signature was refused', async () => {
    const signing = answerWith('{"status":{"response_code":"DP00800001026","success":false}}');
    expect(await send(signing)).toEqual({ kind: 'failed', reason: 'merchant_config' });
    await send(signing);
    expect(fetched()).toBe(2);
  });

  test('without a key sends nothing', async () => {
    receiver.answer(({ path }, response) => {
      response.writeHead(200).end(path === '/auth/oauth2/token' ? '{"access_token":"a"}' : '{"data":{"key":"bm8ga2V5"}}');
    });
    const answer = await adapter.send(accountWith({ version: 'v2', baseUrl: new URL(receiver.url()).origin }), newPrompt(), signal);
    expect(answer).toMatchObject({ lost: 'not_sent', error: 'no encryption key: HTTP 200' });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/auth/oauth2/token', '/v1/rsa/encryption-keys']);
  });

  test('survives the end of a token', async () => {
    const signing = accountWith({ version: 'v2' });
    await send(signing);
    simulator.control({ endTokens: true });
    now = new Date(now.getTime() + 601_000);
    expect(await send(signing)).toEqual(accepted);
  });
});

test.each([
  ['TS', true],
  ['TF', false],
  ['TR', false],
])('a callback with %s only triggers a status query', (status_code, claimsPaid) => {
  const body = JSON.stringify({ transaction: { id: 'A', message: 'x', status_code, airtel_money_id: 'MP1.2.3' }, hash: 'abc' });
  const read = adapter.readCallback(account, { headers: {}, body: new Uint8Array(Buffer.from(body)) });
  expect(read).toMatchObject({ reference: 'A', verified: false, outcome: null, claimsPaid, reply: { status: 200 } });
});

test("a reseller's wrapped callback has no reference", () => {
  const body = JSON.stringify({ country: 'TZ', payload: { transaction: { id: 'A', status_code: 'TS' } } });
  const read = adapter.readCallback(account, { headers: {}, body: new Uint8Array(Buffer.from(body)) });
  expect(read).toMatchObject({ reference: null, claimsPaid: false });
});

test('a refund of a payment without an attempt cannot be asked for', async () => {
  const reversal = { ...REFUND, promptReference: null };
  const answer = await adapter.reversals?.query(account, reversal, signal);
  expect(answer).toMatchObject({ lost: 'not_sent' });
});

describe('payouts', () => {
  const offered = (change: object) => adapter.payouts?.offeredBy(accountWith(change).credentials);

  test('need a PIN and a key', () => {
    expect(offered({})).toBe(true);
    expect(offered({ payoutPin: undefined, payoutKey: undefined })).toBe(false);
    expect(offered({ payoutKey: 'bm8ga2V5' })).toBe(false);
    const half = accountWith({ payoutKey: undefined });
    expect(adapter.payouts?.offeredBy(half.credentials)).toBe(false);
    expect(adapter.checkCredentials(half.credentials, 'sandbox')).toEqual(['payoutPin and payoutKey are needed together.']);
  });

  test('are not sent without them, or to an unknown number', async () => {
    const send = async (from: ProviderAccount, mobile: string | null) =>
      adapter.payouts?.send(from, { ...REFUND, network: 'airtel', mobile }, signal);
    expect(await send(accountWith({ payoutPin: undefined, payoutKey: undefined }), '0684000001')).toMatchObject({ lost: 'not_sent' });
    expect(await send(account, null)).toMatchObject({ lost: 'not_sent' });
  });

  test('with a wrong PIN are refused, and the PIN is encrypted', async () => {
    const wrong = accountWith({ payoutPin: '4321' });
    const refund = { ...REFUND, mobile: '0684000001' };
    const sent = await adapter.payouts?.send(wrong, refund, signal);
    expect(sent && adapter.payouts?.readAnswer(sent, refund)).toEqual({ kind: 'failed', reason: 'merchant_config' });
    receiver.answer(({ path }, response) => response.writeHead(200).end(path === TOKEN_PATH ? '{"access_token":"a"}' : '{}'));
    await adapter.payouts?.send(accountWith({ baseUrl: new URL(receiver.url()).origin }), refund, signal);
    const [body] = receiver.received.filter(({ path }) => path === payoutPath('v1')).map((request) => JSON.parse(request.body));
    expect(body).toMatchObject({ payee: { msisdn: '684000001' }, transaction: { amount: 5_000, type: 'B2C' } });
    expect(body.pin).toMatch(/^[A-Za-z0-9+/=]{300,}$/);
  });
});

test('an account in live must not use the test hosts, and the reverse', () => {
  const at = (host: string) => JSON.stringify({ clientId: 'client', clientSecret: 'secret', baseUrl: `https://${host}` });
  for (const zone of ['co.tz', 'africa']) {
    expect(adapter.checkCredentials(at(`openapi.airtel.${zone}`), 'live')).toEqual([]);
    expect(adapter.checkCredentials(at(`openapiuat.airtel.${zone}`), 'sandbox')).toEqual([]);
    expect(adapter.checkCredentials(at(`openapi.airtel.${zone}`), 'sandbox')).toHaveLength(1);
    expect(adapter.checkCredentials(at(`openapiuat.airtel.${zone}`), 'live')).toHaveLength(1);
  }
  expect(adapter.checkCredentials(at('airtel.example'), 'live')).toEqual([
    'baseUrl must be https://openapi.airtel.co.tz or https://openapi.airtel.africa for an account in live.',
  ]);
  expect(adapter.addressOf('{"clientId":"client","clientSecret":"secret"}')?.href).toBe('https://openapi.airtel.co.tz/');
});

test('the simulator notices a client that enquires at the address of payments, and one that sends 255', async () => {
  await fetch(`${simulator.url}/merchant/v1/payments/REFERENCE`);
  expect(simulator.complaints.map(({ rule }) => rule)).toContain('wrong_address');
  const post = async (path: string, body: object, headers: object = {}) =>
    (
      await fetch(simulator.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    ).json();
  const { clientId, clientSecret } = simulator.credentials;
  const opened = await post('/auth/oauth2/token', { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' });
  expect(opened).toMatchObject({ expires_in: '180' });
  const local = { country: 'TZ', currency: 'TZS' };
  const payment = {
    reference: 'Bill 12',
    subscriber: { ...local, msisdn: '255684000001' },
    transaction: { ...local, amount: 5_000, id: 'CLIENT1' },
  };
  const authorization = `Bearer ${opened.access_token}`;
  const at = (headers: object) => post('/merchant/v1/payments/', payment, { authorization, ...headers });
  expect(await at({ 'x-country': 'TZ', 'x-currency': 'TZS' })).toMatchObject({ status: { message: 'Msisdn Not Found' } });
  expect(await at({ 'x-country': 'TZ' })).toMatchObject({ status: { result_code: 'ROUTER119' } });
  expect(await at({})).toMatchObject({ status: { result_code: 'ROUTER003' } });
});

test('another client may use a UUID as its reference, and a request is refused with the reason', async () => {
  const { clientId: client_id, clientSecret: client_secret, baseUrl } = simulator.credentials;
  const call = async (path: string, body: object, authorization = '') => {
    const headers = { 'content-type': 'application/json', 'x-country': 'TZ', 'x-currency': 'TZS', authorization };
    return (await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const { access_token } = await call(TOKEN_PATH, { client_id, client_secret, grant_type: 'client_credentials' });
  const pay = (msisdn: string) =>
    call(
      paymentPath('v1'),
      {
        reference: 'Order 17',
        subscriber: { country: 'TZ', currency: 'TZS', msisdn },
        transaction: { amount: 5_000, country: 'TZ', currency: 'TZS', id: crypto.randomUUID() },
      },
      `Bearer ${access_token}`,
    );
  expect(await pay('684000001')).toMatchObject({ status: { success: true } });
  expect(await pay('0684000001')).toMatchObject({ status: { success: false, message: 'Msisdn Not Found' } });
  expect(simulator.refusals.at(-1)?.why).toContain('without 0');
});
