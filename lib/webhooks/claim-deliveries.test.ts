import { expect, test } from 'vitest';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { makeBill, makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { claimDeliveries } from './store';

const runtime = testRuntime();
const CALL_MS = 15 * SECOND_MS;

/** @returns a merchant whose endpoint is owed a webhook of each of some bills. */
async function owing(count: number): Promise<string> {
  const merchant = await makeMerchant(runtime());
  const { merchantId } = merchant.scope('sandbox');
  await runtime().db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/' WHERE merchant_id = $1" }, [merchantId]);
  for (let n = 0; n < count; n += 1) await makeBill(runtime(), merchant);
  await runtime().db.query(
    {
      text: `INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
             SELECT gen_random_uuid(), $1, 'sandbox', e.id, b.id, 1, 'FULLY_PAID', '{}', 'PENDING', $2, $2
             FROM webhook_endpoint e JOIN bill b ON b.merchant_id = $1 WHERE e.merchant_id = $1 AND e.environment = 'sandbox'`,
    },
    [merchantId, runtime().clock()],
  );
  return merchantId;
}

test('however many endpoints hang, and whatever they are owed, another gets its webhook as soon as a slot is free', async () => {
  const { db, clock } = runtime();
  for (let n = 0; n < 10; n += 1) await owing(12);
  const claim = (limit: number) => claimDeliveries(db, { now: clock(), leaseUntil: addMs(clock(), 2 * CALL_MS), limit, perEndpoint: 4 });
  expect(await claim(40)).toHaveLength(40);
  const healthy = await owing(6);
  expect((await claim(1)).map(({ merchantId }) => merchantId)).toEqual([healthy]);

  // One call of each that hangs fails, and is due again later.
  await db.query(
    {
      text: `UPDATE webhook_delivery SET lease_until = NULL, due_at = $1 WHERE id IN (
               SELECT DISTINCT ON (endpoint_id) id FROM webhook_delivery WHERE lease_until IS NOT NULL AND merchant_id <> $2 ORDER BY endpoint_id)`,
    },
    [addMs(clock(), CALL_MS), healthy],
  );
  expect((await claim(2)).map(({ merchantId }) => merchantId)).toEqual([healthy, healthy]);
  expect(await claim(40)).toHaveLength(11);
});
