import { beforeEach, describe, expect, test } from 'vitest';
import { showDelivery } from '@/lib/backoffice/delivery-log/show-delivery';
import { lockBill } from '@/lib/gateway/bills/change-bill';
import { announceBills } from '@/lib/gateway/webhooks/announce-bill';
import { deliverWebhook } from '@/lib/gateway/webhooks/deliver/deliver-webhook';
import { pauseEndpoint, resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { claimSome, deliverAll, forgetDeliveries, retryPause } from '@/testing/data/deliveries';
import { oweMore } from '@/testing/data/due-deliveries';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { redeliverWebhook } from './redeliver-webhook';

const runtime = testRuntime();
watchDeliveryMoves(runtime);
const receiver = testReceiver();
let shop: TestMerchant;

beforeEach(async () => {
  shop = await makeMerchant(runtime());
  receiver.received.length = 0;
  receiver.answer(ok);
  await forgetDeliveries(runtime());
  await setAddress();
});

const setAddress = () => setEndpoint(runtime(), shop.operator('sandbox'), receiver.url());
const fail500 = () => receiver.answer((_request, response) => response.writeHead(500).end());
const redeliver = (deliveryId: string, by = shop) => redeliverWebhook(runtime(), by.operator('sandbox'), deliveryId);
const show = async (id: string) => {
  const shown = await showDelivery(runtime(), shop.scope('sandbox'), id);
  if (!shown) throw new Error('the delivery was not found');
  return shown;
};
const change = (id: string, assignment: string) =>
  runtime().db.query({ text: `UPDATE webhook_delivery SET ${assignment} WHERE id = $1` }, [id]);
const changeEndpoint = (assignment: string, values: readonly unknown[] = []) =>
  runtime().db.query({ text: `UPDATE webhook_endpoint SET ${assignment} WHERE merchant_id = $1 AND environment = 'sandbox'` }, [
    shop.merchant.id,
    ...values,
  ]);
const entries = (subject: string) =>
  runtime().db.query({ text: 'SELECT action, actor, address FROM audit_entry WHERE subject = $1' }, [subject]);

/** Creates the next delivery of a bill. @returns its id. */
async function announce(billId: string, number: number): Promise<string> {
  const { db, clock } = runtime();
  await db.transaction(async (tx) => announceBills(runtime(), tx, [{ bill: await lockBill(tx, billId), eventNumber: number }], clock()));
  const [row] = await db.query<{ id: string }>({ text: 'SELECT id FROM webhook_delivery WHERE bill_id = $1 AND event_number = $2' }, [
    billId,
    number,
  ]);
  return row?.id ?? '';
}

const createDelivery = async () => announce(await makeBill(runtime(), shop), 2);
const receivedIds = () => receiver.received.map(({ headers }) => headers['webhook-id']?.replace('msg_', ''));

describe('redelivering', () => {
  test('a delivered webhook sends the same bytes with the same id, and the log names the actor', async () => {
    const id = await createDelivery();
    await deliverAll(runtime());
    const before = await show(id);
    runtime().advance(HOUR_MS);
    expect(await redeliver(id)).toEqual({ ok: true, value: { hold: null } });
    expect(await show(id)).toMatchObject({
      state: 'PENDING',
      ordered: false,
      trigger: 'manual',
      triggeredBy: 'operator:test',
      settledAt: null,
    });
    await deliverAll(runtime());
    const after = await show(id);
    expect(after).toMatchObject({ state: 'DELIVERED', attemptCount: 2, deliveredAt: before.deliveredAt });
    expect(after.attempts).toMatchObject([
      { number: 2, trigger: 'manual', triggeredBy: 'operator:test', excerpt: 'thanks', httpStatus: 200 },
      { number: 1, trigger: 'automatic', triggeredBy: null },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([after.messageId]));
    expect(receiver.received.map(({ body }) => body)).toEqual([after.body, after.body]);
    expect(await entries(id)).toEqual([{ action: 'webhook.redelivered', actor: 'operator:test', address: null }]);
  });

  test('an exhausted delivery restarts the retry schedule', async () => {
    const id = await createDelivery();
    await change(id, "state = 'EXHAUSTED', due_at = NULL, attempt_count = 16, failure_count = 16");
    fail500();
    await redeliver(id);
    await deliverAll(runtime());
    const { state, failureCount, attemptCount, trigger, dueAt } = await show(id);
    expect({ state, failureCount, attemptCount, trigger }).toEqual({
      state: 'PENDING',
      failureCount: 1,
      attemptCount: 17,
      trigger: 'automatic',
    });
    expect(dueAt?.getTime()).toBeLessThanOrEqual(addMs(runtime().clock(), retryPause(1)).getTime());
  });

  test('an unsent delivery works once the endpoint has an address', async () => {
    shop = await makeMerchant(runtime());
    const id = await createDelivery();
    expect(await show(id)).toMatchObject({ state: 'UNSENT', attemptCount: 0 });
    expect(await redeliver(id)).toEqual({ ok: false, error: 'no_address' });
    await setAddress();
    expect(await redeliver(id)).toMatchObject({ ok: true });
    await deliverAll(runtime());
    expect(await show(id)).toMatchObject({ state: 'DELIVERED', attemptCount: 1 });
  });

  test('a delivered webhook leaves it DELIVERED if all attempts fail', async () => {
    const id = await createDelivery();
    await deliverAll(runtime());
    await redeliver(id);
    await change(id, 'failure_count = 15');
    await changeEndpoint('last_success_at = $2', [addMs(runtime().clock(), DAY_MS)]);
    fail500();
    await deliverAll(runtime());
    expect(await show(id)).toMatchObject({ state: 'DELIVERED', failureCount: 16 });
  });
});

test('a delivery that waits for a retry is sent now and keeps its order and its count of failures', async () => {
  const id = await createDelivery();
  fail500();
  await deliverAll(runtime());
  receiver.answer(ok);
  expect(await deliverAll(runtime())).toBe(0);
  expect(await redeliver(id)).toMatchObject({ ok: true });
  expect(await show(id)).toMatchObject({ state: 'PENDING', ordered: true, failureCount: 1, trigger: 'manual' });
  expect(await deliverAll(runtime())).toBe(1);
  expect(await show(id)).toMatchObject({ state: 'DELIVERED', ordered: true });
});

test('refuses deliveries that do not exist, are being sent or wait for an earlier one, without an audit entry', async () => {
  const bill = await makeBill(runtime(), shop);
  const first = await announce(bill, 2);
  const second = await announce(bill, 3);
  expect(await redeliver(second)).toEqual({ ok: false, error: 'waits_for_earlier' });
  const [claimed] = await claimSome(runtime());
  expect(claimed?.id).toBe(first);
  expect(await redeliver(first)).toEqual({ ok: false, error: 'being_sent' });
  const other = await makeMerchant(runtime());
  await setEndpoint(runtime(), other.operator('sandbox'), receiver.url());
  expect(await redeliver(first, other)).toEqual({ ok: false, error: 'not_found' });
  expect(await redeliver('no id')).toEqual({ ok: false, error: 'not_found' });
  expect(await redeliver(crypto.randomUUID())).toEqual({ ok: false, error: 'not_found' });
  expect(await redeliverWebhook(runtime(), shop.operator('live'), first)).toEqual({ ok: false, error: 'not_found' });
  expect(await showDelivery(runtime(), other.scope('sandbox'), first)).toBeUndefined();
  expect([...(await entries(first)), ...(await entries(second))]).toEqual([]);
  if (claimed) await deliverWebhook(runtime(), claimed);
});

test('returns why the delivery is not sent at once', async () => {
  const id = await createDelivery();
  const access = shop.operator('sandbox');
  const until = addMs(runtime().clock(), MINUTE_MS);
  await changeEndpoint('rest_until = $2', [until]);
  expect(await redeliver(id)).toEqual({ ok: true, value: { hold: { kind: 'resting', until } } });
  await pauseEndpoint(runtime(), access);
  expect(await redeliver(id)).toMatchObject({ value: { hold: { kind: 'paused' } } });
  await changeEndpoint("status = 'disabled', disabled_reason = 'gone'");
  expect(await redeliver(id)).toMatchObject({ value: { hold: { kind: 'disabled', reason: 'gone' } } });
  expect(await deliverAll(runtime())).toBe(0);
  await resumeEndpoint(runtime(), access);
  expect(await deliverAll(runtime())).toBe(1);
});

test('while the circuit breaker is open, the redelivery is the next probe, at once and before all other deliveries', async () => {
  await oweMore(runtime(), shop, { count: 3, overdueMs: MINUTE_MS });
  const id = await createDelivery();
  const until = addMs(runtime().clock(), MINUTE_MS);
  await changeEndpoint('breaker_step = 2, failure_count = 6, failing_since = $2, rest_until = $3', [runtime().clock(), until]);
  expect(await claimSome(runtime())).toEqual([]);
  expect(await redeliver(id)).toEqual({ ok: true, value: { hold: null } });
  fail500();
  const claims = (await Promise.all([claimSome(runtime()), claimSome(runtime()), claimSome(runtime())])).flat();
  expect(claims).toMatchObject([{ id, trigger: 'manual', ordered: true, fresh: false }]);
  for (const one of claims) await deliverWebhook(runtime(), one);
  expect(await claimSome(runtime())).toEqual([]);
  receiver.answer(ok);
  expect(await redeliver(id)).toEqual({ ok: true, value: { hold: null } });
  expect(await deliverAll(runtime())).toBe(4);
  expect(receivedIds()[1]).toBe(id);
});

test('a refused redelivery does not make the next probe due', async () => {
  const bill = await makeBill(runtime(), shop);
  await announce(bill, 2);
  const second = await announce(bill, 3);
  const until = addMs(runtime().clock(), MINUTE_MS);
  await changeEndpoint('breaker_step = 2, failure_count = 6, failing_since = $2, rest_until = $3', [runtime().clock(), until]);
  expect(await redeliver(second)).toEqual({ ok: false, error: 'waits_for_earlier' });
  expect(await claimSome(runtime())).toEqual([]);
});

test("a bill's webhooks arrive in order even if an older one is redelivered meanwhile", async () => {
  const bill = await makeBill(runtime(), shop);
  const first = await announce(bill, 2);
  await deliverAll(runtime());
  fail500();
  const second = await announce(bill, 3);
  const third = await announce(bill, 4);
  await deliverAll(runtime());
  receiver.received.length = 0;
  receiver.answer(ok);
  await redeliver(first);
  await deliverAll(runtime());
  expect(receivedIds()).toEqual([first]);
  expect(await show(third)).toMatchObject({ state: 'BLOCKED' });
  await redeliver(first);
  runtime().advance(retryPause(1));
  await deliverAll(runtime());
  expect(receivedIds().filter((id) => id !== first)).toEqual([second, third]);
});

test('redelivering while workers claim sends each delivery once', async () => {
  await oweMore(runtime(), shop, { count: 30 });
  runtime().advance(SECOND_MS);
  await changeEndpoint('parallelism = 30');
  const due = await runtime().db.query<{ id: string }>(
    { text: "SELECT id FROM webhook_delivery WHERE merchant_id = $1 AND state = 'PENDING'" },
    [shop.merchant.id],
  );
  const [asked, ...claims] = await Promise.all([
    Promise.all(due.map(({ id }) => redeliver(id))),
    ...Array.from({ length: 6 }, () => claimSome(runtime(), 5)),
  ]);
  const taken = claims.flat();
  expect(asked.filter((one) => one.ok).length).toBeGreaterThanOrEqual(30 - taken.length);
  await Promise.all(taken.map((delivery) => deliverWebhook(runtime(), delivery)));
  await deliverAll(runtime());
  expect(receivedIds().toSorted()).toEqual(due.map(({ id }) => id).toSorted());
});
