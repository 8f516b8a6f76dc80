import { expect, test } from 'vitest';
import { DAY_MS } from '@/lib/platform/core/clock';
import { letIn } from '@/testing/data/access';
import { changeStatus } from '@/testing/data/paying';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { countMissed } from './start-redelivery';

const runtime = testRuntime();

test('counts all unsent deliveries, however old, and returns the time of the first', async () => {
  const shop = await makeMerchant(runtime());
  const access = () => letIn(runtime(), shop, { environment: 'sandbox' });
  expect(await countMissed(runtime(), await access())).toMatchObject({ total: 0, hasAddress: false });

  const before = runtime().clock();
  await changeStatus(runtime(), await makeBill(runtime(), shop), 1);
  runtime().advance(200 * DAY_MS);
  await changeStatus(runtime(), await makeBill(runtime(), shop), 1);
  runtime().advance(1);
  const missed = await countMissed(runtime(), await access());
  expect(missed).toMatchObject({ total: 2, counts: [{ state: 'UNSENT', count: 2 }] });
  expect(missed?.since.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(missed?.since.getTime()).toBeLessThan(before.getTime() + DAY_MS);
});
