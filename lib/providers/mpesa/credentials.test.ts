import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { MPESA_FIELDS, parseCredentials } from './adapter';

const publicKey = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

const GOOD = { env: 'openapi', apiKey: 'k'.repeat(32), publicKey: publicKey(2048), serviceProviderCode: '123456', mode: 'async' };

test('the fields that the portal shows are enough, and the others have defaults', () => {
  expect(parseCredentials(JSON.stringify(GOOD))).toMatchObject({
    ok: true,
    value: {
      baseUrl: 'https://openapi.m-pesa.com',
      market: 'vodacomTZN',
      origin: '*',
      sessionMinutes: 60,
      sessionWarmupSeconds: 30,
    },
  });
});

test('the field descriptions agree with the schema about required fields and defaults', () => {
  for (const { name, absent } of MPESA_FIELDS) {
    const { ok } = parseCredentials(JSON.stringify({ ...GOOD, [name]: undefined }));
    expect([name, ok]).toEqual([name, absent !== null]);
  }
  const read = parseCredentials(JSON.stringify(GOOD));
  if (!read.ok) throw new Error(read.error.join());
  for (const [name, value] of Object.entries(read.value)) {
    const described = MPESA_FIELDS.find((field) => field.name === name);
    if (!(name in GOOD)) expect([name, described?.absent]).toEqual([name, String(value)]);
  }
});

test.each([
  [{ baseUrl: 'http://openapi.m-pesa.com' }, 'baseUrl must be an https address without a path (http only on this machine).'],
  [{ baseUrl: 'https://openapi.m-pesa.com/sandbox' }, 'baseUrl must be an https address without a path (http only on this machine).'],
  [{ baseUrl: 5 }, 'baseUrl must be an address.'],
  [{ env: 'live' }, 'env must be "sandbox" or "openapi" (live).'],
  [{ market: 'vodafoneGHA' }, 'market must be "vodacomTZN".'],
  [{ apiKey: undefined }, 'apiKey is missing.'],
  [{ apiKey: 'with space inside' }, 'apiKey must be 8 to 200 printable characters without spaces.'],
  [{ publicKey: undefined }, 'publicKey is missing.'],
  [{ publicKey: 'bm9uc2Vuc2U=' }, 'publicKey must be an RSA public key of at least 2048 bits in base64 (DER, SPKI).'],
  [{ publicKey: ec }, 'publicKey must be an RSA public key of at least 2048 bits in base64 (DER, SPKI).'],
  [{ publicKey: publicKey(1024) }, 'publicKey must be an RSA public key of at least 2048 bits in base64 (DER, SPKI).'],
  [{ serviceProviderCode: '12-34' }, 'serviceProviderCode must be the shortcode: 4 to 12 letters and digits.'],
  [{ origin: 'two words' }, 'origin must be a domain or an address, or "*".'],
  [{ mode: 'both' }, 'mode must be "sync" or "async".'],
  [{ sessionMinutes: 0 }, 'sessionMinutes must be a number between 1 and 10080.'],
  [{ sessionWarmupSeconds: 'soon' }, 'sessionWarmupSeconds must be a number between 0 and 120.'],
  [{ callsAtOnce: 0 }, 'callsAtOnce must be a number between 1 and 1000.'],
  [{ callsAtOnce: 2.5 }, 'callsAtOnce must be a whole number.'],
  [{ apikey: 'x' }, 'M-Pesa credentials have no apikey.'],
])('%j: %s', (change, sentence) => {
  expect(parseCredentials(JSON.stringify({ ...GOOD, ...change }))).toEqual({ ok: false, error: [sentence] });
});

test.each([null, '', 'text', '[]'])('%j is not accepted as credentials', (text) => {
  expect(parseCredentials(text)).toMatchObject({ ok: false, error: [expect.stringMatching(/^M-Pesa .*\.$/)] });
});
