// @module-tag full

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAttempts } from '@/lib/gateway/payments/store';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { makeBill } from '@/testing/runtime';
import { STATEMENT_DEATHS } from './cases';
import { expectAllIsWell, expectNothingHalfDone, type Movement } from './invariants';
import { drain, endLeases } from './settle';
import { hasDied, SANDBOX_ACCOUNT, testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
const world = testWorld(0.02);

const ELSEWHERE: readonly Movement[] = [
  { kind: 'payment', receipt: 'ELSEWHERE1', amount: 70_000n },
  { kind: 'payment', receipt: 'ELSEWHERE2', amount: 90_000n },
  { kind: 'reversal', receipt: 'ELSEWHERE3', amount: 90_000n },
];

test('a statement is reconciled although the command is killed at every fail point', async () => {
  const { runtime, merchant, start, bili } = world();
  const billId = await makeBill(runtime, merchant, { mobile: '0712345007' });
  await hasDied(await start('worker', 'attempt.called'), 'attempt.called');
  const [attempt] = await listAttempts(runtime.db, billId);
  const receipts = { text: 'SELECT receipt, amount::int AS amount FROM sandbox_prompt WHERE reference = $1' };
  const [prompt] = await runtime.db.query<{ receipt: string; amount: number }>(receipts, [attempt?.ourReference]);

  const at = runtime.clock();
  const statement = [
    'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id',
    `${prompt?.receipt},payment,${prompt?.amount},${at.toISOString()},${attempt?.ourReference},,`,
    `ELSEWHERE1,payment,700,${at.toISOString()},,0712345678,`,
    `ELSEWHERE2,payment,900,${at.toISOString()},,0712345678,`,
    `ELSEWHERE3,reversal,900,${at.toISOString()},,,ELSEWHERE2`,
  ].join('\n');
  const folder = await mkdtemp(join(tmpdir(), 'bili-crash-'));
  const file = join(folder, 'statement.csv');
  await writeFile(file, statement);
  const period = ['--from', addMs(at, -HOUR_MS).toISOString(), '--to', addMs(at, HOUR_MS).toISOString()];
  const reconcile = ['reconcile', '--account', SANDBOX_ACCOUNT, '--statement', file, ...period];

  for (const death of STATEMENT_DEATHS) {
    expect(await bili(reconcile, death)).toBeNull();
    await expectNothingHalfDone(world());
  }
  expect(JSON.parse((await bili(reconcile)) ?? '')).toMatchObject({ repeated: false });
  expect(JSON.parse((await bili(reconcile)) ?? '')).toMatchObject({ repeated: true });
  await rm(folder, { recursive: true });

  await endLeases(world());
  const worker = await start('worker');
  await drain(world(), { callbacks: false });
  await worker.kill('SIGTERM');
  expect(await listAttempts(runtime.db, billId)).toMatchObject([{ state: 'SUCCEEDED' }]);
  expect(await runtime.db.query({ text: 'SELECT finding, action FROM reconciliation_line ORDER BY number' })).toEqual([
    { finding: 'theirs_only', action: 'settled_attempt' },
    { finding: 'theirs_only', action: 'kept_unmatched' },
    { finding: 'theirs_only', action: 'kept_unmatched' },
    { finding: 'theirs_only', action: 'booked_reversal' },
  ]);
  await expectAllIsWell(world(), ELSEWHERE);
});
