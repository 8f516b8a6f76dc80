import { beforeAll, expect, test } from 'vitest';
import { API_ROUTES } from '@/app/api/v3/api-routes';
import { type ApiRuntime, routeFinder } from '@/lib/entry/http/api';
import { environmentFinder } from '@/lib/entry/http/request-facts';
import type { Reply, SentRequest } from '@/lib/entry/http/sent-request';
import { forWeb } from '@/lib/entry/server/web-runtime';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { ok } from '@/lib/platform/core/result';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { answerFromDocs } from './answer-from-docs';

const runtime = testRuntime();
const find = routeFinder(API_ROUTES);
let web: ApiRuntime;
let sandboxKey: KeyPair;
let liveKey: KeyPair;
beforeAll(async () => {
  web = { ...forWeb(runtime()), environmentOf: environmentFinder({ ...runtime().settings, defaultBaseUrls: false }) };
  const { key } = await makeMerchant(runtime());
  [sandboxKey, liveKey] = [await key('sandbox'), await key('live')];
});

function call(host: string, { id, secret }: KeyPair): Promise<Reply> {
  const url = '/docs/send/api/v3/bills?limit=1';
  const headers: Readonly<Record<string, string>> = { host, authorization: `ApiKey ${id}:${secret}` };
  const request: SentRequest = {
    method: 'GET',
    path: '/docs/send/api/v3/bills',
    url,
    headers: { get: (name) => headers[name] ?? null },
    readBody: async () => ok(new Uint8Array()),
    bodyRead: () => null,
  };
  return answerFromDocs(web, request, find('/api/v3/bills'));
}

test('the sandbox answers, on both base addresses', async () => {
  const { LIVE_BASE_URL, SANDBOX_BASE_URL } = runtime().settings;
  for (const { host } of [LIVE_BASE_URL, SANDBOX_BASE_URL]) {
    expect(await call(host, sandboxKey), host).toMatchObject({ status: 200, body: expect.stringContaining('"bills"') });
    expect((await call(host, liveKey)).headers, host).toMatchObject({ 'bili-error': 'credentials_invalid' });
  }
});

test('an unknown host is refused', async () => {
  expect((await call('elsewhere.example.com', sandboxKey)).status).toBe(421);
});
