import { beforeAll, describe, expect, test } from 'vitest';
import { showEndpoint } from '@/lib/backoffice/delivery-log/show-endpoint';
import { addMs, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { deliverAll } from '@/testing/data/deliveries';
import { makeOwing, oweMore } from '@/testing/data/due-deliveries';
import { testReceiver } from '@/testing/fakes/receiver';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { deliveryQuery, parseDeliveryQuery } from './delivery-query';
import { type DeliveryListOptions, listDeliveries } from './list-deliveries';
import { showDelivery } from './show-delivery';

const runtime = testRuntime();
const receiver = testReceiver();
let shop: TestMerchant;
let ids: string[];
let middle: Date;

const list = (options: DeliveryListOptions = {}) => listDeliveries(runtime(), { scope: shop.scope('sandbox') }, options);
const listed = async (options: DeliveryListOptions) => (await list(options)).deliveries.map(({ id }) => id);
const set = (index: number, assignment: string) =>
  runtime().db.query({ text: `UPDATE webhook_delivery SET ${assignment} WHERE id = $1` }, [ids[index]]);

/** Sixty deliveries, newest first: two exhausted, one unsent, one failing, the rest delivered. The last 30 are an hour older. */
beforeAll(async () => {
  receiver.answer((_request, response) =>
    response.writeHead(200, { server: 'duka', 'x-secret': 'not logged' }).end(`\u001b[2J${'x'.repeat(20_000)}`),
  );
  shop = await makeOwing(runtime(), { count: 30, url: receiver.url() });
  runtime().advance(HOUR_MS);
  middle = addMs(runtime().clock(), -2 * SECOND_MS);
  await oweMore(runtime(), shop, { count: 30 });
  runtime().advance(SECOND_MS);
  await deliverAll(runtime());
  const rows = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM webhook_delivery ORDER BY id DESC' });
  ids = rows.map(({ id }) => id);
  const undelivered = 'delivered_at = NULL, attempt_count = 16, failure_count = 16';
  await set(3, `state = 'EXHAUSTED', ${undelivered}`);
  await set(40, `state = 'EXHAUSTED', ${undelivered}`);
  await set(41, "state = 'UNSENT', delivered_at = NULL, attempt_count = 0");
  await set(50, "state = 'PENDING', delivered_at = NULL, failure_count = 3, due_at = now() + interval '1 day'");
});

const at = (...indexes: number[]) => indexes.map((index) => ids[index]);

describe('deliveries are listed', () => {
  test('newest first, page by page', async () => {
    const first = await list();
    const second = await list({ before: first.older });
    const third = await list({ before: second.older });
    expect([first, second, third].flatMap(({ deliveries }) => deliveries.map(({ id }) => id))).toEqual(ids);
    expect(third.older).toBeNull();
    expect(first.url).toBe(receiver.url());
  });

  test('filtered by state, failure, period and bill, also combined', async () => {
    expect(await listed({ states: ['EXHAUSTED'] })).toEqual(at(3, 40));
    expect(await listed({ states: ['EXHAUSTED', 'UNSENT'] })).toEqual(at(3, 40, 41));
    expect(await listed({ states: [] })).toEqual([]);
    const waiting = parseDeliveryQuery(deliveryQuery((name) => (name === 'state' ? 'WAITING' : null)));
    expect(await listed(waiting.filter)).toEqual(at(50));
    expect(await listed({ failed: true })).toEqual(at(3, 40, 50));
    expect(await listed({ failed: true, from: middle })).toEqual(at(3));
    expect(await listed({ failed: true, to: middle })).toEqual(at(40, 50));
    expect(await listed({ states: ['EXHAUSTED', 'UNSENT'], from: addMs(middle, -2 * HOUR_MS), to: middle })).toEqual(at(40, 41));
    expect(await listed({ failed: true, before: ids[10] ?? null })).toEqual(at(40, 50));
    const [row] = await runtime().db.query<{ bill: string }>({ text: 'SELECT bill_id AS bill FROM webhook_delivery WHERE id = $1' }, [
      ids[3],
    ]);
    expect(await listed({ billId: row?.bill ?? '' })).toEqual(at(3));
    expect(await listed({ billId: 'no id' })).toEqual([]);
  });

  test('only for the merchant and the environment', async () => {
    const other = await makeMerchant(runtime());
    expect(await listDeliveries(runtime(), { scope: other.scope('sandbox') }, {})).toMatchObject({ deliveries: [], older: null });
    expect(await listDeliveries(runtime(), { scope: shop.scope('live') }, {})).toMatchObject({ deliveries: [], older: null });
  });
});

test('a delivery is shown with its body and with 16 KiB of each answer as text', async () => {
  const shown = await showDelivery(runtime(), shop.scope('sandbox'), ids[7] ?? '');
  expect(shown).toMatchObject({ id: ids[7], messageId: `msg_${ids[7]}`, state: 'DELIVERED', trigger: 'automatic', redeliveryId: null });
  expect(JSON.parse(shown?.body ?? '')).toMatchObject({ bill: { id: shown?.billId, status: 'FULLY_PAID' } });
  expect(shown?.attempts).toMatchObject([
    { number: 1, httpStatus: 200, url: receiver.url(), address: '127.0.0.1', responseHeaders: { server: 'duka' } },
  ]);
  expect(shown?.attempts[0]?.responseHeaders).not.toHaveProperty('x-secret');
  expect(shown?.attempts[0]?.excerpt).toBe(`[2J${'x'.repeat(16 * 1024 - 4)}`);
  expect(shown?.attempts[0]?.durationMs).toBeGreaterThanOrEqual(shown?.attempts[0]?.firstByteMs ?? Number.POSITIVE_INFINITY);
  expect(await showDelivery(runtime(), shop.scope('live'), ids[7] ?? '')).toBeUndefined();
  expect(await showDelivery(runtime(), null, ids[7] ?? '')).toMatchObject({ id: ids[7] });
  expect(await showDelivery(runtime(), null, 'no id')).toBeUndefined();
});

test('an endpoint is shown with its undelivered deliveries and without its secrets', async () => {
  const shown = await showEndpoint(runtime(), shop.scope('sandbox'));
  expect(shown).toMatchObject({
    url: receiver.url(),
    status: 'active',
    hold: null,
    waiting: 1,
    undelivered: { PENDING: 1, SENDING: 0, BLOCKED: 0, EXHAUSTED: 2, UNSENT: 1 },
  });
  expect(Object.keys(shown).filter((key) => key.startsWith('encrypted'))).toEqual([]);
});
