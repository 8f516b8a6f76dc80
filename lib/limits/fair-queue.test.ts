import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue';

/** Work that ends when the test says so, in the order in which it began. */
function staged() {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    began.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  const endOne = async () => {
    ends.shift()?.();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { began, work, endOne };
}

const ROOM = { concurrency: 1, waitingOfOne: 100, waiting: 100, waitMs: 60_000 };

test('subjects take turns: one who floods only delays itself', async () => {
  const { began, work, endOne } = staged();
  const line = createFairQueue(ROOM);
  for (let n = 1; n <= 5; n += 1) void line.run('flood', work(`flood ${n}`));
  void line.run('a', work('a'));
  void line.run('b', work('b'));
  for (let n = 0; n < 7; n += 1) await endOne();
  expect(began).toEqual(['flood 1', 'flood 2', 'a', 'b', 'flood 3', 'flood 4', 'flood 5']);
});

test('so many run at once, and failed work gives its place back', async () => {
  const line = createFairQueue({ ...ROOM, concurrency: 2 });
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    throw new Error('failed');
  };
  const results = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => line.run(`s${n % 3}`, work)));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(most).toBe(2);
  expect(await line.run('s', async () => 'done')).toBe('done');
});

test('work that only waits may give its place back, once', async () => {
  const { began, work, endOne } = staged();
  const line = createFairQueue(ROOM);
  const waits = Promise.withResolvers<string>();
  const patient = line.run('a', (leave) => {
    leave();
    leave();
    return waits.promise;
  });
  void line.run('b', work('b'));
  void line.run('c', work('c'));
  expect(began).toEqual(['b']);
  waits.resolve('a');
  expect(await patient).toBe('a');
  expect(began).toEqual(['b']);
  await endOne();
  expect(began).toEqual(['b', 'c']);
  await endOne();
});

test('a line that is too long, or too slow, is left unserved', async () => {
  const { work, endOne } = staged();
  const line = createFairQueue({ concurrency: 1, waitingOfOne: 1, waiting: 2, waitMs: 20 });
  const first = line.run('a', work('a'));
  const waits = [line.run('a', work('late')), line.run('b', work('late too'))];
  expect(await line.run('a', work('one too many of one'))).toBeUndefined();
  expect(await line.run('c', work('one too many of all'))).toBeUndefined();
  expect(await Promise.all(waits)).toEqual([undefined, undefined]);
  await endOne();
  expect(await first).toBe('a');
});
