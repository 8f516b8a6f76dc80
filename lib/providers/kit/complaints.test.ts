import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { PROVIDERS } from '@/lib/providers/registry';
import { startSnippeSimulator } from '@/lib/providers/snippe/simulator';
import { testReceiver } from '@/testing/fakes/receiver';
import { clock, random } from '@/testing/providers/samples';

// These clients make the errors that public clients of Tanzanian providers make. The simulator must notice each error.
const receiver = testReceiver();
let simulator: Awaited<ReturnType<typeof startSnippeSimulator>>;
let references = 0;
const POLL = { timeout: 60_000, interval: 10 };

beforeAll(async () => {
  simulator = await startSnippeSimulator({
    clock,
    random,
    callbackUrl: receiver.url('/callback'),
    delayFactor: 0.001,
  });
});
afterAll(() => simulator.stop());

const rulesAbout = (reference: string) => simulator.complaints.filter((one) => one.reference === reference).map(({ rule }) => rule);

function newReference(): string {
  references += 1;
  return `CLIENT${references}`;
}

/** Sends a payment request as a client does. Returns the payment's id; null if the answer was lost. */
async function request(reference: string, phone_number: string): Promise<string | null> {
  const body = JSON.stringify({
    payment_type: 'mobile',
    details: { amount: 5_000, currency: 'TZS' },
    phone_number,
    customer: { firstname: 'Asha', lastname: 'Juma', email: 'asha@example.com' },
    webhook_url: receiver.url('/callback'),
  });
  const headers = { authorization: `Bearer ${simulator.credentials.apiKey}`, 'idempotency-key': reference };
  try {
    const answer = await fetch(`${simulator.url}/v1/payments`, { method: 'POST', headers, body });
    const json = await answer.json();
    return json.data.reference;
  } catch {
    return null;
  }
}

const ask = (id: string | null) =>
  fetch(`${simulator.url}/v1/payments/${id}`, { headers: { authorization: `Bearer ${simulator.credentials.apiKey}` } });

test('a client that sends a request again under a new reference after a lost answer', async () => {
  const [lost, again] = [newReference(), newReference()];
  expect(await request(lost, '255754111010')).toBeNull();
  await request(again, '255754111010');
  expect(rulesAbout(again)).toEqual(['repeated_request']);
});

test('a client that sends the same request again after a lost answer does nothing wrong', async () => {
  const reference = newReference();
  expect(await request(reference, '255754222010')).toBeNull();
  expect(await request(reference, '255754222010')).not.toBeNull();
  expect(rulesAbout(reference)).toEqual([]);
});

test('a client that believes a forged callback', async () => {
  const reference = newReference();
  await request(reference, '255754000022');
  await expect.poll(() => rulesAbout(reference), POLL).toEqual(['forged_callback_believed']);
});

test('a client that asks for the status after a forged callback does nothing wrong', async () => {
  const reference = newReference();
  const id = await request(reference, '255754333022');
  await vi.waitUntil(() => simulator.announcements.some(({ forged, body }) => forged && id !== null && body.includes(id)), POLL);
  await ask(id);
  await relyOnCallbacks();
  expect(rulesAbout(reference)).toEqual([]);
});

test('a client that relies on callbacks alone', relyOnCallbacks);

/**
 * Makes a payment without a callback or status query, and waits for the complaint about this payment. By then, all complaints about earlier
 * payments have been recorded.
 */
async function relyOnCallbacks(): Promise<void> {
  const reference = newReference();
  await request(reference, '255754000007');
  await expect.poll(() => rulesAbout(reference), POLL).toEqual(['paid_not_noticed']);
}

const shownSchema = z.object({
  refusals: z.array(z.object({ at: z.iso.datetime(), request: z.string(), status: z.int(), why: z.string().min(10) })),
});

const started: { stop(): Promise<void> }[] = [];
afterAll(() => Promise.all(started.map((one) => one.stop())));

const OTHERS = PROVIDERS.flatMap(({ name, startSimulator }) =>
  startSimulator ? [{ name, start: () => startSimulator({ clock, random }) }] : [],
);
const MPESA = { name: 'mpesa', start: () => startMpesaSimulator({ clock, random, mode: 'sync', keyBits: 1_024 }) };

test.each([...OTHERS, MPESA])('the control address of $name explains each refusal', async ({ start }) => {
  const running = await start();
  started.push(running);
  const routes = 'routes' in running ? running.routes : ['GET /sandbox/ipg/v2/vodacomTZN/getSession/'];
  const asked = [...routes, 'GET /no-such-address'];
  for (const route of asked) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await fetch(`${running.url}${path.replace(/:\w+/, 'unknown')}`, { method, ...(method === 'POST' && { body: '{}' }) });
    await answer.arrayBuffer();
  }
  const { refusals } = shownSchema.parse(await (await fetch(`${running.url}/control`)).json());
  expect(refusals.map(({ request }) => request)).toEqual(asked.map((route) => route.replace(/:\w+/, 'unknown')));
});

test('the control address shows complaints, and rejects an unknown change', async () => {
  const shown = await (await fetch(`${simulator.url}/control`)).json();
  expect(shown.complaints.length).toBeGreaterThan(0);
  const refused = await fetch(`${simulator.url}/control`, { method: 'POST', body: '{"hang":true}' });
  expect(refused.status).toBe(400);
});
