import { expect, test, vi } from 'vitest';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { startRollups } from './rollups';

const runtime = testRuntime();

test('a worker adds up the days of every merchant from its start on', async () => {
  const { merchant } = await makeMerchant(runtime());
  const pump = startRollups(runtime(), { log: runtime().log, graceMs: 0 });
  await vi.waitFor(async () => {
    const rows = await runtime().db.query({ text: 'SELECT 1 FROM rollup WHERE merchant_id = $1 AND covered_to IS NOT NULL' }, [
      merchant.id,
    ]);
    expect(rows).toHaveLength(2);
  });
  await pump.stop();
});
