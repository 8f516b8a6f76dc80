import { beforeEach, expect, test } from 'vitest';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { showBill } from '@/lib/bills/page/show-bill';
import { watchBill } from '@/lib/bills/page/watch-bill';
import { SECOND_MS } from '@/lib/core/clock';
import { letIn } from '@/lib/testing/data/access';
import { deliverAll, forgetDeliveries } from '@/lib/testing/data/deliveries';
import { makeOwing } from '@/lib/testing/data/due-deliveries';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint/pause-endpoint';
import { deliveryQuery } from '@/lib/webhooks/log/delivery-query';
import { listDeliveries, listDeliveryPage } from '@/lib/webhooks/log/list-deliveries';
import { showDelivery, showDeliveryPage } from '@/lib/webhooks/log/show-delivery';

const ALL = deliveryQuery(() => null);
const runtime = testRuntime();
const receiver = testReceiver();
let shop: TestMerchant;
let access: MerchantAccess;

beforeEach(async () => {
  await forgetDeliveries(runtime());
  shop = await makeOwing(runtime(), { count: 1, url: receiver.url() });
  access = await letIn(runtime(), shop);
});

const byTest = () => shop.operator('sandbox');

async function deliverAnswered(status: number): Promise<void> {
  receiver.answer((_request, response) => response.writeHead(status).end());
  expect(await deliverAll(runtime())).toBe(1);
}

/** Returns how the merchant's only delivery is shown on the command line, in the list, on its own page and on the bill's page. */
async function shownEverywhere() {
  const { deliveries } = await listDeliveries(runtime(), access, {});
  const [listed] = deliveries;
  const { id = '', billId = '' } = listed ?? {};
  const own = await listDeliveryPage(runtime(), access, { query: ALL, before: null });
  const bill = await showBill(runtime(), access, billId);
  return [
    listed,
    await showDelivery(runtime(), null, id),
    own.deliveries[0],
    await showDeliveryPage(runtime(), access, id),
    ...(bill?.timeline.flatMap((entry) => (entry.kind === 'webhook' ? [entry.delivery] : [])) ?? []),
  ].map((view) => view && { state: view.state, hold: view.hold, nextTry: view.nextTry });
}

const statusSince = async () => (await findEndpoint(runtime().db, shop.scope('sandbox')))?.statusSince;
const five = <One>(one: One) => Array.from({ length: 5 }, () => one);

test('after an answer 410 every page shows that the delivery waits until the endpoint is resumed', async () => {
  await deliverAnswered(410);
  const hold = { kind: 'disabled', since: await statusSince(), reason: 'gone' };
  expect(await shownEverywhere()).toEqual(five({ state: 'PENDING', hold, nextTry: null }));
  await resumeEndpoint(runtime(), byTest());
  const [now] = await shownEverywhere();
  expect(now).toMatchObject({ state: 'PENDING', hold: null });
});

test('every page shows the time of the next attempt, until somebody pauses the endpoint', async () => {
  await deliverAnswered(500);
  const [before] = await shownEverywhere();
  expect(before?.nextTry?.getTime()).toBeGreaterThan(runtime().clock().getTime());
  expect(await shownEverywhere()).toEqual(five({ state: 'PENDING', hold: null, nextTry: before?.nextTry }));
  await pauseEndpoint(runtime(), byTest());
  const hold = { kind: 'paused', since: await statusSince() };
  expect(await shownEverywhere()).toEqual(five({ state: 'PENDING', hold, nextTry: null }));
});

test('a delivered webhook is not shown as held while the endpoint is paused', async () => {
  await deliverAnswered(200);
  await pauseEndpoint(runtime(), byTest());
  expect(await shownEverywhere()).toEqual(five({ state: 'DELIVERED', hold: null, nextTry: null }));
});

test("the version of a bill's page changes when the endpoint is paused or resumed", async () => {
  const [listed] = (await listDeliveries(runtime(), access, {})).deliveries;
  const version = async () => (await watchBill(runtime(), access, listed?.billId ?? ''))?.version;
  const first = await version();
  expect(await version()).toBe(first);
  await pauseEndpoint(runtime(), byTest());
  const paused = await version();
  expect(paused).not.toBe(first);
  runtime().advance(SECOND_MS);
  await resumeEndpoint(runtime(), byTest());
  expect(await version()).not.toBe(paused);
});
