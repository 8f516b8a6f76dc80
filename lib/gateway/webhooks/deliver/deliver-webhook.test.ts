import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { KeptConnections } from '@/lib/platform/outbound/kept-connections';
import { createNameServers } from '@/lib/platform/outbound/resolve-name';
import { claimSome, deliverAll, retryPause } from '@/testing/data/deliveries';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { pay as payBill } from '@/testing/data/paying';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { testNameServer } from '@/testing/fakes/name-server';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok, type Received } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { deliverWebhook, deliveryLease } from './deliver-webhook';

const runtime = testRuntime();
watchDeliveryMoves(runtime);
const receiver = testReceiver();
const names = testNameServer();
let merchant: TestMerchant;

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  receiver.received.length = 0;
  receiver.answer(ok);
  await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
});

const newBill = (reference = 'ORDER-1', shop = merchant) => makeBill(runtime(), shop, { amount: 5000.25, reference });

const pay = (billId: string, amount: bigint) => payBill(runtime(), billId, amount);
const claim = (limit?: number) => claimSome(runtime(), limit);
const drain = () => deliverAll(runtime());

const log = (billId: string) =>
  runtime().db.query(
    {
      text: "SELECT a.number, a.http_status, a.error_class, convert_from(a.response_body, 'UTF8') AS answer, d.state, a.next_attempt_at IS NOT NULL AS again FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE d.bill_id = $1 ORDER BY d.event_number, a.number",
    },
    [billId],
  );

