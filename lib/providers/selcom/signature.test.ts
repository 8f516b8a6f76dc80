import { expect, test } from 'vitest';
import { authorizationOf, digestOf, formatTimestamp, provenFields, signHeaders } from './signature';

// The sample key of the official clients.
const KEY = '202cb962ac59075b964b07152d234b70';
const SECRET = '81dc9bdb52d04dc20036dbd8313ed055';
const TIMESTAMP = '2019-02-26T09:30:46+03:00';
const FIELDS = { utilityref: '12345', transid: 'transid', amount: 5000 };
const DIGEST = 'TFHAyQ1k1d601bVfimp+GJsgiBPzMmmV0QJl0bX1c1Q=';

test('a request has the digest of the official sample', () => {
  expect(digestOf(TIMESTAMP, FIELDS, SECRET)).toBe(DIGEST);
  expect(authorizationOf(KEY)).toBe('SELCOM MjAyY2I5NjJhYzU5MDc1Yjk2NGIwNzE1MmQyMzRiNzA=');
  expect(signHeaders(FIELDS, { apiKey: KEY, apiSecret: SECRET }, new Date('2019-02-26T06:30:46.789Z'))).toEqual({
    authorization: 'SELCOM MjAyY2I5NjJhYzU5MDc1Yjk2NGIwNzE1MmQyMzRiNzA=',
    timestamp: TIMESTAMP,
    'digest-method': 'HS256',
    digest: DIGEST,
    'signed-fields': 'utilityref,transid,amount',
  });
});

test('a timestamp is in East Africa Time, without milliseconds', () => {
  expect(formatTimestamp(new Date('2026-11-23T22:15:00.999Z'))).toBe('2026-11-24T01:15:00+03:00');
});

const headers = { timestamp: TIMESTAMP, digest: DIGEST, 'signed-fields': 'utilityref,transid,amount', 'digest-method': 'HS256' };

test('a digest proves the fields that it covers, and no others', () => {
  expect(provenFields(headers, { ...FIELDS, channel: 'MPESA-TZ' }, SECRET)).toEqual(['utilityref', 'transid', 'amount']);
  const { 'digest-method': _, ...withoutMethod } = headers;
  expect(provenFields(withoutMethod, FIELDS, SECRET)).toEqual(['utilityref', 'transid', 'amount']);
});

test.each([
  ['another value', headers, { ...FIELDS, amount: 5001 }, SECRET],
  ['a missing field', headers, { utilityref: '12345', transid: 'transid' }, SECRET],
  ['a field that is no text or number', headers, { ...FIELDS, amount: { value: 5000 } }, SECRET],
  ['another secret', headers, FIELDS, KEY],
  ['another timestamp', { ...headers, timestamp: '2019-02-26T09:30:47+03:00' }, FIELDS, SECRET],
  ['another order of its fields', { ...headers, 'signed-fields': 'transid,utilityref,amount' }, FIELDS, SECRET],
  ['a field named twice', { ...headers, 'signed-fields': 'utilityref,transid,amount,amount' }, FIELDS, SECRET],
  ['an inherited field', { ...headers, 'signed-fields': 'constructor' }, FIELDS, SECRET],
  ['a shorter digest', { ...headers, digest: DIGEST.slice(1) }, FIELDS, SECRET],
  ['no digest', { ...headers, digest: undefined }, FIELDS, SECRET],
  ['another method', { ...headers, 'digest-method': 'RS256' }, FIELDS, SECRET],
])('a digest proves nothing with %s', (_name, changed, values, secret) => {
  expect(provenFields(changed, values, secret)).toBeNull();
});
