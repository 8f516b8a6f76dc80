import { afterEach, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';
import type { ProviderAccount, Push } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { makeAccount, testRuntime } from '@/lib/testing/runtime';
import { createMpesaAdapter } from './adapter';
import { CODES } from './codes';
import { type MpesaSimulator, type MpesaSimulatorOptions, startMpesaSimulator } from './simulator';

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
  const written = { ...simulator.credentials, ...credentials };
  const account = await makeAccount(runtime(), {
    provider: 'mpesa',
    credentials: JSON.stringify(written),
    callbackUrl: receiver.url('/callback'),
  });
  const accountWith = (change: object): ProviderAccount => ({ ...account, credentials: JSON.stringify({ ...written, ...change }) });
  const push = async (change: Partial<Push> = {}, through = account) => {
    const one: Push = { ...newPush(), ...change };
    const answer = await adapter.send(through, one, signal);
    return { answer, outcome: adapter.readAnswer(answer, one), one };
  };
  return { adapter, newAdapter, push, accountWith, account };
}

function newPush(): Push {
  const description = 'Ankara: 2 × 3 m, "blue" & green';
  return { reference: reference(), providerReference: null, mobile: '0754000001', network: 'vodacom', amount: 500_100n, description };
}

describe('a session', () => {
  test('is opened once for pushes that come together, and kept', async () => {
    const { push } = await start();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => push()));
    expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 8 }, () => 'accepted'));
    await push();
    expect(simulator.sessionsOpened()).toBe(1);
  });

  test('is not used before it has warmed up', async () => {
    const { push } = await start({ warmupMs: 300 });
    expect((await push()).outcome.kind).toBe('accepted');
  });

  test('that was used too early is refused, and the push is certainly not sent', async () => {
    const { push } = await start({ warmupMs: MINUTE_MS }, { sessionWarmupSeconds: 0 });
    expect((await push()).outcome).toEqual({ kind: 'not_sent' });
    expect(simulator.transactions).toEqual([]);
  });

  test('that ends in the middle of things costs one try', async () => {
    const { push } = await start();
    const { one } = await push();
    simulator.control({ endSessions: true });
    expect((await push()).outcome).toEqual({ kind: 'not_sent' });
    expect((await push()).outcome.kind).toBe('accepted');
    expect((await push({ reference: one.reference })).outcome).toEqual({ kind: 'duplicate' });
  });

  test('is renewed before it ends; the old one serves meanwhile', async () => {
    const { push } = await start();
    await push();
    runtime().advance(0.95 * HOUR_MS);
    expect((await push()).outcome.kind).toBe('accepted');
    expect(simulator.sessionsOpened()).toBe(2);
    runtime().advance(0.1 * HOUR_MS);
    expect((await push()).outcome.kind).toBe('accepted');
  });

  test('that cannot be made says why, and is tried again at the next push', async () => {
    const { push, accountWith } = await start();
    simulator.control({ sessionsFail: true });
    const failed = await push();
    expect(failed.outcome).toEqual({ kind: 'not_sent' });
    expect(failed.answer.error).toBe('no session: HTTP 400 INS-989');
    simulator.control({ sessionsFail: false });
    expect((await push()).outcome.kind).toBe('accepted');
    const stranger = await push({}, accountWith({ apiKey: 'another-key' }));
    expect(stranger.answer.error).toBe('no session: HTTP 401');
    expect(stranger.outcome).toEqual({ kind: 'not_sent' });
  });

  test('is waited for no longer than the worker runs', async () => {
    const { adapter, accountWith } = await start();
    const stopping = new AbortController();
    const sent = adapter.send(accountWith({ sessionWarmupSeconds: 60 }), newPush(), stopping.signal);
    stopping.abort();
    expect(await sent).toMatchObject({ lost: 'not_sent', error: 'stopped while waiting for a session' });
  });
});

test('a push is made of what the platform takes, in whole shillings', async () => {
  const { push } = await start();
  const { outcome, one } = await push();
  expect(outcome).toEqual({ kind: 'accepted', providerReference: simulator.transactions[0]?.conversationId });
  expect(simulator.transactions).toMatchObject([{ msisdn: '255754000001', amount: 5001, thirdPartyConversationId: one.reference }]);
});

test('only a trusted source gets in', async () => {
  const { push } = await start({ origin: 'pay.example.com' });
  expect((await push()).outcome.kind).toBe('accepted');
  await simulator.stop();
  const { push: pushElsewhere, accountWith } = await start({ origin: 'pay.example.com' });
  expect((await pushElsewhere({}, accountWith({ origin: '*' }))).outcome).toEqual({ kind: 'not_sent' });
});

test.each([
  ['a foreign shortcode', { serviceProviderCode: '111111' }, {}, { kind: 'failed', reason: 'merchant_config' }],
  ['a malformed reference', {}, { reference: 'WITH-HYPHEN' }, { kind: 'failed', reason: 'rejected' }],
  ['no amount', {}, { amount: 0n }, { kind: 'failed', reason: 'amount_invalid' }],
  ['half a number', {}, { mobile: '07' }, { kind: 'failed', reason: 'mobile_not_registered' }],
])('%s is refused for good', async (_what, credentials, change, expected) => {
  const { push } = await start({}, credentials);
  expect((await push(change)).outcome).toEqual(expected);
});

test('a customer asked for more than a day allows is over the limit', async () => {
  const { push } = await start();
  simulator.control({ dailyLimit: 8_000 });
  expect((await push()).outcome.kind).toBe('accepted');
  expect((await push()).outcome).toEqual({ kind: 'failed', reason: 'limit_exceeded' });
});

