import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PromptRequest, ProviderAccount } from '@/lib/providers/port/port';
import { accountOf, clock, newPrompt, random } from '@/testing/providers/samples';
import { createSelcomAdapter } from './adapter';
import { startSelcomSimulator } from './simulator';
import { type Fields, formatTimestamp, ORDER_PATH, STATUS_PATH, signHeaders } from './wire';

const adapter = createSelcomAdapter({ clock });
const { signal } = new AbortController();
let simulator: Awaited<ReturnType<typeof startSelcomSimulator>>;
let account: ProviderAccount;

beforeAll(async () => {
  simulator = await startSelcomSimulator({ clock, random, delayFactor: 0.01 });
  account = accountOf('selcom', simulator.credentials);
});
afterAll(() => simulator.stop());

const withoutHistory = ({ neverReached: _, ...prompt }: PromptRequest): PromptRequest => prompt;

const withCredentials = (change: object) => accountOf('selcom', { ...simulator.credentials, ...change });

async function send(prompt: PromptRequest, from = account, using = adapter) {
  const answer = await using.send(from, prompt, signal);
  return { answer, outcome: using.readAnswer(answer, prompt) };
}

const query = async (prompt: PromptRequest) => adapter.readStatus(await adapter.query(account, prompt, signal), prompt);
const prompts = ({ reference }: PromptRequest) => simulator.payments.filter((payment) => payment.reference === reference).length;

test.each([
  ['cut', null, 'create-order: other side closed; no prompt was sent'],
  [{ status: 504, body: '<html></html>' }, 504, 'create-order: HTTP 504; no prompt was sent'],
  [{ status: 200, body: { resultcode: '999', result: 'AMBIGOUS' } }, 200, 'create-order: HTTP 200; no prompt was sent'],
] as const)('an unusable answer about the order (%j) sends no prompt, and the answer is kept', async (reply, status, error) => {
  simulator.replaceOrderAnswers(reply);
  const prompt = newPrompt({ neverReached: true });
  const first = await send(prompt);
  expect(first.answer).toMatchObject({ status, lost: 'not_sent', error });
  expect(first.outcome).toEqual({ kind: 'not_sent' });
  expect(prompts(prompt)).toBe(0);
  expect((await send(prompt)).outcome.kind).toBe('accepted');
  expect(prompts(prompt)).toBe(1);
});

test('an order that exists gets no prompt if an earlier request may have reached Selcom', async () => {
  for (const uncertain of [{}, { neverReached: false }]) {
    simulator.replaceOrderAnswers('cut');
    const prompt = newPrompt(uncertain);
    expect((await send(prompt)).outcome).toEqual({ kind: 'not_sent' });
    expect((await send(prompt)).outcome).toEqual({ kind: 'duplicate' });
    expect(prompts(prompt)).toBe(0);
    expect(await query(prompt)).toEqual({ kind: 'pending' });
  }
});

test.each([
  ['in other words', { status: 200, body: { resultcode: '651', result: 'FAIL', message: 'Order cannot be processed' } }],
  ['because the merchant is refused now', { status: 403, body: { resultcode: '403', result: 'FAIL', message: 'Not enabled (4035)' } }],
] as const)('an order refused %s is no failure if an earlier request may have sent the prompt', async (_name, reply) => {
  for (const uncertain of [{}, { neverReached: false }]) {
    const prompt = newPrompt({ neverReached: true });
    await send(prompt);
    simulator.replaceOrderAnswers(reply);
    const { answer, outcome } = await send({ ...withoutHistory(prompt), ...uncertain });
    expect(outcome).toEqual({ kind: 'unknown' });
    expect(answer).toMatchObject({ status: reply.status, error: expect.stringContaining('an earlier request may have sent the prompt') });
    expect(prompts(prompt)).toBe(1);
  }
});

test('an order whose prompt was sent gets no second one, although Selcom might send it', async () => {
  const prompt = newPrompt({ neverReached: true });
  expect((await send(prompt)).outcome.kind).toBe('accepted');
  expect((await send({ ...prompt, neverReached: false })).outcome).toEqual({ kind: 'duplicate' });
  expect(prompts(prompt)).toBe(1);
});

test('the simulator notices a client that repeats the request for a prompt whose answer was lost', async () => {
  const prompt = newPrompt({ mobile: '0754000010', neverReached: true });
  expect((await send(prompt)).outcome).toEqual({ kind: 'unknown' });
  await send({ ...prompt, neverReached: false });
  const about = () => simulator.complaints.filter(({ reference }) => reference === prompt.reference).map(({ rule }) => rule);
  expect([prompts(prompt), about()]).toEqual([1, []]);
  // `prompt` has `neverReached: true`. A correct client would not send this now, because the request whose answer was lost has reached
  // Selcom.
  await send(prompt);
  expect([prompts(prompt), about()]).toEqual([2, ['repeated_request']]);
});

test('a process that was paused after it created the order sends no prompt', async () => {
  let calls = 0;
  // `send` reads the clock three times: at the start, to sign the order, and after create-order. The pause is before the third reading.
  const paused = createSelcomAdapter({ clock: () => new Date(Date.now() + (calls++ < 2 ? 0 : 31_000)) });
  const prompt = newPrompt();
  const { answer, outcome } = await send(prompt, account, paused);
  expect(outcome).toEqual({ kind: 'not_sent' });
  expect(answer.error).toBe('interrupted after create-order: no prompt was sent');
  expect([prompts(prompt), await query(prompt)]).toEqual([0, { kind: 'pending' }]);
});

