import { expect, test } from 'vitest';
import { makeBill } from '@/lib/testing/runtime';
import { PROMPT_CASES } from './cases';
import { expectAllIsWell } from './invariants';
import { drain, endLeases } from './settle';
import { hasDied, testWorld } from './world';

// Nobody listens where the provider calls back: the worker finds out by itself.
const world = testWorld(0.02);

test.each(PROMPT_CASES)('a worker killed when $what ($deaths, phone $phone)', async ({ deaths, phone, ends }) => {
  const { runtime, merchant } = world();
  const billId = await makeBill(runtime, merchant, { mobile: `0712345${phone}` });
  for (const death of deaths) {
    await hasDied(await world().start('worker', death), death);
    await endLeases(world());
  }
  const worker = await world().start('worker');
  await drain(world(), { callbacks: false });
  await worker.kill('SIGTERM');
  expect(await runtime.db.query({ text: 'SELECT status FROM bill WHERE id = $1' }, [billId])).toEqual([{ status: ends }]);
  await expectAllIsWell(world());
});
