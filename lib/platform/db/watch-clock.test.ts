import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { collectLog } from '@/testing/log-lines';
import { testRuntime } from '@/testing/runtime';
import type { Queryable } from './database';
import { createClock, watchClock } from './watch-clock';

const runtime = testRuntime();

test('a clock that is set wrong, and its correction, are each logged once', async () => {
  const { log, lines } = collectLog();
  const watch = await watchClock({ ...runtime(), log });
  expect(watch.agrees()).toBe(true);
  runtime().advance(5 * MINUTE_MS);
  await expect.poll(watch.agrees).toBe(false);
  runtime().advance(-3 * MINUTE_MS);
  runtime().advance(-2 * MINUTE_MS);
  await expect.poll(watch.agrees).toBe(true);
  watch.stop();
  expect(lines.map(({ msg }) => msg)).toEqual([
    "the clock is 300 s ahead of the database's: a worker claims nothing, and web is not ready, until they agree; check NTP",
    'the clock agrees with the database again',
  ]);
});

test('a wrong clock is detected at the start', async () => {
  const { log, lines } = collectLog();
  const slow = { ...runtime(), log, ...createClock(() => new Date(Date.now() - 6_000)) };
  const watch = await watchClock(slow);
  expect(watch.agrees()).toBe(false);
  expect(slow.health.get('clock')).toBe("the clock is 6 s behind the database's");
  watch.stop();
  expect(lines.map(({ msg }) => msg)).toEqual([
    "the clock is 6 s behind the database's: a worker claims nothing, and web is not ready, until they agree; check NTP",
  ]);
});

test.each([HOUR_MS, -HOUR_MS])('a process whose clock is %i ms wrong uses the time of the database', async (wrongBy) => {
  const { log } = collectLog();
  let shift = 0;
  const { clock, machineClock } = createClock(() => new Date(Date.now() + shift));
  const watch = await watchClock({ ...runtime(), log, machineClock });
  const secondsWrong = () => Math.abs(Math.round((clock().getTime() - Date.now()) / SECOND_MS));
  expect(secondsWrong()).toBe(0);
  // Right after the change, before the next comparison.
  shift = wrongBy;
  expect(secondsWrong()).toBe(0);
  await expect.poll(watch.agrees).toBe(false);
  expect(secondsWrong()).toBe(0);
  shift = 0;
  await expect.poll(watch.agrees).toBe(true);
  watch.stop();
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
  await expect.poll(watch.agrees).toBe(true);
  watch.stop();
});
