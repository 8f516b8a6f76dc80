import { once } from 'node:events';
import { createServer as createPlainServer, type Server as PlainServer } from 'node:net';
import tls, { createServer, type TlsOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { makeCertificate, type TestCertificate } from '@/lib/testing/fakes/certificate';
import { testNameServer } from '@/lib/testing/fakes/name-server';
import { callOnce, type OutboundAnswer } from './call-once';
import { nameResolver } from './resolve-name';

const NOW = new Date();
const PAST = new Date(Math.floor(addMs(NOW, -2 * DAY_MS).getTime() / 1_000) * 1_000);
const FUTURE = new Date(Math.floor(addMs(NOW, 2 * DAY_MS).getTime() / 1_000) * 1_000);
const LONG_AGO = addMs(PAST, -DAY_MS);

/** The only trusted certificate authority in these tests. */
const root = makeCertificate({ name: 'Trusted Root' });
const intermediate = makeCertificate({ name: 'Intermediate', issuer: root });
const stranger = makeCertificate({ name: 'Private Root' });
const late = makeCertificate({ name: 'Old Intermediate', issuer: root, from: LONG_AGO, to: PAST });
const leaf = (options: Partial<Parameters<typeof makeCertificate>[0]> = {}) =>
  makeCertificate({ name: 'shop.test', issuer: root, ...options });
const chain = (first: TestCertificate, ...more: TestCertificate[]) => ({
  key: first.key,
  cert: [first, ...more].map(({ cert }) => cert).join(''),
});

const names = testNameServer();
beforeEach(() => names.answer('shop.test', ['127.0.0.1']));
afterEach(() => vi.unstubAllEnvs());
const trusted = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([root.cert]));
afterAll(() => tls.setDefaultCACertificates(trusted));

/** Calls a server that has the given certificate. @returns the answer, and all bytes of the request that the server received. */
async function callWith(options: TlsOptions): Promise<{ answer: OutboundAnswer; arrived: string }> {
  let arrived = '';
  const server = createServer(options, (socket) => {
    socket.on('data', (data) => {
      arrived += data;
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  return { answer: await callServer(server), arrived };
}

/** @param vetted whether to call as receivers are called. Providers are called without vetting. */
async function callServer(server: PlainServer, vetted = true): Promise<OutboundAnswer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const vet = { rules: { standardPortsOnly: true, local: false, networks: ['127.0.0.1'] }, resolve: nameResolver([names.address()]) };
  const answer = await callOnce(`https://${vetted ? 'shop.test' : 'localhost'}:${port}/`, {
    headers: { authorization: 'secret' },
    body: 'secret',
    timeoutMs: 10_000,
    ...(vetted && { vet }),
  });
  server.close();
  await once(server, 'close');
  return answer;
}

test.each([
  ['issued by a trusted authority', chain(leaf())],
  ['with a complete chain', chain(leaf({ issuer: intermediate }), intermediate)],
])('accepts a certificate %s', async (_name, options) => {
  const { answer, arrived } = await callWith(options);
  expect(answer).toMatchObject({ status: 204, error: null });
  expect(arrived).toContain('secret');
});

test.each([
  ['expired', chain(leaf({ from: LONG_AGO, to: PAST })), 'cert_expired', { validTo: PAST.toISOString() }],
  ['not yet valid', chain(leaf({ from: FUTURE, to: addMs(FUTURE, DAY_MS) })), 'cert_not_yet_valid', { validFrom: FUTURE.toISOString() }],
  ['self-signed', chain(makeCertificate({ name: 'shop.test' })), 'cert_untrusted', { reason: 'self_signed', issuer: 'shop.test' }],
  [
    'from an unknown authority',
    chain(leaf({ issuer: stranger }), stranger),
    'cert_untrusted',
    { reason: 'unknown_issuer', issuer: 'Private Root' },
  ],
  [
    'without its intermediate',
    chain(leaf({ issuer: intermediate })),
    'cert_untrusted',
    { reason: 'incomplete_chain', issuer: 'Intermediate' },
  ],
  [
    'with an expired intermediate',
    chain(leaf({ issuer: late }), late),
    'cert_untrusted',
    { reason: 'issuer_expired', issuer: 'Old Intermediate' },
  ],
  [
    "not signed by its issuer's key",
    chain(leaf({ issuer: { ...root, privateKey: stranger.privateKey } })),
    'tls',
    { code: 'CERT_SIGNATURE_FAILURE' },
  ],
  [
    'for other names',
    chain(leaf({ name: 'x', hosts: ['www.shop.test', 'shop.example'] })),
    'cert_wrong_name',
    { names: 'www.shop.test, shop.example' },
  ],
  ['for another name in the common name', chain(leaf({ name: 'shop.example', hosts: [] })), 'cert_wrong_name', { names: 'shop.example' }],
])('refuses a certificate that is %s, before a byte is sent', async (_name, options, kind, data) => {
  const { answer, arrived } = await callWith(options);
  expect(answer).toMatchObject({ status: null, error: { kind, sent: false } });
  expect(answer.error?.data).toEqual(data);
  expect(answer.trace).toMatchObject({ address: '127.0.0.1', tlsMs: null, firstByteMs: null });
  expect(arrived).toBe('');
});

test.each(['a receiver', 'a provider'])(
  'refuses a bad certificate of %s although the environment switches the checks off',
  async (whom) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const server = createServer(chain(leaf({ issuer: stranger })), (socket) => socket.on('error', () => undefined));
    server.on('tlsClientError', () => undefined);
    const answer = await callServer(server, whom === 'a receiver');
    expect(answer).toMatchObject({ status: null, error: { sent: false } });
    expect(answer.error?.kind).toMatch(/^(cert_untrusted|tls)$/);
  },
);

test('refuses an expired certificate with TLS 1.2 too, where the handshake ends differently', async () => {
  const { answer, arrived } = await callWith({ ...chain(leaf({ from: LONG_AGO, to: PAST })), maxVersion: 'TLSv1.2' });
  expect(answer).toMatchObject({ error: { kind: 'cert_expired', data: { validTo: PAST.toISOString() } } });
  expect(arrived).toBe('');
});

test('refuses a server with TLS 1.1', async () => {
  const { answer, arrived } = await callWith({ ...chain(leaf()), ciphers: 'ALL:@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
  expect(answer).toMatchObject({ error: { kind: 'tls', sent: false, data: { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' } } });
  expect(arrived).toBe('');
});

test('sends nothing readable to a server without TLS', async () => {
  let arrived = '';
  const server = createPlainServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        arrived += data;
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      });
  });
  const answer = await callServer(server);
  expect(answer).toMatchObject({ error: { kind: 'tls', sent: false, data: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } } });
  expect(arrived).not.toContain('secret');
});
