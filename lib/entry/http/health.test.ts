import { expect, test } from 'vitest';
import { forWeb } from '@/lib/entry/server/web-runtime';
import { HOUR_MS } from '@/lib/platform/core/clock';
import { openDatabase } from '@/lib/platform/db/database';
import { watchClock } from '@/lib/platform/db/watch-clock';
import { testListener } from '@/testing/fakes/listener';
import { startTcpProxy } from '@/testing/fakes/tcp-proxy';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { readinessHandler } from './health';

const runtime = testRuntime({ TRUSTED_PROXIES: '127.0.0.1' });
const origin = testListener(runtime);

function openOne(url: string) {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'test', onError: () => undefined });
  const web = forWeb({ ...runtime(), db });
  const ask = readinessHandler(() => web);
  return { db, status: async () => (await ask(new Request('http://localhost/readyz'))).status };
}

test('a process is not ready while its database is read-only', async () => {
  const { db, status } = openOne(runtime().settings.DATABASE_URL);
  expect(await status()).toBe(200);
  await db.query({ text: 'SET default_transaction_read_only = on' });
  expect(await status()).toBe(503);
  await db.query({ text: 'SET default_transaction_read_only = off' });
  expect(await status()).toBe(200);
  await db.close();
});

test('a process is not ready while its clock is wrong', async () => {
  const web = forWeb(runtime());
  const ask = async () => (await readinessHandler(() => web)(new Request('http://localhost/readyz'))).json();
  const watch = await watchClock(runtime());
  expect(await ask()).toEqual({ status: 'ready' });
  runtime().advance(HOUR_MS);
  await expect.poll(ask).toEqual({ status: 'not ready', reason: "the clock is 3600 s ahead of the database's" });
  runtime().advance(-HOUR_MS);
  await expect.poll(ask).toEqual({ status: 'ready' });
  watch.stop();
});

test('while commits do not end, requests that write are refused at once, and others are answered', async () => {
  const shop = await makeMerchant(runtime());
  const { id, secret } = await shop.key('sandbox');
  const headers = { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ amount: 100, reference: 'R' });
  const create = async () => {
    const answer = await fetch(`${origin()}/api/v3/bills/create`, { method: 'POST', headers, body });
    return [answer.status, answer.headers.get('retry-after')];
  };
  runtime().health.set('commits', 'the disk is full');
  expect(await create()).toEqual([503, '5']);
  expect((await fetch(`${origin()}/api/v3/bills`, { headers })).status).toBe(200);
  runtime().health.clear();
  expect(await create()).toEqual([200, null]);
});

test('readiness is answered within two seconds if the database does not respond', async () => {
  const { DATABASE_URL } = runtime().settings;
  const proxy = await startTcpProxy(Number(new URL(DATABASE_URL).port));
  const { db, status } = openOne(proxy.throughProxy(DATABASE_URL));
  expect(await status()).toBe(200);
  proxy.blackHole();
  const asked = performance.now();
  expect(await status()).toBe(503);
  expect(performance.now() - asked).toBeLessThan(2_000);
  proxy.close();
  await db.close();
});
