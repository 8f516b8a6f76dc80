import { expect, test } from 'vitest';
import { together } from './together';

/** Work that goes on only when it is told to, and notes what it was given at once. */
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

/** Does all that is waited for. */
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

test('the first is done at once, and what comes meanwhile is done together', async () => {
  const steps = stepwise();
  const add = together(steps.work);
  const all = Promise.all([1, 2, 3, 4].map(add));
  expect(steps.batches).toEqual([[1]]);
  await finish(steps, all);
  expect(steps.batches).toEqual([[1], [2, 3, 4]]);
  const later = add(5);
  expect(steps.batches.at(-1)).toEqual([5]);
  await finish(steps, later);
});

test('no more than two hundred are done at once, and none is left', async () => {
  const steps = stepwise();
  const all = Promise.all(count(0, 450).map(together(steps.work)));
  await finish(steps, all);
  expect(steps.batches).toEqual([[0], count(1, 200), count(201, 400), count(401, 450)]);
});

test('nobody is told that it is done before it is', async () => {
  const steps = stepwise();
  const add = together(steps.work);
  const told: number[] = [];
  const all = Promise.all([1, 2].map((item) => add(item).then(() => told.push(item))));
  await Promise.resolve();
  expect(told).toEqual([]);
  await finish(steps, all);
  expect(told).toEqual([1, 2]);
});

test('when several fail together each is tried alone, and only who cannot be done hears of it', async () => {
  const steps = stepwise((items) => items.includes(3));
  const add = together(steps.work);
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

test('one that fails alone is not tried again, and others go on after it', async () => {
  const steps = stepwise((items) => items.includes(1));
  const add = together(steps.work);
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
