import { expect, test } from 'vitest';
import { inBatches } from './batches';

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
