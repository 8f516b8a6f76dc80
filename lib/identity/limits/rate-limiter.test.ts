import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BURST_SECONDS, createRateLimiter } from './rate-limiter';
import { rateHeaders } from './request-limits';

function limiterAt(start = 1_000_000) {
  let now = start;
  const limiter = createRateLimiter(() => new Date(now));
  return { limiter, wait: (ms: number) => (now += ms), now: () => now };
}

test('allows a burst at once, then the rate', () => {
  const { limiter, wait } = limiterAt();
  const allowed = (count: number) => Array.from({ length: count }, () => limiter.take('a', 10).allowed).filter(Boolean).length;
  expect(allowed(200)).toBe(10 * BURST_SECONDS);
  wait(1_000);
  expect(allowed(200)).toBe(10);
  wait(60_000);
  expect(allowed(200)).toBe(10 * BURST_SECONDS);
  expect(limiter.take('b', 10).allowed).toBe(true);
});

test('the burst can be another one', () => {
  const { limiter, wait } = limiterAt();
  const allowed = () => Array.from({ length: 400 }, () => limiter.take('a', 5, { burstSeconds: 60 }).allowed).filter(Boolean).length;
  expect(allowed()).toBe(300);
  wait(1_000);
  expect(allowed()).toBe(5);
});

test('never allows more than the burst plus the rate, whenever requests come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (pauses, rate) => {
      const { limiter, wait, now } = limiterAt();
      const began = now();
      let allowed = 0;
      for (const pause of pauses) {
        wait(pause);
        if (limiter.take('a', rate).allowed) allowed += 1;
        expect(allowed).toBeLessThanOrEqual(rate * BURST_SECONDS + ((now() - began) / 1_000) * rate);
      }
    }),
  );
});

test('allows a request after the time in Retry-After', () => {
  const { limiter, wait } = limiterAt();
  while (limiter.take('a', 2).allowed);
  const refused = limiter.take('a', 2);
  expect(refused).toMatchObject({ allowed: false, remaining: 0, retrySeconds: 1, excess: 2 });
  expect(rateHeaders(refused)).toEqual({ 'ratelimit-policy': '"second";q=10;w=5', ratelimit: '"second";r=0;t=5', 'retry-after': '1' });
  wait(refused.retrySeconds * 1_000);
  expect(limiter.take('a', 2)).toMatchObject({ allowed: true, retrySeconds: 0, excess: 1 });
});

test('the excess grows with refusals and falls with allowed requests', () => {
  const { limiter, wait } = limiterAt();
  const second = (requests: number) => {
    wait(1_000);
    return Array.from({ length: requests }, () => limiter.take('a', 10)).at(-1)?.excess;
  };
  second(50);
  expect([second(30), second(30), second(30)]).toEqual([20, 30, 40]);
  expect([second(10), second(10), second(10)]).toEqual([30, 20, 10]);
  expect([second(15), second(15)]).toEqual([5, 5]);
});

test('subtracts the rates of other processes until they stop', () => {
  const { limiter, wait } = limiterAt();
  while (limiter.take('a', 100).allowed);
  expect(limiter.collect(1_000, 2)).toEqual([{ subject: 'a', perSecond: 500 }]);
  expect(limiter.collect(1_000, 2)).toEqual([]);
  const inASecond = () => {
    wait(1_000);
    let allowed = 0;
    while (limiter.take('a', 100).allowed) allowed += 1;
    return allowed;
  };
  limiter.learn([{ subject: 'a', perSecond: 60 }]);
  expect(inASecond()).toBe(40);
  limiter.learn([{ subject: 'a', perSecond: 500 }]);
  expect(inASecond()).toBe(5);
  limiter.learn([]);
  expect(inASecond()).toBe(100);
});
