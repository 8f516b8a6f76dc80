// @module-tag full

import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { showRedelivery } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import { messageId } from '@/lib/gateway/webhooks/rules';
import { oweMore } from '@/testing/data/due-deliveries';
import { CANCEL_DEATH, REDELIVERY_DEATHS } from './cases';
import { endLeases } from './settle';
import { hasDied, testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
const world = testWorld(0.02);
const COUNT = 2_000;

/** Starts a bulk redelivery of all deliveries. Returns its id. */
async function sendAgain(status: string): Promise<string> {
  const { merchant, bili } = world();
  const which = ['--merchant', merchant.merchant.slug, '--environment', 'sandbox', '--status', status];
  const period = ['--from', '2026-01-01', '--to', '2099-12-31', '--per-second', '500'];
  const printed = await bili(['deliveries', 'redeliver-many', ...which, ...period]);
  return z.object({ id: z.string(), total: z.literal(COUNT) }).parse(JSON.parse(printed ?? '')).id;
}

const run = (id: string) => showRedelivery(world().runtime, world().merchant.operator('sandbox'), id);
const settled = { timeout: 60_000, interval: 50 };

test('2,000 webhooks are redelivered although workers are killed at every fail point', async () => {
  const { runtime, merchant, receiver, secret, start } = world();
  await oweMore(runtime, merchant, { count: COUNT });
  await runtime.db.query({
    text: "UPDATE webhook_delivery SET state = 'EXHAUSTED', due_at = NULL, attempt_count = 16, failure_count = 16",
  });
  const id = await sendAgain('EXHAUSTED');
  for (const death of REDELIVERY_DEATHS) {
    await hasDied(await start('worker', death), death);
    await endLeases(world());
    const noted = {
      text: 'SELECT started, (SELECT count(*)::int FROM webhook_delivery WHERE redelivery_id = r.id) AS marked FROM webhook_redelivery r',
    };
    const [count] = await runtime.db.query<{ started: number; marked: number }>(noted);
    expect(count?.started).toBe(count?.marked);
  }
  const worker = await start('worker');
  await expect
    .poll(() => run(id), settled)
    .toMatchObject({ state: 'COMPLETED', total: COUNT, started: COUNT, delivered: COUNT, leftOut: 0 });
  await worker.kill('SIGTERM');

  const deliveries = await runtime.db.query<{ id: string; body: Buffer }>({ text: 'SELECT id, body FROM webhook_delivery' });
  const bodies = new Map(deliveries.map((one) => [messageId(one.id), one.body.toString()]));
  for (const { headers, body } of receiver.received) {
    expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    expect(body).toBe(bodies.get(headers['webhook-id'] ?? ''));
  }
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(COUNT);
});

test('a bulk redelivery is cancelled although the first cancel command is killed', async () => {
  const { runtime, merchant, receiver, start, bili } = world();
  await bili(['webhook', 'pause', '--merchant', merchant.merchant.slug, '--environment', 'sandbox']);
  const id = await sendAgain('DELIVERED');
  const worker = await start('worker');
  await expect.poll(() => run(id), settled).toMatchObject({ state: 'COMPLETED', waiting: COUNT });
  await worker.kill('SIGTERM');
  receiver.received.length = 0;
  expect(await bili(['deliveries', 'cancel', id], CANCEL_DEATH)).toBeNull();
  expect(await run(id)).toMatchObject({ state: 'CANCELLED', waiting: COUNT / 2, leftOut: COUNT / 2 });
  expect(JSON.parse((await bili(['deliveries', 'cancel', id])) ?? '')).toMatchObject({ returned: COUNT / 2 });
  expect(await run(id)).toMatchObject({ state: 'CANCELLED', waiting: 0, leftOut: COUNT });
  expect(await runtime.db.query({ text: 'SELECT state, count(*)::int AS n FROM webhook_delivery GROUP BY state' })).toEqual([
    { state: 'DELIVERED', n: COUNT },
  ]);
  expect(receiver.received).toEqual([]);
});
