import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createLog } from '@/lib/log/log';
import { claimGap, startPump } from './pump';

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
}, 2_000);

test('a busy worker leaves more time between claims, so that they find more', () => {
  expect([0, 2, 3, 300].map(claimGap)).toEqual([10, 10, 40, 40]);
});
