import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/core/clock';
import { collectLog } from '@/lib/testing/log-lines';
import { testRuntime } from '@/lib/testing/runtime';
import type { Queryable } from './database';
import { watchClock } from './watch-clock';

const runtime = testRuntime();

test('a clock that is set wrong, and its correction, are each logged once', async () => {
  const { log, lines } = collectLog();
  const watch = await watchClock({ ...runtime(), log });
  expect(watch.agrees()).toBe(true);
  runtime().advance(5 * MINUTE_MS);
  await expect.poll(watch.agrees, { timeout: 5_000 }).toBe(false);
  runtime().advance(-3 * MINUTE_MS);
  runtime().advance(-2 * MINUTE_MS);
  await expect.poll(watch.agrees, { timeout: 5_000 }).toBe(true);
  watch.stop();
  expect(lines.map(({ msg }) => msg)).toEqual([
    "the clock is 300 s ahead of the database's: a worker claims nothing until they agree; check NTP",
    'the clock agrees with the database again',
  ]);
});

test('a wrong clock is detected at the start', async () => {
  const { log, lines } = collectLog();
  const slow = { ...runtime(), log, clock: () => new Date(Date.now() - 6_000) };
  const watch = await watchClock(slow);
  expect(watch.agrees()).toBe(false);
  watch.stop();
  expect(lines.map(({ msg }) => msg)).toEqual([
    "the clock is 6 s behind the database's: a worker claims nothing until they agree; check NTP",
  ]);
});

test('the clocks do not agree before the database has answered', async () => {
  const { log } = collectLog();
  let reachable = false;
  const db: Queryable = {
    query: (statement, values) => (reachable ? runtime().db.query(statement, values) : Promise.reject(new Error('unreachable'))),
  };
  const watch = await watchClock({ ...runtime(), db, log });
  expect(watch.agrees()).toBe(false);
  reachable = true;
  await expect.poll(watch.agrees, { timeout: 5_000 }).toBe(true);
  watch.stop();
});
