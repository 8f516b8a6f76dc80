import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { testNameServer } from '@/lib/testing/fakes/name-server';
import { drip, rawServers } from '@/lib/testing/fakes/raw-server';
import { callOnce } from './call-once';
import { nameResolver } from './resolve-name';

const { serve } = rawServers();
const names = testNameServer();
const KIB = 1024;
const GIGABYTE = KIB ** 3;

const call = (url: string, timeoutMs = 10_000) =>
  callOnce(url, {
    headers: {},
    body: 'x',
    timeoutMs,
    vet: { rules: { standardPortsOnly: true, local: false, networks: ['127.0.0.1'] }, resolve: nameResolver([names.address()]) },
  });
const timeout = (stage: string, sent: boolean) => ({ kind: 'timeout', data: { stage }, sent });

/** A server that has no room for one more connection and never will have. */
async function withFullServer<T>(use: (port: number) => Promise<T>): Promise<T> {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer().listen(0, '127.0.0.1', 1, () => {
      parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`;
  const worker = new Worker(code, { eval: true });
  const [port] = await once(worker, 'message');
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await once(waiting[0] ?? worker, 'connect');
  try {
    return await use(port);
  } finally {
    for (const socket of waiting) socket.destroy();
    await worker.terminate();
  }
}

test('a name that is never answered for is given up at the deadline', async () => {
  names.answer('shop.test', 'silence');
  const answer = await call('http://shop.test/', 200);
  expect(answer).toMatchObject({ status: null, error: timeout('name', false), trace: { address: null, dnsMs: null, connectMs: null } });
  expect(answer.trace.totalMs).toBeLessThan(1_400);
});

test('a server that takes no connection is given up at the deadline', async () => {
  const answer = await withFullServer((port) => call(`http://127.0.0.1:${port}/`, 300));
  expect(answer).toMatchObject({ status: null, error: timeout('connect', false), trace: { address: '127.0.0.1', connectMs: null } });
});

test('a server that never begins TLS is given up at the deadline, and nothing was sent', async () => {
  const host = await serve(() => undefined);
  const answer = await call(`https://${host}/`, 300);
  expect(answer).toMatchObject({ status: null, error: timeout('tls', false), trace: { address: '127.0.0.1', tlsMs: null } });
  expect(answer.trace.connectMs).not.toBeNull();
});

test('a server that hangs up instead of TLS got nothing', async () => {
  const host = await serve((socket) => socket.destroy());
  expect(await call(`https://${host}/`)).toMatchObject({ status: null, error: { kind: 'reset', sent: false } });
});

test('a server that says nothing is given up at the deadline', async () => {
  const host = await serve((socket) => socket.resume());
  expect(await call(`http://${host}/`, 300)).toMatchObject({ status: null, error: timeout('answer', true), trace: { firstByteMs: null } });
});

test.each(['H', 'x: y\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'])('%j dripped without end is cut at the deadline', async (text) => {
  const host = await serve((socket) => {
    if (text === 'x: y\r\n') socket.write('HTTP/1.1 200 OK\r\n');
    if (text === 'H') socket.write('HTTP/1.1 200 OK\r\nx: ');
    drip(socket, text);
  });
  expect(await call(`http://${host}/`, 300)).toMatchObject({ status: null, error: timeout('answer', true) });
});

test('headers that pour out are cut off at their limit', async () => {
  const host = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    socket.write('x: y\r\n'.repeat(100_000));
  });
  expect(await call(`http://${host}/`)).toMatchObject({ status: null, error: { kind: 'headers_too_large', sent: true } });
});

test('a body that is dripped is cut at the deadline', async () => {
  const host = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
    drip(socket, '.');
  });
  const answer = await call(`http://${host}/`, 300);
  expect(answer).toMatchObject({ status: 200, error: timeout('body', true) });
  expect(answer.trace.firstByteMs).not.toBeNull();
  expect(Buffer.from(answer.body).toString()).toMatch(/^\.+$/);
});

test.each([
  ['announced', `content-length: ${GIGABYTE}\r\n\r\n`, Buffer.alloc(64 * KIB, 'x')],
  ['in chunks', 'transfer-encoding: chunked\r\n\r\n', Buffer.from(`10000\r\n${'x'.repeat(64 * KIB)}\r\n`)],
])('a gigabyte %s costs 16 KiB, and is cut off', async (_name, header, chunk) => {
  const closed = Promise.withResolvers<number>();
  const host = await serve((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${header}`);
    const pour = () => {
      while (socket.writable && socket.bytesWritten < GIGABYTE && socket.write(chunk));
    };
    socket.on('drain', pour).on('close', () => closed.resolve(socket.bytesWritten));
    pour();
  });
  const before = process.resourceUsage().maxRSS;
  const answer = await call(`http://${host}/`);
  expect(answer).toMatchObject({ status: 200, error: null });
  expect(answer.body).toHaveLength(16 * KIB);
  expect(await closed.promise).toBeLessThan(32 * KIB * KIB);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(128 * KIB);
});
