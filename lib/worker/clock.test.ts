import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/core/clock';
import type { Database } from '@/lib/db/database';
import { collectLog } from '@/lib/testing/log-lines';
import { makeBill, makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { startWorker } from './worker';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });

test('a worker whose clock is wrong claims nothing until it is right', async () => {
  await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0712345001' });
  const { log, lines } = collectLog();
  const told = () => lines.map(({ msg }) => msg);
  runtime().advance(5 * MINUTE_MS);
  const asked: string[] = [];
  const db: Database = {
    ...runtime().db,
    query: (statement, values) => {
      asked.push(statement.text);
      return runtime().db.query(statement, values);
    },
  };
  const worker = await startWorker({ ...runtime(), db, log });
  expect(told()).toEqual([expect.stringContaining('a worker claims nothing until they agree'), 'worker is running']);
  // Its loops have begun, and the comparison was the last statement.
  expect(asked.at(-1)).toContain('clock_timestamp()');
  runtime().advance(-5 * MINUTE_MS);
  await expect.poll(told, { timeout: 10_000 }).toContain('simulated phone prompted');
  expect(told().indexOf('simulated phone prompted')).toBeGreaterThan(told().indexOf('the clock agrees with the database again'));
  await worker.stop();
});
