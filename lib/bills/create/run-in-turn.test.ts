import { expect, test } from 'vitest';
import { newRow } from '@/lib/testing/data/new-row';
import { testListener } from '@/lib/testing/fakes/listener';
import { makeBill, makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { insertBill } from './insert-store';
import { runInTurn } from './run-in-turn';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '10' });
const origin = testListener(runtime);

test('requests that wait for the same Idempotency-Key leave database connections to others, and get 409 after five seconds', async () => {
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant);
  const { id, secret } = await merchant.key('sandbox');
  const authorization = `ApiKey ${id}:${secret}`;
  const get = () => fetch(`${origin()}/api/v3/bills/${billId}`, { headers: { authorization } });
  const create = async () => {
    const asked = performance.now();
    const body = JSON.stringify({ amount: 5000, reference: 'STUCK' });
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'stuck' };
    const { status } = await fetch(`${origin()}/api/v3/bills/create`, { method: 'POST', headers, body });
    return { status, ms: performance.now() - asked };
  };
  expect((await get()).status).toBe(200);

  await runtime().db.transaction(async (stuck) => {
    // This transaction stands for another process that creates a bill with the same Idempotency-Key and does not commit.
    await insertBill(stuck, newRow(runtime(), merchant.scope('sandbox'), { key: 'stuck' }));
    const retries = Array.from({ length: 12 }, create);
    const waiting = {
      text: "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    };
    await expect.poll(() => runtime().db.query(waiting)).toEqual([{ count: 1 }]);
    const asked = performance.now();
    expect((await get()).status).toBe(200);
    expect(performance.now() - asked).toBeLessThan(1_000);
    for (const { status, ms } of await Promise.all(retries)) {
      expect(status).toBe(409);
      expect(ms).toBeGreaterThan(4_500);
      expect(ms).toBeLessThan(7_000);
    }
  });
});

test('work with the same key runs one at a time, and failed work does not stop the next', async () => {
  let busy = 0;
  const work = async (number: number) => {
    busy += 1;
    expect(busy).toBe(1);
    await runtime().db.query({ text: 'SELECT pg_sleep(0.01)' });
    busy -= 1;
    if (number === 2) throw new Error('two');
    return number;
  };
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4].map((number) => runInTurn('it', { limitMs: 5_000, work: () => work(number), onTimeout: () => -1 })),
  );
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).toEqual([1, 'failed', 3, 4]);
});
