import { afterEach, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newPaymentReference } from '@/lib/platform/core/ids';
import type { PromptRequest, ProviderAccount } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { testReceiver } from '@/testing/fakes/receiver';
import { makeAccount, testRuntime } from '@/testing/runtime';
import { createMpesaAdapter } from './adapter';
import { type MpesaSimulator, type MpesaSimulatorOptions, startMpesaSimulator } from './simulator';
import { CODES } from './wire';

const runtime = testRuntime();
const receiver = testReceiver();
const signal = new AbortController().signal;
const reference = () => newPaymentReference(runtime().random);

let simulator: MpesaSimulator;
afterEach(() => simulator?.stop());

async function start(options: Partial<MpesaSimulatorOptions> = {}, credentials: object = {}) {
  const { clock, random } = runtime();
  simulator = await startMpesaSimulator({ clock, random, mode: 'async', delayFactor: 0.01, keyBits: 2048, ...options });
  const newAdapter = () => createMpesaAdapter({ clock, random, sessions: createSessionStore(runtime()) });
  const adapter = newAdapter();
  const fields = { ...simulator.credentials, ...credentials };
  const account = await makeAccount(runtime(), {
    provider: 'mpesa',
    credentials: JSON.stringify(fields),
    callbackUrl: receiver.url('/callback'),
  });
  const accountWith = (change: object): ProviderAccount => ({ ...account, credentials: JSON.stringify({ ...fields, ...change }) });
  const sendPrompt = async (change: Partial<PromptRequest> = {}, from = account) => {
    const prompt: PromptRequest = { ...newPrompt(), ...change };
    const answer = await adapter.send(from, prompt, signal);
    return { answer, outcome: adapter.readAnswer(answer, prompt), prompt };
  };
  return { adapter, newAdapter, sendPrompt, accountWith, account };
}

function newPrompt(): PromptRequest {
  const description = 'Ankara: 2 × 3 m, "blue" & green';
  return { reference: reference(), providerReference: null, mobile: '0754000001', network: 'vodacom', amount: 500_100n, description };
}

describe('a session', () => {
  test('is opened once for parallel requests, and reused', async () => {
    const { sendPrompt } = await start();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => sendPrompt()));
    expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 8 }, () => 'accepted'));
    await sendPrompt();
    expect(simulator.sessionsOpened()).toBe(1);
  });

  test('is not used before it has warmed up', async () => {
    const { sendPrompt } = await start({ warmupMs: 300 });
    expect((await sendPrompt()).outcome.kind).toBe('accepted');
  });

  test('that is used too early is refused, and the request is not sent', async () => {
    const { sendPrompt } = await start({ warmupMs: MINUTE_MS }, { sessionWarmupSeconds: 0 });
    expect((await sendPrompt()).outcome).toEqual({ kind: 'not_sent' });
    expect(simulator.transactions).toEqual([]);
  });

  test('that ends unexpectedly is replaced after one refused request', async () => {
    const { sendPrompt } = await start();
    const { prompt } = await sendPrompt();
    simulator.control({ endSessions: true });
    expect((await sendPrompt()).outcome).toEqual({ kind: 'not_sent' });
    expect((await sendPrompt()).outcome.kind).toBe('accepted');
    expect((await sendPrompt({ reference: prompt.reference })).outcome).toEqual({ kind: 'duplicate' });
  });

  test('is renewed before it ends, and the old one is used meanwhile', async () => {
    const { sendPrompt } = await start();
    await sendPrompt();
    runtime().advance(0.95 * HOUR_MS);
    expect((await sendPrompt()).outcome.kind).toBe('accepted');
    expect(simulator.sessionsOpened()).toBe(2);
    runtime().advance(0.1 * HOUR_MS);
    expect((await sendPrompt()).outcome.kind).toBe('accepted');
  });

  test('that cannot be opened gives the reason, and is requested again for the next prompt', async () => {
    const { sendPrompt, accountWith } = await start();
    simulator.control({ sessionsFail: true });
    const failed = await sendPrompt();
    expect(failed.outcome).toEqual({ kind: 'not_sent' });
    expect(failed.answer.error).toBe('no session: HTTP 400 INS-989');
    simulator.control({ sessionsFail: false });
    expect((await sendPrompt()).outcome.kind).toBe('accepted');
    const wrongKey = await sendPrompt({}, accountWith({ apiKey: 'another-key' }));
    expect(wrongKey.answer.error).toBe('no session: HTTP 401');
    expect(wrongKey.outcome).toEqual({ kind: 'not_sent' });
  });

  test('is no longer waited for when the worker stops', async () => {
    const { adapter, accountWith } = await start();
    const stopping = new AbortController();
    const sent = adapter.send(accountWith({ sessionWarmupSeconds: 60 }), newPrompt(), stopping.signal);
    stopping.abort();
    expect(await sent).toMatchObject({ lost: 'not_sent', error: 'stopped while waiting for a session' });
  });
});

