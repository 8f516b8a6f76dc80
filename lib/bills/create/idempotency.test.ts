import { expect, test } from 'vitest';
import { createdBillJson } from '@/lib/bills/bill-json';
import { MINUTE_MS } from '@/lib/core/clock';
import { newBill } from '@/lib/testing/data/new-bill';
import { pay } from '@/lib/testing/data/paying';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { createBill } from './create-bill';

const runtime = testRuntime();

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
