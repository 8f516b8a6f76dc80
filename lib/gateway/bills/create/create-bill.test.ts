import { expect, test } from 'vitest';
import { createdBillJson } from '@/lib/gateway/bills/bill-json';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { newBill } from '@/testing/data/new-bill';
import { newRow } from '@/testing/data/new-row';
import { pay } from '@/testing/data/paying';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { createBill, runInTurn } from './create-bill';
import { insertBill } from './insert-bills';

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

test('a replay returns the bill and the answer of the first request, also after a payment and under another base address', async () => {
  const { scope } = await makeMerchant(runtime());
  const bill = newBill(runtime(), { amount: 5000.25, reference: 'ORDER "1" ✓' });
  const options = { scope: scope('sandbox'), bill, createdBy: 'test', uniqueReferences: false, idempotencyKey: 'k1' };
  const first = await createBill(runtime(), options);
  if (!first.ok) throw new Error(first.error.code);
  expect(first.value).toMatchObject({ replayed: false, bill: { amount: 500_025n, reference: 'ORDER "1" ✓', status: 'NOT_PAID' } });
  expect(first.value.storedAnswer).toBe(createdBillJson(first.value.bill, runtime().settings.SANDBOX_BASE_URL));

  await pay(runtime(), first.value.bill.id, 500_100n);
  runtime().advance(MINUTE_MS);
  const moved = { ...runtime().settings, SANDBOX_BASE_URL: new URL('https://sandbox.pay.example') };
  expect(await createBill({ ...runtime(), settings: moved }, options)).toEqual({ ok: true, value: { ...first.value, replayed: true } });
});

test('without an Idempotency-Key, no answer is stored', async () => {
  const { scope } = await makeMerchant(runtime());
  const bill = newBill(runtime(), { amount: 1, reference: 'A', mobile: '0712345678' });
  const options = { scope: scope('sandbox'), bill, createdBy: 'test', uniqueReferences: false, idempotencyKey: null };
  const created = await createBill(runtime(), options);
  expect(created).toMatchObject({
    ok: true,
    value: { replayed: false, storedAnswer: null, ourReference: expect.any(String), bill: { mobile: '0712345678', reservedAmount: 100n } },
  });
});
