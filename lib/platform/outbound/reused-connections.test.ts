import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { rawServers } from '@/testing/fakes/raw-server';
import { callOnce } from './call-once';
import { KeptConnections } from './kept-connections';

// Whatever a receiver does with a kept connection, the next call must get its own response.
const { serve } = rawServers();
const vet = { rules: { standardPortsOnly: true, local: false, networks: ['127.0.0.1'] } };
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const LATE = 'HTTP/1.1 500 Late\r\ncontent-length: 4\r\n\r\nlate';
let connections = new KeptConnections();
beforeEach(() => {
  connections = new KeptConnections();
});

interface Step {
  readonly socket: Socket;
  /** The number of the connection, from 1. `request` is the number of the request on this connection, from 1. */
  readonly connection: number;
  readonly request: number;
}

/** Starts a server that calls `react` for each request. Returns its host, and its connections and their number so far. */
async function serveSteps(react: (step: Step) => void): Promise<{ host: string; opened: () => number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const host = await serve((socket) => {
    const connection = sockets.push(socket);
    let request = 0;
    socket.on('data', (data) => {
      if (!data.includes('POST ')) return;
      request += 1;
      react({ socket, connection, request });
    });
  });
  return { host, opened: () => sockets.length, sockets };
}

async function call(host: string, { timeoutMs = 5_000, body = 'x' as string | Uint8Array, signal = new AbortController().signal } = {}) {
  const answer = await callOnce(`http://${host}/`, {
    headers: {},
    body,
    timeoutMs,
    signal,
    vet,
    keepAlive: { connections, endpoint: 'a' },
  });
  await new Promise(setImmediate);
  return answer;
}

const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe('bytes after a response', () => {
  test.each([
    ['a whole response', LATE],
    ['a part of a response', 'HTTP/1.1 2'],
    ['an empty line', '\r\n'],
    ['no HTTP', '\0\0\0'],
  ])('are not taken for the next response: %s, sent just before the next call', async (_name, bytes) => {
    const { host, opened, sockets } = await serveSteps(({ socket }) => socket.write(OK));
    expect(await call(host)).toMatchObject({ status: 200 });
    expect(connections.idleCount).toBe(1);
    // When the next call begins, the kernel has received these bytes, but Node has not read them yet.
    sockets[0]?.write(bytes);
    const answer = await call(host);
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(textOf(answer)).toBe('ok');
    expect(opened()).toBe(2);
  });

  test.each(['HTTP/1.1 500 Late\r\n\r\n', 'garbage'])('close the connection if they come with the response: %j', async (bytes) => {
    const { host, opened } = await serveSteps(({ socket, connection }) => socket.write(connection === 1 ? OK + bytes : OK));
    expect(await call(host)).toMatchObject({ status: 200 });
    expect(connections.idleCount).toBe(0);
    expect(await call(host)).toMatchObject({ status: 200 });
    expect(opened()).toBe(2);
  });

  test('close the connection at once while it is idle', async () => {
    const { host, sockets } = await serveSteps(({ socket }) => socket.write(OK));
    await call(host);
    const [socket] = sockets;
    if (!socket) throw new Error('there was no connection');
    const closed = once(socket, 'close');
    socket.write(LATE);
    await closed;
    expect(connections.idleCount).toBe(0);
  });
});

