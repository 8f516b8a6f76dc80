import { once } from 'node:events';
import { createServer } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testReceiver } from '@/testing/fakes/receiver';
import { type AddressRules, judgeAddresses, judgeUrl } from './address-rules';
import { callOnce } from './call-once';
import { Stopwatch } from './stopwatch';
import { vettedConnection } from './vetted-client';

const PUBLIC: AddressRules = { standardPortsOnly: false, local: false, networks: [] };

// This server listens on all interfaces and counts connections. So a test notices if Bili connects to a hostile address.
let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
});
let port = 0;
beforeAll(async () => {
  listener.listen(0);
  await once(listener, 'listening');
  const address = listener.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => listener.close());

const HOSTILE: readonly (readonly [string, string])[] = [
  ['loopback', '127.0.0.1'],
  ['loopback, last address', '127.255.255.254'],
  ['loopback, decimal', '2130706433'],
  ['loopback, hexadecimal', '0x7f000001'],
  ['loopback, hexadecimal parts', '0x7f.0.0x0.1'],
  ['loopback, octal', '017700000001'],
  ['loopback, octal parts', '0177.0.0.01'],
  ['loopback, short', '127.1'],
  ['loopback, short and mixed', '0x7f.1'],
  ['loopback, full-width digits', '１２７．０．０．１'],
  ['loopback, percent-encoded', '%31%32%37.0.0.1'],
  ['loopback, trailing dot', '127.0.0.1.'],
  ['loopback, IPv6', '[::1]'],
  ['loopback, IPv6 in full', '[0:0:0:0:0:0:0:1]'],
  ['loopback by name', 'localhost'],
  ['loopback by name, trailing dot', 'localhost.'],
  ['loopback by name, capitals', 'LOCALHOST'],
  ['loopback by a subdomain', 'shop.localhost'],
  ['loopback, IPv4-mapped, dotted', '[::ffff:127.0.0.1]'],
  ['loopback, IPv4-mapped, hexadecimal', '[::ffff:7f00:1]'],
  ['loopback, IPv4-compatible', '[::127.0.0.1]'],
  ['loopback, IPv4-compatible, hexadecimal', '[::7f00:1]'],
  ['loopback, IPv4-translated', '[::ffff:0:127.0.0.1]'],
  ['loopback, NAT64', '[64:ff9b::127.0.0.1]'],
  ['loopback, local NAT64', '[64:ff9b:1::7f00:1]'],
  ['loopback, 6to4', '[2002:7f00:1::]'],
  ['loopback, Teredo', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
  ['unspecified', '0.0.0.0'],
  ['unspecified, short', '0'],
  ['unspecified, IPv6', '[::]'],
  ['unspecified, IPv4-mapped', '[::ffff:0.0.0.0]'],
  ['this network', '0.1.2.3'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.255'],
  ['private 192.168/16', '192.168.1.1'],
  ['private, IPv4-mapped', '[::ffff:a00:1]'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['link-local', '169.254.1.1'],
  ['metadata of AWS, Google, Azure, Oracle', '169.254.169.254'],
  ['the same, decimal', '2852039166'],
  ['the same, IPv4-mapped', '[::ffff:a9fe:a9fe]'],
  ['metadata of AWS containers', '169.254.170.2'],
  ['metadata of AWS, IPv6', '[fd00:ec2::254]'],
  ['metadata of Google, IPv6', '[fd20:ce::254]'],
  ['metadata of Alibaba', '100.100.100.200'],
  ['metadata of Oracle, older', '192.0.0.192'],
  ['host of Azure', '168.63.129.16'],
  ['host of Azure, IPv4-mapped', '[::ffff:168.63.129.16]'],
  ['link-local, IPv6', '[fe80::1]'],
  ['link-local with a zone', '[fe80::1%25eth0]'],
  ['unique local', '[fd12:3456:789a::1]'],
  ['site-local', '[fec0::1]'],
  ['multicast', '224.0.0.1'],
  ['multicast, IPv6', '[ff02::1]'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['documentation, IPv6', '[2001:db8::1]'],
  ['documentation, IPv6, newer', '[3fff::1]'],
  ['benchmark', '198.18.0.1'],
  ['6to4 relay', '192.88.99.1'],
  ['discard', '[100::1]'],
  ['ORCHID', '[2001:20::1]'],
  ['segment routing', '[5f00::1]'],
  ['unassigned', '[4000::1]'],
  ['unassigned, higher', '[e000::1]'],
];

test.each(HOSTILE)('%s is refused: %s', async (_name, host) => {
  const url = `http://${host}:${port}/`;
  const answer = await callOnce(url, { headers: {}, body: 'x', timeoutMs: 5_000, vet: { rules: PUBLIC } });
  expect(answer).toMatchObject({
    status: null,
    error: { kind: 'forbidden', detail: 'the address must be on the public internet', sent: false },
  });
  expect(connections).toBe(0);
});

test.each(HOSTILE.filter(([, host]) => URL.canParse(`http://${host}`)))('%s is refused by the connector alone: %s', async (_name, host) => {
  const url = new URL(`http://${host}:${port}/`);
  const { client } = vettedConnection(url, { rules: PUBLIC }, { signal: AbortSignal.timeout(5_000), watch: new Stopwatch() });
  await expect(request(url, { dispatcher: client })).rejects.toMatchObject({
    cause: { message: 'the address must be on the public internet' },
  });
  await client.destroy();
  expect(connections).toBe(0);
});

// These rules allow every address. So in these tests, only the rule that Bili follows no redirects protects the hostile addresses.
const OPEN: AddressRules = { standardPortsOnly: false, local: true, networks: ['0.0.0.0/0', '::/0'] };
const receiver = testReceiver();

test.each(HOSTILE)('%s is not reached by a redirect: %s', async (_name, host) => {
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answer((_request, response) => response.writeHead(status, { location: `http://${encodeURI(host)}:${port}/` }).end());
    expect(await callOnce(receiver.url(), { headers: {}, body: 'x', timeoutMs: 5_000, vet: { rules: OPEN } })).toMatchObject({ status });
  }
  expect(connections).toBe(0);
});

test.each(['//127.0.0.1:PORT/', 'https://localhost:PORT/', 'file:///etc/passwd', 'gopher://127.0.0.1:PORT/', '/again', ''])(
  'a redirect to %j is not followed',
  async (location) => {
    receiver.received.length = 0;
    const headers = { location: location.replace('PORT', String(port)), refresh: `0; url=http://127.0.0.1:${port}/` };
    receiver.answer((_request, response) => response.writeHead(307, headers).end());
    expect(await callOnce(receiver.url(), { headers: {}, timeoutMs: 5_000, vet: { rules: OPEN } })).toMatchObject({ status: 307 });
    expect(receiver.received).toHaveLength(1);
    expect(connections).toBe(0);
  },
);

test.each([
  ['http://8.8.8.8/', { ...PUBLIC }, 'must start with https://'],
  ['ftp://8.8.8.8/', { ...PUBLIC, local: true }, 'must start with https://'],
  ['https://8.8.8.8:22/', { ...PUBLIC, standardPortsOnly: true }, 'must use port 443 or 8443, or in the sandbox a port above 1024'],
  ['https://8.8.8.8:80/', { ...PUBLIC, standardPortsOnly: true }, 'must use port 443 or 8443, or in the sandbox a port above 1024'],
  ['https://8.8.8.8:22/', { ...PUBLIC }, 'must use port 443 or 8443, or in the sandbox a port above 1024'],
  ['https://8.8.8.8:1024/', { ...PUBLIC }, 'must use port 443 or 8443, or in the sandbox a port above 1024'],
  ['https://user@8.8.8.8/', { ...PUBLIC }, 'must not contain a user name or password'],
  ['https://:secret@8.8.8.8/', { ...PUBLIC }, 'must not contain a user name or password'],
])('%s is refused by the rules for URLs', async (url, rules, reason) => {
  const answer = await callOnce(url, { headers: {}, body: 'x', timeoutMs: 5_000, vet: { rules } });
  expect(answer.error).toEqual({ kind: 'forbidden', detail: `the address ${reason}`, sent: false, data: {} });
});

test.each([
  ['https://8.8.8.8:8443/', { ...PUBLIC, standardPortsOnly: true }],
  ['https://8.8.8.8:1025/', PUBLIC],
  ['https://8.8.8.8:65535/', PUBLIC],
  ['http://127.0.0.1:80/', { ...PUBLIC, local: true }],
  ['http://10.0.0.1:22/', { ...PUBLIC, networks: ['10.0.0.0/8'] }],
])('%s is allowed by the rules for URLs', (url, rules) => {
  expect(judgeUrl(new URL(url), rules)).toBeNull();
});

test.each(['8.8.8.8', '196.41.32.1', '2a00:1450:4001:81b::200e', '::ffff:8.8.8.8', '169.253.255.255', '172.32.0.1', '100.128.0.1'])(
  '%s is public',
  (address) => {
    expect(judgeAddresses([address], new URL('https://shop.example'), PUBLIC)).toBeNull();
  },
);

test('development allows loopback, but no other private networks', async () => {
  const rules = { ...PUBLIC, local: true };
  const call = (host: string) => callOnce(`http://${host}:${port}/`, { headers: {}, timeoutMs: 5_000, vet: { rules } });
  expect(await call('127.0.0.1')).toMatchObject({ status: 200, error: null });
  expect(await call('localhost')).toMatchObject({ status: 200, error: null });
  expect(await call('10.0.0.1')).toMatchObject({ error: { kind: 'forbidden' } });
  expect(await call('0.0.0.0')).toMatchObject({ error: { kind: 'forbidden' } });
});

test.each([
  ['127.0.0.1', ['127.0.0.0/8'], 200],
  ['127.0.0.1', ['127.0.0.1'], 200],
  ['[::ffff:127.0.0.1]', ['127.0.0.0/8'], 200],
  ['127.0.0.2', ['127.0.0.1'], null],
  ['localhost', ['127.0.0.0/8'], null],
  ['[::1]', ['127.0.0.0/8'], null],
  ['127.0.0.1', ['::1', '10.0.0.0/8'], null],
] as const)('%s with the allowed networks %j gets status %j', async (host, networks, status) => {
  const vet = { rules: { standardPortsOnly: true, local: false, networks } };
  expect(await callOnce(`http://${host}:${port}/`, { headers: {}, timeoutMs: 5_000, vet })).toMatchObject({ status });
});
