import { expect, test, vi } from 'vitest';
import { makeBill } from '@/lib/testing/runtime';
import { PROMPT_CASES } from './cases';
import { expectAllIsWell, expectNothingHalfDone } from './invariants';
import { drain, endLeases } from './settle';
import { hasDied, testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });

// Nobody listens at the callback URL, so the worker must query the outcome.
const world = testWorld(0.02);

test.each(PROMPT_CASES)('a worker killed $what (phone $phone)', async ({ deaths, phone, ends }) => {
  const { runtime, merchant } = world();
  const billId = await makeBill(runtime, merchant, { mobile: `0712345${phone}` });
  // Retries stop when the customer has waited too long. On a busy machine, the start of a worker takes longer than that here.
  await runtime.db.query({ text: "UPDATE push_attempt SET created_at = now() + interval '10 minutes' WHERE bill_id = $1" }, [billId]);
  for (const death of deaths) {
    await hasDied(await world().start('worker', death), death);
    await endLeases(world());
    await expectNothingHalfDone(world());
  }
  const worker = await world().start('worker');
  await drain(world(), { callbacks: false });
  await worker.kill('SIGTERM');
  expect(await runtime.db.query({ text: 'SELECT status FROM bill WHERE id = $1' }, [billId])).toEqual([{ status: ends }]);
  await expectAllIsWell(world());
});
