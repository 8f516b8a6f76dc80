import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findRoute } from '@/app/direct-routes';
import { forWeb, webRuntime } from '@/lib/entry/server/web-runtime';
import type { Environment } from '@/lib/platform/core/scope';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { answerBrokenRequest, createListener } from './listener';
import { FOREIGN_FORM } from './same-origin';

const runtime = testRuntime();
const lookups: string[] = [];
let server: Server;
let port = 0;
let environment: Environment | undefined;

beforeAll(async () => {
  const web = { ...forWeb(runtime()), environmentOf: () => environment };
  globalThis.biliWebRuntime = web;
  const counted = (path: string) => {
    lookups.push(path);
    return findRoute(path);
  };
  const listener = createListener(web, counted, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.writeHead(200).end(JSON.stringify({ next: true, method: request.method, url: request.url, headers: request.headers, body }));
  });
  server = createServer({ requireHostHeader: false }, listener).on('checkExpectation', listener).on('clientError', answerBrokenRequest);
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
  environment = 'sandbox';
});

/** Sends a request with exactly this target. fetch would normalise it. */
const ask = (target: string, method = 'GET', headers = '') =>
  send(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);

async function send(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

/** Sends a form to a dashboard page. Returns the status, and what Next.js would have received. */
async function sendForm(headers: string, body = 'a=1', type = 'application/x-www-form-urlencoded') {
  environment = 'live';
  const about = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`;
  const answer = await send(`POST /m/duka/live/bills HTTP/1.1\r\n${about}${headers}\r\n${body}`);
  const [, status, sent] = /^HTTP\/1\.1 (\d+) .*?\r\n\r\n(.*)$/s.exec(answer) ?? [];
  const received: unknown = status === '200' ? JSON.parse((sent ?? '').replace(/^[\da-f]+\r\n|\r\n0\r\n\r\n$/g, '')) : null;
  return { status: Number(status), received, text: sent ?? '' };
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

const OWN_FORM = 'Origin: https://pay.example\r\n';

test.each([
  ['with the default port', 'Host: Pay.Example:443\r\n'],
  ['with X-Forwarded-Host', 'Host: pay.example\r\nX-Forwarded-Host: bili-web:3000\r\n'],
  ['with a list in X-Forwarded-Host', 'Host: pay.example\r\nX-Forwarded-Host: evil.example, bili-web:3000\r\nX-FORWARDED-HOST: x\r\n'],
])('our own form reaches Next.js %s, with one normalised Host', async (_name, headers) => {
  const { received } = await sendForm(headers + OWN_FORM);
  expect(received).toMatchObject({ next: true, body: 'a=1', headers: { host: 'pay.example', origin: 'https://pay.example' } });
  expect(received).not.toHaveProperty(['headers', 'x-forwarded-host']);
});

test.each(['null', 'https://renamed.example'])('Sec-Fetch-Site proves our own form, even with the Origin %s', async (origin) => {
  const { received } = await sendForm(`Host: pay.example\r\nOrigin: ${origin}\r\nSec-Fetch-Site: same-origin\r\n`);
  expect(received).toMatchObject({ next: true, headers: { host: 'pay.example', origin: expect.stringMatching(/\/\/pay\.example$/) } });
});

test.each([
  ['Origin: https://evil.example\r\n', 1],
  ['Origin: null\r\n', 1],
  ['Origin: https://pay.example\r\nSec-Fetch-Site: cross-site\r\n', 1],
  ['', 0],
])('a form with %j is refused with an explanation, and counted %d times', async (headers, counted) => {
  const { foreignForms } = webRuntime();
  const before = foreignForms.count;
  const page = await sendForm(`Host: pay.example\r\nAccept: text/html,*/*\r\n${headers}`);
  expect(page).toMatchObject({ status: 403, text: expect.stringContaining('<h1>') });
  expect(foreignForms.count - before).toBe(counted);
  const script = await sendForm(`Host: pay.example\r\nAccept: text/x-component\r\nNext-Action: x\r\n${headers}`);
  expect(script).toMatchObject({ status: 403, text: FOREIGN_FORM });
});

const PART = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
const MULTIPART = 'multipart/form-data; boundary=b';
test.each([
  ['a complete form', MULTIPART, PART, '', 200],
  ['JSON instead of a form', MULTIPART, '{"a":1}', '', 400],
  ['an empty form', MULTIPART, '', '', 400],
  ['a form that ends early', MULTIPART, PART.slice(0, 30), '', 400],
  ['a form without a boundary', 'multipart/form-data', PART, '', 400],
  ['the arguments of an action', 'text/plain;charset=UTF-8', '["x"]', 'Next-Action: x\r\n', 200],
  ['broken arguments of an action', 'text/plain;charset=UTF-8', '["x', 'Next-Action: x\r\n', 400],
])('Next.js receives only bodies that it can read: %s', async (_name, type, body, headers, status) => {
  const answer = await sendForm(`Host: pay.example\r\n${OWN_FORM}${headers}`, body, type);
  expect(answer).toMatchObject({ status, received: status === 200 ? { body } : null });
});

test.each([
  ['POST', '/robots.txt', 405],
  ['PUT', '/favicon.ico', 405],
  ['DELETE', '/manifest.webmanifest', 405],
  ['POST', '/_next/x', 405],
  ['PUT', '/sign-in', 405],
  ['TRACE', '/sign-in', 405],
  ['GET', '/sign-in', 200],
])('%s %s of live is answered with %d', async (method, target, status) => {
  environment = 'live';
  const answer = await ask(target, method);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  if (status === 405) expect(answer).toMatch(/^allow: GET, HEAD/m);
});

test('the API is found below a base address that ends with a slash', async () => {
  expect(await ask('//api/v3/networks')).toMatch(/^HTTP\/1\.1 401 /);
  expect(await ask('///api/v3/bills/create', 'POST')).toMatch(/^HTTP\/1\.1 401 /);
});

const HELPFUL = ['bili-error: ', 'link: <', 'x-request-id: ', 'cache-control: no-store', 'x-content-type-options: nosniff'];
const end = '\r\nConnection: close\r\n\r\n';
test.each([
  ['a path that resembles the API', `GET /API/V3/networks HTTP/1.1\r\nHost: x${end}`, 404],
  ['a path without the slash', `GET /apiv3 HTTP/1.1\r\nHost: x${end}`, 404],
  ['the folder of the API', `POST /api HTTP/1.1\r\nHost: x${end}`, 404],
  ['an unknown version', `GET /api/v20 HTTP/1.1\r\nHost: x${end}`, 404],
  ['the target *', `OPTIONS * HTTP/1.1\r\nHost: x${end}`, 404],
  ['a malformed Host', `GET /api/v3/networks HTTP/1.1\r\nHost: x y${end}`, 421],
  ['no Host', `GET /api/v3/networks HTTP/1.1${end}`, 400],
  ['two Hosts', `GET /api/v3/networks HTTP/1.1\r\nHost: x\r\nhost: y${end}`, 400],
  ['two keys', `GET /api/v3/networks HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nauthorization: b${end}`, 400],
  ['an unknown expectation', `GET /api/v3/networks HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe${end}`, 401],
  ['invalid HTTP', `GET /api v3${end}`, 400],
  ['too large headers', `GET /api/v3/networks HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(70_000)}${end}`, 431],
  ['an unknown path on the payment page', `GET /p/x HTTP/1.1\r\nHost: x${end}`, 404],
])('the answer to %s has all headers of the API', async (name, text, status) => {
  const answer = await send(text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  if (name.endsWith('page')) return expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im);
  const head = answer.split('\r\n\r\n', 1)[0]?.toLowerCase() ?? '';
  expect(HELPFUL.filter((header) => !head.includes(header))).toEqual([]);
  expect(Object.keys(JSON.parse(answer.slice(head.length + 4)))).toEqual(['error']);
});

test('HTTP/1.0 needs no Host', async () => {
  expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});