test('an organisation whose API is not enabled is refused, and nothing is recorded', async () => {
  const { sendPrompt } = await start();
  simulator.control({ suspended: true });
  expect((await sendPrompt()).outcome).toEqual({ kind: 'failed', reason: 'merchant_config' });
  expect(simulator.transactions).toEqual([]);
  simulator.control({ suspended: false });
  expect((await sendPrompt()).outcome.kind).toBe('accepted');
});

test('a request contains the number in international format, whole shillings and our reference', async () => {
  const { sendPrompt } = await start();
  const { outcome, prompt } = await sendPrompt();
  expect(outcome).toEqual({ kind: 'accepted', providerReference: simulator.transactions[0]?.conversationId });
  expect(simulator.transactions).toMatchObject([{ msisdn: '255754000001', amount: 5001, thirdPartyConversationId: prompt.reference }]);
});

test('the Origin header contains the trusted source', async () => {
  const { sendPrompt } = await start({ origin: 'pay.example.com' });
  expect((await sendPrompt()).outcome.kind).toBe('accepted');
  await simulator.stop();
  const { sendPrompt: sendElsewhere, accountWith } = await start({ origin: 'pay.example.com' });
  expect((await sendElsewhere({}, accountWith({ origin: '*' }))).outcome).toEqual({ kind: 'not_sent' });
});

test.each([
  ['the shortcode of another application', { serviceProviderCode: '111111' }, {}, { kind: 'failed', reason: 'merchant_config' }],
  ['a malformed reference', {}, { reference: 'WITH-HYPHEN' }, { kind: 'failed', reason: 'rejected' }],
  ['no amount', {}, { amount: 0n }, { kind: 'failed', reason: 'amount_invalid' }],
  ['an incomplete number', {}, { mobile: '07' }, { kind: 'failed', reason: 'mobile_not_registered' }],
])('%s is a final refusal', async (_case, credentials, change, expected) => {
  const { sendPrompt } = await start({}, credentials);
  expect((await sendPrompt(change)).outcome).toEqual(expected);
});

test('a request above the daily limit of the customer fails', async () => {
  const { sendPrompt } = await start();
  simulator.control({ dailyLimit: 8_000 });
  expect((await sendPrompt()).outcome.kind).toBe('accepted');
  expect((await sendPrompt()).outcome).toEqual({ kind: 'failed', reason: 'limit_exceeded' });
});

test('every result code has the outcome of the table, with and without a receipt', async () => {
  const { adapter } = await start();
  const prompt = newPrompt();
  const read = (code: string, fields: object = {}, status = 400) => {
    const body = new Uint8Array(Buffer.from(JSON.stringify({ output_ResponseCode: code, output_ResponseDesc: 'text', ...fields })));
    return adapter.readAnswer({ status, headers: {}, body, lost: null, error: null }, prompt);
  };
  for (const [code, { http, meaning }] of Object.entries(CODES)) if (code !== 'INS-0') expect(read(code, {}, http), code).toEqual(meaning);
  expect(read('INS-0', {}, 201)).toEqual({ kind: 'accepted', providerReference: null });
  expect(read('INS-0', { output_TransactionID: 'N/A' }, 201)).toEqual({ kind: 'accepted', providerReference: null });
  expect(read('INS-0', { output_TransactionID: '49XCDF6' }, 201)).toEqual({
    kind: 'paid',
    transactionId: '49XCDF6',
    amount: prompt.amount,
    assumed: true,
  });
  for (const [code, fields, status] of [
    ['INS-0', { output_TransactionID: '49XCDF6' }, 500],
    ['INS-0', { output_TransactionID: '49XCDF6', output_ThirdPartyConversationID: 'ANOTHER' }, 201],
    ['INS-6', {}, 503],
    ['INS-5', {}, 400],
    ['', {}, 401],
    ['constructor', {}, 400],
  ] as const) {
    expect(read(code, fields, status), `${code} ${status}`).toEqual({ kind: 'unknown' });
  }
});

