import { expect, test } from 'vitest';
import { type Counter, mailCounters, passwordCounters, proofCounters } from '@/lib/identity/accounts/sign-in/throttle-rules';
import { blockedUntil, countAttempt, deleteSpentCounters, uncountAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
let made = 0;
const counter = (...windows: Counter['windows']): Counter[] => {
  made += 1;
  return [{ key: `test/${made}`, windows }];
};

test('after the limit is reached, no attempt is allowed until the time is over', async () => {
  const counters = counter({ attempts: 3, seconds: 60 });
  for (let i = 0; i < 3; i += 1) expect(await countAttempt(runtime(), counters)).toBeNull();
  const until = await countAttempt(runtime(), counters);
  expect(until?.getTime()).toBeGreaterThan(runtime().clock().getTime() + 55 * SECOND_MS);
  expect(until?.getTime()).toBeLessThanOrEqual(runtime().clock().getTime() + MINUTE_MS);
  expect(await blockedUntil(runtime(), counters)).toEqual(expect.any(Date));
  runtime().advance(MINUTE_MS);
  expect(await blockedUntil(runtime(), counters)).toBeNull();
  expect(await countAttempt(runtime(), counters)).toBeNull();
});

test('concurrent attempts cannot exceed the limit', async () => {
  const counters = counter({ attempts: 4, seconds: 60 });
  const answers = await Promise.all(Array.from({ length: 30 }, () => countAttempt(runtime(), counters)));
  expect(answers.filter((wait) => wait === null)).toHaveLength(4);
});

test('the pause grows, and the answer contains the longest of the pauses', async () => {
  const counters = counter({ attempts: 2, seconds: 60 }, { attempts: 4, seconds: 3600 });
  const pauses: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    while ((await countAttempt(runtime(), counters)) !== null) runtime().advance(MINUTE_MS);
    const wait = await blockedUntil(runtime(), counters);
    pauses.push(wait ? Math.round((wait.getTime() - runtime().clock().getTime()) / MINUTE_MS) : 0);
  }
  expect(pauses.slice(0, 3)).toEqual([0, 1, 0]);
  expect(pauses[3]).toBeGreaterThan(50);
});

test('attempts that the short window refuses are not counted in the long one', async () => {
  const counters = counter({ attempts: 1, seconds: 60 }, { attempts: 3, seconds: 3600 });
  for (let i = 0; i < 20; i += 1) await countAttempt(runtime(), counters);
  runtime().advance(MINUTE_MS);
  expect(await countAttempt(runtime(), counters)).toBeNull();
});

test('a correct attempt is not counted', async () => {
  const counters = counter({ attempts: 1, seconds: 60 });
  for (let i = 0; i < 5; i += 1) {
    expect(await countAttempt(runtime(), counters)).toBeNull();
    await uncountAttempt(runtime(), counters);
  }
});

test('a known device has its own counter; other sign-ins count by account, IP address and network', () => {
  const keys = (device: string | null, email = 'asha@example.com', address = '2001:db8:1:2:3::4') =>
    passwordCounters({ email, address, device }).map(({ key }) => key);
  expect(keys('d1')).toEqual(['password/device/d1']);
  expect(keys(null)).toHaveLength(4);
  expect(keys(null, ' Asha@Example.com', '2001:db8:1:2::9')).toEqual(keys(null));
  expect(keys(null).join()).not.toContain('asha');
  expect(mailCounters({ email: 'a@b.co', address: '192.0.2.1', what: 'reset' })).toHaveLength(3);
  expect(proofCounters({ sessionId: 's' })).toHaveLength(1);
});

test('expired counters are deleted', async () => {
  await countAttempt(runtime(), counter({ attempts: 1, seconds: 60 }));
  runtime().advance(8 * DAY_MS);
  const open = counter({ attempts: 1, seconds: 60 });
  await countAttempt(runtime(), open);
  expect(await deleteSpentCounters(runtime().db, runtime().clock())).toBeGreaterThan(0);
  expect(await blockedUntil(runtime(), open)).toEqual(expect.any(Date));
  expect(await runtime().db.query({ text: 'SELECT 1 FROM throttle' })).toHaveLength(1);
});
