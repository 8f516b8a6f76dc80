import { expect, test } from 'vitest';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { makePastDays } from '@/lib/testing/past-days';
import { rollUpDays } from './roll-up-days';

const runtime = testRuntime();
test('seed', async () => {
  const merchant = await makeMerchant(runtime());
  const t = performance.now();
  await makePastDays(runtime().db, merchant.scope('sandbox'), { bills: 20000, days: 100, now: runtime().clock() });
  console.log('seeded', performance.now() - t);
  const u = performance.now();
  console.log(await rollUpDays(runtime()), performance.now() - u);
  expect(1).toBe(1);
}, 600000);