test.each([404, 500, 502, null])('a status answer with the HTTP status %s, which M-Pesa never uses, is not believed', (status) => {
  const { clock, random } = runtime();
  const adapter = createMpesaAdapter({ clock, random, sessions: createSessionStore(runtime()) });
  const read = (http: number | null, fields: object) => {
    const content = { output_ResponseCode: 'INS-0', output_OriginalTransactionID: 'R1', ...fields };
    const body = new Uint8Array(Buffer.from(JSON.stringify(content)));
    return adapter.readStatus({ status: http, headers: {}, body, lost: null, error: null }, newPrompt()).kind;
  };
  for (const fields of [{ output_ResponseTransactionStatus: 'Completed' }, { output_ResponseCode: 'INS-23' }])
    expect(read(status, fields)).toBe('unknown');
  expect(read(200, { output_ResponseTransactionStatus: 'Completed' })).toBe('paid');
  expect(read(400, { output_ResponseCode: 'INS-23' })).toBe('not_found');
});

test("the limit of the merchant's application is no limit of the customer, so that another account can send the request", () => {
  const { clock, random } = runtime();
  const adapter = createMpesaAdapter({ clock, random, sessions: createSessionStore(runtime()) });
  const body = new Uint8Array(Buffer.from(JSON.stringify({ output_ResponseCode: 'INS-995' })));
  const outcome = adapter.readAnswer({ status: 400, headers: {}, body, lost: null, error: null }, newPrompt());
  expect(outcome).toEqual({ kind: 'failed', reason: 'merchant_config' });
});

test('the reply to a callback is the documented one', async () => {
  const { adapter, sendPrompt, account } = await start({ callbackUrl: receiver.url('/callback') });
  receiver.answer(({ headers, body }, response) => {
    const { reply } = adapter.readCallback(account, { headers, body: new Uint8Array(Buffer.from(body)) });
    response.writeHead(reply.status, { 'content-type': reply.contentType }).end(reply.body);
  });
  await sendPrompt();
  await expect.poll(() => simulator.announcements).toMatchObject([{ status: 200, asExpected: true }]);
});

test.each([
  { what: 'a number as result code', fields: { input_ResultCode: 0 }, reference: 'OURS', claimsPaid: true },
  { what: 'a number as receipt', fields: { input_TransactionID: 5 }, reference: 'OURS', claimsPaid: true },
  { what: 'no conversation id', fields: { input_OriginalConversationID: undefined }, reference: 'OURS', theirs: null, claimsPaid: true },
  { what: 'an object as result code', fields: { input_ResultCode: {} }, reference: 'OURS', claimsPaid: false },
  { what: 'a very long result code', fields: { input_ResultCode: 'X'.repeat(10_000) }, reference: 'OURS', claimsPaid: false },
  { what: 'a failure', fields: { input_ResultCode: 'INS-6' }, reference: 'OURS', claimsPaid: false },
  { what: 'no reference of ours', fields: { input_ThirdPartyConversationID: null }, reference: null, claimsPaid: true },
  { what: 'an empty reference of ours', fields: { input_ThirdPartyConversationID: ' ' }, reference: null, claimsPaid: true },
])('a callback with $what is read, without an outcome', async ({ fields, reference, theirs = 'THEIRS', claimsPaid }) => {
  const { adapter, account } = await start();
  const callback = {
    input_OriginalConversationID: 'THEIRS',
    input_TransactionID: '49XCDF6',
    input_ResultCode: 'INS-0',
    input_ResultDesc: 'ok',
    input_ThirdPartyConversationID: 'OURS',
    ...fields,
  };
  const read = adapter.readCallback(account, { headers: {}, body: new Uint8Array(Buffer.from(JSON.stringify(callback))) });
  expect(read).toMatchObject({ reference, providerReference: theirs, verified: false, outcome: null, claimsPaid });
  expect(read.reply.status).toBe(200);
});

