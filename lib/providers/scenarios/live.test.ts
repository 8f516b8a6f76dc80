import { expect, test } from 'vitest';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime, 'live');

test('live ignores scenarios and has no time to control', async () => {
  const { id, secret } = await (await makeMerchant(runtime())).key('live');
  const post = (path: string, body: object) =>
    fetch(`${origin()}/api/v3/${path}`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${id}:${secret}`, 'bili-sandbox-scenario': 'unavailable' },
      body: new Blob([JSON.stringify(body)]),
    });
  const created = await post('bills/create', { amount: 5000, reference: 'LIVE' });
  expect(created.status).toBe(200);
  const changed = await post('sandbox/time', { advanceSeconds: 60 });
  expect([changed.status, changed.headers.get('bili-error')]).toEqual([404, 'not_found']);
  expect(await runtime().db.prisma.sandboxScenario.count()).toBe(0);
});
