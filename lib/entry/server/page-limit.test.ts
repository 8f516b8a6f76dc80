import { expect, test } from 'vitest';
import { testListener } from '@/testing/fakes/listener';
import { testRuntime } from '@/testing/runtime';

// This limit allows one page per second, and five pages at once. The clock is frozen, so no further page is allowed later.
const runtime = testRuntime({ RATE_LIMIT_PAGES: '1', TRUSTED_PROXIES: '127.0.0.1' });
const now = new Date();
const origin = testListener(() => ({ ...runtime(), clock: () => now }), 'live');

test('limits the dashboard pages of an address, but not their scripts', async () => {
  const open = (path: string, from: string) => fetch(origin() + path, { headers: { 'x-forwarded-for': from } });
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1) statuses.push((await open('/m/duka', '10.0.0.1')).status);
  // The test listener has no pages, so it answers each allowed request with 404.
  expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429]);
  const refused = await open('/m/duka', '10.0.0.1');
  expect([await refused.json(), refused.headers.get('retry-after')]).toEqual([{ error: 'Too many requests' }, '1']);
  expect((await open('/_next/static/chunk.js', '10.0.0.1')).status).toBe(404);
  expect((await open('/m/duka', '10.0.0.2')).status).toBe(404);
});
