import { expect, test } from 'vitest';
import { letIn } from '@/lib/testing/let-in';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { makePastDays } from '@/lib/testing/past-days';
import { rollUpDays } from './roll-up-days';
import { showOverview } from './show-overview';

const runtime = testRuntime();
const BILLS = Number(process.env.BIG ?? 20000);
test('seed', async () => {
  const merchant = await makeMerchant(runtime());
  const access = await letIn(runtime(), merchant);
  const t = performance.now();
  await makePastDays(runtime().db, merchant.scope('sandbox'), { bills: BILLS, days: 90, now: runtime().clock() });
  console.log('seeded', performance.now() - t);
  const measure = async (name: string) => {
    const times = [];
    for (let n = 0; n < 9; n++) { const u = performance.now(); await showOverview(runtime(), access, { period: 90 }); times.push(performance.now() - u); }
    console.log(name, times.map(Math.round).join(' '));
  };
  await measure('not rolled, not analyzed');
  await runtime().db.query({ text: 'ANALYZE' });
  await measure('not rolled, analyzed');
  const u = performance.now();
  console.log('rolled', await rollUpDays(runtime()), performance.now() - u);
  await measure('rolled');
  for (const q of ['payment_allocation', 'push_attempt', 'bill']) console.log(q, await runtime().db.query({ text: `SELECT indexrelname, pg_size_pretty(pg_relation_size(indexrelid)) s FROM pg_stat_user_indexes WHERE relname = '${q}'` }));
  expect(1).toBe(1);
}, 1200000);
