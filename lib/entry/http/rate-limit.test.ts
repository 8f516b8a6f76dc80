import { beforeAll, describe, expect, test } from 'vitest';
import { forWeb } from '@/lib/entry/server/web-runtime';
import { deleteOldRates } from '@/lib/identity/limits/store';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

// A client may send the requests of five seconds at once: 10 writes, 20 reads, 10 failures and 15 pages.
const runtime = testRuntime({
  RATE_LIMIT_SANDBOX_WRITES: '2',
  RATE_LIMIT_SANDBOX_READS: '4',
  RATE_LIMIT_FAILURES: '2',
  RATE_LIMIT_PAGES: '3',
  TRUSTED_PROXIES: '127.0.0.1',
});
// The clock is frozen, so that no limit is refilled during requests.
let now = Date.now();
const frozen = () => ({ ...runtime(), clock: () => new Date(now) });
const origin = testListener(frozen);

let shop: TestMerchant;
let authorization: string;
beforeAll(async () => {
  shop = await makeMerchant(runtime());
  authorization = await newKey();
});
async function newKey(): Promise<string> {
  const { id, secret } = await shop.key('sandbox');
  return `ApiKey ${id}:${secret}`;
}

const create = (key: string, from = '10.0.0.1') =>
  fetch(`${origin()}/api/v3/bills/create`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json', 'x-forwarded-for': from },
    body: '{"amount":100,"reference":"R"}',
  });
const read = (key: string, id: string) => fetch(`${origin()}/api/v3/bills/${id}`, { headers: { authorization: key } });
const statuses = (answers: readonly Response[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .sort()
      .map((status) => [status, answers.filter((one) => one.status === status).length]),
  );
const times = <Value>(count: number, one: () => Promise<Value>) => Promise.all(Array.from({ length: count }, one));

describe('a key', () => {
  test('has a limit of its own for the bills of bulk requests, which a request may exceed once', async () => {
    const key = await newKey();
    const bulk = (count: number) =>
      fetch(`${origin()}/api/v3/bills/bulk`, {
        method: 'POST',
        headers: { authorization: key },
        body: new Blob([JSON.stringify({ bills: Array.from({ length: count }, () => ({ amount: 100, reference: 'R' })) })]),
      });
    // The limit is 10 bills a second, and 50 at once. The first request leaves 10 of the 50, so the second may exceed the limit once.
    expect([(await bulk(40)).status, (await bulk(40)).status]).toEqual([200, 200]);
    const refused = await bulk(1);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '4']);
    expect((await create(key)).status).toBe(200);
    now += 4_000;
    expect((await bulk(1)).status).toBe(200);
  });

  test('has separate limits for writes and reads, and headers that show what is left', async () => {
    const first = await create(authorization);
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-policy')).toBe('"second";q=10;w=5');
    expect(first.headers.get('ratelimit')).toBe('"second";r=9;t=1');
    const { id } = await first.json();

    expect(statuses(await times(11, () => create(authorization)))).toEqual({ 200: 9, 429: 2 });
    const refused = await create(authorization);
    expect(await refused.json()).toEqual({ error: 'Too many requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-request-id')).not.toBeNull();
    expect(statuses(await times(20, () => read(authorization, id)))).toEqual({ 200: 20 });
    expect((await read(authorization, id)).status).toBe(429);

    now += 1_000;
    expect(statuses(await times(3, () => create(authorization)))).toEqual({ 200: 2, 429: 1 });
  });

  test('does not use up the limit of another key of the merchant', async () => {
    const other = await newKey();
    await times(11, () => create(authorization));
    expect((await create(other)).status).toBe(200);
  });

  test('has one limit over all processes', async () => {
    const key = `ApiKey ${(await shop.key('sandbox')).id}`;
    const [here, there] = [forWeb(frozen()), forWeb(frozen())];
    try {
      const taken = (web: typeof here) => web.limits.takeKey(key, 'sandbox', 'POST');
      while (taken(there).allowed);
      await there.limits.sharing.exchange();
      while (taken(here).allowed);
      await here.limits.sharing.exchange();
      now += 1_000;
      expect(taken(here).allowed).toBe(false);
      expect(await runtime().db.query({ text: 'SELECT 1 FROM rate_use WHERE subject = $1' }, [`POST ${key}`])).toHaveLength(2);
    } finally {
      here.limits.stop();
      there.limits.stop();
    }
    await runtime().db.query({ text: "UPDATE rate_use SET updated_at = now() - interval '2 minutes'" });
    expect(await deleteOldRates(runtime().db)).toBeGreaterThanOrEqual(2);
  });
});

describe('an address', () => {
  test('that guesses keys gets 429 instead of 401, but a correct key still works from there', async () => {
    const wrong = () => create('ApiKey bili_sandbox_key_none:none', '10.0.0.2');
    expect(statuses(await times(15, wrong))).toEqual({ 401: 10, 429: 5 });
    const refused = await wrong();
    expect([await refused.json(), refused.headers.has('retry-after')]).toEqual([{ error: 'Too many requests' }, true]);
    expect((await create(await newKey(), '10.0.0.2')).status).toBe(200);
    expect((await create('ApiKey none:none', '10.0.0.3')).status).toBe(401);
  });

  test.each(['/pay?bill=', '/verify?lang='])('that opens too many pages like %s gets 429; other addresses do not', async (path) => {
    const from = `10.1.${path.length}.1`;
    const bill = await makeBill(runtime(), shop, { amount: 1000 });
    const open = (address: string) => fetch(`${origin()}${path}${bill}`, { headers: { 'x-forwarded-for': address } });
    const answers = await times(18, () => open(from));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 429)?.headers.has('retry-after')).toBe(true);
    expect((await open('10.9.9.9')).status).not.toBe(429);
  });
});

test('a client that continues after a refusal gets each further refusal with a delay', async () => {
  const key = await newKey();
  await times(10, () => create(key));
  const quick = await times(15, () => create(key));
  expect(statuses(quick)).toEqual({ 429: 15 });
  const { limits } = forWeb(frozen());
  limits.stop();
  const refusal = { allowed: false, perSecond: 2, remaining: 0, resetSeconds: 5, retrySeconds: 1 };
  const began = performance.now();
  await limits.delayRefusal({ ...refusal, excess: 1 });
  expect(performance.now() - began).toBeLessThan(900);
  await limits.delayRefusal({ ...refusal, excess: 100 });
  expect(performance.now() - began).toBeGreaterThan(900);
});
