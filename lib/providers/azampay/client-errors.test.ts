import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addMs } from '@/lib/platform/core/clock';
import { type Behaviour, behaviourOf } from '@/lib/providers/kit/behaviours';
import { testReceiver } from '@/testing/fakes/receiver';
import { clock, random } from '@/testing/providers/samples';
import { startAzampaySimulator } from './simulator';
import { CHECKOUT_PATH, STATUS_PATH, TOKEN_PATH } from './wire';

// These clients make the errors that public clients of AzamPay make. The simulator must notice each.
const receiver = testReceiver();
/** A customer with this number pays after five minutes, and no callback comes. */
const LATE = '777';
const PAID_LATE: Behaviour = { steps: [{ afterMs: 300_000, ending: 'paid', callbacks: 0 }] };
const POLL = { timeout: 60_000, interval: 10 };
let simulator: Awaited<ReturnType<typeof startAzampaySimulator>>;
let authorization: string;
let references = 0;
/** How far a test has moved the simulator's clock forward, milliseconds. This does not affect the simulator's timers. */
let aheadMs = 0;

beforeAll(async () => {
  simulator = await startAzampaySimulator({
    clock: () => addMs(clock(), aheadMs),
    random,
    callbackUrl: receiver.url('/callback'),
    delayFactor: 0.001,
    chooseBehaviour: (mobile) => (mobile.endsWith(LATE) ? PAID_LATE : behaviourOf(mobile)),
  });
  const { authUrl, apiKey, checkoutUrl: _, ...app } = simulator.credentials;
  const answer = await fetch(`${authUrl}${TOKEN_PATH}`, { method: 'POST', headers: { 'x-api-key': apiKey }, body: JSON.stringify(app) });
  const { data } = await answer.json();
  authorization = `Bearer ${data.accessToken}`;
});
afterAll(() => simulator.stop());

test('a client that sends the API key only with payment requests gets a token', async () => {
  const { authUrl, apiKey: _key, checkoutUrl: _url, ...app } = simulator.credentials;
  const answer = await fetch(`${authUrl}${TOKEN_PATH}`, { method: 'POST', body: JSON.stringify(app) });
  expect(await answer.json()).toMatchObject({ success: true, data: { accessToken: expect.any(String) } });
});

const rulesAbout = (reference: string | null) => simulator.complaints.filter((one) => one.reference === reference).map(({ rule }) => rule);

function newReference(): string {
  references += 1;
  return `CLIENT${references}`;
}

/** Sends a payment request as a client does. Returns the id; null if the answer was lost or refuses the request. */
async function request(externalId: string, accountNumber: string): Promise<string | null> {
  const body = JSON.stringify({ accountNumber, amount: '5000', currency: 'TZS', externalId, provider: 'Mpesa' });
  try {
    const answer = await fetch(`${simulator.credentials.checkoutUrl}${CHECKOUT_PATH}`, {
      method: 'POST',
      headers: { authorization },
      body,
    });
    return (await answer.json()).transactionId ?? null;
  } catch {
    return null;
  }
}

/**
 * Waits until the simulator has checked all payments so far for errors of the client. The simulator checks payments in order, so this
 * function requests one more payment, never asks for its status, and waits until the simulator reports that error.
 */
async function waitForChecks(): Promise<void> {
  const reference = newReference();
  await request(reference, '255754777007');
  await expect.poll(() => rulesAbout(reference), POLL).toEqual(['paid_not_noticed']);
}

async function statusOf(id: string | null): Promise<string> {
  const address = `${simulator.credentials.checkoutUrl}${STATUS_PATH}?pgReferenceId=${id}&operator=azampesa`;
  return (await (await fetch(address, { headers: { authorization } })).json()).data?.status;
}

test.each([
  ['the authentication host', (url: string) => `${url}/authenticator${STATUS_PATH}`],
  ['the host of payouts', (url: string) => `${url}/disbursement/api/v1/azampay/transactionstatus`],
  ['the stale path', (url: string) => `${url}/checkout/api/v1/partner/gettransactionstatus`],
])('a client that asks for the status at %s', async (_name, addressAt) => {
  const before = simulator.complaints.length;
  const id = await request(newReference(), '255754111002');
  const answer = await fetch(`${addressAt(simulator.url)}?pgReferenceId=${id}`, { headers: { authorization } });
  expect(answer.status).toBe(404);
  expect(simulator.complaints.slice(before).map(({ rule }) => rule)).toEqual(['wrong_address']);
});

