import { expect, test } from 'vitest';
import { makePastDays } from '@/lib/testing/data/past-days';
import { makeBill, makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { explaining } from '@/lib/testing/schema/explain';
import { SELECT_BILL_DETAILS } from './get-store';

const runtime = testRuntime();

test('a plan that was made while there were no attempts still reads only the attempts of its bill', async () => {
  const merchant = await makeMerchant(runtime());
  const scope = merchant.scope('sandbox');
  const billId = await makeBill(runtime(), merchant, { amount: 5_000 });
  const scans = await runtime().db.transaction(async (tx) => {
    // Simulates a connection that prepared the statement while the tables were empty.
    await tx.query({ text: 'SET LOCAL plan_cache_mode = force_generic_plan' });
    await tx.query({ text: `PREPARE early (uuid[], uuid[], environment[]) AS ${SELECT_BILL_DETAILS.text}` });
    const execute = { text: `EXECUTE early ('{${billId}}', '{${scope.merchantId}}', '{sandbox}')` };
    await tx.query(execute);
    await makePastDays(tx, scope, { bills: 3_000, days: 3, now: runtime().clock() });
    const explained = explaining(tx);
    await explained.db.query(execute);
    return explained.scans;
  });
  expect(scans.map(({ table, rows }) => ({ table, few: rows < 10 }))).toEqual([
    { table: 'bill', few: true },
    { table: 'push_attempt', few: true },
  ]);
});
