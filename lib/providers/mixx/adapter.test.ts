import { once } from 'node:events';
import { createServer } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { makeCertificate } from '@/testing/fakes/certificate';
import { accountOf, clock, newPrompt, random } from '@/testing/providers/samples';
import { createMixxAdapter } from './adapter';
import { startMixxSimulator } from './simulator';

const adapter = createMixxAdapter({ clock, sessions: createPrivateSessions() });
const { signal } = new AbortController();
let simulator: Awaited<ReturnType<typeof startMixxSimulator>>;

beforeAll(async () => {
  simulator = await startMixxSimulator({ clock, random, delayFactor: 0.01 });
});
afterAll(() => simulator.stop());

function accountWith(change: object = {}, id = 'account'): ProviderAccount {
  return accountOf('mixx', { ...simulator.credentials, ...change }, { id });
}

async function send(account = accountWith()) {
  const prompt = newPrompt({ mobile: '0714000001', network: 'yas' });
  const answer = await adapter.send(account, prompt, signal);
  return { answer, prompt, kind: adapter.readAnswer(answer, prompt).kind };
}

test('one token serves many calls, and a new one is asked for after it was refused', async () => {
  expect([(await send()).kind, (await send()).kind]).toEqual(['accepted', 'accepted']);
  expect(simulator.tokensIssued()).toBe(1);
  simulator.control({ endTokens: true });
  expect((await send()).kind).toBe('accepted');
  expect(simulator.tokensIssued()).toBe(2);
});

test('a wrong password sends nothing, and is a problem of the merchant', async () => {
  const payments = simulator.payments.length;
  const { answer, prompt } = await send(accountWith({ password: 'wrong' }, 'wrong'));
  expect(adapter.readAnswer(answer, prompt)).toEqual({ kind: 'failed', reason: 'merchant_config' });
  expect(simulator.payments).toHaveLength(payments);
});

test('an inactive biller is a problem of the merchant', async () => {
  simulator.control({ suspended: true });
  const { answer, prompt } = await send();
  simulator.control({ suspended: false });
  expect(adapter.readAnswer(answer, prompt)).toEqual({ kind: 'failed', reason: 'merchant_config' });
});

test.each([
  ['no number', { CustomerMSISDN: undefined }, 'DebitMandate-10-2002-E'],
  ['a number with 0', { CustomerMSISDN: '0714000001' }, 'DebitMandate-10-2004-V'],
  ['no number of the biller', { BillerMSISDN: undefined }, 'DebitMandate-10-2038-V'],
  ['the number of another biller', { BillerMSISDN: '255710000001' }, 'BILLER-18-3040-E'],
  ['no reference', { ReferenceID: undefined }, 'DebitMandate-10-2003-E'],
  ['a reference with other characters', { ReferenceID: 'BILI-1' }, 'DebitMandate-10-2020-V'],
  ['the reference of another biller', { ReferenceID: 'OTHER1' }, 'DebitMandate-10-2020-V'],
  ['an amount that is a text', { Amount: '5000' }, 'DebitMandate-10-2003-E'],
])('the simulator refuses %s with the documented code', async (_name, change, code) => {
  const push = { CustomerMSISDN: '255714000001', BillerMSISDN: '255710000000', Amount: 5_000, ReferenceID: 'BILI1', ...change };
  expect(await call('pushUrl', push)).toBe(code);
});

/** Calls the simulator without the adapter. Returns the code of its answer. */
async function call(url: 'pushUrl' | 'refundUrl', body: object): Promise<unknown> {
  const { username, password, tokenUrl, [url]: address } = simulator.credentials;
  const form = new URLSearchParams({ username, password, grant_type: 'password' });
  const { access_token } = await (await fetch(tokenUrl, { method: 'POST', body: form })).json();
  const headers = { authorization: `bearer ${access_token}`, username, password };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()).ResponseCode;
}

test('a refund to another number, or with a reference of another biller, is refused', async () => {
  const { prompt } = await send();
  const query = async () => adapter.readStatus(await adapter.query(accountWith(), prompt, signal), prompt);
  await expect.poll(async () => (await query()).kind).toBe('paid');
  const paid = await query();
  const transactionId = paid.kind === 'paid' ? paid.transactionId : '';
  const { reference: promptReference, amount } = prompt;
  const right = {
    CustomerMSISDN: '255714000001',
    ChannelMSISDN: simulator.credentials.refundMsisdn,
    ChannelPIN: simulator.credentials.refundPin,
    Amount: Number(amount / 100n),
    MFSTransactionID: transactionId,
    ReferenceID: 'BILIREFUND',
    PurchaseReferenceID: `BILI${promptReference}`,
  };
  const refund = (change: object) => call('refundUrl', { ...right, ...change });
  expect(await refund({ CustomerMSISDN: '255714000002' })).toBe('RefundTransaction-20-3039-E');
  expect(await refund({ ReferenceID: 'OTHERREFUND' })).toBe('RefundTransaction-20-3039-E');
  expect(await refund({})).toBe('RefundTransaction-20-0000-S');
});

