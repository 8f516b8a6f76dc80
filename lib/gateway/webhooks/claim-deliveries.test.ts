import { expect, test } from 'vitest';
import { deliveryLease } from '@/lib/gateway/webhooks/deliver/deliver-webhook';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { claimSome } from '@/testing/data/deliveries';
import { makeOwing, oweMore } from '@/testing/data/due-deliveries';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { type TestMerchant, testRuntime } from '@/testing/runtime';
import type { ClaimedDelivery } from './delivery-store';

const runtime = testRuntime();
watchDeliveryMoves(runtime);

const merchantsOf = (claimed: readonly ClaimedDelivery[]) =>
  Object.fromEntries([...Map.groupBy(claimed, ({ merchantId }) => merchantId)].map(([id, { length }]) => [id, length]));
const set = (shop: TestMerchant, assignment: string, values: readonly unknown[] = []) =>
  runtime().db.query({ text: `UPDATE webhook_endpoint SET ${assignment} WHERE merchant_id = $1 AND environment = 'sandbox'` }, [
    shop.merchant.id,
    ...values,
  ]);
/** Marks all deliveries as exhausted, so that the next test starts without due deliveries. */
const settleAll = () => runtime().db.query({ text: "UPDATE webhook_delivery SET state = 'EXHAUSTED', due_at = NULL, lease_until = NULL" });

test('an endpoint gets at most its parallelism, even if several workers claim at the same time', async () => {
  const shop = await makeOwing(runtime(), { count: 12 });
  await set(shop, 'parallelism = 5');
  const claimed = await Promise.all(Array.from({ length: 8 }, () => claimSome(runtime())));
  expect(claimed.flat()).toHaveLength(5);
  expect(new Set(claimed.flat().map(({ id }) => id)).size).toBe(5);
  await settleAll();
});

test('hanging endpoints with long queues do not delay a healthy endpoint', async () => {
  for (let n = 0; n < 10; n += 1) await makeOwing(runtime(), { count: 12 });
  expect(await claimSome(runtime(), 40)).toHaveLength(40);
  const healthy = await makeOwing(runtime(), { count: 6, overdueMs: 0 });
  runtime().advance(SECOND_MS);
  expect(merchantsOf(await claimSome(runtime(), 1))).toEqual({ [healthy.merchant.id]: 1 });
  // One call to each hanging endpoint has failed. The healthy endpoint still comes first, because it has fewer calls in flight.
  await runtime().db.query(
    {
      text: `UPDATE webhook_delivery SET state = 'PENDING', lease_until = NULL, due_at = $1 WHERE id IN (
               SELECT DISTINCT ON (endpoint_id) id FROM webhook_delivery WHERE state = 'SENDING' AND merchant_id <> $2 ORDER BY endpoint_id)`,
    },
    [new Date(runtime().clock().getTime() + MINUTE_MS), healthy.merchant.id],
  );
  expect(merchantsOf(await claimSome(runtime(), 2))).toEqual({ [healthy.merchant.id]: 2 });
  expect(await claimSome(runtime(), 40)).toHaveLength(11);
  await settleAll();
});

test('limits retries and deliveries to failing endpoints, so that first attempts are never crowded out', async () => {
  const retried = await makeOwing(runtime(), { count: 4, priority: 1 });
  const failing = await makeOwing(runtime(), { count: 4 });
  await set(failing, 'failure_count = 2, failing_since = $2', [runtime().clock()]);
  const fresh = await makeOwing(runtime(), { count: 4, overdueMs: 1 });
  runtime().advance(SECOND_MS);
  const claimed = await claimSome(runtime(), 100, 3);
  expect(claimed.filter(({ fresh: isFresh }) => !isFresh)).toHaveLength(3);
  expect(merchantsOf(claimed.filter(({ fresh: isFresh }) => isFresh))).toEqual({ [fresh.merchant.id]: 4 });
  const rest = merchantsOf(await claimSome(runtime()));
  expect((rest[retried.merchant.id] ?? 0) + (rest[failing.merchant.id] ?? 0)).toBe(5);
  await settleAll();
});

test('claims first attempts and retries of one endpoint in turn', async () => {
  const shop = await makeOwing(runtime(), { count: 10, priority: 1, overdueMs: MINUTE_MS });
  await oweMore(runtime(), shop, { count: 10, priority: 0 });
  const claimed = await claimSome(runtime());
  expect(claimed.map(({ fresh }) => fresh).toSorted()).toEqual([false, false, true, true]);
  await settleAll();
});

test('an endpoint with an open circuit breaker gets one probe at a time, after the pause', async () => {
  const shop = await makeOwing(runtime(), { count: 5 });
  const pause = new Date(runtime().clock().getTime() + MINUTE_MS);
  await set(shop, 'breaker_step = 1, failure_count = 5, failing_since = $2, rest_until = $2', [pause]);
  expect(await claimSome(runtime())).toEqual([]);
  runtime().advance(MINUTE_MS);
  const probes = await Promise.all([claimSome(runtime()), claimSome(runtime()), claimSome(runtime())]);
  expect(probes.flat()).toHaveLength(1);
  await settleAll();
});

test.each(["status = 'paused'", "status = 'disabled', disabled_reason = 'gone'"])(
  'claims nothing for an endpoint with %s',
  async (assignment) => {
    const shop = await makeOwing(runtime(), { count: 2 });
    await set(shop, assignment);
    expect(await claimSome(runtime())).toEqual([]);
    await set(shop, "status = 'active', disabled_reason = NULL");
    expect(await claimSome(runtime())).toHaveLength(2);
    await settleAll();
  },
);

test('the deliveries of a dead worker are due again when their lease ends', async () => {
  await makeOwing(runtime(), { count: 3 });
  const dead = await claimSome(runtime());
  expect(await claimSome(runtime())).toEqual([]);
  runtime().advance(deliveryLease(new Date(0)).getTime() + 1);
  const again = await claimSome(runtime());
  expect(again.map(({ id }) => id).toSorted()).toEqual(dead.map(({ id }) => id).toSorted());
  expect(again.every(({ leaseToken, fresh }) => leaseToken === 2 && !fresh)).toBe(true);
  await settleAll();
});
