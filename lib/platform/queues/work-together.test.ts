import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitForAll, workTogether } from './work-together';

/** Resolves after all microtasks that are queued now. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('items are worked on together up to the limit, and the results have their order', async () => {
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 20 }, (_, index) => index);
  const results = await workTogether(items, 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turns = 0; turns <= item % 4; turns += 1) await turn();
    running -= 1;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(most).toBe(3);
  expect(await workTogether([], 3, turn)).toEqual([]);
});

test('after an error no item is begun, and the error is thrown when the others have ended', async () => {
  const ended: number[] = [];
  const work = workTogether([0, 1, 2, 3, 4], 2, async (item) => {
    if (item === 0) throw new Error('zero');
    await turn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('zero');
  expect(ended).toEqual([1]);
});

let unhandled: unknown[];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled = [];
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
});

test('a failure is thrown when all have ended, and is handled before', async () => {
  let ended = false;
  const slow = delay(30).then(() => {
    ended = true;
  });
  const fails = delay(5).then(() => {
    throw new Error('the first');
  });
  await expect(waitForAll([slow, fails])).rejects.toThrow('the first');
  expect(ended).toBe(true);
  expect(unhandled).toEqual([]);
});

test('all values are returned in the order of the promises', async () => {
  expect(await waitForAll([delay(5, 'slow'), Promise.resolve(2)])).toEqual(['slow', 2]);
});
