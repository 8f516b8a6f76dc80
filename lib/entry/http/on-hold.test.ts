import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findRoute } from '@/app/direct-routes';
import { forWeb } from '@/lib/entry/server/web-runtime';
import type { Environment } from '@/lib/platform/core/scope';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { createListener } from './listener';
import { FORM_ON_HOLD } from './same-origin';

const runtime = testRuntime();
const HOLD = { since: new Date('2026-11-28T10:00:00Z'), reason: 'restored' };
let server: Server;
let origin = '';
let environment: Environment = 'live';
let shop: TestMerchant;
let authorization = '';

beforeAll(async () => {
  const web = { ...forWeb(runtime()), environmentOf: () => environment };
  globalThis.biliWebRuntime = web;
  server = createServer(createListener(web, findRoute, async (_request, response) => void response.end('from Next.js')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  shop = await makeMerchant(runtime());
  const { id, secret } = await shop.key('live');
  authorization = `ApiKey ${id}:${secret}`;
});
afterAll(() => {
  globalThis.biliWebRuntime?.limits.stop();
  globalThis.biliWebRuntime = undefined;
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  environment = 'live';
  globalThis.biliHold = HOLD;
});
afterEach(() => {
  globalThis.biliHold = undefined;
});

const post = (path: string, headers: Record<string, string> = {}, body = 'a=1') =>
  fetch(origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
    body,
  });
const asPerson = { accept: 'text/html' };
const create = () =>
  post('/api/v3/bills/create', { authorization, 'content-type': 'application/json' }, '{"amount":5000,"reference":"HELD-1"}');

test('the API refuses changes in its own form, and answers reads', async () => {
  const refused = await create();
  expect({ status: refused.status, code: refused.headers.get('bili-error'), retry: refused.headers.get('retry-after') }).toEqual({
    status: 503,
    code: 'on_hold',
    retry: '60',
  });
  expect(await refused.json()).toEqual({ error: expect.any(String) });
  expect(await runtime().db.prisma.bill.count({ where: { reference: 'HELD-1' } })).toBe(0);
  const billId = await makeBill(runtime(), shop, { environment: 'live' });
  const read = await fetch(`${origin}/api/v3/bills/${billId}`, { headers: { authorization } });
  expect(await read.json()).toMatchObject({ id: billId });
});

test('a process that has not read its database yet refuses changes, too', async () => {
  globalThis.biliHold = 'unread';
  expect((await create()).status).toBe(503);
});

test.each(['/pay?bill=x', '/m/duka/live/bills', '/sign-up', '/forgot', '/phone/x'])(
  'the form of %s is refused with an explanation',
  async (path) => {
    const page = await post(path, asPerson);
    expect({ status: page.status, text: await page.text() }).toEqual({ status: 503, text: expect.stringContaining('<h1>') });
    const script = await post(path, { 'next-action': 'x' });
    expect({ status: script.status, text: await script.text() }).toEqual({ status: 503, text: FORM_ON_HOLD });
  },
);

test.each(['/sign-in', '/api/auth/callback/credentials', '/preferences', '/sign-out'])(
  '%s is not refused, so that people can sign in',
  async (path) => {
    expect((await post(path, asPerson)).status).not.toBe(503);
  },
);

test('pages are shown', async () => {
  const billId = await makeBill(runtime(), shop, { environment: 'live' });
  expect((await fetch(`${origin}/pay?bill=${billId}`)).status).toBe(200);
  expect(await (await fetch(`${origin}/m/duka/live/bills`)).text()).toBe('from Next.js');
});

test("a provider's callback reaches its route", async () => {
  expect((await post('/callbacks/mixx/unknown', { 'content-type': 'application/json' }, '{}')).status).toBe(404);
});

test('the readiness check says since when', async () => {
  const ready = await fetch(`${origin}/readyz`);
  expect({ status: ready.status, body: await ready.json() }).toEqual({
    status: 200,
    body: { status: 'ready', onHoldSince: HOLD.since.toISOString() },
  });
  globalThis.biliHold = null;
  expect(await (await fetch(`${origin}/readyz`)).json()).toEqual({ status: 'ready' });
});
