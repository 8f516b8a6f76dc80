import { expect, test } from 'vitest';
import { addressFinder, hostNormaliser, PEER_HEADER, pathOf, queryOf } from './request-facts';

const find = (trusted: readonly string[], peer: string, forwarded?: string) =>
  addressFinder(trusted)(new Headers({ [PEER_HEADER]: peer, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) }));

test.each([
  ['ignores X-Forwarded-For without trusted proxies', [], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['uses X-Forwarded-For of a trusted proxy', ['10.0.0.0/8'], '10.0.0.2', '198.51.100.1', '198.51.100.1'],
  ['uses the last address that is not a trusted proxy', ['10.0.0.0/8'], '10.0.0.2', '6.6.6.6, 198.51.100.1, 10.0.0.7', '198.51.100.1'],
  ['ignores everything left of an unreadable address', ['10.0.0.0/8'], '10.0.0.2', '6.6.6.6, unknown', '10.0.0.2'],
  ['uses the peer without X-Forwarded-For', ['10.0.0.0/8'], '10.0.0.2', undefined, '10.0.0.2'],
  ['reads IPv4-mapped IPv6 addresses', ['127.0.0.1'], '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['ignores a port after an IPv4 address', ['127.0.0.1'], '127.0.0.1', '198.51.100.1:5678', '198.51.100.1'],
  ['ignores a port after an IPv6 address', ['127.0.0.1'], '127.0.0.1', '[2001:db8::5]:443', '2001:db8::5'],
  ['reads IPv6 addresses', ['fd00::/8'], 'fd00::1', '2001:db8::5', '2001:db8::5'],
] as const)('%s', (_name, trusted, peer, forwarded, address) => {
  expect(find(trusted, peer, forwarded)).toBe(address);
});

test('reports X-Forwarded-For from an untrusted peer once', () => {
  const reported: string[] = [];
  const findWith = addressFinder(['10.0.0.1'], (peer) => reported.push(peer));
  const from = (peer: string, forwarded: object) => findWith(new Headers({ [PEER_HEADER]: peer, ...forwarded }));
  from('10.0.0.2', {});
  from('10.0.0.1', { 'x-forwarded-for': '6.6.6.6' });
  expect(reported).toEqual([]);
  for (let n = 0; n < 3; n += 1) expect(from('10.0.0.2', { 'x-forwarded-for': '6.6.6.6' })).toBe('10.0.0.2');
  expect(reported).toEqual(['10.0.0.2']);
});

test.each([
  ['http://localhost:3001/api/v3/bills/x?y=/z#w', '/api/v3/bills/x'],
  ['http://localhost', '/'],
  ['https://h/a%2Fb', '/a%2Fb'],
])('the path of %s is %s', (url, path) => {
  expect(pathOf(url)).toBe(path);
});

test.each([
  ['http://localhost:3001/api/v3/events?after=7&limit=2#?after=9', { after: '7', limit: '2' }],
  ['http://localhost/a', {}],
  ['http://localhost/a#?after=1', {}],
  ['https://h/a?after=%zz&b=1+2', { after: '%zz', b: '1 2' }],
])('the query of %s is %j', (url, query) => {
  expect(Object.fromEntries(queryOf(url))).toEqual(query);
});

test.each([
  ['https://pay.example', 'Pay.Example:443', 'pay.example'],
  ['https://pay.example', 'pay.example:80', 'pay.example:80'],
  ['http://pay.example', 'pay.example:80', 'pay.example'],
  ['http://pay.example:443', 'pay.example:443', 'pay.example:443'],
  ['https://pay.example:8443', 'pay.example:8443', 'pay.example:8443'],
  ['https://pay.example', 'other.example:443', 'other.example'],
  ['https://pay.example', 'other.example:', 'other.example'],
  ['https://pay.example', '[::1]:443', '[::1]'],
  ['https://pay.example', '[::1]', '[::1]'],
  ['https://pay.example', 'localhost:3000', 'localhost:3000'],
])('at the base address %s, the host %s is %s', (live, given, host) => {
  const settings = {
    PORT: 3000,
    SANDBOX_PORT: 3001,
    LIVE_BASE_URL: new URL(live),
    SANDBOX_BASE_URL: new URL('http://sandbox.example:3001'),
  };
  expect(hostNormaliser(settings)(given)).toBe(host);
  expect(hostNormaliser({ ...settings, PORT: 443 })('third.example:443')).toBe('third.example:443');
});