describe('a reversal', () => {
  test.each(['sync', 'async'] as const)('in %s mode reverses a payment once, and rejects an unknown receipt', async (mode) => {
    const { adapter, sendPrompt, account } = await start({ mode });
    const { reversals } = adapter;
    if (!reversals) throw new Error('M-Pesa has reversals');
    const reversalOf = (transactionId: string, amount = 500_000n) =>
      ({
        reference: reference(),
        transactionId,
        promptReference: null,
        mobile: null,
        network: null,
        providerReference: null,
        amount,
      }) as const;
    const reverse = async (transactionId: string, amount = 500_000n) => {
      const reversal = reversalOf(transactionId, amount);
      return reversals.readAnswer(await reversals.send(account, reversal, signal), reversal);
    };
    const find = async (transactionId: string) => {
      const reversal = reversalOf(transactionId);
      return reversals.readStatus(await reversals.query(account, reversal, signal), reversal);
    };
    const { prompt } = await sendPrompt();
    await expect.poll(async () => adapter.readStatus(await adapter.query(account, prompt, signal), prompt).kind).toBe('paid');
    const receipt = simulator.transactions[0]?.transactionId ?? '';
    expect(await find(receipt)).toEqual({ kind: 'pending' });
    expect(await find('UNKNOWN')).toEqual({ kind: 'unknown' });
    expect(await reverse('UNKNOWN')).toEqual({ kind: 'failed', reason: 'rejected' });
    expect(await reverse(receipt, 9_999_900n)).toEqual({ kind: 'failed', reason: 'amount_invalid' });
    expect(await reverse(receipt)).toMatchObject({ kind: mode === 'sync' ? 'refunded' : 'pending' });
    expect(await reverse(receipt)).toEqual({ kind: 'failed', reason: 'rejected' });
    expect(await find(receipt)).toEqual({ kind: 'refunded', transactionId: null, amount: null });
    expect(adapter.readStatus(await adapter.query(account, prompt, signal), prompt)).toMatchObject({
      kind: 'reversed',
      transactionId: receipt,
      reversed: null,
    });
  });
});

test('the default limit of parallel requests is higher in synchronous mode, in which calls wait for customers', async () => {
  const { adapter, account, accountWith } = await start();
  expect(adapter.callsAtOnce(accountWith({ mode: 'sync' }))).toBe(50);
  expect(adapter.callsAtOnce(accountWith({ mode: 'sync', callsAtOnce: 3 }))).toBe(3);
  expect(adapter.callsAtOnce(accountWith({ mode: 'async', callsAtOnce: 3 }))).toBe(3);
  expect(adapter.callsAtOnce(accountWith({ mode: 'async' }))).toBe(25);
  expect(adapter.callsAtOnce({ ...account, credentials: 'broken' })).toBe(25);
});

test('invalid credentials send nothing, and the answer says what is wrong', async () => {
  const { adapter, account } = await start();
  const prompt = newPrompt();
  const answer = await adapter.send({ ...account, credentials: '{}' }, prompt, signal);
  expect(adapter.readAnswer(answer, prompt)).toEqual({ kind: 'not_sent' });
  expect(answer.error).toContain('apiKey is missing.');
});

test('the control address shows and changes the behaviour of the simulator, and rejects unknown fields', async () => {
  await start();
  const control = async (body: object) => {
    const response = await fetch(`${simulator.url}/control`, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  expect(await control({ mode: 'sync', dailyLimit: 5 })).toMatchObject({
    status: 200,
    body: { mode: 'sync', dailyLimit: 5, transactions: [] },
  });
  expect(await control({ nonsense: 1 })).toMatchObject({ status: 400 });
});
