import { beforeEach, describe, expect, test } from 'vitest';
import { showBill } from '@/lib/backoffice/bill-page/show-bill';
import { watchBill } from '@/lib/backoffice/bill-page/watch-bill';
import { deliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import { listDeliveries, listDeliveryPage } from '@/lib/backoffice/delivery-log/list-deliveries';
import { showDelivery, showDeliveryPage } from '@/lib/backoffice/delivery-log/show-delivery';
import { connectEndpoint } from '@/lib/backoffice/receiver-check/connect-endpoint';
import { approveProposal } from '@/lib/gateway/webhooks/endpoint/decide-proposal';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { maintainEndpoints } from '@/lib/gateway/webhooks/endpoint/maintain-endpoints';
import { pauseEndpoint, resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { saveProposal } from '@/lib/gateway/webhooks/endpoint/proposal-store';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { letIn } from '@/testing/data/access';
import { deliverAll, forgetDeliveries } from '@/testing/data/deliveries';
import { makeOwing } from '@/testing/data/due-deliveries';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { type TestMerchant, testRuntime } from '@/testing/runtime';

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

describe('a new address', () => {
  const moved = () => receiver.url('/moved');
  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['that a member saves', () => connectEndpoint(runtime(), access, moved())],
    ['that the operator sets', () => setEndpoint(runtime(), byTest(), moved())],
    ['that the operator approves', () => proposeAndApprove(moved())],
  ];
  const state = async () => {
    const endpoint = await findEndpoint(runtime().db, shop.scope('sandbox'));
    return endpoint && { url: endpoint.url, status: endpoint.status, disabledReason: endpoint.disabledReason };
  };

  async function proposeAndApprove(url: string): Promise<unknown> {
    await saveProposal(runtime().db, shop.scope('sandbox'), { url, proposedBy: `user:${shop.email}`, proposedAt: runtime().clock() });
    return approveProposal(runtime(), byTest(), url);
  }

  test.each(ways)('%s ends a stop after 410, and the waiting webhook is sent there', async (_way, save) => {
    await deliverAnswered(410);
    runtime().advance(SECOND_MS);
    receiver.answer(ok);
    expect(await save()).toMatchObject({ ok: true, value: { endpointStatus: 'active' } });
    expect(await state()).toEqual({ url: moved(), status: 'active', disabledReason: null });
    await maintainEndpoints(runtime());
    expect(await deliverAll(runtime())).toBe(1);
    expect(receiver.received.at(-1)?.path).toBe('/moved');
  });

  test.each(ways)('%s does not end a pause', async (_way, save) => {
    await pauseEndpoint(runtime(), byTest());
    receiver.answer(ok);
    expect(await save()).toMatchObject({ ok: true, value: { endpointStatus: 'paused' } });
    expect(await state()).toEqual({ url: moved(), status: 'paused', disabledReason: null });
  });

  test('that is the old one ends a stop if the receiver accepts a test there', async () => {
    await deliverAnswered(410);
    expect(await setEndpoint(runtime(), byTest(), receiver.url())).toMatchObject({ value: { endpointStatus: 'disabled' } });
    receiver.answer(ok);
    expect(await connectEndpoint(runtime(), access, receiver.url())).toMatchObject({ value: { endpointStatus: 'active' } });
    expect(await state()).toEqual({ url: receiver.url(), status: 'active', disabledReason: null });
  });
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
