// @module-tag full

import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import { seededChances } from '@/testing/chance';
import { arrivedByBill, countByState, webhooksByBill } from '@/testing/data/arrivals';
import { oweMore } from '@/testing/data/due-deliveries';
import { changeStatus } from '@/testing/data/paying';
import { ok, type Received } from '@/testing/fakes/start-receiver';
import { makeBill } from '@/testing/runtime';
import { endLeases } from './settle';
import { testWorld } from './world';

// The tests start and kill processes, which takes time on a busy machine.
const world = testWorld(0.02);
const ATTEMPTED = 'webhook delivery attempted';

beforeEach(() => {
  world().receiver.received.length = 0;
});

/** Makes retries due at once and removes all pauses of endpoints, because this test is not about time. */
async function hasten(): Promise<void> {
  const { db } = world().runtime;
  await db.query({ text: "UPDATE webhook_delivery SET due_at = now() WHERE state = 'PENDING' AND due_at > now()" });
  await db.query({ text: 'UPDATE webhook_endpoint SET rest_until = now() WHERE rest_until > now()' });
}

async function delivered(): Promise<void> {
  const { runtime, merchant } = world();
  const look = async () => {
    await hasten();
    expect(Object.keys(await countByState(runtime.db, merchant.merchant.id))).toEqual(['DELIVERED']);
  };
  await vi.waitFor(look, { timeout: 60_000, interval: 50 });
}

const expected = () => webhooksByBill(world().runtime.db, world().merchant.merchant.id);

test("two workers deliver each bill's webhooks in order and once, to a receiver that is slow and fails at random", async () => {
  const { runtime, merchant, receiver } = world();
  const chance = seededChances(20261121);
  const accepted: Received[] = [];
  let refused = 0;
  receiver.answer((request, response) => {
    const fate = chance();
    setTimeout(() => {
      if (fate < 0.12) response.writeHead(500).end();
      else if (fate < 0.2) response.destroy();
      else {
        accepted.push(request);
        return ok(request, response);
      }
      refused += 1;
    }, chance() * 40);
  });
  const workers = await Promise.all([world().start('worker'), world().start('worker')]);
  const bills = await Promise.all(Array.from({ length: 30 }, () => makeBill(runtime, merchant)));
  for (let change = 0; change < 5; change += 1) {
    for (const billId of bills) await changeStatus(runtime, billId, 1);
    await hasten();
  }
  await delivered();
  await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  expect(arrivedByBill(accepted)).toEqual(await expected());
  expect(accepted).toHaveLength(30 * 5);
  expect(refused).toBeGreaterThan(10);
  for (const worker of workers) expect(worker.output()).toContain(ATTEMPTED);
});

test('after a worker was killed during 500 deliveries, another delivers the rest and repeats only those in progress', async () => {
  const { runtime, merchant, receiver, secret } = world();
  const before = (await expected()).size;
  await oweMore(runtime, merchant, { count: 500 });
  const middle = Promise.withResolvers<void>();
  receiver.answer((request, response) => {
    // From the 150th call on, the receiver does not answer, so these deliveries are in progress when the worker is killed.
    if (receiver.received.length < 150) setTimeout(() => ok(request, response), 5);
    else middle.resolve();
  });
  const dead = await world().start('worker');
  await middle.promise;
  dead.child.kill('SIGKILL');
  await dead.exited;
  expect(dead.child.signalCode).toBe('SIGKILL');
  const { SENDING: underWay = 0 } = await countByState(runtime.db, merchant.merchant.id);
  expect(underWay).toBeGreaterThan(0);
  await endLeases(world());

  receiver.answer(ok);
  const heir = await world().start('worker');
  await delivered();
  await heir.kill('SIGTERM');
  const times = [...arrivedByBill(receiver.received).values()].map((came) => came.length);
  expect(times).toHaveLength(500);
  const twice = times.filter((count) => count > 1);
  expect(Math.max(...times)).toBeLessThanOrEqual(2);
  expect(twice.length).toBeGreaterThan(0);
  expect(twice.length).toBeLessThanOrEqual(underWay);
  expect((await expected()).size).toBe(before + 500);
  for (const { body, headers } of receiver.received) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
});
