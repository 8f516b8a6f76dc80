import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { pay } from '@/testing/data/paying';
import { testListener } from '@/testing/fakes/listener';
import { testReceiver } from '@/testing/fakes/receiver';
import { answering } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { type ApiClient, apiClient } from './client';
import { type FollowedEvent, findEvent, followEvents, forwardEvent, forwardingSecret } from './follow-events';
import { triggerEvent } from './trigger-event';

const runtime = testRuntime();
const origin = testListener(runtime);
const receiver = testReceiver();

let shop: TestMerchant;
let client: ApiClient;
beforeAll(async () => {
  shop = await makeMerchant(runtime());
  const { id, secret } = await shop.key('sandbox');
  client = apiClient({ url: `${origin()}/`, keyId: id, secret });
});

const paidBill = async (reference: string, amount = 500_050n) => {
  const id = await makeBill(runtime(), shop, { reference, amount: 5000.5 });
  await pay(runtime(), id, amount);
  return id;
};

/** Returns the first events that a follower gets. `ready` runs after it has read the events that exist. */
async function follow(since: Date | null, count: number, ready: () => Promise<unknown> = async () => undefined): Promise<FollowedEvent[]> {
  const stopping = new AbortController();
  const found: FollowedEvent[] = [];
  let calls = 0;
  const watched: ApiClient = {
    ...client,
    async call(path, options) {
      const reply = await client.call(path, options);
      calls += 1;
      if (calls === 1) await ready();
      return reply;
    },
  };
  for await (const event of followEvents(watched, { since, signal: stopping.signal })) {
    found.push(event);
    if (found.length === count) stopping.abort();
  }
  return found;
}

describe('following the feed', () => {
  test('begins now, or with the events since a time', async () => {
    await paidBill('BEFORE');
    const found = await follow(null, 1, () => paidBill('AFTER'));
    expect(found.map(({ bill }) => [bill.reference, bill.status])).toEqual([['AFTER', 'FULLY_PAID']]);
    expect((await follow(new Date(0), 2)).map(({ bill }) => bill.reference)).toEqual(['BEFORE', 'AFTER']);
  });

  test('continues after the API did not answer, and says so once', async () => {
    const trouble: (string | null)[] = [];
    const stopping = new AbortController();
    let calls = 0;
    const nowhere = apiClient({ url: 'http://127.0.0.1:9', keyId: 'bili_sandbox_key_x', secret: 'x' });
    const flaky: ApiClient = { ...client, call: (path, options) => (++calls <= 2 ? nowhere : client).call(path, options) };
    const options = { since: new Date(0), signal: stopping.signal, onTrouble: (text: string | null) => trouble.push(text) };
    for await (const event of followEvents(flaky, options)) {
      expect(event.id).toMatch(/^msg_/);
      stopping.abort();
    }
    expect(trouble).toEqual([expect.stringContaining('does not answer'), null]);
  });

  test('ends if the key is refused, and refuses keys of live', async () => {
    const wrong = apiClient({ url: origin(), keyId: 'bili_sandbox_key_x', secret: 'x' });
    const following = followEvents(wrong, { since: null, signal: AbortSignal.timeout(5_000) });
    await expect(following.next()).rejects.toThrow('Invalid api key or api secret');
    expect(() => apiClient({ url: origin(), keyId: 'bili_live_key_x', secret: 'x' })).toThrow('sandbox only');
    expect(() => apiClient({ url: origin(), keyId: undefined, secret: 'x' })).toThrow('BILI_KEY_ID');
  });
});

test('a forwarded webhook has the body of the real one and a valid signature', async () => {
  const id = await paidBill('FORWARD "é"', 100_000n);
  const [event] = (await follow(new Date(0), 3)).filter(({ bill }) => bill.id === id);
  if (!event) throw new Error('the event is missing');
  const secret = forwardingSecret(client.secret);
  expect(forwardingSecret(client.secret)).toBe(secret);
  const to = { url: receiver.url(), secret, now: new Date() };
  expect(await forwardEvent(event, to)).toMatchObject({ status: 200, error: null, id: event.id });
  const [received] = receiver.received;
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
    bill: { id, status: 'PARTIALLY_PAID' },
  });
  const [stored] = await runtime().db.query<{ body: Buffer }>({ text: 'SELECT body FROM webhook_delivery WHERE bill_id = $1' }, [id]);
  expect(received?.body).toBe(stored?.body.toString());

  receiver.answer(answering(500));
  expect(await forwardEvent(event, to)).toMatchObject({ status: 500, error: null });
  expect(await forwardEvent(event, { ...to, url: 'http://127.0.0.1:9/' })).toMatchObject({ status: null, error: expect.any(String) });
});

test('a script finds the webhook of a bill, or none in time', async () => {
  const billId = await paidBill('EXPECTED');
  const wanted = { status: 'FULLY_PAID', billId, reference: undefined, since: new Date(0), withinMs: 5_000 };
  expect((await findEvent(client, wanted))?.bill).toMatchObject({ id: billId, status: 'FULLY_PAID' });
  expect((await findEvent(client, { ...wanted, billId: undefined, reference: 'EXPECTED' }))?.bill.id).toBe(billId);
  expect(await findEvent(client, { ...wanted, status: 'NOT_PAID', withinMs: 300 })).toBeUndefined();
});

test('a trigger creates a bill and waits until it is paid', async () => {
  const waiting = triggerEvent(client, 'paid', { amount: 700, reference: 'TRIGGERED', withinMs: 20_000 });
  await expect.poll(() => runtime().db.prisma.bill.count({ where: { reference: 'TRIGGERED' } })).toBe(1);
  const { id, mobile } = await runtime().db.prisma.bill.findFirstOrThrow({ where: { reference: 'TRIGGERED' } });
  await pay(runtime(), id, 70_000n);
  expect(await waiting).toMatchObject({ done: true, bill: { id, status: 'FULLY_PAID' } });
  expect(mobile).toMatch(/^0754\d{6}$/);
  expect(await triggerEvent(client, 'declined', { amount: 700, reference: 'SLOW', withinMs: 10 })).toMatchObject({ done: false });
});

test('a trigger chooses its scenario, whatever the number is', async () => {
  await triggerEvent(client, 'declined', { amount: 700, reference: 'CHOSEN', withinMs: 10 });
  const { id } = await runtime().db.prisma.bill.findFirstOrThrow({ where: { reference: 'CHOSEN' } });
  expect(await runtime().db.prisma.sandboxScenario.findMany({ where: { billId: id } })).toMatchObject([{ scenario: 'declined' }]);
});
