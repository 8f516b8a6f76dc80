import { beforeAll, expect, test } from 'vitest';
import { letIn } from '@/testing/data/access';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { testWebProcess } from '@/testing/web-process';
import { createKey, NO_LIMITS, revokeKey, rollKey } from './change-keys';
import type { KeyPair } from './rules';
import { showKey } from './show-keys';
import { findScopedKey, type KeyLimits, updateKey } from './store';

const runtime = testRuntime();
const proxy = { TRUSTED_PROXIES: '127.0.0.1,::1' };
const first = testWebProcess(() => runtime().settings.DATABASE_URL, proxy);
const second = testWebProcess(() => runtime().settings.DATABASE_URL, proxy);
let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await makeMerchant(runtime());
});

async function newKey(limits: Partial<KeyLimits> = {}, shop = merchant): Promise<KeyPair> {
  const created = await createKey(runtime(), shop.operator('sandbox'), { label: 'Till', limits: { ...NO_LIMITS, ...limits } });
  if (!created.ok) throw new Error(created.error);
  return created.value;
}

interface Sent {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

async function create(key: KeyPair, amount: number, headers: Record<string, string> = {}, base = first().sandbox): Promise<Sent> {
  const response = await fetch(`${base}/api/v3/bills/create`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key.id}:${key.secret}`, 'x-forwarded-for': '41.59.10.7', ...headers },
    body: new TextEncoder().encode(JSON.stringify({ amount, reference: `LIMIT-${key.id}` })),
  });
  return { status: response.status, json: await response.json(), headers: response.headers };
}

async function billsOf(key: KeyPair): Promise<number> {
  const [row] = await runtime().db.query<{ count: number }>({ text: 'SELECT count(*)::int AS count FROM bill WHERE reference = $1' }, [
    `LIMIT-${key.id}`,
  ]);
  return row?.count ?? 0;
}

test('a bill above the limit is refused and not stored', async () => {
  const key = await newKey({ billMax: 5_000_050n });
  expect(await create(key, 50_000.5)).toMatchObject({ status: 200 });
  expect(await create(key, 50_000.51)).toMatchObject({ status: 403, json: { error: 'amount must not exceed 50000.5 with this api key' } });
  expect(await billsOf(key)).toBe(1);
});

test('the daily limit holds for concurrent requests to two processes and can be used completely', async () => {
  const key = await newKey({ dayMax: 1_000_000n });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => create(key, 700, {}, (index % 2 === 0 ? first() : second()).sandbox)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(14);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(26);
  expect(await billsOf(key)).toBe(14);
  expect(await create(key, 201)).toMatchObject({ status: 403, json: { error: 'The bills of this api key must not exceed 10000 a day' } });
  expect(await create(key, 200)).toMatchObject({ status: 200 });
  expect(await create(key, 0.01)).toMatchObject({ status: 403 });
});

test('a key and its successors share one daily total', async () => {
  const roll = async (id: string) => {
    const rolled = await rollKey(runtime(), merchant.operator('sandbox'), { id, overlap: 'open' });
    if (!rolled.ok) throw new Error(rolled.error);
    return rolled.value.pair;
  };
  const line = [await newKey({ dayMax: 1_000_000n })];
  for (let rolls = 0; rolls < 2; rolls += 1) line.push(await roll(line.at(-1)?.id ?? ''));
  const answers = await Promise.all(
    Array.from({ length: 14 }, () => line.map((key, index) => create(key, 700, {}, (index % 2 === 0 ? first() : second()).sandbox))).flat(),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(14);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(28);
  const [oldest, , newest] = line;
  if (!oldest || !newest) throw new Error('no line');
  await revokeKey(runtime(), merchant.operator('sandbox'), oldest.id);
  expect(await create(newest, 201)).toMatchObject({
    status: 403,
    json: { error: 'The bills of this api key must not exceed 10000 a day' },
  });
  expect(await create(newest, 200)).toMatchObject({ status: 200 });
  expect(await showKey(runtime(), await letIn(runtime(), merchant), newest.id)).toMatchObject({ billedToday: 1_000_000n });
  // Revoking a successor and rolling the key again does not reset the total.
  await revokeKey(runtime(), merchant.operator('sandbox'), newest.id);
  expect(await create(await roll(line[1]?.id ?? ''), 0.01)).toMatchObject({ status: 403 });
});

test('the limit of a successor applies to the shared total', async () => {
  const old = await newKey({ dayMax: 100_000n });
  const rolled = await rollKey(runtime(), merchant.operator('sandbox'), { id: old.id, overlap: 'open' });
  if (!rolled.ok) throw new Error(rolled.error);
  const { pair } = rolled.value;
  await updateKey(runtime().db, pair.id, { ...NO_LIMITS, dayMax: 300_000n, label: 'Till', expiresAt: null });
  expect((await create(old, 1000)).status).toBe(200);
  expect((await create(pair, 2000.01)).status).toBe(403);
  expect((await create(pair, 2000)).status).toBe(200);
  expect((await create(old, 1)).status).toBe(403);
});

test('a replayed request counts once, and is answered even when the daily limit is reached', async () => {
  const key = await newKey({ dayMax: 100_000n, billMax: 90_000n });
  const keyed = { 'idempotency-key': `limits-${key.id}` };
  const many = await Promise.all(Array.from({ length: 12 }, () => create(key, 600, keyed)));
  expect(new Set(many.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
  expect(many[0]?.status).toBe(200);
  expect(await create(key, 400)).toMatchObject({ status: 200 });
  expect(await create(key, 1)).toMatchObject({ status: 403 });
  const replay = await create(key, 600, keyed);
  expect([replay.status, replay.json.id, replay.headers.get('idempotency-replayed')]).toEqual([200, many[0]?.json.id, 'true']);
  expect(await create(key, 700, keyed)).toMatchObject({ status: 422 });
  expect(await billsOf(key)).toBe(2);
});

test('a bill that is refused for a duplicate reference is not counted', async () => {
  const shop = await makeMerchant(runtime());
  await runtime().db.query({ text: 'UPDATE merchant_profile SET unique_references = true WHERE merchant_id = $1' }, [shop.merchant.id]);
  const key = await newKey({ dayMax: 100_000n }, shop);
  const answers = await Promise.all([1, 2, 3].map(() => create(key, 900)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const [day] = await runtime().db.query<{ billed: bigint }>({ text: 'SELECT billed FROM api_key_day WHERE key_id = $1' }, [key.id]);
  expect(day?.billed).toBe(90_000n);
});

test('the daily total starts at zero on each day in East Africa', async () => {
  const key = await newKey({ dayMax: 100_000n });
  expect((await create(key, 1000)).status).toBe(200);
  expect((await create(key, 1)).status).toBe(403);
  await runtime().db.query({ text: 'UPDATE api_key_day SET day = day - 1 WHERE key_id = $1' }, [key.id]);
  expect((await create(key, 1)).status).toBe(200);
});

test('a key works only from its networks, and stores the address of its last use', async () => {
  const key = await newKey({ networks: ['41.59.0.0/16', '2001:db8::/32'] });
  expect(await create(key, 1)).toMatchObject({ status: 200 });
  expect(await create(key, 1, { 'x-forwarded-for': '2001:db8::7' })).toMatchObject({ status: 200 });
  expect(await create(key, 1, { 'x-forwarded-for': '41.60.0.1' })).toMatchObject({
    status: 403,
    json: { error: 'This api key may not be used from 41.60.0.1' },
  });
  expect(await create({ ...key, secret: `${key.secret}x` }, 1, { 'x-forwarded-for': '41.60.0.1' })).toMatchObject({ status: 401 });
  expect(await billsOf(key)).toBe(2);
  await expect
    .poll(async () => findScopedKey(runtime().db, merchant.scope('sandbox'), key.id, { lock: false }))
    .toMatchObject({ lastAddress: '41.59.10.7', lastRoute: 'POST bills/create' });
});

test('a revoked key is refused by every process within a second', async () => {
  const key = await newKey();
  for (const entryPoint of [first(), second()]) expect((await create(key, 1, {}, entryPoint.sandbox)).status).toBe(200);
  await revokeKey(runtime(), merchant.operator('sandbox'), key.id);
  const revokedAt = Date.now();
  for (const entryPoint of [first(), second()]) {
    await expect.poll(async () => (await create(key, 1, {}, entryPoint.sandbox)).status, { timeout: 1_000, interval: 50 }).toBe(401);
  }
  expect(Date.now() - revokedAt).toBeLessThan(1_000);
});
