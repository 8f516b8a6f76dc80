import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { arrivedByBill, countByState, owedByBill } from '@/lib/testing/data/arrivals';
import { deliverAll } from '@/lib/testing/data/deliveries';
import { makeOwing, oweMore } from '@/lib/testing/data/owing';
import { watchDeliveryMoves } from '@/lib/testing/data/watch-moves';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { ok } from '@/lib/testing/fakes/start-receiver';
import { type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { maintainEndpoints } from '@/lib/webhooks/endpoint/maintain-endpoints';
import { resumeEndpoint } from '@/lib/webhooks/endpoint/pause-endpoint';
import { setEndpoint } from '@/lib/webhooks/endpoint/set-endpoint';

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

/** @returns how many calls were made once so much more time had passed, by two workers at once. */
async function callsAfter(ms: number): Promise<number> {
  runtime().advance(ms);
  await maintainEndpoints(runtime());
  const calls = await Promise.all([deliverAll(runtime()), deliverAll(runtime())]);
  return calls[0] + calls[1];
}

describe('a receiver that says when to come again', () => {
  test.each([
    [429, () => '90'],
    [503, () => '90'],
    [503, () => new Date(Math.ceil(runtime().clock().getTime() / SECOND_MS) * SECOND_MS + 90 * SECOND_MS).toUTCString()],
  ])('by %d is left alone until then, by everything that it is owed', async (status, until) => {
    await owing(1);
    fail(status, { 'retry-after': until() });
    expect(await callsAfter(0)).toBe(1);
    receiver.answer(ok);
    await oweMore(runtime(), shop, { count: 1 });
    expect(await callsAfter(80 * SECOND_MS)).toBe(0);
    // The one that was refused has its jitter on top.
    expect(await callsAfter(22 * SECOND_MS)).toBe(2);
    expect(await states()).toEqual({ DELIVERED: 2 });
  });

  test('by any other status is not heard', async () => {
    await owing(1);
    fail(500, { 'retry-after': '90' });
    expect(await callsAfter(0)).toBe(1);
    expect(await callsAfter(6 * SECOND_MS)).toBe(1);
  });

  test('next year is asked about this webhook a day later, and about others after an hour', async () => {
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

test('a receiver that answers 410 is not called again until somebody resumes it, and then gets all of it', async () => {
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
  expect(arrivedByBill(receiver.received)).toEqual(await owedByBill(runtime().db, shop.merchant.id));
});

test('after five failures in a row a receiver gets one probe at a time, until it answers', async () => {
  await owing(40);
  fail(500);
  await callsAfter(0);
  // The fifth failure opens the breaker; at most three more calls were under way.
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

test('what the server before says of a call that was under way is not held against the new one', async () => {
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
  expect(await callsAfter(6 * SECOND_MS)).toBe(1);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
});