test('a client that sends its payment request to the authentication host', async () => {
  const before = simulator.complaints.length;
  await fetch(`${simulator.credentials.authUrl}${CHECKOUT_PATH}`, { method: 'POST', headers: { authorization }, body: '{}' });
  expect(simulator.complaints.slice(before).map(({ rule }) => rule)).toEqual(['wrong_address']);
});

test('a client that asks at the right address does nothing wrong', async () => {
  const before = simulator.complaints.length;
  const id = await request(newReference(), '255754111007');
  expect(['Pending', 'Success']).toContain(await statusOf(id));
  expect(simulator.complaints).toHaveLength(before);
});

test.each([
  ['was recorded', '255754222010'],
  ['was not recorded', '255754222017'],
  ['met a gateway that failed', '255754222018'],
])('a client that repeats a request after a time-out, with the same reference, when the first %s', async (_name, accountNumber) => {
  const reference = newReference();
  expect(await request(reference, accountNumber)).toBeNull();
  await request(reference, accountNumber);
  expect(rulesAbout(reference)).toEqual(['repeated_request']);
});

test('a client that repeats a request after a time-out, with a new reference', async () => {
  const [lost, again] = [newReference(), newReference()];
  expect(await request(lost, '255754333010')).toBeNull();
  await request(again, '255754333010');
  expect(rulesAbout(again)).toEqual(['repeated_request']);
});

test('a client that takes an unsigned callback as proof', async () => {
  const reference = newReference();
  await request(reference, '255754000022');
  await expect.poll(() => rulesAbout(reference), POLL).toEqual(['forged_callback_believed']);
});

test('a client that takes `success: false` of a status query for a failed payment, and asks no more', async () => {
  const reference = newReference();
  const id = await request(reference, `255754888${LATE}`);
  const answer = await fetch(`${simulator.credentials.checkoutUrl}${STATUS_PATH}?pgReferenceId=${id}&operator=azampesa`, {
    headers: { authorization },
  });
  expect(await answer.json()).toMatchObject({ success: false, data: { status: 'Pending' } });
  await expect.poll(() => rulesAbout(reference), POLL).toEqual(['paid_not_noticed']);
});

test('a client that asks until the payment has ended does nothing wrong', async () => {
  const reference = newReference();
  const id = await request(reference, `255754999${LATE}`);
  await vi.waitUntil(async () => (await statusOf(id)) === 'Success', POLL);
  await waitForChecks();
  expect(rulesAbout(reference)).toEqual([]);
});

test('a client that sees the payment before the late timer of the simulator does nothing wrong', async () => {
  const [reference, unnoticed] = [newReference(), newReference()];
  const id = await request(reference, `255754888${LATE}`);
  await request(unnoticed, `255754889${LATE}`);
  aheadMs = 1_000;
  expect(await statusOf(id)).toBe('Success');
  await expect.poll(() => rulesAbout(unnoticed), POLL).toEqual(['paid_not_noticed']);
  expect(rulesAbout(reference)).toEqual([]);
});

test('a client that asks for the status of the id in a forged callback, which is another payment', async () => {
  const other = await request(newReference(), '255754444001');
  await vi.waitUntil(async () => (await statusOf(other)) === 'Success', POLL);
  const reference = newReference();
  await request(reference, '255754555022');
  const forged = () => simulator.announcements.find((one) => one.forged && one.body.includes(`"${reference}"`));
  await vi.waitUntil(() => forged() !== undefined, POLL);
  const { transid } = JSON.parse(forged()?.body ?? '{}');
  expect(await statusOf(transid)).toBe('Success');
  await expect.poll(() => rulesAbout(reference), POLL).toEqual(['forged_callback_believed']);
});

test('a client that asks for the status of its own id after a forged callback does nothing wrong', async () => {
  const reference = newReference();
  const id = await request(reference, '255754666022');
  await vi.waitUntil(() => simulator.announcements.some(({ forged, body }) => forged && body.includes(`"${reference}"`)), POLL);
  expect(await statusOf(id)).not.toBe('Success');
  await waitForChecks();
  expect(rulesAbout(reference)).toEqual([]);
});
