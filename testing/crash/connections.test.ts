// @module-tag full

import { describe, expect, test } from 'vitest';
import type { Running } from '@/testing/process';
import { makeBill } from '@/testing/runtime';
import { expectAllIsWell } from './invariants';
import { type Cut, testWire } from './lossy-wire';
import { drain, endLeases } from './settle';
import { testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
const world = testWorld(0.02);
const wire = testWire(() => world().runtime.settings.DATABASE_URL);

const overWire = (role: 'web' | 'worker') => world().start(role, null, { DATABASE_URL: wire.url() });

/**
 * Checks that a worker that lost its database connection finishes the payment. The worker repeats lost statements, and unfinished work
 * becomes due again when its lease expires.
 */
async function finish(worker: Running, billId: string): Promise<void> {
  await worker.printed('the database is unavailable');
  await endLeases(world());
  await drain(world(), { callbacks: false });
  await worker.kill('SIGTERM');
  const bills = { text: 'SELECT status FROM bill WHERE id = $1' };
  expect(await world().runtime.db.query(bills, [billId])).toEqual([{ status: 'FULLY_PAID' }]);
  await expectAllIsWell(world());
}

describe('a worker that loses its connection', () => {
  test.each<Cut>([
    { after: 'INSERT INTO payment', text: 'COMMIT', when: 'asked' },
    { after: 'INSERT INTO payment', text: 'COMMIT', when: 'done' },
    // `change-bills` is the name of the prepared statement that updates the bill. Its SQL is sent only once on each connection, but its
    // name each time.
    { after: 'INSERT INTO payment', text: 'change-bills', when: 'done' },
    { after: 'INSERT INTO provider_message', text: 'INSERT INTO provider_message', when: 'done' },
    { after: 'INSERT INTO webhook_attempt', text: 'COMMIT', when: 'done' },
  ])('after $after, at $text, $when', async (cut) => {
    const { runtime, merchant } = world();
    const lost = wire.cutAt(cut);
    const billId = await makeBill(runtime, merchant, { mobile: '0712345007' });
    const worker = await overWire('worker');
    await lost;
    await finish(worker, billId);
  });

  test('because the database ends the connection while the worker waits for the bill', async () => {
    const { runtime, merchant } = world();
    const { db } = runtime;
    const billId = await makeBill(runtime, merchant, { mobile: '0712345007' });
    const worker = await db.transaction(async (tx) => {
      await tx.query({ text: 'SELECT 1 FROM bill WHERE id = $1 FOR UPDATE' }, [billId]);
      const running = await world().start('worker');
      const end = `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(() => db.query({ text: end }), { interval: 20 }).toEqual([{ ended: true }]);
      return running;
    });
    await finish(worker, billId);
  });
});

test('a merchant whose first answer was lost repeats the request and gets the stored bill', async () => {
  const { runtime, merchant, sandboxUrl } = world();
  const { id, secret } = await merchant.key('sandbox');
  const create = () =>
    fetch(`${sandboxUrl}/api/v3/bills/create`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json', 'idempotency-key': 'K' },
      body: JSON.stringify({ amount: 5000, reference: 'UNHEARD' }),
    });
  const web = await overWire('web');
  const lost = wire.cutAt({ after: 'INSERT INTO idempotency_key', text: 'INSERT INTO idempotency_key', when: 'done' });
  expect((await create()).status).toBe(503);
  await lost;
  const answer = await create();
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  await web.kill('SIGTERM');
  const bills = await runtime.db.query({ text: "SELECT id FROM bill WHERE reference = 'UNHEARD'" });
  expect(bills).toEqual([{ id: (await answer.json()).id }]);
});
