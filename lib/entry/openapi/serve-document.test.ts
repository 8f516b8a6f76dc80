import { expect, test } from 'vitest';
import { testListener } from '@/testing/fakes/listener';
import { testRuntime } from '@/testing/runtime';

const origin = testListener(testRuntime());
const call = (init: RequestInit = {}) => fetch(`${origin()}/api/v3/openapi.json`, init);

test('everybody can read the description, also scripts of other websites, and it is compressed', async () => {
  const answer = await call({ headers: { 'accept-encoding': 'gzip' } });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    'content-encoding': 'gzip',
    etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    'x-request-id': expect.any(String),
  });
  expect(await answer.json()).toMatchObject({
    openapi: '3.1.0',
    paths: { '/api/v3/bills/create': { post: { operationId: 'createBill' } } },
    // The test's listener is that of the sandbox, so tools that take the first server use the sandbox.
    servers: [{ description: 'Sandbox' }, { description: 'Live' }],
  });
});

test('a client that has the description gets 304', async () => {
  const etag = (await call()).headers.get('etag') ?? '';
  for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const answer = await call({ headers: { 'if-none-match': known } });
    expect(answer.status, known).toBe(304);
    expect(await answer.text()).toBe('');
  }
  expect((await call({ headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test('HEAD has no body; other methods are answered with 405', async () => {
  const head = await call({ method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = await call({ method: 'POST', body: '{}' });
  expect([post.status, post.headers.get('allow'), post.headers.get('bili-error')]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  expect(await post.json()).toEqual({ error: 'Method POST is not allowed' });
});
