import { beforeEach, expect, test } from 'vitest';
import type { DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import { listDeliveries } from '@/lib/backoffice/delivery-log/list-deliveries';
import { lockBill } from '@/lib/gateway/bills/change-bill';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { deliverAll } from '@/testing/data/deliveries';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, type TestMerchant, type TestRuntime, testRuntime } from '@/testing/runtime';
import { announceBills } from './announce-bill';

const DEPLOYED = { LIVE_BASE_URL: 'https://pay.example', SANDBOX_BASE_URL: 'https://sandbox.pay.example' };
const deployed = testRuntime(DEPLOYED);
const inside = testRuntime({ ...DEPLOYED, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
const receiver = testReceiver();

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer(ok);
});

/** Creates a delivery and attempts it once. */
async function deliverOne(runtime: TestRuntime, shop: TestMerchant): Promise<void> {
  const billId = await makeBill(runtime, shop);
  await runtime.db.transaction(async (tx) =>
    announceBills(runtime, tx, [{ bill: await lockBill(tx, billId), eventNumber: 1 }], runtime.clock()),
  );
  await deliverAll(runtime);
}

async function firstDelivery(runtime: TestRuntime, shop: TestMerchant): Promise<DeliveryView | undefined> {
  return (await listDeliveries(runtime, { scope: shop.scope('sandbox') }, {})).deliveries[0];
}

test('a deployed sandbox sends nothing to loopback, even if the address was saved before, and retries later', async () => {
  const shop = await makeMerchant(deployed());
  const url = receiver.url();
  expect(await setEndpoint(deployed(), shop.operator('sandbox'), url)).toEqual({
    ok: false,
    error: 'a webhook address must be on the public internet',
  });
  const endpoint = await findEndpoint(deployed().db, shop.scope('sandbox'));
  await deployed().db.prisma.webhookEndpoint.updateMany({ where: { id: endpoint?.id ?? '' }, data: { url } });
  await deliverOne(deployed(), shop);
  expect(receiver.received).toEqual([]);
  expect(await firstDelivery(deployed(), shop)).toMatchObject({
    state: 'PENDING',
    attempts: [{ httpStatus: null, error: 'forbidden', errorData: { detail: 'the address must be on the public internet' }, excerpt: '' }],
  });
});

test('networks that the operator allows get webhooks, also in live, over plain http and at any port', async () => {
  const shop = await makeMerchant(inside());
  const url = receiver.url();
  for (const environment of ['live', 'sandbox'] as const) {
    expect(await setEndpoint(inside(), shop.operator(environment), url)).toMatchObject({ ok: true });
  }
  await deliverOne(inside(), shop);
  expect(receiver.received).toHaveLength(1);
  expect(await firstDelivery(inside(), shop)).toMatchObject({ state: 'DELIVERED', attempts: [{ httpStatus: 200, error: null }] });
});
