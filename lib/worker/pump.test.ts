import { expect, test } from 'vitest';
import { createLog } from '@/lib/log/log';
import { startPump } from './pump';

const NEVER_MS = 1_000_000;

test.each([
  ['during the gap', 20],
  ['after the gap', 0],
])('what ends %s has more claimed at once, not only when the pause is over', async (_when, gapMs) => {
  const again = Promise.withResolvers<void>();
  let claims = 0;
  const pump = startPump({
    name: 'test',
    concurrency: 4,
    idleMs: NEVER_MS,
    gapMs,
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