test('every code means what the table says, with and without a receipt', async () => {
  const { adapter } = await start();
  const push = newPush();
  const read = (code: string, fields: object = {}, status = 400) => {
    const body = new Uint8Array(Buffer.from(JSON.stringify({ output_ResponseCode: code, output_ResponseDesc: 'text', ...fields })));
    return adapter.readAnswer({ status, headers: {}, body, lost: null, error: null }, push);
  };
  for (const [code, { http, meaning }] of Object.entries(CODES)) if (code !== 'INS-0') expect(read(code, {}, http), code).toEqual(meaning);
  expect(read('INS-0', {}, 201)).toEqual({ kind: 'accepted', providerReference: null });
  expect(read('INS-0', { output_TransactionID: 'N/A' }, 201)).toEqual({ kind: 'accepted', providerReference: null });
  expect(read('INS-0', { output_TransactionID: '49XCDF6' }, 201)).toEqual({
    kind: 'paid',
    transactionId: '49XCDF6',
    amount: push.amount,
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

test('a callback is answered as the platform documents it', async () => {
  const { adapter, push, account } = await start({ callbackUrl: receiver.url('/callback') });
  receiver.answer(({ headers, body }, response) => {
    const { reply } = adapter.readCallback(account, { headers, body: new Uint8Array(Buffer.from(body)) });
    response.writeHead(reply.status, { 'content-type': reply.contentType }).end(reply.body);
  });
  await push();
  await expect.poll(() => simulator.announcements).toMatchObject([{ status: 200, asExpected: true }]);
});

test.each([
  { what: 'a number as result code', fields: { input_ResultCode: 0 }, reference: 'OURS', claimsPaid: true },
  { what: 'a number as receipt', fields: { input_TransactionID: 5 }, reference: 'OURS', claimsPaid: true },
  { what: 'no conversation id', fields: { input_OriginalConversationID: undefined }, reference: 'OURS', theirs: null, claimsPaid: true },
  { what: 'an object as result code', fields: { input_ResultCode: {} }, reference: 'OURS', claimsPaid: false },
  { what: 'an endless result code', fields: { input_ResultCode: 'X'.repeat(10_000) }, reference: 'OURS', claimsPaid: false },
  { what: 'a failure', fields: { input_ResultCode: 'INS-6' }, reference: 'OURS', claimsPaid: false },
  { what: 'no id of ours', fields: { input_ThirdPartyConversationID: null }, reference: null, claimsPaid: true },
  { what: 'an empty id of ours', fields: { input_ThirdPartyConversationID: ' ' }, reference: null, claimsPaid: true },
])('a callback with $what is a hint all the same', async ({ fields, reference, theirs = 'THEIRS', claimsPaid }) => {
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
  test.each(['sync', 'async'] as const)('in %s mode takes a payment back once, and only a payment', async (mode) => {
    const { adapter, push, account } = await start({ mode });
    const { reversals } = adapter;
    if (!reversals) throw new Error('M-Pesa has reversals');
    const reverse = async (transactionId: string, amount: bigint | null = null) =>
      reversals.readAnswer(await reversals.send(account, { reference: reference(), transactionId, pushReference: null, amount }, signal));
    const find = async (transactionId: string) =>
      reversals.readStatus(
        await reversals.query(account, { reference: reference(), transactionId, pushReference: null, amount: null }, signal),
      );
    const { one } = await push();
    await expect.poll(async () => adapter.readStatus(await adapter.query(account, one, signal), one).kind).toBe('paid');
    const receipt = simulator.transactions[0]?.transactionId ?? '';
    expect(await find(receipt)).toEqual({ kind: 'pending' });
    expect(await find('NOBODYS')).toEqual({ kind: 'unknown' });
    expect(await reverse('NOBODYS')).toEqual({ kind: 'failed', reason: 'rejected' });
    expect(await reverse(receipt, 9_999_900n)).toEqual({ kind: 'failed', reason: 'amount_invalid' });
    expect(await reverse(receipt)).toMatchObject({ kind: mode === 'sync' ? 'reversed' : 'pending' });
    expect(await reverse(receipt)).toEqual({ kind: 'failed', reason: 'rejected' });
    expect(await find(receipt)).toEqual({ kind: 'reversed', transactionId: null, amount: null });
    expect(adapter.readStatus(await adapter.query(account, one, signal), one)).toMatchObject({
      kind: 'reversed',
      transactionId: receipt,
      reversed: null,
    });
  });
});

test('an account sends fewer prompts at once where no call waits for its customer', async () => {
  const { adapter, account, accountWith } = await start();
  expect(adapter.callsAtOnce(accountWith({ mode: 'sync' }))).toBe(50);
  expect(adapter.callsAtOnce(accountWith({ mode: 'sync', callsAtOnce: 3 }))).toBe(3);
  expect(adapter.callsAtOnce(accountWith({ mode: 'async', callsAtOnce: 3 }))).toBe(3);
  expect(adapter.callsAtOnce(accountWith({ mode: 'async' }))).toBe(25);
  expect(adapter.callsAtOnce({ ...account, credentials: 'broken' })).toBe(25);
});

test('broken credentials send nothing, and say so', async () => {
  const { adapter, account } = await start();
  const push = newPush();
  const answer = await adapter.send({ ...account, credentials: '{}' }, push, signal);
  expect(adapter.readAnswer(answer, push)).toEqual({ kind: 'not_sent' });
  expect(answer.error).toContain('apiKey is missing.');
});

test('the control address shows and changes how the simulator behaves, and refuses what it does not know', async () => {
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
