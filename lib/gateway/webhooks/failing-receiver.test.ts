import { beforeEach, describe, expect, test } from 'vitest';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { maintainEndpoints } from '@/lib/gateway/webhooks/endpoint/maintain-endpoints';
import { resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { arrivedByBill, countByState, webhooksByBill } from '@/testing/data/arrivals';
import { deliverAll, retryPause } from '@/testing/data/deliveries';
import { makeOwing, oweMore } from '@/testing/data/due-deliveries';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
watchDeliveryMoves(runtime);
const receiver = testReceiver();
let shop: TestMerchant;

beforeEach(async () => {
  await runtime().db.query({ text: "UPDATE webhook_delivery SET state = 'EXHAUSTED', due_at = NULL WHERE state = 'PENDING'" });
  receiver.received.length = 0;
});

const fail = (status: number, headers: Record<string, string> = {}) =>
  receiver.answer((_request, response) => response.writeHead(status, headers).end());
const owing = async (count: number) => {
  shop = await makeOwing(runtime(), { count, url: receiver.url() });
};
const endpoint = () => findEndpoint(runtime().db, shop.scope('sandbox'));
const states = () => countByState(runtime().db, shop.merchant.id);
const audit = () =>
  runtime().db.query({ text: "SELECT action, data FROM audit_entry WHERE merchant_id = $1 AND actor = 'system:worker' ORDER BY at" }, [
    shop.merchant.id,
  ]);

/** Advances the clock and lets two workers deliver at the same time. @returns how many calls they made. */
async function callsAfter(ms: number): Promise<number> {
  runtime().advance(ms);
  await maintainEndpoints(runtime());
  const calls = await Promise.all([deliverAll(runtime()), deliverAll(runtime())]);
  return calls[0] + calls[1];
}

describe('Retry-After', () => {
  test.each([
    [429, () => '90'],
    [503, () => '90'],
    [503, () => new Date(Math.ceil(runtime().clock().getTime() / SECOND_MS) * SECOND_MS + 90 * SECOND_MS).toUTCString()],
  ])('with status %d stops all deliveries to the endpoint until that time', async (status, until) => {
    await owing(1);
    fail(status, { 'retry-after': until() });
    expect(await callsAfter(0)).toBe(1);
    receiver.answer(ok);
    await oweMore(runtime(), shop, { count: 1 });
    expect(await callsAfter(80 * SECOND_MS)).toBe(0);
    // In total, 102 s have passed since the answer. The refused delivery is retried after 90 s plus jitter of up to a tenth.
    expect(await callsAfter(22 * SECOND_MS)).toBe(2);
    expect(await states()).toEqual({ DELIVERED: 2 });
  });

  test('with another status is ignored', async () => {
    await owing(1);
    fail(500, { 'retry-after': '90' });
    expect(await callsAfter(0)).toBe(1);
    expect(await callsAfter(retryPause(1))).toBe(1);
  });

  test('of a year stops other deliveries for an hour and this delivery for a day', async () => {
    await owing(1);
    fail(429, { 'retry-after': String((365 * DAY_MS) / SECOND_MS) });
    expect(await callsAfter(0)).toBe(1);
    await oweMore(runtime(), shop, { count: 1 });
    expect(await callsAfter(HOUR_MS - SECOND_MS)).toBe(0);
    expect(await callsAfter(2 * SECOND_MS)).toBe(1);
    receiver.answer(ok);
    await callsAfter(27 * HOUR_MS);
    expect(await states()).toEqual({ DELIVERED: 2 });
  });
});

test('a receiver that answers 410 gets nothing until somebody resumes the endpoint, and then everything', async () => {
  await owing(20);
  fail(410);
  expect(await callsAfter(0)).toBe(4);
  expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  expect(await audit()).toEqual([{ action: 'webhook.disabled', data: { reason: 'gone' } }]);
  await oweMore(runtime(), shop, { count: 2 });
  expect(await callsAfter(8 * DAY_MS)).toBe(0);
  expect(await states()).toEqual({ PENDING: 22 });
  receiver.answer(ok);
  receiver.received.length = 0;
  await resumeEndpoint(runtime(), shop.operator('sandbox'));
  expect(await callsAfter(SECOND_MS)).toBe(22);
  expect(arrivedByBill(receiver.received)).toEqual(await webhooksByBill(runtime().db, shop.merchant.id));
});

test('after five failures in a row a receiver gets one probe at a time, until one succeeds', async () => {
  await owing(40);
  fail(500);
  await callsAfter(0);
  // The fifth failure opens the circuit breaker. At that time at most three other calls are running, because an endpoint gets only four at
  // once.
  expect(receiver.received.length).toBeGreaterThanOrEqual(5);
  expect(receiver.received.length).toBeLessThanOrEqual(8);
  for (const seconds of [5, 10, 15, 15, 15]) {
    expect(await callsAfter((seconds - 4) * SECOND_MS)).toBe(0);
    expect(await callsAfter(4 * SECOND_MS)).toBe(1);
  }
  receiver.answer(ok);
  expect(await callsAfter(10 * MINUTE_MS)).toBeGreaterThan(1);
  await callsAfter(SECOND_MS);
  expect(await states()).toEqual({ DELIVERED: 40 });
  expect(await endpoint()).toMatchObject({ breakerStep: 0, failureCount: 0, failingSince: null });
});

test('the answer of the previous address to a running call does not change the health of the new address', async () => {
  await owing(1);
  const called = Promise.withResolvers<void>();
  const moved = Promise.withResolvers<void>();
  receiver.answer(async (_request, response) => {
    called.resolve();
    await moved.promise;
    response.writeHead(410).end();
  });
  const delivering = deliverAll(runtime());
  await called.promise;
  await setEndpoint(runtime(), shop.operator('sandbox'), receiver.url('/new'));
  moved.resolve();
  await delivering;
  expect(await endpoint()).toMatchObject({ status: 'active', failureCount: 0 });
  receiver.answer(ok);
  expect(await callsAfter(retryPause(1))).toBe(1);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
});
