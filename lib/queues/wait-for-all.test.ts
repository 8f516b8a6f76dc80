import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitForAll } from './wait-for-all';

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
