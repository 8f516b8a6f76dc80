import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import type { Database } from '@/lib/platform/db/database';
import { collectLog } from '@/testing/log-lines';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { startWorker } from './worker';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });

test('a worker whose clock is wrong claims nothing until the clock is right', async () => {
  await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0712345001' });
  const { log, lines } = collectLog();
  const messages = () => lines.map(({ msg }) => msg);
  runtime().advance(5 * MINUTE_MS);
  const statements: string[] = [];
  const db: Database = {
    ...runtime().db,
    query: (statement, values) => {
      statements.push(statement.text);
      return runtime().db.query(statement, values);
    },
  };
  const worker = await startWorker({ ...runtime(), db, log });
  expect(messages()).toEqual([expect.stringContaining('a worker claims nothing'), 'worker is running']);
  // All loops have started. If one of them had claimed anything, the last statement would not be the comparison of the clocks.
  expect(statements.at(-1)).toContain('clock_timestamp()');
  runtime().advance(-5 * MINUTE_MS);
  await expect.poll(messages).toContain('simulated phone prompted');
  expect(messages().indexOf('simulated phone prompted')).toBeGreaterThan(messages().indexOf('the clock agrees with the database again'));
  await worker.stop();
});
