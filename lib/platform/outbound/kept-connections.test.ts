import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import tls, { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { makeCertificate } from '@/testing/fakes/certificate';
import { testNameServer } from '@/testing/fakes/name-server';
import { callOnce } from './call-once';
import { KeptConnections } from './kept-connections';
import { createNameServers } from './resolve-name';

const names = testNameServer();
const root = makeCertificate({ name: 'Trusted Root' });
const { cert, key } = makeCertificate({ name: 'shop.test', issuer: root });
const trusted = tls.getCACertificates('default');
/** What the receiver saw of each request. */
let requests: { endpoint: unknown; host: unknown; servername: unknown; port: unknown }[] = [];
const open = new Set<Socket>();
let handshakes = 0;
let waiting: (() => void) | null = null;
const receiver = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
  const { socket, headers } = request;
  const servername = socket instanceof TLSSocket ? socket.servername : null;
  requests.push({ endpoint: headers['x-endpoint'], host: headers.host, servername, port: socket.remotePort });
  if (headers['x-interim']) response.writeContinue();
  if (headers['x-wait']) waiting = () => response.end('ok');
  else if (headers['x-fail'] && handshakes === 1) socket.destroy();
  else response.setHeader('keep-alive', 'timeout=60').end('ok');
});
receiver.on('secureConnection', (socket: TLSSocket) => {
  handshakes += 1;
  open.add(socket.on('close', () => open.delete(socket)));
});
let port = 0;
let now = 0;
let connections = new KeptConnections(() => now);

