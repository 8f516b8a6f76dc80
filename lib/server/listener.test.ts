import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findRoute } from '@/app/direct-routes';
import { makeBill, makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { createListener } from './listener';
import { forWeb } from './web-runtime';

const runtime = testRuntime();
const lookups: string[] = [];
let server: Server;
let port = 0;

beforeAll(async () => {
  const web = { ...forWeb(runtime()), environmentOf: () => 'sandbox' as const };
  globalThis.biliWebRuntime = web;
  const counted = (path: string) => {
    lookups.push(path);
    return findRoute(path);
  };
  server = createServer(createListener(web, counted, async (_, response) => void response.writeHead(204).end()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => {
  globalThis.biliWebRuntime?.limits.stop();
  globalThis.biliWebRuntime = undefined;
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  lookups.splice(0);
});

/** Sends a request with exactly this target. fetch would normalise it. */
async function ask(target: string, method = 'GET', headers = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

test.each([
  ['GET', '/api/v3/bills/x', 401],
  ['GET', '/api/v3/bills/a%5Cb', 401],
  ['GET', '/api/v3//bills', 404],
  ['GET', '/api/v3/nothing?x=1', 404],
  ['POST', '/api/v3/bills/create', 401],
  ['PUT', '/api/v3/bills/create', 405],
  ['GET', '/api/v1/bills', 410],
  ['GET', '/healthz', 200],
])('%s %s is looked up once', async (method, target, status) => {
  expect(await ask(target, method)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(lookups).toEqual([target.split('?')[0]]);
});

test('the route receives the parameter as the client sent it', async () => {
  const merchant = await makeMerchant(runtime());
  const { id, secret } = await merchant.key('sandbox');
  const authorization = `Authorization: ApiKey ${id}:${secret}\r\n`;
  const billId = await makeBill(runtime(), merchant);
  expect(await ask(`/api/v3/bills/${billId}`, 'GET', authorization)).toContain(`"id":"${billId}"`);
  expect(await ask('/api/v3/bills/%63reate', 'GET', authorization)).toContain('Bill with id create not found');
  // A `URL` object would escape the quotation mark in the first path and resolve the dots in the second. `ask` sends both unchanged.
  expect(await ask('/api/v3/bills/a"b', 'GET', authorization)).toContain(JSON.stringify('Bill with id a"b not found'));
  expect(await ask(`/api/v3/x/../bills/${billId}`, 'GET', authorization)).toContain(`"id":"${billId}"`);
});

test.each([
  ['/api/v3/../../healthz', '{"status":"ok"}'],
  ['/api/v3/../../m/x', '{"error":"Not found"}'],
  ['/api/v3/./nothing', '{"error":"Not found"}'],
])('dot segments of the path %s are resolved before the lookup', async (target, body) => {
  expect(await ask(target)).toContain(body);
});
