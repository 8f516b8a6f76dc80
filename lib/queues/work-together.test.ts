import { expect, test } from 'vitest';
import { workTogether } from './work-together';

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
