import { once } from 'node:events';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { createLog } from '@/lib/platform/log/log';
import { claimGap, inBatches, startPump, watchJobs } from './pump';

const NEVER_MS = 1_000_000;

test.each([
  ['during the gap', 20],
  ['after the gap', 0],
])('claims more as soon as an item ends %s, without waiting for the idle pause', async (_when, gapMs) => {
  const again = Promise.withResolvers<void>();
  let claims = 0;
  const pump = startPump({
    name: 'test',
    concurrency: 4,
    idleMs: NEVER_MS,
    gapMs: () => gapMs,
    graceMs: 0,
    log: createLog({ level: 'silent', format: 'json', process: 'test' }),
    async claim() {
      claims += 1;
      if (claims === 2) again.resolve();
      return claims === 1 ? ['item'] : [];
    },
    work: () => new Promise((done) => setTimeout(done, 5)),
  });
  await again.promise;
  await pump.stop();
  expect(claims).toBe(2);
});

test('an idle pause that is shorter than the gap sets no timer with a negative delay', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const again = Promise.withResolvers<void>();
  let claims = 0;
  const pump = startPump({
    name: 'test',
    concurrency: 4,
    idleMs: 10,
    gapMs: () => 40,
    graceMs: 0,
    log: createLog({ level: 'silent', format: 'json', process: 'test' }),
    async claim() {
      claims += 1;
      if (claims === 2) again.resolve();
      return [];
    },
    work: () => Promise.resolve(),
  });
  await again.promise;
  await pump.stop();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('a stop does not wait for a free slot, and aborts running work after the grace period', async () => {
  const began = Promise.withResolvers<void>();
  const pump = startPump({
    name: 'test',
    concurrency: 1,
    idleMs: 0,
    graceMs: 0,
    log: createLog({ level: 'silent', format: 'json', process: 'test' }),
    claim: async () => ['item'],
    async work(_item, signal) {
      began.resolve();
      await once(signal, 'abort');
    },
  });
  await began.promise;
  // The pump now waits for a free slot.
  await new Promise(setImmediate);
  await expect(pump.stop()).resolves.toBeUndefined();
});

test('a busy worker leaves more time between claims, so that they find more', () => {
  expect([0, 2, 3, 300].map(claimGap)).toEqual([10, 10, 40, 40]);
});

/** Returns a function `work` that takes a batch. The batches are recorded, and the work on each ends only after a call of `next()`. */
function stepwise(fails: (items: readonly number[]) => boolean = () => false) {
  const batches: (readonly number[])[] = [];
  const gates: (() => void)[] = [];
  return {
    batches,
    next: () => gates.shift()?.(),
    async work(items: readonly number[]): Promise<void> {
      batches.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (fails(items)) throw new Error(`not ${items.join(', ')}`);
    },
  };
}

const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Completes the running batches, one after the other, until the promise `done` is settled. */
async function finish(steps: ReturnType<typeof stepwise>, done: Promise<unknown>): Promise<void> {
  let over = false;
  void done.finally(() => {
    over = true;
  });
  while (!over) {
    steps.next();
    await Promise.resolve();
  }
}

test('processes the first item at once, and collects later ones into a batch', async () => {
  const steps = stepwise();
  const add = inBatches(steps.work);
  const all = Promise.all([1, 2, 3, 4].map(add));
  expect(steps.batches).toEqual([[1]]);
  await finish(steps, all);
  expect(steps.batches).toEqual([[1], [2, 3, 4]]);
  const later = add(5);
  expect(steps.batches.at(-1)).toEqual([5]);
  await finish(steps, later);
});

test('limits a batch to 200 items, and processes all', async () => {
  const steps = stepwise();
  const all = Promise.all(count(0, 450).map(inBatches(steps.work)));
  await finish(steps, all);
  expect(steps.batches).toEqual([[0], count(1, 200), count(201, 400), count(401, 450)]);
});

test('resolves for an item only after its batch is done', async () => {
  const steps = stepwise();
  const add = inBatches(steps.work);
  const done: number[] = [];
  const all = Promise.all([1, 2].map((item) => add(item).then(() => done.push(item))));
  await Promise.resolve();
  expect(done).toEqual([]);
  await finish(steps, all);
  expect(done).toEqual([1, 2]);
});

test('retries each item of a failed batch alone, and rejects only those that fail', async () => {
  const steps = stepwise((items) => items.includes(3));
  const add = inBatches(steps.work);
  const all = Promise.allSettled([1, 2, 3, 4].map(add));
  await finish(steps, all);
  expect(steps.batches).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  expect((await all).map((result) => (result.status === 'rejected' ? String(result.reason) : result.status))).toEqual([
    'fulfilled',
    'fulfilled',
    'Error: not 3',
    'fulfilled',
  ]);
});

test('does not retry an item that failed alone, and continues with others', async () => {
  const steps = stepwise((items) => items.includes(1));
  const add = inBatches(steps.work);
  const first = add(1);
  await finish(
    steps,
    first.catch(() => undefined),
  );
  await expect(first).rejects.toThrow('not 1');
  const second = add(2);
  await finish(steps, second);
  expect(steps.batches).toEqual([[1], [2]]);
});

test('a job without progress is named until it makes progress again', () => {
  let now = 0;
  const jobs = watchJobs(() => now);
  const quick = jobs.watch('quick', 0);
  const slow = jobs.watch('slow', 60 * MINUTE_MS);
  now = 10 * MINUTE_MS;
  expect(jobs.findProblem()).toBeNull();
  now += 1;
  expect(jobs.findProblem()).toBe('jobs without progress: quick');
  quick.claimed(null, 1);
  expect(jobs.findProblem()).toBe('jobs without progress: quick');
  quick.claimed(0, 1);
  expect(jobs.findProblem()).toBeNull();
  now = 71 * MINUTE_MS;
  quick.worked(false, 1);
  expect(jobs.findProblem()).toBe('jobs without progress: slow');
  slow.claimed(3, 1);
  expect(jobs.findProblem()).toBeNull();
});
