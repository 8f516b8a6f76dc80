// @module-tag full

import { beforeEach, expect, test } from 'vitest';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { maintainEndpoints } from '@/lib/gateway/webhooks/endpoint/maintain-endpoints';
import { resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { arrivedByBill, countByState, webhooksByBill } from '@/testing/data/arrivals';
import { deliverAll } from '@/testing/data/deliveries';
import { changeStatus } from '@/testing/data/paying';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok, type Received } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
watchDeliveryMoves(runtime);
const receiver = testReceiver();
let merchant: TestMerchant;
let bills: string[];
let accepted: Received[];

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  bills = [];
  accepted = [];
  receiver.received.length = 0;
  receiver.answer((_request, response) => response.destroy());
  await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
});

function recover(): void {
  receiver.answer((request, response) => {
    accepted.push(request);
    ok(request, response);
  });
}

/** Creates two bills and changes the status of all bills. */
async function trade(): Promise<void> {
  bills.push(await makeBill(runtime(), merchant), await makeBill(runtime(), merchant));
  for (const billId of bills) await changeStatus(runtime(), billId, 1);
}

/**
 * Advances the clock step by step and does the worker's jobs after each step.
 * @param until is called after the deliveries of each step. If it returns true, the function stops.
 */
async function pass(span: number, step: number, until: () => boolean = () => false): Promise<void> {
  for (let passed = 0; passed < span; passed += step) {
    runtime().advance(step);
    await deliverAll(runtime());
    if (until()) return;
    await maintainEndpoints(runtime());
  }
}

const endpoint = () => findEndpoint(runtime().db, merchant.scope('sandbox'));
const states = () => countByState(runtime().db, merchant.merchant.id);
const audit = () =>
  runtime().db.query<{ action: string; hours: number | null; at: Date }>(
    {
      text: "SELECT action, (data->>'hours')::int AS hours, at FROM audit_entry WHERE merchant_id = $1 AND actor = 'system:worker' ORDER BY at",
    },
    [merchant.merchant.id],
  );

async function expectAllArrivedInOrder(): Promise<void> {
  expect(arrivedByBill(accepted)).toEqual(await webhooksByBill(runtime().db, merchant.merchant.id));
  expect(await states()).toEqual({ DELIVERED: accepted.length });
}

test('a receiver that is down for a week causes three warnings, is disabled, and gets all deliveries in order after resuming', async () => {
  for (let day = 0; day < 7; day += 1) {
    await trade();
    await deliverAll(runtime());
    await pass(DAY_MS, HOUR_MS / 2);
  }
  const down = await endpoint();
  expect(down).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  const since = down?.failingSince?.getTime() ?? 0;
  const entries = await audit();
  expect(entries.map(({ action, hours }) => [action, hours])).toEqual([
    ['webhook.failing', 1],
    ['webhook.failing', 24],
    ['webhook.failing', 72],
    ['webhook.disabled', null],
  ]);
  for (const [index, hours] of [1, 24, 72, 7 * 24].entries()) {
    const late = (entries[index]?.at.getTime() ?? 0) - since - hours * HOUR_MS;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(HOUR_MS);
  }

  const calls = receiver.received.length;
  await trade();
  await pass(2 * DAY_MS, DAY_MS / 4);
  expect(receiver.received).toHaveLength(calls);
  expect(Object.keys(await states()).toSorted()).toEqual(['BLOCKED', 'PENDING']);

  recover();
  await resumeEndpoint(runtime(), merchant.operator('sandbox'));
  await pass(MINUTE_MS, SECOND_MS);
  await expectAllArrivedInOrder();
  expect(await endpoint()).toMatchObject({ status: 'active', failingSince: null, breakerStep: 0, catchUpFrom: null });
});

test('a receiver that recovers after three days gets everything within a minute of its first success', async () => {
  for (let day = 0; day < 3; day += 1) {
    await trade();
    await deliverAll(runtime());
    await pass(DAY_MS, HOUR_MS / 2);
  }
  recover();
  await pass(DAY_MS, 5 * MINUTE_MS, () => accepted.length > 0);
  const waiting = await runtime().db.query(
    { text: "SELECT 1 FROM webhook_delivery WHERE merchant_id = $1 AND state = 'PENDING' AND due_at > $2" },
    [merchant.merchant.id, new Date(runtime().clock().getTime() + HOUR_MS)],
  );
  expect(waiting.length).toBeGreaterThan(0);
  await pass(MINUTE_MS, SECOND_MS);
  await expectAllArrivedInOrder();
});

test('a paused endpoint gets nothing, and everything after it is resumed', async () => {
  recover();
  await trade();
  await deliverAll(runtime());
  await runtime().db.query({ text: "UPDATE webhook_endpoint SET status = 'paused' WHERE merchant_id = $1" }, [merchant.merchant.id]);
  const before = accepted.length;
  for (let day = 0; day < 9; day += 1) {
    await trade();
    await pass(DAY_MS, DAY_MS / 2);
  }
  expect(accepted).toHaveLength(before);
  await resumeEndpoint(runtime(), merchant.operator('sandbox'));
  await pass(SECOND_MS, SECOND_MS);
  await expectAllArrivedInOrder();
  expect(await audit()).toEqual([]);
});
