import { expect, test } from 'vitest';
import { makeBill } from '@/testing/runtime';
import { PROMPT_CASES, type PromptCase } from './cases';
import { expectAllIsWell } from './invariants';
import { drain, killWorker } from './settle';
import { testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
// Nobody listens at the callback URL, so the worker must query the outcome.
const world = testWorld(0.02);

async function killAndFinish({ deaths, phone, ends }: PromptCase): Promise<void> {
  const { runtime, merchant } = world();
  const billId = await makeBill(runtime, merchant, { mobile: `0712345${phone}` });
  for (const death of deaths) await killWorker(world(), death);
  const worker = await world().start('worker');
  await drain(world(), { callbacks: false });
  await worker.kill('SIGTERM');
  expect(await runtime.db.query({ text: 'SELECT status FROM bill WHERE id = $1' }, [billId])).toEqual([{ status: ends }]);
  await expectAllIsWell(world());
}

const { common = [], others = [] } = Object.groupBy(PROMPT_CASES, (one) => (one.common ? 'common' : 'others'));

test.each(common)('a worker killed $what (phone $phone)', killAndFinish);

test.each(others)('a worker killed $what (phone $phone)', { tags: ['full'] }, killAndFinish);
