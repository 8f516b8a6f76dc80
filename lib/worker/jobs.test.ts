import { expect, test, vi } from 'vitest';
import { createRegistry } from '@/lib/providers/registry';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { JOBS } from './jobs';

const runtime = testRuntime();

test('a worker calculates the daily sums of every merchant', async () => {
  const { merchant } = await makeMerchant(runtime());
  const job = JOBS.find(({ name }) => name === 'rollups');
  const pump = job?.start(
    { ...runtime(), providers: createRegistry(runtime(), null), announceDue: async () => 0 },
    { name: job.name, concurrency: job.atOnce, idleMs: job.idleMs, graceMs: 0, log: runtime().log },
  );
  await vi.waitFor(async () => {
    const rows = await runtime().db.query({ text: 'SELECT 1 FROM rollup WHERE merchant_id = $1 AND covered_to IS NOT NULL' }, [
      merchant.id,
    ]);
    expect(rows).toHaveLength(2);
  });
  await pump?.stop();
});

test('each job has a unique name and a description', () => {
  const names = JOBS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(JOBS.filter(({ what }) => what === '')).toEqual([]);
});