test.each([
  ['a wrong API key', () => withCredentials({ apiKey: 'wrong' })],
  ['a wrong API secret', () => withCredentials({ apiSecret: 'wrong' })],
  ['a wrong vendor', () => withCredentials({ vendor: 'OTHER' })],
])('%s is a problem of the merchant, and creates no order', async (_name, from) => {
  const prompt = newPrompt({ neverReached: true });
  expect((await send(prompt, from())).outcome).toEqual({ kind: 'failed', reason: 'merchant_config' });
  expect(await query(prompt)).toEqual({ kind: 'not_found' });
});

test('a clock that is wrong by minutes is refused, and so is a product that is not enabled', async () => {
  const slow = createSelcomAdapter({ clock: () => new Date(Date.now() - 600_000) });
  expect((await send(newPrompt({ neverReached: true }), account, slow)).outcome).toEqual({ kind: 'failed', reason: 'merchant_config' });
  simulator.control({ suspended: true });
  expect((await send(newPrompt({ neverReached: true }))).outcome).toEqual({ kind: 'failed', reason: 'merchant_config' });
  simulator.control({ suspended: false });
});

test('the settings of the account are in the order, and the callback address is Base64', async () => {
  const callbackUrl = 'https://bili.example/callbacks/selcom/secret';
  const prompt = newPrompt();
  await send(prompt, { ...withCredentials({ buyerName: 'Mteja', orderMinutes: 30 }), callbackUrl });
  const details = simulator.payments.find(({ reference }) => reference === prompt.reference)?.details;
  expect(details).toMatchObject({
    transid: prompt.reference,
    vendor: 'SIMULATED',
    order_id: prompt.reference,
    buyer_email: 'payments@example.com',
    buyer_name: 'Mteja',
    buyer_phone: '255754000001',
    amount: 5_000,
    currency: 'TZS',
    no_of_items: 1,
    webhook: Buffer.from(callbackUrl).toString('base64'),
    expiry: 30,
  });
});

test('the simulator notices wrong addresses, and refuses requests that are not signed completely', async () => {
  await fetch(`${simulator.url}/v1/wallet/pushussd`, { method: 'POST' });
  await fetch(`${simulator.url}${STATUS_PATH}/X`);
  const wrong = simulator.complaints.filter(({ rule }) => rule === 'wrong_address');
  expect(wrong.map(({ detail }) => detail)).toEqual([expect.stringContaining('pushussd'), expect.stringContaining('order_id')]);
  const refused = await fetch(`${simulator.url}${ORDER_PATH}`, { method: 'POST', body: '{}' });
  expect([refused.status, await refused.json()]).toMatchObject([401, { resultcode: '401', result: 'FAIL' }]);
});

test('an account in live must not use a test system, and the reverse', () => {
  const at = (baseUrl: string) => JSON.stringify({ ...simulator.credentials, baseUrl });
  const { baseUrl: _, ...standard } = simulator.credentials;
  expect(adapter.checkCredentials(JSON.stringify(standard), 'live')).toEqual([]);
  expect(adapter.checkCredentials(JSON.stringify(standard), 'sandbox')).toHaveLength(1);
  expect(adapter.checkCredentials(at('https://apigwtest.selcommobile.com'), 'sandbox')).toEqual([]);
  for (const host of ['apigwtest.selcommobile.com', 'apigw.selcommobile.com:8443', 'apigw.selcommobile.com.example'])
    expect(adapter.checkCredentials(at(`https://${host}`), 'live')).toHaveLength(1);
  for (const host of ['apigw2.selcommobile.com', 'apigwtest.selcommobile.com.example', 'test.example'])
    expect(adapter.checkCredentials(at(`https://${host}`), 'sandbox')).toHaveLength(1);
});

test("Selcom's own client can cancel and list orders, and gets JSON for an unknown address", async () => {
  const { apiKey, apiSecret, baseUrl } = simulator.credentials;
  const fetchSigned = async (method: string, path: string, fields: Fields) => {
    const headers = { 'content-type': 'application/json', ...signHeaders(fields, { apiKey, apiSecret }, clock()) };
    const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    const inBody = method === 'POST';
    const address = `${baseUrl}/v1/checkout/${path}${inBody ? '' : `?${query}`}`;
    return (await fetch(address, { method, headers, ...(inBody && { body: JSON.stringify(fields) }) })).json();
  };
  const buyer = { buyer_email: 'asha@example.com', buyer_name: 'Asha Juma', buyer_phone: '255712345001' };
  const order = { vendor: 'SIMULATED', order_id: 'FULL-1', ...buyer, amount: 5_000, currency: 'TZS', no_of_items: 1 };
  expect(await fetchSigned('POST', 'create-order', order)).toMatchObject({ resultcode: '000' });
  expect(await fetchSigned('POST', 'create-order', { ...order, order_id: 'FULL-2' })).toMatchObject({ resultcode: '000' });
  expect(await fetchSigned('DELETE', 'cancel-order', { order_id: 'FULL-1' })).toMatchObject({ resultcode: '000' });
  const payment = { transid: 'T1', order_id: 'FULL-1', msisdn: '255712345001' };
  expect(await fetchSigned('POST', 'wallet-payment', payment)).toMatchObject({ resultcode: '404' });
  const today = formatTimestamp(clock()).slice(0, 10);
  const listed = await fetchSigned('GET', 'list-orders', { fromdate: today, todate: today });
  expect(listed.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ order_id: 'FULL-1', payment_status: 'CANCELLED' }),
      expect.objectContaining({ order_id: 'FULL-2', payment_status: 'PENDING' }),
    ]),
  );
  expect(await fetchSigned('GET', 'stored-cards', {})).toMatchObject({ result: 'FAIL', resultcode: '404' });
});
