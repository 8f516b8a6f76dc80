import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findRoute } from '@/app/direct-routes';
import { forWeb } from '@/lib/entry/server/web-runtime';
import { collectLog } from '@/testing/log-lines';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { createListener } from './listener';

const runtime = testRuntime({ TRUSTED_PROXIES: '127.0.0.1' });
const { log, lines } = collectLog();
let server: Server;
let origin = '';
let unknownHost = false;
beforeAll(async () => {
  const web = { ...forWeb({ ...runtime(), log }), environmentOf: () => (unknownHost ? undefined : ('live' as const)) };
  globalThis.biliWebRuntime = web;
  server = createServer(createListener(web, findRoute, async (_, response) => void response.writeHead(204).end()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  globalThis.biliWebRuntime = undefined;
});
beforeEach(() => void lines.splice(0));

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers, redirect: 'manual' });
const written = async (count: number) => expect.poll(() => lines.filter(({ msg }) => msg === 'page')).toHaveLength(count);

test("a page writes one log line with its request id and the caller's address, but without its query", async () => {
  const answer = await get('/m/duka/live/search?q=0712345678', { 'x-forwarded-for': '192.0.2.44' });
  await written(1);
  expect(lines[0]).toMatchObject({
    msg: 'page',
    requestId: answer.headers.get('x-request-id'),
    method: 'GET',
    path: '/m/duka/live/search',
    status: 204,
    address: '192.0.2.44',
    ms: expect.any(Number),
  });
  expect(JSON.stringify(lines)).not.toContain('0712345678');
});

test('a request for an unknown host is logged with the host that arrived', async () => {
  unknownHost = true;
  await get('/m/duka/live/bills');
  unknownHost = false;
  // After a 421, fetch sends the request once more, over another connection.
  await written(2);
  expect(lines[0]).toMatchObject({ status: 421, host: new URL(origin).host });
});

test.each([
  '/reset?token=SECRET',
  '/sign-up/finish?token=SECRET',
  '/account/email/confirm?token=SECRET',
  '/invitation/SECRET',
  '/phone/SECRET',
  '/verify?code=SECRET',
])('%s is logged without its secret', async (path) => {
  await get(path);
  await written(1);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

test('the line of the payment page contains the bill id, and the line of a form its status', async () => {
  const bill = await makeBill(runtime(), await makeMerchant(runtime()), { environment: 'live' });
  const page = await get(`/pay?bill=${bill}&number=0712345678`, { 'x-request-id': 'my-own-id-1' });
  await fetch(`${origin}/pay?bill=nonsense`, { method: 'POST', body: 'x=1', redirect: 'manual' });
  await written(2);
  expect(page.headers.get('x-request-id')).toBe('my-own-id-1');
  expect(lines[0]).toMatchObject({ requestId: 'my-own-id-1', path: '/pay', status: 200, billId: bill });
  expect(lines[1]).toMatchObject({ method: 'POST', path: '/pay' });
  expect(lines[1]).not.toHaveProperty('billId');
  expect(JSON.stringify(lines)).not.toContain('0712345678');
});

test('API requests have their own line; health checks and static files have none', async () => {
  for (const path of ['/healthz', '/readyz', '/_next/static/x.js', '/api/v3/bills/x']) await get(path);
  await get('/sign-in');
  await expect.poll(() => lines.map(({ msg }) => msg).sort()).toEqual(['api', 'page']);
});
