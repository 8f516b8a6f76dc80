import { describe, expect, test } from 'vitest';
import type { OutboundError } from '@/lib/platform/outbound/classify-error';
import { failureOf, loggedHeaders, retryAfter } from './failure-rules';

const URL_CALLED = 'https://shop.example/bili?key=1';
const answered = (status: number, headers: Record<string, string> = {}) => ({ status, headers, error: null });
const unanswered = (kind: OutboundError['kind'], data: OutboundError['data'] = {}) => ({
  status: null,
  headers: {},
  error: { kind, detail: 'x', sent: false, data },
});

describe('a delivery attempt', () => {
  test.each([200, 201, 202, 204, 299])('succeeds with status %d', (status) => {
    expect(failureOf(answered(status), URL_CALLED)).toBeNull();
  });

  test('succeeds even if the body of the answer is cut off', () => {
    const error = { kind: 'timeout', detail: 'x', sent: true, data: { stage: 'body' } } as const;
    expect(failureOf({ ...answered(200), error }, URL_CALLED)).toBeNull();
  });

  test.each([
    [300, 'http_status'],
    [304, 'http_status'],
    [400, 'http_status'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not_found'],
    [405, 'method'],
    [410, 'gone'],
    [413, 'too_large'],
    [418, 'http_status'],
    [422, 'http_status'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [503, 'server_error'],
    [599, 'server_error'],
    [999, 'server_error'],
  ])('with status %d fails as %s', (status, errorClass) => {
    expect(failureOf(answered(status), URL_CALLED)).toEqual({ errorClass, errorData: { status } });
  });

  test.each([
    ['refused', {}],
    ['name_not_found', {}],
    ['timeout', { stage: 'tls' }],
    ['reset', {}],
    ['cert_expired', { validTo: '2026-03-03T00:00:00.000Z' }],
    ['cert_not_yet_valid', { validFrom: '2027-03-03T00:00:00.000Z' }],
    ['cert_untrusted', { reason: 'self_signed', issuer: 'me' }],
    ['cert_wrong_name', { names: 'www.shop.example' }],
    ['tls', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
    ['forbidden', {}],
    ['headers_too_large', {}],
    ['other', {}],
  ] as const)('that is not answered is known by what went wrong: %s', (kind, data) => {
    expect(failureOf(unanswered(kind, data), URL_CALLED)).toEqual({ errorClass: kind, errorData: { ...data, detail: 'x' } });
  });

  test.each([
    [403, { 'cf-mitigated': 'challenge' }],
    [503, { 'cf-mitigated': 'challenge', 'retry-after': '5' }],
    [405, { 'x-amzn-waf-action': 'captcha' }],
    [429, { 'x-vercel-mitigated': 'challenge' }],
    [403, { 'sg-captcha': 'challenge' }],
    [202, { 'sg-captcha': 'challenge' }],
    [202, { 'x-amzn-waf-action': 'challenge' }],
  ])('with status %d and the headers of a bot challenge fails as challenge: %j', (status, headers) => {
    expect(failureOf(answered(status, headers), URL_CALLED)).toEqual({ errorClass: 'challenge', errorData: { status } });
  });

  test('is not a challenge if the firewall let it through', () => {
    expect(failureOf(answered(403, { 'cf-mitigated': '', 'cf-ray': '1' }), URL_CALLED)?.errorClass).toBe('unauthorized');
  });
});

test.each([
  ['http://shop.example/bili', 'https://shop.example/bili', 'https', 'https://shop.example/bili'],
  ['http://shop.example:8080/bili', 'https://shop.example/bili', 'https', 'https://shop.example/bili'],
  ['https://shop.example/bili', 'https://www.shop.example/bili', 'www', 'https://www.shop.example/bili'],
  ['https://www.shop.example/bili', '//shop.example/bili', 'www', 'https://shop.example/bili'],
  ['http://shop.example/bili', 'https://www.shop.example/bili/', 'www', 'https://www.shop.example/bili/'],
  ['https://shop.example/bili', '/bili/', 'slash', 'https://shop.example/bili/'],
  ['https://shop.example/bili/?a=1', '/bili?a=1', 'slash', 'https://shop.example/bili?a=1'],
  ['https://shop.example/bili', '/login', 'elsewhere', 'https://shop.example/login'],
  ['https://shop.example/bili', '/bili', 'elsewhere', 'https://shop.example/bili'],
  ['https://shop.example/bili?a=1', '/bili/', 'elsewhere', 'https://shop.example/bili/'],
  ['https://shop.example/bili', 'http://shop.example/bili', 'elsewhere', 'http://shop.example/bili'],
  ['https://shop.example/bili', 'https://shop.example:8443/bili', 'elsewhere', 'https://shop.example:8443/bili'],
  ['https://shop.example/bili', 'https://other.example/bili', 'elsewhere', 'https://other.example/bili'],
  ['https://shop.example/bili', 'https://:99999/', 'elsewhere', 'https://:99999/'],
])('a redirect from %s to %s is classified as %s', (url, location, change, whole) => {
  expect(failureOf(answered(308, { location }), url)).toEqual({
    errorClass: 'redirect',
    errorData: { status: 308, location: whole, change },
  });
});

test('texts of the receiver are cut and lose control characters', () => {
  const names = `\u001b[31mshop\u0000\u009b\r\n${'é'.repeat(400)}`;
  const data = failureOf(unanswered('cert_wrong_name', { names }), URL_CALLED)?.errorData;
  expect(data).toEqual({ detail: 'x', names: `[31mshop${'é'.repeat(292)}` });
  const location = `https://shop.example/${'a'.repeat(5_000)}`;
  expect(failureOf(answered(301, { location }), URL_CALLED)?.errorData.location).toHaveLength(300);
  const halved = failureOf(unanswered('cert_wrong_name', { names: `${'a'.repeat(299)}😀` }), URL_CALLED)?.errorData;
  expect(halved).toEqual({ detail: 'x', names: 'a'.repeat(299) });
});

const NOW = new Date('2026-11-21T10:00:00Z');

test.each([
  ['0', '2026-11-21T10:00:00Z'],
  ['120', '2026-11-21T10:02:00Z'],
  [' 120 ', '2026-11-21T10:02:00Z'],
  ['86400', '2026-11-22T10:00:00Z'],
  ['Sat, 21 Nov 2026 10:05:00 GMT', '2026-11-21T10:05:00Z'],
  ['Saturday, 21-Nov-26 10:05:00 GMT', '2026-11-21T10:05:00Z'],
  ['Sat Nov 21 10:05:00 2026', '2026-11-21T10:05:00Z'],
  ['Sat Dec  5 10:05:00 2026', '2026-12-05T10:05:00Z'],
  ['Sat, 21 Nov 2026 09:59:00 GMT', null],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  ['99999999999999', null],
  ['soon', null],
  ['Sat, soon', null],
  ['2026-11-21T10:05:00Z', null],
  ['120, 240', null],
  ['', null],
])('Retry-After: %s means %s', (value, until) => {
  const headers = { 'retry-after': value };
  for (const status of [429, 503]) expect(retryAfter({ status, headers }, NOW)).toEqual(until && new Date(until));
  for (const status of [200, 302, 500]) expect(retryAfter({ status, headers }, NOW)).toBeNull();
  expect(retryAfter({ status: 429, headers: {} }, NOW)).toBeNull();
});

test('only the listed headers are logged, each cut to 1024 characters', () => {
  const headers = {
    'content-type': 'text/html',
    'set-cookie': 'session=1',
    cookie: 'x',
    authorization: 'x',
    'x-amz-security-token': 'x',
    'cf-ray': '8a\u0000b',
    location: 'l'.repeat(2_000),
  };
  expect(loggedHeaders(headers)).toEqual({ 'content-type': 'text/html', 'cf-ray': '8ab', location: 'l'.repeat(1024) });
});
