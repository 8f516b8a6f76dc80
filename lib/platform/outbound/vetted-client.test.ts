import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { Server } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCertificate } from '@/testing/fakes/certificate';
import { testNameServer } from '@/testing/fakes/name-server';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import type { AddressRules } from './address-rules';
import { callOnce } from './call-once';
import { createNameServers } from './resolve-name';

const names = testNameServer();
const receiver = testReceiver();
/** In these tests, one allowed loopback address stands for the public internet. */
const RULES: AddressRules = { standardPortsOnly: true, local: false, networks: ['127.0.0.1'] };
const FORBIDDEN = { status: null, error: { kind: 'forbidden', detail: 'the address must be on the public internet', sent: false } };

const call = (url: string, timeoutMs = 10_000) =>
  callOnce(url, { headers: {}, body: 'x', timeoutMs, vet: { rules: RULES, resolve: createNameServers([names.address()]).resolve } });
const byName = (name: string) => receiver.url().replace('127.0.0.1', name);

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer(ok);
});

describe('a host name', () => {
  test('is resolved once, and the call goes to the address that was checked', async () => {
    names.answer('shop.test', ['127.0.0.1'], ['10.0.0.1']);
    expect(await call(byName('shop.test'))).toMatchObject({ status: 200, error: null });
    expect(names.questions.toSorted()).toEqual(['A shop.test', 'AAAA shop.test']);
    expect(receiver.received[0]?.headers.host).toBe(new URL(byName('shop.test')).host);
  });

  test('is resolved and checked again at the next call', async () => {
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
  ])('with the address %s is refused', async (address) => {
    names.answer('shop.test', [address]);
    expect(await call(byName('shop.test'))).toMatchObject(FORBIDDEN);
  });

  test.each([
    ['10.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '10.0.0.1'],
    ['127.0.0.1', '::1'],
  ])('with the addresses %s and %s is refused because one is forbidden', async (...addresses) => {
    names.answer('shop.test', addresses);
    expect(await call(byName('shop.test'))).toMatchObject(FORBIDDEN);
    expect(receiver.received).toEqual([]);
  });

  test('that does not exist is reported as not found', async () => {
    expect(await call(byName('nobody.test'))).toMatchObject({ status: null, error: { kind: 'name_not_found', sent: false } });
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

  test('uses the name and connects to the checked address', async () => {
    names.answer('receiver.test', ['127.0.0.1'], ['10.0.0.1']);
    expect(await call(`https://receiver.test:${portOf(server)}/`)).toMatchObject({ status: 200, error: null });
    expect(seen).toBe('receiver.test');
  });

  test('refuses a certificate for another name before anything is sent', async () => {
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

test('a redirect is returned, not followed', async () => {
  receiver.answer((_request, response) => response.writeHead(307, { location: receiver.url('/inside') }).end());
  expect(await call(receiver.url())).toMatchObject({ status: 307, error: null });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
});

test('each call opens a new connection, even if the receiver offers keep-alive', async () => {
  const ports = new Set<unknown>();
  receiver.answer((_request, response) => {
    ports.add(response.socket?.remotePort);
    response.setHeader('connection', 'keep-alive').end('thanks');
  });
  for (let index = 0; index < 3; index += 1) await call(receiver.url());
  expect(ports.size).toBe(3);
});

function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}