describe('a webhook', () => {
  test('has the documented body and a signature that an independent library accepts', async () => {
    const billId = await newBill(' ORDER "1" ');
    await pay(billId, 500100n);
    expect(await drain()).toBe(1);
    const { headers, body } = onlyOne(receiver.received);
    expect(body).toBe(
      `{"bill":{"id":"${billId}","mobile":"0712345678","amount":5000.25,"status":"FULLY_PAID","reference":" ORDER \\"1\\" "}}`,
    );
    expect(headers['content-type']).toBe('application/json');
    expect(headers['user-agent']).toBe('Bili-Webhooks/1');
    const secret = await endpointSecret(runtime(), merchant.scope('sandbox'));
    expect(new Webhook(secret).verify(body, headers)).toHaveProperty('bill.status', 'FULLY_PAID');
    expect(await log(billId)).toMatchObject([
      { number: 1, http_status: 200, error_class: null, answer: 'thanks', state: 'DELIVERED', again: false },
    ]);
  });

  test('is not sent while the endpoint has no address', async () => {
    const shop = await makeMerchant(runtime());
    const billId = await newBill('A', shop);
    await pay(billId, 500100n);
    expect(await drain()).toBe(0);
  });

  test.each([200, 201, 204, 299])('is acknowledged by %d', async (status) => {
    receiver.answer((_request, response) => response.writeHead(status).end());
    const billId = await newBill();
    await pay(billId, 500100n);
    await drain();
    expect(await log(billId)).toMatchObject([{ http_status: status, state: 'DELIVERED' }]);
  });

  test('that fails is retried after growing delays, with the same id and a new timestamp', async () => {
    const billId = await newBill();
    await pay(billId, 500100n);
    receiver.answer((_request, response) => response.writeHead(500).end('database down'));
    expect(await drain()).toBe(1);
    expect(await drain()).toBe(0);
    runtime().advance(retryPause(1));
    expect(await drain()).toBe(1);
    receiver.answer(ok);
    expect(await drain()).toBe(0);
    runtime().advance(retryPause(2));
    expect(await drain()).toBe(1);
    expect(await log(billId)).toMatchObject([
      { number: 1, http_status: 500, error_class: 'server_error', answer: 'database down', again: true },
      { number: 2, http_status: 500, again: true },
      { number: 3, http_status: 200, state: 'DELIVERED', again: false },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test('that is redirected fails, and the redirect is not followed', async () => {
    receiver.answer((request, response) =>
      request.path === '/hook' ? response.writeHead(302, { location: receiver.url('/elsewhere') }).end() : ok(request, response),
    );
    const billId = await newBill();
    await pay(billId, 500100n);
    await drain();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    expect(await log(billId)).toMatchObject([{ http_status: 302, error_class: 'redirect', state: 'PENDING' }]);
  });

  test('fails if nobody listens or the receiver closes the connection', async () => {
    const billId = await newBill();
    await setEndpoint(runtime(), merchant.operator('sandbox'), 'http://127.0.0.1:1/');
    await pay(billId, 500100n);
    await drain();
    await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
    receiver.answer((_request, response) => response.destroy());
    runtime().advance(retryPause(1));
    await drain();
    expect(await log(billId)).toMatchObject([
      { http_status: null, error_class: 'refused' },
      { http_status: null, error_class: 'reset' },
    ]);
  });

  test('stores at most 16 KiB of the answer', async () => {
    receiver.answer((_request, response) => response.end('x'.repeat(1_000_000)));
    const billId = await newBill();
    await pay(billId, 500100n);
    await drain();
    const [row] = await runtime().db.query<{ n: number }>(
      {
        text: 'SELECT octet_length(a.response_body) AS n FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE d.bill_id = $1',
      },
      [billId],
    );
    expect(row?.n).toBe(16 * 1024);
  });
});

describe("a bill's webhooks", () => {
  const statuses = (billId: string) => receiver.received.filter(({ body }) => body.includes(billId)).map(statusOf);

  test('arrive in order even if the first fails, and do not delay those of another bill', async () => {
    const slow = await newBill('slow');
    const quick = await newBill('quick');
    receiver.answer((request, response) => (request.body.includes(slow) ? response.writeHead(503).end() : ok(request, response)));
    await pay(slow, 100n);
    await pay(slow, 500000n);
    await pay(quick, 100n);
    await pay(quick, 500000n);
    await drain();
    expect(statuses(quick)).toEqual(['PARTIALLY_PAID', 'FULLY_PAID']);
    expect(statuses(slow)).toEqual(['PARTIALLY_PAID']);
    receiver.answer(ok);
    runtime().advance(MINUTE_MS);
    await drain();
    expect(statuses(slow)).toEqual(['PARTIALLY_PAID', 'PARTIALLY_PAID', 'FULLY_PAID']);
  });
});

describe('over kept connections', () => {
  async function deliverKept(connections: KeptConnections): Promise<void> {
    for (const delivery of await claim()) await deliverWebhook(runtime(), delivery, { connections });
  }

  test('a connection that the receiver closes while it is idle is no failed attempt', async () => {
    const connections = new KeptConnections();
    const seen: unknown[] = [];
    receiver.answer((request, response) => {
      const port = response.socket?.remotePort;
      if (seen.includes(port)) response.destroy();
      else ok(request, response);
      seen.push(port);
    });
    const bills = [await newBill('A'), await newBill('B')];
    for (const billId of bills) {
      await pay(billId, 500100n);
      await deliverKept(connections);
      expect(await log(billId)).toMatchObject([{ number: 1, http_status: 200, error_class: null, state: 'DELIVERED' }]);
    }
    expect([seen.length, new Set(seen).size]).toEqual([3, 2]);
    connections.close();
  });

  test('merchants with the same address do not share a connection', async () => {
    const connections = new KeptConnections();
    const other = await makeMerchant(runtime());
    await setEndpoint(runtime(), other.operator('sandbox'), receiver.url());
    const portsOf = new Map<string, Set<unknown>>();
    receiver.answer((request, response) => {
      const shop = String(JSON.parse(request.body).bill.reference);
      portsOf.set(shop, (portsOf.get(shop) ?? new Set()).add(response.socket?.remotePort));
      ok(request, response);
    });
    for (let round = 0; round < 3; round += 1) {
      await pay(await newBill('own'), 500100n);
      await pay(await newBill('other', other), 500100n);
      await deliverKept(connections);
    }
    const [own = new Set(), others = new Set()] = [portsOf.get('own'), portsOf.get('other')];
    expect([own.size, others.size]).toEqual([1, 1]);
    expect(new Set([...own, ...others]).size).toBe(2);
    connections.close();
  });
});

describe('workers', () => {
  test('that are stopped during a call do not record a failure of the receiver', async () => {
    const billId = await newBill();
    await pay(billId, 500100n);
    const [delivery] = await claim();
    if (!delivery) throw new Error('the delivery was not claimed');
    const stopping = new AbortController();
    receiver.answer(() => stopping.abort());
    await deliverWebhook(runtime(), delivery, { signal: stopping.signal });
    expect(await log(billId)).toEqual([]);
    receiver.answer(ok);
    runtime().advance(deliveryLease(new Date(0)).getTime() + 1);
    await drain();
    expect(await log(billId)).toMatchObject([{ number: 1, state: 'DELIVERED' }]);
  });

  test('that die are replaced when their lease ends, and change nothing if they wake up later', async () => {
    const billId = await newBill();
    await pay(billId, 500100n);
    const [dead] = await claim();
    expect(await claim()).toEqual([]);
    runtime().advance(deliveryLease(new Date(0)).getTime() + 1);
    const [second] = await claim();
    expect(second).toMatchObject({ id: dead?.id, leaseToken: (dead?.leaseToken ?? 0) + 1 });
    if (!dead || !second) throw new Error('the delivery was not claimed twice');
    receiver.answer((_request, response) => response.writeHead(500).end());
    await deliverWebhook(runtime(), dead);
    const state = () =>
      runtime().db.query({ text: 'SELECT state, attempt_count, lease_until > $2 AS leased FROM webhook_delivery WHERE bill_id = $1' }, [
        billId,
        runtime().clock(),
      ]);
    expect(await state()).toEqual([{ state: 'SENDING', attempt_count: 0, leased: true }]);
    receiver.answer(ok);
    await deliverWebhook(runtime(), second);
    expect(await state()).toEqual([{ state: 'DELIVERED', attempt_count: 1, leased: null }]);
  });
});

function statusOf({ body }: Received): unknown {
  return JSON.parse(body).bill.status;
}

function onlyOne(received: readonly Received[]): Received {
  const [first, ...others] = received;
  if (!first || others.length > 0) throw new Error(`${received.length} requests came, not one`);
  return first;
}

describe('name servers of the worker', () => {
  test('that do not answer are not blamed on the endpoint: the delivery waits and is sent again', async () => {
    names.answer('shop.test', 'silence');
    names.answer('invalid', 'silence');
    await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url().replace('127.0.0.1', 'shop.test'));
    const billId = await newBill();
    await pay(billId, 500025n);
    const nameServers = createNameServers([names.address()]);
    const deliver = async () => {
      for (const delivery of await claim()) await deliverWebhook(runtime(), delivery, { nameServers });
    };
    await deliver();
    expect(nameServers.problem()).toContain('do not answer');
    const endpoint = () =>
      runtime().db.query({ text: 'SELECT failure_count, failing_since FROM webhook_endpoint WHERE merchant_id = $1 AND url IS NOT NULL' }, [
        merchant.merchant.id,
      ]);
    expect(await log(billId)).toEqual([]);
    expect(await endpoint()).toEqual([{ failure_count: 0, failing_since: null }]);
    names.answer('shop.test', ['127.0.0.1']);
    runtime().advance(MINUTE_MS);
    await deliver();
    expect(nameServers.problem()).toBeNull();
    expect(await log(billId)).toMatchObject([{ number: 1, http_status: 200, state: 'DELIVERED' }]);
  });

  test('that answer other queries are not at fault: the delivery counts as a failure of the endpoint', async () => {
    names.answer('shop.test', 'silence');
    await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url().replace('127.0.0.1', 'shop.test'));
    const billId = await newBill();
    await pay(billId, 500025n);
    const nameServers = createNameServers([names.address()]);
    for (const delivery of await claim()) await deliverWebhook(runtime(), delivery, { nameServers });
    expect(nameServers.problem()).toBeNull();
    expect(await log(billId)).toMatchObject([{ number: 1, http_status: null, state: 'PENDING', again: true }]);
  });
});
