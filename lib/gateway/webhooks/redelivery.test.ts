import { beforeEach, describe, expect, test } from 'vitest';
import { deliverWebhook } from '@/lib/gateway/webhooks/deliver/deliver-webhook';
import { pauseEndpoint, resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { cancelRedelivery } from '@/lib/gateway/webhooks/redeliver/cancel-redelivery';
import { redeliverWebhook } from '@/lib/gateway/webhooks/redeliver/redeliver-webhook';
import { runRedeliveries } from '@/lib/gateway/webhooks/redeliver/run-redeliveries';
import { showRedeliveries, showRedelivery } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import { startRedelivery } from '@/lib/gateway/webhooks/redeliver/start-redelivery';
import { addMs, DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { claimSome, deliverAll, forgetDeliveries } from '@/testing/data/deliveries';
import { makeOwing } from '@/testing/data/due-deliveries';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
watchDeliveryMoves(runtime);
const receiver = testReceiver();
let shop: TestMerchant;

beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer(ok);
  await forgetDeliveries(runtime());
});

const SETTLED = {
  EXHAUSTED: "state = 'EXHAUSTED', due_at = NULL, attempt_count = 16, failure_count = 16, priority = 1",
  UNSENT: "state = 'UNSENT', due_at = NULL",
  DELIVERED: "state = 'DELIVERED', due_at = NULL, attempt_count = 1, delivered_at = created_at, priority = 1",
} as const;

/** Puts the first `count` pending deliveries of the merchant into a state. @returns their ids. */
async function settle(state: keyof typeof SETTLED, count: number): Promise<string[]> {
  const rows = await runtime().db.query<{ id: string }>(
    {
      text: `UPDATE webhook_delivery SET ${SETTLED[state]} WHERE id IN (
               SELECT id FROM webhook_delivery WHERE merchant_id = $1 AND state = 'PENDING' ORDER BY id LIMIT $2) RETURNING id`,
    },
    [shop.merchant.id, count],
  );
  return rows.map(({ id }) => id);
}

type Options = Partial<Parameters<typeof startRedelivery>[2]>;
const begin = (options: Options = {}) =>
  startRedelivery(runtime(), shop.operator('sandbox'), {
    from: addMs(runtime().clock(), -DAY_MS),
    to: addMs(runtime().clock(), DAY_MS),
    ...options,
  });
/** Starts a bulk redelivery. @returns its id. */
async function start(options: Options = {}): Promise<string> {
  const started = await begin(options);
  if (!started.ok || started.value.id === null) throw new Error('the bulk redelivery was not started');
  return started.value.id;
}
const drive = () => runRedeliveries(runtime());
const progress = (id: string) => showRedelivery(runtime(), shop.operator('sandbox'), id);
const cancel = (id: string, by = shop) => cancelRedelivery(runtime(), by.operator('sandbox'), id);
/** Runs one step per second until the bulk redelivery has ended. */
async function driveAll(id: string): Promise<void> {
  while ((await progress(id))?.state === 'RUNNING') {
    await drive();
    runtime().advance(SECOND_MS);
  }
}
const states = async () =>
  Object.fromEntries(
    (
      await runtime().db.query<{ state: string; n: number }>(
        { text: 'SELECT state, count(*)::int AS n FROM webhook_delivery WHERE merchant_id = $1 GROUP BY state' },
        [shop.merchant.id],
      )
    ).map(({ state, n }) => [state, n]),
  );
const actions = (id: string) =>
  runtime().db.query({ text: 'SELECT action, data FROM audit_entry WHERE subject = $1 ORDER BY at, id' }, [id]);
const receivedIds = () => receiver.received.map(({ headers }) => headers['webhook-id']?.replace('msg_', ''));