describe('a connection that the receiver closes while it is idle', () => {
  test('is replaced', async () => {
    const { host, opened, sockets } = await serveSteps(({ socket }) => socket.write(OK));
    await call(host);
    sockets[0]?.end();
    expect(await call(host)).toMatchObject({ status: 200, error: null });
    expect(opened()).toBe(2);
  });

  test.each(['end', 'resetAndDestroy'] as const)('is replaced if the request was already sent (%s)', async (how) => {
    const { host, opened } = await serveSteps(({ socket, request }) => (request === 1 ? socket.write(OK) : socket[how]()));
    await call(host);
    const answer = await call(host);
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(answer.trace).toMatchObject({ connectMs: expect.any(Number), firstByteMs: expect.any(Number) });
    expect(opened()).toBe(2);
  });

  test('is replaced if the receiver says with 408 that it was idle for too long', async () => {
    const { host, opened } = await serveSteps(({ socket, request }) =>
      request === 1 ? socket.write(OK) : socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'),
    );
    await call(host);
    expect(await call(host)).toMatchObject({ status: 200 });
    expect(opened()).toBe(2);
  });

  test('is replaced only once', async () => {
    const { host, opened } = await serveSteps(({ socket, connection, request }) =>
      connection === 1 && request === 1 ? socket.write(OK) : socket.destroy(),
    );
    await call(host);
    expect(await call(host)).toMatchObject({ status: null, error: { kind: 'reset', sent: true } });
    expect(opened()).toBe(2);
  });

  test('is not replaced after the first byte of a response', async () => {
    const { host, opened } = await serveSteps(({ socket, request }) => (request === 1 ? socket.write(OK) : socket.end('H')));
    await call(host);
    expect(await call(host)).toMatchObject({ status: null, error: { sent: true } });
    expect(opened()).toBe(1);
  });
});

describe('a connection is not used again', () => {
  test('after a timeout, so that the late response does not belong to the next call', async () => {
    const { host, opened } = await serveSteps(({ socket, connection, request }) => {
      if (connection === 2 || request === 1) socket.write(OK);
      else setTimeout(() => socket.write(LATE), 150);
    });
    await call(host);
    expect(await call(host, { timeoutMs: 100 })).toMatchObject({ status: null, error: { kind: 'timeout', data: { stage: 'answer' } } });
    expect(opened()).toBe(1);
    for (let index = 0; index < 3; index += 1) expect(await call(host)).toMatchObject({ status: 200 });
    expect(opened()).toBe(2);
  });

  test('after the call was aborted', async () => {
    const stopping = new AbortController();
    const { host, opened } = await serveSteps(({ socket, connection }) => (connection === 1 ? stopping.abort() : socket.write(OK)));
    expect(await call(host, { signal: stopping.signal })).toMatchObject({ status: null });
    expect(await call(host)).toMatchObject({ status: 200 });
    expect(opened()).toBe(2);
  });

  test.each([
    ['with a body over the limit', `HTTP/1.1 200 OK\r\ncontent-length: 20000\r\n\r\n${'x'.repeat(20_000)}`],
    ['that closes', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['that allows one more second', 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nok'],
    ['with a body although it has none', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok'],
  ])('after a response %s', async (_name, response) => {
    const { host, opened } = await serveSteps(({ socket }) => socket.write(response));
    for (let index = 0; index < 2; index += 1) expect(await call(host)).toMatchObject({ error: null });
    expect(opened()).toBe(2);
    expect(connections.idleCount).toBe(0);
  });

  test('after a response that came before the request was sent completely', async () => {
    const { host } = await serveSteps(({ socket }) => socket.pause().write(OK));
    expect(await call(host, { body: Buffer.alloc(32 * 1024 ** 2) })).toMatchObject({ status: 200 });
    expect(connections.idleCount).toBe(0);
  });
});

test('an idle connection is closed after 4 seconds, or 2 seconds before the receiver closes it', async () => {
  const short = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=3\r\ncontent-length: 2\r\n\r\nok';
  const { host, sockets } = await serveSteps(({ socket, connection }) => socket.write(connection === 1 ? short : OK));
  await Promise.all([call(host), call(host)]);
  const begun = performance.now();
  const [first, second] = await Promise.all(
    sockets.map(async (socket) => {
      await once(socket, 'close');
      return performance.now() - begun;
    }),
  );
  expect(first).toBeGreaterThan(800);
  expect(second).toBeGreaterThan(3_800);
  expect(second).toBeLessThan(20_000);
  expect(first).toBeLessThan(second ?? 0);
});