beforeAll(async () => {
  tls.setDefaultCACertificates([root.cert]);
  receiver.listen(0);
  await once(receiver, 'listening');
  const address = receiver.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
beforeEach(() => {
  names.answer('shop.test', ['127.0.0.1']);
  connections = new KeptConnections(() => now);
  requests = [];
  handshakes = 0;
});
afterEach(async () => {
  connections.close();
  await noneOpen();
});
afterAll(() => {
  tls.setDefaultCACertificates(trusted);
  receiver.close();
});

async function call(endpoint = 'a', { host = 'shop.test', networks = ['127.0.0.0/8'], headers = {} } = {}) {
  const vet = { rules: { standardPortsOnly: true, local: false, networks }, resolve: createNameServers([names.address()]).resolve };
  const sent = { 'x-endpoint': endpoint, ...headers };
  const answer = await callOnce(`https://${host}:${port}/`, {
    headers: sent,
    body: 'x',
    timeoutMs: 10_000,
    vet,
    keepAlive: { connections, endpoint },
  });
  // The connection becomes idle in the next turn of the event loop.
  await new Promise(setImmediate);
  return answer;
}

async function noneOpen(): Promise<void> {
  await Promise.all([...open].map((socket) => once(socket, 'close')));
}

test('ten calls need one handshake and one resolution, and the name stays in SNI and Host', async () => {
  const first = await call();
  expect(first.trace).toMatchObject({ address: '127.0.0.1', tlsMs: expect.any(Number), dnsMs: expect.any(Number) });
  for (let index = 0; index < 9; index += 1) {
    const { status, trace } = await call();
    expect(status).toBe(200);
    expect(trace).toMatchObject({ address: '127.0.0.1', dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: expect.any(Number) });
  }
  expect(handshakes).toBe(1);
  expect(names.questions).toHaveLength(2);
  expect(requests).toHaveLength(10);
  for (const one of requests) expect(one).toMatchObject({ servername: 'shop.test', host: `shop.test:${port}` });
});

test('endpoints never share a connection, and neither do two addresses of one endpoint', async () => {
  for (let round = 0; round < 3; round += 1) {
    await call('a');
    await call('b');
  }
  const portsOf = (name: string) => new Set(requests.filter(({ endpoint }) => endpoint === name).map((one) => one.port));
  expect(handshakes).toBe(2);
  expect([portsOf('a').size, portsOf('b').size]).toEqual([1, 1]);
  expect(new Set([...portsOf('a'), ...portsOf('b')]).size).toBe(2);
  names.answer('www.shop.test', ['127.0.0.1']);
  expect(await call('a', { host: 'www.shop.test' })).toMatchObject({ error: { kind: 'cert_wrong_name', sent: false } });
});

test('an unrequested 100 Continue disturbs neither a call nor the next one on its connection', async () => {
  for (let n = 0; n < 3; n += 1) expect(await call('a', { headers: { 'x-interim': '1' } })).toMatchObject({ status: 200, error: null });
  expect(handshakes).toBe(1);
});

test('two calls at the same time use two connections', async () => {
  const slow = call('a', { headers: { 'x-wait': '1' } });
  while (!waiting) await new Promise(setImmediate);
  await call('a');
  waiting();
  expect(await slow).toMatchObject({ status: 200 });
  expect(new Set(requests.map((one) => one.port)).size).toBe(2);
  expect(connections.idleCount).toBe(2);
});

test('over TLS too, a connection is replaced if the receiver closed it or sent bytes while it was idle', async () => {
  await call();
  expect(await call('a', { headers: { 'x-fail': '1' } })).toMatchObject({ status: 200, error: null });
  expect(handshakes).toBe(2);
  const [socket] = open;
  socket?.write('HTTP/1.1 500 Late\r\ncontent-length: 0\r\n\r\n');
  expect(await call()).toMatchObject({ status: 200, error: null });
  expect(handshakes).toBe(3);
});

describe('the addresses of a name', () => {
  test.each([
    [0, 5],
    [30, 30],
    [3_600, 60],
  ])('with a TTL of %i seconds are resolved again after %i seconds', async (ttl, seconds) => {
    names.ttl(ttl);
    await call();
    now += seconds * SECOND_MS - 1;
    await call();
    expect(names.questions).toHaveLength(2);
    now += 1;
    await call();
    expect(names.questions).toHaveLength(4);
    expect(handshakes).toBe(1);
  });

  test('are checked before each call: a forbidden one refuses it although a connection is open', async () => {
    names.answer('shop.test', ['127.0.0.1'], ['10.0.0.1']);
    await call();
    now += 5 * SECOND_MS;
    expect(await call()).toMatchObject({ status: null, error: { kind: 'forbidden', sent: false } });
    expect(connections.idleCount).toBe(0);
    await noneOpen();
    expect(requests).toHaveLength(1);
  });

  test('are checked by the rules of the call, also while the TTL lasts', async () => {
    await call();
    expect(await call('a', { networks: ['10.0.0.0/8'] })).toMatchObject({ status: null, error: { kind: 'forbidden', sent: false } });
    await noneOpen();
    expect(requests).toHaveLength(1);
  });

  test('replace those of earlier connections, which are closed', async () => {
    names.answer('shop.test', ['127.0.0.1'], ['127.0.0.2']);
    expect((await call()).trace.address).toBe('127.0.0.1');
    const [before] = open;
    now += 5 * SECOND_MS;
    const ended = once(before ?? receiver, 'close');
    expect((await call()).trace).toMatchObject({ address: '127.0.0.2', tlsMs: expect.any(Number) });
    await ended;
    expect(open.size).toBe(1);
  });

  test('are resolved again after a failed connection', async () => {
    names.answer('shop.test', ['127.0.0.1'], ['127.0.0.1']);
    const trustedNow = tls.getCACertificates('default');
    tls.setDefaultCACertificates([]);
    expect(await call()).toMatchObject({ status: null, error: { kind: 'cert_untrusted' } });
    tls.setDefaultCACertificates(trustedNow);
    expect(await call()).toMatchObject({ status: 200 });
    expect(names.questions).toHaveLength(4);
  });
});

test('a connection is not used for longer than five minutes', async () => {
  await call();
  for (let minutes = 0; minutes < 6; minutes += 1) {
    now += 60 * SECOND_MS;
    await call();
  }
  expect(handshakes).toBe(2);
});

test('an endpoint keeps at most 32 idle connections, and all endpoints keep at most 128', async () => {
  await Promise.all(Array.from({ length: 40 }, () => call('a')));
  expect(connections.idleCount).toBe(32);
  for (let endpoint = 0; endpoint < 4; endpoint += 1) await Promise.all(Array.from({ length: 32 }, () => call(`many-${endpoint}`)));
  expect(connections.idleCount).toBe(128);
  const before = handshakes;
  await call('many-0');
  expect(handshakes).toBe(before);
  await call('a');
  expect(handshakes).toBe(before + 1);
});

test('after a shutdown, no connection stays open', async () => {
  await call('a');
  await call('b');
  const slow = call('c', { headers: { 'x-wait': '1' } });
  waiting = null;
  while (!waiting) await new Promise(setImmediate);
  connections.close();
  expect(connections.idleCount).toBe(0);
  const answer: () => void = waiting;
  answer();
  expect(await slow).toMatchObject({ status: 200 });
  await noneOpen();
  expect(open.size).toBe(0);
});
