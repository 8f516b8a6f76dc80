import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { testNameServer } from '@/testing/fakes/name-server';
import { drip, rawServers } from '@/testing/fakes/raw-server';
import { callOnce } from './call-once';
import { createNameServers } from './resolve-name';

const { serve } = rawServers();
const names = testNameServer();
const KIB = 1024;
const GIGABYTE = KIB ** 3;

const call = (url: string, timeoutMs = 10_000) =>
  callOnce(url, {
    headers: {},
    body: 'x',
    timeoutMs,
    vet: {
      rules: { standardPortsOnly: true, local: false, networks: ['127.0.0.1'] },
      resolve: createNameServers([names.address()]).resolve,
    },
  });
const timeout = (stage: string, sent: boolean) => ({ kind: 'timeout', data: { stage }, sent });

/** Runs a test with a server whose backlog is full and that never accepts a connection. */
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

test('ends at the deadline if the name server does not answer', async () => {
  names.answer('shop.test', 'silence');
  const answer = await call('http://shop.test/', 200);
  expect(answer).toMatchObject({ status: null, error: timeout('name', false), trace: { address: null, dnsMs: null, connectMs: null } });
  expect(answer.trace.totalMs).toBeLessThan(1_400);
});

test('ends at the deadline if the server accepts no connection', async () => {
  const answer = await withFullServer((port) => call(`http://127.0.0.1:${port}/`, 300));
  expect(answer).toMatchObject({ status: null, error: timeout('connect', false), trace: { address: '127.0.0.1', connectMs: null } });
});

test('ends at the deadline, with nothing sent, if the server never starts TLS', async () => {
  const host = await serve(() => undefined);
  const answer = await call(`https://${host}/`, 300);
  expect(answer).toMatchObject({ status: null, error: timeout('tls', false), trace: { address: '127.0.0.1', tlsMs: null } });
  expect(answer.trace.connectMs).not.toBeNull();
});

test('sends nothing if the server closes the connection before TLS', async () => {
  const host = await serve((socket) => socket.destroy());
  expect(await call(`https://${host}/`)).toMatchObject({ status: null, error: { kind: 'reset', sent: false } });
});

test('ends at the deadline if the server does not answer', async () => {
  const host = await serve((socket) => socket.resume());
  expect(await call(`http://${host}/`, 300)).toMatchObject({ status: null, error: timeout('answer', true), trace: { firstByteMs: null } });
});

test.each(['H', 'x: y\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'])(
  'ends at the deadline if the server sends %j slowly without end',
  async (text) => {
    const host = await serve((socket) => {
      if (text === 'x: y\r\n') socket.write('HTTP/1.1 200 OK\r\n');
      if (text === 'H') socket.write('HTTP/1.1 200 OK\r\nx: ');
      drip(socket, text);
    });
    expect(await call(`http://${host}/`, 300)).toMatchObject({ status: null, error: timeout('answer', true) });
  },
);

test('stops reading headers at their limit', async () => {
  const host = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    socket.write('x: y\r\n'.repeat(100_000));
  });
  expect(await call(`http://${host}/`)).toMatchObject({ status: null, error: { kind: 'headers_too_large', sent: true } });
});

test('cuts a body at the deadline if the server sends it slowly', async () => {
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
  ['with content-length', `content-length: ${GIGABYTE}\r\n\r\n`, Buffer.alloc(64 * KIB, 'x')],
  ['in chunks', 'transfer-encoding: chunked\r\n\r\n', Buffer.from(`10000\r\n${'x'.repeat(64 * KIB)}\r\n`)],
])('reads 16 KiB of a gigabyte %s and closes the connection', async (_name, header, chunk) => {
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

const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';
const FINAL = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

describe.each([
  ['a webhook', (url: string) => call(url)],
  ['a provider call', (url: string) => callOnce(url, { headers: {}, body: 'x', timeoutMs: 10_000 })],
])('%s', (_name, callAny) => {
  test.each([
    ['100 Continue', [INTERIM + FINAL]],
    ['several interim answers', [`${INTERIM}HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${INTERIM}`, FINAL]],
    ['100 Continue, byte by byte', [...(INTERIM + FINAL)]],
    ['no interim answer, byte by byte', [...FINAL]],
  ])('reads an answer after %s', async (_what, pieces) => {
    const host = await serve((socket) => {
      socket.once('data', async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await nextTurn();
        }
      });
    });
    const answer = await callAny(`http://${host}/`);
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(Buffer.from(answer.body).toString()).toBe('ok');
  });

  test.each([
    ['a doubled length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok', {}],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', {}],
    ['lines without CR', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok', {}],
    ['an invalid header', 'HTTP/1.1 200 OK\r\nx y: 1\r\ncontent-length: 2\r\n\r\nok', {}],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', {}],
    ['an unrequested upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', {}],
    ['HTTP/2', '\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0d', { fault: 'http2' }],
  ])('says that %s is not a valid answer', async (_what, text, data) => {
    const host = await serve((socket) => socket.once('data', () => socket.end(text)));
    expect(await callAny(`http://${host}/`)).toMatchObject({ status: null, error: { kind: 'invalid_answer', data, sent: true } });
  });

  test('fails if the server sends only an interim answer', async () => {
    const host = await serve((socket) => socket.once('data', () => socket.end(INTERIM)));
    expect(await callAny(`http://${host}/`)).toMatchObject({ status: null, error: { kind: 'reset', sent: true } });
  });
});
