import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue';
import { createNaturalBatcher, type Pace } from './natural-batcher';
import { Overloaded } from './overloaded';

const ALONE = { concurrency: 1, waitingOfOne: 100, waiting: 100, waitMs: 60_000 };

/** Creates a batcher. Each call of `endOne` ends its oldest running batch. Items that start with `bad` make their batch fail. */
function staged(
  options: { lanes?: number; sizeMax?: number; waitingMax?: number; waitMs?: number; mayRepeat?: boolean; pace?: Pace } = {},
) {
  const batches: string[][] = [];
  const alone: string[] = [];
  const sizes: number[] = [];
  let refusals = 0;
  const ends: (() => void)[] = [];
  const { mayRepeat = true, ...limits } = options;
  const batcher = createNaturalBatcher<string, string>({
    lanes: 1,
    sizeMax: 100,
    waitingMax: 100,
    waitingOfOneMax: 50,
    waitMs: 60_000,
    ...limits,
    async runBatch(items) {
      batches.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (items.some((item) => item.startsWith('bad'))) throw new Error('bad batch');
      return items.map((item) => (item.startsWith('single') ? undefined : item.toUpperCase()));
    },
    async runAlone(item) {
      alone.push(item);
      if (item.startsWith('bad')) throw new Error(`bad ${item}`);
      return item.toUpperCase();
    },
    aloneQueue: createFairQueue(ALONE),
    mayRepeat: () => mayRepeat,
    onBatch: (size) => void sizes.push(size),
    onRefusal() {
      refusals += 1;
    },
  });
  const endOne = async () => {
    ends.shift()?.();
    await nextTurn();
  };
  return { batcher, batches, alone, sizes, refusals: () => refusals, endOne };
}

test('the first item is sent at once and alone; those that come meanwhile form the next batch', async () => {
  const { batcher, batches, sizes, endOne } = staged();
  const outcomes = Promise.all(['a', 'b', 'c'].map((item) => batcher.add('key', item)));
  expect(batches).toEqual([['a']]);
  await endOne();
  expect(batches).toEqual([['a'], ['b', 'c']]);
  expect(sizes).toEqual([1, 2]);
  await endOne();
  expect(await outcomes).toEqual(['A', 'B', 'C']);
  const later = batcher.add('key', 'd');
  expect(batches).toHaveLength(3);
  await endOne();
  expect(await later).toBe('D');
});

test('each lane has one batch under way', async () => {
  const { batcher, batches, endOne } = staged({ lanes: 2 });
  const outcomes = Promise.all(['a', 'b', 'c', 'd'].map((item) => batcher.add('key', item)));
  expect(batches).toEqual([['a'], ['b']]);
  for (let n = 0; n < 3; n += 1) await endOne();
  expect(batches).toEqual([['a'], ['b'], ['c', 'd']]);
  expect(await outcomes).toEqual(['A', 'B', 'C', 'D']);
});

test('subjects take turns, so that one with many items fills only what the others leave', async () => {
  const { batcher, batches, endOne } = staged({ sizeMax: 4 });
  const flood = Array.from({ length: 9 }, (_, n) => batcher.add('flood', `flood ${n}`));
  const others = ['a', 'b'].map((item) => batcher.add(item, item));
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all([...flood, ...others]);
  expect(batches.map(({ length }) => length)).toEqual([1, 4, 4, 2]);
  expect(batches[1]).toEqual(['flood 1', 'a', 'b', 'flood 2']);
});

test('after a batch failed, each item runs alone, once', async () => {
  const { batcher, batches, alone, endOne } = staged();
  const first = batcher.add('key', 'first');
  const rest = Promise.allSettled(['a', 'bad', 'b'].map((item) => batcher.add('key', item)));
  await endOne();
  await endOne();
  expect(await first).toBe('FIRST');
  expect(await rest).toEqual([
    { status: 'fulfilled', value: 'A' },
    { status: 'rejected', reason: new Error('bad bad') },
    { status: 'fulfilled', value: 'B' },
  ]);
  expect(batches).toHaveLength(2);
  expect(alone).toEqual(['a', 'bad', 'b']);
});

test('a failure that may have changed something is not repeated', async () => {
  const { batcher, alone, endOne } = staged({ mayRepeat: false });
  const failing = Promise.allSettled([batcher.add('key', 'bad')]);
  await endOne();
  expect(await failing).toEqual([{ status: 'rejected', reason: new Error('bad batch') }]);
  expect(alone).toEqual([]);
});

test('an item without an outcome runs alone, and does not hold its lane', async () => {
  const { batcher, alone, endOne } = staged();
  const single = batcher.add('key', 'single');
  const next = batcher.add('key', 'next');
  await endOne();
  expect(await single).toBe('SINGLE');
  await endOne();
  expect(await next).toBe('NEXT');
  expect(alone).toEqual(['single']);
});

test('a full queue refuses at once, also if one subject fills it', async () => {
  const { batcher, refusals, endOne } = staged({ waitingMax: 60 });
  const accepted = Array.from({ length: 51 }, (_, n) => batcher.add('flood', `${n}`));
  await expect(batcher.add('flood', 'more')).rejects.toThrow(Overloaded);
  accepted.push(...Array.from({ length: 10 }, (_, n) => batcher.add('other', `other ${n}`)));
  await expect(batcher.add('third', 'more')).rejects.toThrow(Overloaded);
  await endOne();
  await endOne();
  expect(await Promise.all(accepted)).toHaveLength(61);
  expect(refusals()).toBe(2);
});

test('an item that waits too long is refused, and those that are under way are not', async () => {
  const { batcher, batches, refusals, endOne } = staged({ waitMs: 40 });
  const started = batcher.add('key', 'started');
  await expect(batcher.add('key', 'waits')).rejects.toThrow(Overloaded);
  await endOne();
  expect(await started).toBe('STARTED');
  expect(batches).toEqual([['started']]);
  expect(refusals()).toBe(1);
});

test('with a pace, items of one turn share a batch, and a further batch waits for its time', async () => {
  const pace = { batches: 2, withinMs: 60 };
  const { batcher, batches, endOne } = staged({ pace });
  const started = performance.now();
  const first = Promise.all(['a', 'b'].map((item) => batcher.add('key', item)));
  await expect.poll(() => batches).toEqual([['a', 'b']]);
  await endOne();
  await first;
  const second = batcher.add('key', 'c');
  await expect.poll(() => batches).toHaveLength(2);
  await endOne();
  await second;
  const third = Promise.all(['d', 'e'].map((item) => batcher.add('key', item)));
  await expect.poll(() => batches).toHaveLength(3);
  expect(performance.now() - started).toBeGreaterThanOrEqual(pace.withinMs - 1);
  expect(batches[2]).toEqual(['d', 'e']);
  await endOne();
  expect(await third).toEqual(['D', 'E']);
});
