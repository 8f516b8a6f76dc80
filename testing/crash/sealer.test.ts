// @module-tag full

import { expect, test } from 'vitest';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { BATCH } from '@/lib/identity/audit/seal-entries';
import { verifyChain } from '@/lib/identity/audit/verify-chain';
import { TEST_OPERATOR } from '@/testing/runtime';
import { SEALER_DEATHS } from './cases';
import { hasDied, testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
const world = testWorld(0.02);

test('the audit chain continues and is valid although workers are killed at every fail point', async () => {
  const { runtime, merchant, start } = world();
  const scope = merchant.scope('sandbox');
  const before = { text: 'SELECT count(*)::int AS n FROM audit_entry WHERE merchant_id = $1' };
  await runtime.db.query(
    {
      text: `INSERT INTO audit_entry (id, merchant_id, environment, actor, action, subject, data, at)
             SELECT gen_random_uuid(), $1, 'sandbox', 'operator:test', 'key.created', n::text, '{}', now() FROM generate_series(1, $2) AS n`,
    },
    [scope.merchantId, 2 * BATCH],
  );
  for (const death of SEALER_DEATHS) {
    await hasDied(await start('worker', death), death);
    expect((await verifyChain(runtime, { chain: scope.merchantId })).broken).toBeNull();
  }
  await recordEntry(runtime, { ...scope, actor: TEST_OPERATOR, action: 'key.revoked', subject: 'the last' });
  const [all] = await runtime.db.query<{ n: number }>(before, [scope.merchantId]);
  const worker = await start('worker');
  await expect
    .poll(() => verifyChain(runtime, { chain: scope.merchantId }), { interval: 50 })
    .toMatchObject({ rows: all?.n, broken: null, tail: { count: 0 } });
  await worker.kill('SIGTERM');
});