test('an account without a refund address sends no refund', async () => {
  const account = accountWith({ refundUrl: undefined, refundMsisdn: undefined, refundPin: undefined });
  const reversal = {
    reference: 'R',
    transactionId: 'T',
    promptReference: 'P',
    mobile: '0714000001',
    network: 'yas' as const,
    providerReference: null,
    amount: 100n,
  };
  expect(await adapter.reversals?.send(account, reversal, signal)).toMatchObject({
    lost: 'not_sent',
    error: 'the account has no refundUrl',
  });
});

test.each(['classic', 'request_to_pay'])('a callback gets a reply in the form %s, and is only a hint', (callbackReply) => {
  const receive = (body: string) =>
    adapter.readCallback(accountWith({ callbackReply }), { headers: {}, body: new Uint8Array(Buffer.from(body)) });
  const callback = (Status: unknown) => JSON.stringify({ Status, ReferenceID: 'BILIREF', Amount: '5000' });
  const paid = receive(callback(true));
  expect(paid).toMatchObject({ reference: 'REF', providerReference: 'BILIREF', verified: false, outcome: null, claimsPaid: true });
  expect(JSON.parse(paid.reply.body)).toEqual(
    callbackReply === 'classic'
      ? { ResponseCode: 'BILLER-18-0000-S', ResponseStatus: true, ResponseDescription: 'Callback received', ReferenceID: 'BILIREF' }
      : { success: true, responseCode: 'BILLER-18-0000-S', transactionStatus: 'true', errorDescription: '', referenceID: 'BILIREF' },
  );
  expect(receive(callback('false'))).toMatchObject({ reference: 'REF', claimsPaid: false });
  // An unreadable member must not suppress the status query.
  expect(receive(callback('SUCCESS'))).toMatchObject({ reference: 'REF', claimsPaid: false });
  expect(receive(JSON.stringify({ MFSTransactionID: 'MP1', ReferenceID: 'BILIREF' }))).toMatchObject({
    reference: 'REF',
    claimsPaid: true,
  });
  expect(receive(JSON.stringify({ Status: true, ReferenceID: 'OTHERREF' }))).toMatchObject({ reference: null });
  expect(receive(JSON.stringify({ Status: true, ReferenceID: 'A'.repeat(20) }))).toMatchObject({ reference: 'A'.repeat(20) });
  expect(receive('{}').reply.body).toContain('BILLER-18-3020-E');
});

test("the operator's own certificates are trusted for its account only", async () => {
  const certificate = makeCertificate({ name: 'localhost' });
  const server = createServer(certificate, (request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(
      request.url === '/token'
        ? '{"access_token":"t","expires_in":60}'
        : '{"ResponseCode":"BILLER-18-0000-S","ResponseStatus":true,"ReferenceID":null}',
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `https://localhost:${typeof address === 'object' ? address?.port : 0}`;
  const secure = { tokenUrl: `${url}/token`, pushUrl: `${url}/push` };
  try {
    expect((await send(accountWith(secure, 'untrusting'))).answer).toMatchObject({ lost: 'not_sent' });
    expect((await send(accountWith({ ...secure, certificates: certificate.cert }, 'trusting'))).kind).toBe('accepted');
  } finally {
    server.close();
  }
});

test('credentials are checked', () => {
  const problems = (change: object, environment: 'live' | 'sandbox' = 'sandbox') =>
    adapter.checkCredentials(accountWith(change).credentials, environment);
  expect(problems({})).toEqual([]);
  expect(problems({ pushUrl: 'https://accessgw.example/Push' }, 'live')).toEqual([]);
  expect(problems({ pushUrl: 'https://accessgw.example/Push' })).toEqual([
    'pushUrl must be an address for tests for an account in the sandbox.',
  ]);
  expect(problems({ pushUrl: 'https://accessgwtest.example/Push' }, 'live')).toHaveLength(1);
  expect(problems({ refundPin: undefined })).toEqual(['refundUrl, refundMsisdn and refundPin are needed together.']);
  expect(problems({ certificates: '-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----' })).toHaveLength(1);
  expect(problems({ pushUrl: 'http://example.com/Push' })).toHaveLength(1);
  expect(problems({ statusUrl: undefined })).toEqual(['statusUrl is missing.']);
});
