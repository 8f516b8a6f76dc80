import { expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { createKeyAuthenticator } from './authenticate-key';
import { createUsageCounter, STORE_INTERVAL_MS } from './usage-counter';

const runtime = testRuntime();

async function known(keyId: string) {
  const { db } = runtime();
  const [key] = await db.query<{ lastAddress: string | null; lastRoute: string | null }>(
    { text: 'SELECT last_address AS "lastAddress", last_route AS "lastRoute" FROM api_key WHERE id = $1' },
    [keyId],
  );
  const days = await db.query<{ uses: number }>({ text: 'SELECT uses::int AS uses FROM api_key_day WHERE key_id = $1 ORDER BY day' }, [
    keyId,
  ]);
  return { ...key, days: days.map(({ uses }) => uses) };
}

test('uses are counted in memory and stored periodically; the first use and uses from a new address are stored soon', async () => {
  const { id: keyId } = await (await makeMerchant(runtime())).key('sandbox');
  const tally = createUsageCounter(runtime());
  const use = (address: string, route = 'GET bills/:id') => tally.note({ keyId, address, route });
  use('41.59.10.7');
  await expect.poll(() => known(keyId)).toEqual({ lastAddress: '41.59.10.7', lastRoute: 'GET bills/:id', days: [1] });
  for (let i = 0; i < 10; i += 1) use('41.59.10.7');
  use('41.59.10.8');
  expect(await known(keyId)).toMatchObject({ lastAddress: '41.59.10.7', days: [1] });
  runtime().advance(6 * SECOND_MS);
  use('41.59.10.8');
  await expect.poll(() => known(keyId)).toMatchObject({ lastAddress: '41.59.10.8', days: [13] });
  use('41.59.10.8', 'POST bills/create');
  await tally.flush();
  expect(await known(keyId)).toMatchObject({ lastRoute: 'POST bills/create', days: [14] });
  runtime().advance(DAY_MS + STORE_INTERVAL_MS);
  use('41.59.10.8', 'POST bills/create');
  await expect.poll(() => known(keyId)).toMatchObject({ days: [14, 1] });
});

test('the counts of two processes are added, and an older use does not become the last use', async () => {
  const { id: keyId } = await (await makeMerchant(runtime())).key('sandbox');
  const [one, other] = [createUsageCounter(runtime()), createUsageCounter(runtime())];
  one.note({ keyId, address: '192.0.2.1', route: 'GET events' });
  await one.flush();
  one.note({ keyId, address: '192.0.2.1', route: 'GET events' });
  runtime().advance(SECOND_MS);
  other.note({ keyId, address: '192.0.2.2', route: 'GET events' });
  await other.flush();
  await one.flush();
  expect(await known(keyId)).toMatchObject({ lastAddress: '192.0.2.2', days: [3] });
});

test('the reason of a refusal distinguishes mistyped, unknown and other invalid keys', async () => {
  const merchant = await makeMerchant(runtime());
  const key = await merchant.key('sandbox');
  const keys = createKeyAuthenticator(runtime());
  const refusal = async (authorization: string | null, environment: 'live' | 'sandbox' = 'sandbox') => {
    const answer = await keys.authenticate({ authorization, environment, address: null, route: 'GET bills/:id' });
    return answer.ok ? 'none' : answer.error.why;
  };
  const mistype = (text: string) => text.slice(0, 25) + (text[25] === 'A' ? 'B' : 'A') + text.slice(26);
  expect(await refusal(`ApiKey ${key.id}:${key.secret}`)).toBe('none');
  expect(await refusal(null)).toBe('missing');
  expect(await refusal('Bearer x')).toBe('malformed');
  expect(await refusal(`ApiKey ${mistype(key.id)}:${key.secret}`)).toBe('mistyped');
  expect(await refusal(`ApiKey ${key.id}:${mistype(key.secret)}`)).toBe('mistyped');
  expect(await refusal(`ApiKey ${key.id}:${(await merchant.key('sandbox')).secret}`)).toBe('wrong_secret');
  expect(await refusal(`ApiKey ${key.id}:${key.secret}`, 'live')).toBe('other_environment');
});