describe('a bulk redelivery of deliveries in different states', () => {
  let missed: string[];

  beforeEach(async () => {
    shop = await makeOwing(runtime(), { count: 20, url: receiver.url() });
    missed = [...(await settle('EXHAUSTED', 5)), ...(await settle('UNSENT', 4))];
    await settle('DELIVERED', 6);
    await settle('EXHAUSTED', 5);
    runtime().advance(2 * SECOND_MS);
  });

  test('only counts by state in a dry run', async () => {
    const dry = await begin({ dryRun: true, states: ['EXHAUSTED', 'UNSENT', 'DELIVERED'] });
    expect(dry).toMatchObject({
      ok: true,
      value: {
        id: null,
        total: 20,
        counts: [
          { state: 'DELIVERED', count: 6 },
          { state: 'EXHAUSTED', count: 10 },
          { state: 'UNSENT', count: 4 },
        ],
      },
    });
    if (dry.ok) for (const { first, last } of dry.value.counts) expect(first <= last).toBe(true);
    expect(await begin({ dryRun: true })).toMatchObject({ value: { total: 14 } });
    expect(await showRedeliveries(runtime(), shop.operator('sandbox'))).toEqual([]);
    expect(await states()).toEqual({ DELIVERED: 6, EXHAUSTED: 10, UNSENT: 4 });
  });

  test('sends by default only the deliveries that never arrived', async () => {
    const id = await start();
    await driveAll(id);
    expect(await progress(id)).toMatchObject({
      state: 'COMPLETED',
      total: 14,
      started: 14,
      waiting: 14,
      delivered: 0,
      failed: 0,
      leftOut: 0,
    });
    await deliverAll(runtime());
    expect(new Set(receivedIds()).size).toBe(14);
    expect(receivedIds()).toEqual(expect.arrayContaining(missed));
    expect(await states()).toEqual({ DELIVERED: 20 });
    expect(await progress(id)).toMatchObject({ delivered: 14, waiting: 0 });
    const triggers = { text: 'SELECT DISTINCT trigger, triggered_by AS by FROM webhook_attempt WHERE merchant_id = $1' };
    expect(await runtime().db.query(triggers, [shop.merchant.id])).toEqual([{ trigger: 'bulk', by: 'operator:test' }]);
    expect(await actions(id)).toMatchObject([{ action: 'redelivery.started', data: { total: 14, states: ['EXHAUSTED', 'UNSENT'] } }]);
  });

  test('includes the first instant of the period and excludes its end', async () => {
    const [{ at } = { at: new Date(0) }] = await runtime().db.query<{ at: Date }>(
      { text: 'SELECT created_at AS at FROM webhook_delivery WHERE merchant_id = $1 LIMIT 1' },
      [shop.merchant.id],
    );
    await runtime().db.query({ text: 'UPDATE webhook_delivery SET created_at = $2 WHERE id = ANY ($1)' }, [
      missed.slice(0, 3),
      addMs(at, -1),
    ]);
    await runtime().db.query({ text: 'UPDATE webhook_delivery SET created_at = $2 WHERE id = ANY ($1)' }, [
      missed.slice(3, 5),
      addMs(at, 1),
    ]);
    const count = async (from: Date, to: Date) => {
      const dry = await begin({ from, to, dryRun: true });
      return dry.ok ? dry.value.total : dry.error;
    };
    expect(await count(at, addMs(at, 1))).toBe(9);
    expect(await count(addMs(at, -1), at)).toBe(3);
    expect(await count(addMs(at, 1), addMs(at, 2))).toBe(2);
    expect(await count(at, at)).toBe('empty_period');
  });

  test('makes the given number of deliveries due per second, however many workers there are', async () => {
    const id = await start({ perSecond: 5 });
    for (const started of [5, 10]) {
      await Promise.all([drive(), drive(), drive()]);
      await drive();
      expect(await progress(id)).toMatchObject({ state: 'RUNNING', started, waiting: started });
      runtime().advance(SECOND_MS);
    }
    await drive();
    expect(await progress(id)).toMatchObject({ state: 'COMPLETED', started: 14 });
  });

  test('retries failed deliveries automatically, and counts exhausted ones as failed', async () => {
    const id = await start();
    await driveAll(id);
    receiver.answer((_request, response) => response.writeHead(400).end());
    await deliverAll(runtime());
    expect(await progress(id)).toMatchObject({ waiting: 14, failed: 0 });
    await runtime().db.query({ text: 'UPDATE webhook_delivery SET failure_count = 15, due_at = $2 WHERE id = ANY ($1)' }, [
      missed.slice(0, 2),
      runtime().clock(),
    ]);
    await runtime().db.query(
      {
        text: "UPDATE webhook_endpoint SET last_success_at = $2, breaker_step = 0, rest_until = NULL, failure_count = 0, failing_since = NULL WHERE merchant_id = $1 AND environment = 'sandbox'",
      },
      [shop.merchant.id, addMs(runtime().clock(), HOUR_MS)],
    );
    await deliverAll(runtime());
    expect(await progress(id)).toMatchObject({ waiting: 12, failed: 2, delivered: 0 });
  });

  test('leaves out deliveries that somebody else has redelivered', async () => {
    const id = await start({ perSecond: 5 });
    await drive();
    const [done = '', ahead = ''] = [missed[0], missed[7]];
    const byHand = (deliveryId: string) => redeliverWebhook(runtime(), shop.operator('sandbox'), deliveryId);
    await byHand(ahead);
    await byHand(done);
    runtime().advance(SECOND_MS);
    await driveAll(id);
    expect(await progress(id)).toMatchObject({ state: 'COMPLETED', total: 14, started: 13, waiting: 12, leftOut: 1 });
    await deliverAll(runtime());
    expect(receivedIds()).toHaveLength(14);
  });

  test('sends each delivery once if two bulk redeliveries select it', async () => {
    const runs = [await start({ perSecond: 14 }), await start({ perSecond: 14 })];
    await Promise.all([drive(), drive(), drive()]);
    runtime().advance(SECOND_MS);
    await Promise.all([drive(), drive()]);
    const shown = await Promise.all(runs.map(progress));
    expect(shown.map((run) => run?.state)).toEqual(['COMPLETED', 'COMPLETED']);
    expect(shown.reduce((sum, run) => sum + (run?.started ?? 0), 0)).toBe(14);
    await deliverAll(runtime());
    expect(receivedIds()).toHaveLength(14);
  });

  test('returns waiting deliveries to their earlier state when it is cancelled, and sends those that a worker has claimed', async () => {
    const before = await states();
    const id = await start({ states: ['EXHAUSTED', 'UNSENT', 'DELIVERED'], perSecond: 18 });
    await drive();
    const claimed = await claimSome(runtime(), 2);
    expect(claimed).toHaveLength(2);
    expect(await cancel(id)).toEqual({ ok: true, value: { returned: 16 } });
    const after = await states();
    expect(after).toMatchObject({ SENDING: 2 });
    await Promise.all(claimed.map((delivery) => deliverWebhook(runtime(), delivery)));
    runtime().advance(SECOND_MS);
    await drive();
    await deliverAll(runtime());
    expect(receivedIds()).toHaveLength(2);
    const ids = claimed.map((delivery) => delivery.id);
    expect(await progress(id)).toMatchObject({ state: 'CANCELLED', started: 18, delivered: 2, waiting: 0, leftOut: 16 });
    const others = {
      text: 'SELECT count(*)::int AS n FROM webhook_delivery WHERE merchant_id = $1 AND state = $2 AND NOT (id = ANY ($3))',
    };
    for (const state of ['EXHAUSTED', 'UNSENT']) {
      const [row] = await runtime().db.query<{ n: number }>(others, [shop.merchant.id, state, ids]);
      const wasClaimed = claimed.filter(({ attemptCount }) => (state === 'UNSENT' ? attemptCount === 0 : attemptCount === 16)).length;
      expect(row?.n).toBe((before[state] ?? 0) - wasClaimed);
    }
    expect(await actions(id)).toMatchObject([
      { action: 'redelivery.started' },
      { action: 'redelivery.cancelled', data: { was: 'RUNNING' } },
    ]);
    expect(await cancel(id)).toEqual({ ok: false, error: 'over' });
    expect(await begin({ dryRun: true })).toMatchObject({
      value: { total: 14 - ids.length + claimed.filter((one) => one.delivered).length },
    });
  });

  test('does not retry a delivery that a worker was sending when it was cancelled', async () => {
    const id = await start({ perSecond: 14 });
    await driveAll(id);
    const claimed = await claimSome(runtime(), 2);
    expect(await cancel(id)).toEqual({ ok: true, value: { returned: 12 } });
    receiver.answer((_request, response) => response.writeHead(500).end());
    await Promise.all(claimed.map((delivery) => deliverWebhook(runtime(), delivery)));
    receiver.answer(ok);
    expect(await states()).not.toHaveProperty('PENDING');
    expect(await states()).not.toHaveProperty('SENDING');
    expect(await cancel(id)).toEqual({ ok: false, error: 'over' });
  });

  test('completes while the endpoint is paused, its deliveries wait, and it can still be cancelled', async () => {
    const access = shop.operator('sandbox');
    await pauseEndpoint(runtime(), access);
    const started = await begin();
    expect(started).toMatchObject({ value: { hold: { kind: 'paused' } } });
    const id = (started.ok && started.value.id) || '';
    await driveAll(id);
    expect(await deliverAll(runtime())).toBe(0);
    expect(await progress(id)).toMatchObject({ state: 'COMPLETED', waiting: 14 });
    expect(await cancel(id)).toEqual({ ok: true, value: { returned: 14 } });
    expect(await states()).toEqual({ DELIVERED: 6, EXHAUSTED: 10, UNSENT: 4 });
    const again = await start();
    await driveAll(again);
    await resumeEndpoint(runtime(), access);
    expect(await deliverAll(runtime())).toBe(14);
    expect(await progress(again)).toMatchObject({ delivered: 14 });
  });

  test('is invisible to other merchants and does not touch their deliveries', async () => {
    const other = await makeMerchant(runtime());
    const id = await start();
    expect(await showRedelivery(runtime(), other.operator('sandbox'), id)).toBeUndefined();
    expect(await showRedelivery(runtime(), shop.operator('live'), id)).toBeUndefined();
    expect(await cancel(id, other)).toEqual({ ok: false, error: 'not_found' });
    expect(await showRedeliveries(runtime(), other.operator('sandbox'))).toEqual([]);
    const mine = shop;
    shop = await makeOwing(runtime(), { count: 3, url: receiver.url() });
    await settle('EXHAUSTED', 3);
    shop = mine;
    await driveAll(id);
    expect(await deliverAll(runtime())).toBe(14);
  });
});

test('invalid bulk redeliveries are refused', async () => {
  shop = await makeMerchant(runtime());
  expect(await begin()).toEqual({ ok: false, error: 'no_address' });
  expect(await begin({ dryRun: true })).toMatchObject({ ok: true, value: { total: 0, counts: [] } });
  shop = await makeOwing(runtime(), { count: 1, url: receiver.url() });
  expect(await begin()).toEqual({ ok: false, error: 'nothing_found' });
  for (const perSecond of [0, 501, 1.5]) expect(await begin({ perSecond })).toEqual({ ok: false, error: 'wrong_pace' });
  expect(await begin({ from: addMs(runtime().clock(), 1_000) })).toEqual({ ok: false, error: 'empty_period' });
  expect(await cancel('no id')).toEqual({ ok: false, error: 'not_found' });
});
