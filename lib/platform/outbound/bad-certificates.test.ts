import { once } from 'node:events';
import { createServer as createPlainServer, type Server as PlainServer } from 'node:net';
import tls, { createServer, type TlsOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { makeCertificate, type TestCertificate } from '@/testing/fakes/certificate';
import { testNameServer } from '@/testing/fakes/name-server';
import { callOnce, type OutboundAnswer } from './call-once';
import { createNameServers } from './resolve-name';

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

async function listen(server: PlainServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** @param vetted whether to call as receivers are called. Providers are called without vetting. */
async function callServer(server: PlainServer, vetted = true): Promise<OutboundAnswer> {
  const port = await listen(server);
  const vet = {
    rules: { standardPortsOnly: true, local: false, networks: ['127.0.0.1'] },
    resolve: createNameServers([names.address()]).resolve,
  };
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

// `openssl req -x509 -newkey rsa:1024 -nodes -subj /CN=shop.test -addext subjectAltName=DNS:shop.test,DNS:localhost -days 36500`
const WEAK = {
  key: `-----BEGIN PRIVATE KEY-----
MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBAOfPb+lRhCixpjb7
K0VgQuTridXv4MoO7h0clnAoh/mk1T1mppVcq0E3sc5pgYTPVkW8p7X0/legWVw4
ExAh+QwoYg9cgo5BOcezF4d7Lw3YjgnCTGMPRqTzkSxw1GRi+vcwDOQKsTcScUqn
kN6O7vbtRKqj0kMvXQ8t8sriFNnfAgMBAAECgYAdXIPzTJTtxpqkCipP7kJq1n6t
72VMkpmMbGuNp0SZ1UwBK/hboNI8P36xA2IZXV2zFZM0k+SHWtMWwC+B8pultd1U
U2RY4lnxhECWGAFkAhZGqpWNe1+faFmvvQIJyfBILpaEZ4SY41jTZ4y6JdMOCOFG
7y5tZEwPe/swdvg4gQJBAPT0z0remNx/rKwxvtavHOcw4WiGEhnFdwHDwTyu5URQ
V0+68M5Y0z1BakUEeN6S7FbAGq11OOJPWgKiP+hq2J8CQQDyQubL8/K4Pv9rXrnp
74yrGjZbL8FHgQgyl/iNIDLK15XDzX55xx9mump5LkDJpE2S3n8cGZto+vbDjJrS
ajbBAkEAng8ZcwYPPLhlgvbWXVDBJay0xe084MQ59jmKBs4TwfDVZe0KVRubsnrz
R3WLSJMlTRTIIgTxn5X0Tp7C/gVzoQJBANdLgVSLjY8T3WYMHui5TKfaeaf7/qaP
EzvzNp4kmT8O7DfAbb/HqC5hSLI82rLYY2A8f3X3g9d+AMK0N/r7DYECQQDFdCHR
jDyybf7gKMWRQ8dKan9SgDWoCiQ1h7+sXIUFB6X/Jcl5pK9qxdFrS1UKkwlv6jQP
oeutYpzeriR7n7Gg
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIICJzCCAZCgAwIBAgIUAZ30n8D3adpOqwzGqtqBiGZrMQowDQYJKoZIhvcNAQEL
BQAwFDESMBAGA1UEAwwJc2hvcC50ZXN0MCAXDTI2MTEyNjE4MzU0OVoYDzIxMjYx
MTAyMTgzNTQ5WjAUMRIwEAYDVQQDDAlzaG9wLnRlc3QwgZ8wDQYJKoZIhvcNAQEB
BQADgY0AMIGJAoGBAOfPb+lRhCixpjb7K0VgQuTridXv4MoO7h0clnAoh/mk1T1m
ppVcq0E3sc5pgYTPVkW8p7X0/legWVw4ExAh+QwoYg9cgo5BOcezF4d7Lw3YjgnC
TGMPRqTzkSxw1GRi+vcwDOQKsTcScUqnkN6O7vbtRKqj0kMvXQ8t8sriFNnfAgMB
AAGjdDByMB0GA1UdDgQWBBT27l1gm/q/Maypv8Z0y4RYZcyP0DAfBgNVHSMEGDAW
gBT27l1gm/q/Maypv8Z0y4RYZcyP0DAPBgNVHRMBAf8EBTADAQH/MB8GA1UdEQQY
MBaCCXNob3AudGVzdIIJbG9jYWxob3N0MA0GCSqGSIb3DQEBCwUAA4GBAN8/d1VH
hLUAtGgL15KAMA7NbtuBrhVmOiQJ5KCCSAw4saA0Ggeuyb2xPnQ9LaKoxmPiX4a0
DBaaKm6G9msp2s57fkYAtT/TQeNnJ8TitSdi6amIh3wVnE36DpWUnmW0CB/aq7l8
t+IP86Is0EUO3mkp4OCePc2NmtgGO2N4NSRf
-----END CERTIFICATE-----`,
  ciphers: 'DEFAULT:@SECLEVEL=0',
};

const HTTP2: TlsOptions = { ...chain(leaf({ hosts: ['shop.test', 'localhost'] })), ALPNProtocols: ['h2'] };
const CLIENT_CERTIFICATE: TlsOptions = {
  ...chain(leaf({ hosts: ['shop.test', 'localhost'] })),
  requestCert: true,
  rejectUnauthorized: true,
};
test.each([
  ['speaks only HTTP/2', HTTP2, 'http2'],
  ['requires a client certificate in TLS 1.3', CLIENT_CERTIFICATE, 'client_certificate'],
  ['requires a client certificate in TLS 1.2', { ...CLIENT_CERTIFICATE, maxVersion: 'TLSv1.2' } as const, 'refused'],
  ['has a weak key', WEAK, 'weak'],
])('says what to change if the server %s, for webhooks and for provider calls', async (_name, options, fault) => {
  const trusting = { ...options, ca: options === WEAK ? WEAK.cert : root.cert };
  if (options === WEAK) tls.setDefaultCACertificates([root.cert, WEAK.cert]);
  const { answer } = await callWith(options);
  expect(answer).toMatchObject({ status: null, error: { kind: 'tls', data: { fault } } });
  const server = createServer(options);
  server.on('tlsClientError', () => undefined);
  const port = await listen(server);
  const called = await callOnce(`https://localhost:${port}/`, { headers: {}, body: 'x', timeoutMs: 10_000, ca: trusting.ca });
  server.close();
  expect(called).toMatchObject({ status: null, error: { kind: 'tls', data: { fault }, detail: expect.stringMatching(/^the .+: ./) } });
  if (fault === 'weak') expect([answer.error?.sent, called.error?.sent]).toEqual([false, false]);
});
