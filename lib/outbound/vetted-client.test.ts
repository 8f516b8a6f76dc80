import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCertificate } from '@/lib/testing/certificate';
import { testNameServer } from '@/lib/testing/name-server';
import { ok, testReceiver } from '@/lib/testing/receiver';
import type { AddressRules } from './address-rules';
import { callOnce } from './call-once';
import { nameResolver } from './resolve-name';

const names = testNameServer();
const receiver = testReceiver();
/** Stands for the public internet: of all addresses of this machine, one is open. */
const RULES: AddressRules = { fewPorts: true, local: false, networks: ['127.0.0.1'] };
const FORBIDDEN = { status: null, error: { kind: 'forbidden', detail: 'the address must be on the public internet', sent: false } };

const call = (url: string, timeoutMs = 10_000) =>
  callOnce(url, { headers: {}, body: 'x', timeoutMs, vet: { rules: RULES, resolve: nameResolver([names.address()]) } });
const byName = (name: string) => receiver.url().replace('127.0.0.1', name);

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer(ok);
});

describe('a name', () => {
  test('is resolved once, and called at the address it was judged by', async () => {
    names.answer('shop.test', ['127.0.0.1'], ['10.0.0.1']);
    expect(await call(byName('shop.test'))).toMatchObject({ status: 200, error: null });
    expect(names.questions.toSorted()).toEqual(['A shop.test', 'AAAA shop.test']);
    expect(receiver.received[0]?.headers.host).toBe(new URL(byName('shop.test')).host);
  });

  test('that changes its answer is judged anew at the next call', async () => {
    names.answer('shop.test', ['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']);
    expect(await call(byName('shop.test'))).toMatchObject({ status: 200 });
    expect(await call(byName('shop.test'))).toMatchObject(FORBIDDEN);
    expect(await call(byName('shop.test'))).toMatchObject({ status: 200 });
    expect(receiver.received).toHaveLength(2);
  });

  test.each([
    '127.0.0.2',
    '10.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '168.63.129.16',
    '::1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::8.8.8.8',
    'fd00:ec2::254',
    '64:ff9b::7f00:1',
  ])('of %s is refused', async (address) => {
    names.answer('shop.test', [address]);
    expect(await call(byName('shop.test'))).toMatchObject(FORBIDDEN);
  });

  test.each([
    ['10.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '10.0.0.1'],
    ['127.0.0.1', '::1'],
  ])('of %s and %s is refused for the one that is forbidden', async (...addresses) => {
    names.answer('shop.test', addresses);
    expect(await call(byName('shop.test'))).toMatchObject(FORBIDDEN);
    expect(receiver.received).toEqual([]);
  });

  test('that does not exist is not found', async () => {
    expect(await call(byName('nobody.test'))).toMatchObject({ status: null, error: { kind: 'name_not_found', sent: false } });
  });

  test('that is never answered for is given up at the deadline', async () => {
    names.answer('shop.test', 'silence');
    const startedAt = performance.now();
    expect(await call(byName('shop.test'), 200)).toMatchObject({ status: null, error: { kind: 'timeout', sent: false } });
    expect(performance.now() - startedAt).toBeLessThan(1_400);
  });
});

describe('TLS', () => {
  let seen: unknown;
  const certificate = makeCertificate({ name: 'receiver.test' });
  const server = createHttpsServer(certificate, (request, response) => {
    seen = request.socket instanceof tls.TLSSocket ? request.socket.servername : undefined;
    response.end('safe');
  });
  const trusted = tls.getCACertificates('default');
  beforeAll(async () => {
    tls.setDefaultCACertificates([...trusted, certificate.cert]);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    tls.setDefaultCACertificates(trusted);
    server.close();
  });

  test('goes by the name, to the pinned address', async () => {
    names.answer('receiver.test', ['127.0.0.1'], ['10.0.0.1']);
    expect(await call(`https://receiver.test:${portOf(server)}/`)).toMatchObject({ status: 200, error: null });
    expect(seen).toBe('receiver.test');
  });

  test('with a certificate for another name is refused before anything is sent', async () => {
    names.answer('shop.test', ['127.0.0.1']);
    expect(await call(`https://shop.test:${portOf(server)}/`)).toMatchObject({
      status: null,
      error: { kind: 'cert_wrong_name', sent: false },
    });
    expect(await call(`https://127.0.0.1:${portOf(server)}/`)).toMatchObject({
      status: null,
      error: { kind: 'cert_wrong_name', sent: false },
    });
  });
});

test('a redirect is answered, not followed', async () => {
  receiver.answer((_request, response) => response.writeHead(307, { location: receiver.url('/inside') }).end());
  expect(await call(receiver.url())).toMatchObject({ status: 307, error: null });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
});

test('each call has a connection of its own, also when the receiver would keep it', async () => {
  const ports = new Set<unknown>();
  receiver.answer((_request, response) => {
    ports.add(response.socket?.remotePort);
    response.setHeader('connection', 'keep-alive').end('thanks');
  });
  for (let index = 0; index < 3; index += 1) await call(receiver.url());
  expect(ports.size).toBe(3);
});

describe('a receiver that', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  async function serve(behave: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      behave(socket);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `127.0.0.1:${portOf(server)}`;
  }
  const drip = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 20);
    socket.on('close', () => clearInterval(timer));
  };

  test('drips its body is cut at the deadline', async () => {
    const host = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
      drip(socket, '.');
    });
    const answer = await call(`http://${host}/`, 300);
    expect(answer).toMatchObject({ status: 200, error: { kind: 'timeout', sent: true } });
    expect(Buffer.from(answer.body).toString()).toMatch(/^\.+$/);
  });

  test.each(['x: y\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'])('drips %j without end is cut at the deadline', async (text) => {
    const host = await serve((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n');
      if (text.startsWith('HTTP')) socket.write('\r\n');
      drip(socket, text);
    });
    expect(await call(`http://${host}/`, 300)).toMatchObject({ status: null, error: { kind: 'timeout', sent: true } });
  });

  test('pours out headers is cut off at their limit', async () => {
    const host = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      socket.write('x: y\r\n'.repeat(100_000));
    });
    expect(await call(`http://${host}/`)).toMatchObject({ status: null, error: { kind: 'headers_too_large', sent: true } });
  });

  test('never begins TLS is given up at the deadline, and nothing was sent', async () => {
    const host = await serve(() => undefined);
    expect(await call(`https://${host}/`, 300)).toMatchObject({ status: null, error: { kind: 'timeout', sent: false } });
  });

  test('answers a gigabyte costs 16 KiB', async () => {
    const GIGABYTE = 1024 ** 3;
    const closed = Promise.withResolvers<number>();
    const host = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${GIGABYTE}\r\n\r\n`);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const pour = () => {
        while (socket.writable && socket.bytesWritten < GIGABYTE && socket.write(chunk));
      };
      socket.on('drain', pour).on('close', () => closed.resolve(socket.bytesWritten));
      pour();
    });
    const answer = await call(`http://${host}/`);
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(answer.body).toHaveLength(16 * 1024);
    expect(await closed.promise).toBeLessThan(GIGABYTE / 10);
  });
});

function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
  return address.port;
}
