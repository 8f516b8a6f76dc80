import { expect, test, vi } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { createRegistry } from '@/lib/providers/registry';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { byOneWorker, JOBS } from './jobs';

const runtime = testRuntime();

const jobRuntime = () => ({ ...runtime(), providers: createRegistry(runtime(), null), announceDue: async () => 0 });

test('a task of one worker runs once in its time, however many workers there are', async () => {
  let runs = 0;
  const task = byOneWorker('a task', 5 * MINUTE_MS, async () => {
    runs += 1;
    if (runs === 2) throw new Error('the second run fails');
    return runs;
  });
  const workers = () => Promise.allSettled(Array.from({ length: 4 }, () => task(jobRuntime())));
  expect((await workers()).map((one) => one.status === 'fulfilled' && one.value).sort()).toEqual([1, null, null, null]);
  runtime().advance(4 * MINUTE_MS);
  await workers();
  expect(runs).toBe(1);
  runtime().advance(MINUTE_MS);
  expect((await workers()).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  runtime().advance(5 * MINUTE_MS);
  await workers();
  expect(runs).toBe(3);
});

test('a worker calculates the daily sums of every merchant', async () => {
  const { merchant } = await makeMerchant(runtime());
  const job = JOBS.find(({ name }) => name === 'rollups');
  const pump = job?.start(jobRuntime(), { name: job.name, concurrency: job.atOnce, idleMs: job.idleMs, graceMs: 0, log: runtime().log });
  await vi.waitFor(
    async () => {
      const rows = await runtime().db.query({ text: 'SELECT 1 FROM rollup WHERE merchant_id = $1 AND covered_to IS NOT NULL' }, [
        merchant.id,
      ]);
      expect(rows).toHaveLength(2);
    },
    { timeout: 60_000 },
  );
  await pump?.stop();
});

test('each job has a unique name and a description', () => {
  const names = JOBS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(JOBS.filter(({ what }) => what === '')).toEqual([]);
});
