import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue';

/** Tasks that end when the test calls `endOne`, in the order in which they started. */
function staged() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    started.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  const endOne = async () => {
    ends.shift()?.();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { started, work, endOne };
}

const OPTIONS = { concurrency: 1, waitingOfOne: 100, waiting: 100, waitMs: 60_000 };

test('subjects take turns, so that a subject with many tasks delays only itself', async () => {
  const { started, work, endOne } = staged();
  const queue = createFairQueue(OPTIONS);
  for (let n = 1; n <= 5; n += 1) void queue.run('flood', work(`flood ${n}`));
  void queue.run('a', work('a'));
  void queue.run('b', work('b'));
  for (let n = 0; n < 7; n += 1) await endOne();
  expect(started).toEqual(['flood 1', 'flood 2', 'a', 'b', 'flood 3', 'flood 4', 'flood 5']);
});

test('runs at most `concurrency` tasks at the same time, and failed tasks free their slot', async () => {
  const queue = createFairQueue({ ...OPTIONS, concurrency: 2 });
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    throw new Error('failed');
  };
  const results = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => queue.run(`s${n % 3}`, work)));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(most).toBe(2);
  expect(await queue.run('s', async () => 'done')).toBe('done');
});

test('a task can free its slot before it ends, but only once', async () => {
  const { started, work, endOne } = staged();
  const queue = createFairQueue(OPTIONS);
  const waits = Promise.withResolvers<string>();
  const waiting = queue.run('a', (leave) => {
    leave();
    leave();
    return waits.promise;
  });
  void queue.run('b', work('b'));
  void queue.run('c', work('c'));
  expect(started).toEqual(['b']);
  waits.resolve('a');
  expect(await waiting).toBe('a');
  expect(started).toEqual(['b']);
  await endOne();
  expect(started).toEqual(['b', 'c']);
  await endOne();
});

test('returns undefined if the queue is full or a task waits too long', async () => {
  const { work, endOne } = staged();
  const queue = createFairQueue({ concurrency: 1, waitingOfOne: 1, waiting: 2, waitMs: 20 });
  const first = queue.run('a', work('a'));
  const waits = [queue.run('a', work('late')), queue.run('b', work('late too'))];
  expect(await queue.run('a', work('one too many of one'))).toBeUndefined();
  expect(await queue.run('c', work('one too many of all'))).toBeUndefined();
  expect(await Promise.all(waits)).toEqual([undefined, undefined]);
  await endOne();
  expect(await first).toBe('a');
});
