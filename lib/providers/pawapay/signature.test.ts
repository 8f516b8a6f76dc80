import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountOf } from '@/lib/testing/providers/samples';
import { createPawapayAdapter } from './adapter';
import { idOf } from './ids';
import { isSigned, readPublicKey } from './signature';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ADDRESS = new URL('https://pay.example.com/callbacks/token');
const BODY = '{"depositId":"8917c345-4791-4285-a416-62f24b6982db","status":"COMPLETED"}';
const NOW = new Date('2026-11-23T10:00:00.500Z');
const CREATED = Math.floor(NOW.getTime() / 1_000);
const COMPONENTS = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'];

interface Change {
  readonly address?: URL;
  readonly components?: readonly string[];
  readonly alg?: string;
  readonly created?: number;
  readonly key?: KeyObject;
  readonly encoding?: 'der' | 'ieee-p1363';
  readonly digest?: string;
}

/** Signs as the text of RFC 9421 says, without the code of the simulator. */
function signedCallback(change: Change = {}, content = BODY) {
  const { address = ADDRESS, components = COMPONENTS, alg = 'ecdsa-p256-sha256', created = CREATED, key = privateKey } = change;
  const fields: Record<string, string> = {
    'signature-date': '2026-11-23T10:00:00.000Z',
    'content-digest': change.digest ?? `sha-256=:${createHash('sha256').update(content).digest('base64')}:`,
    'content-type': 'application/json; charset=UTF-8',
  };
  const derived: Record<string, string> = { '@method': 'POST', '@authority': address.host, '@path': address.pathname };
  const parameters = `(${components.map((name) => `"${name}"`).join(' ')});alg="${alg}";keyid="HTTP_EC_P256_KEY:1";created=${created};expires=${created + 60}`;
  const base = [...components.map((name) => `"${name}": ${derived[name] ?? fields[name]}`), `"@signature-params": ${parameters}`].join(
    '\n',
  );
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding: change.encoding ?? 'der' }).toString('base64');
  return {
    headers: { ...fields, 'signature-input': `sig-pp=${parameters}`, signature: `sig-pp=:${signature}:` },
    body: new Uint8Array(Buffer.from(content)),
  };
}

const verifies = (callback: Parameters<typeof isSigned>[0]) => isSigned(callback, ADDRESS, publicKey, NOW);

test.each(['der', 'ieee-p1363'] as const)('a signature in the form %s is accepted', (encoding) => {
  expect(verifies(signedCallback({ encoding }))).toBe(true);
});

test.each([
  ['for another address', { address: new URL('https://pay.example.com/callbacks/other') }],
  ['for another host', { address: new URL('https://other.example.com/callbacks/token') }],
  ['that does not cover the body', { components: COMPONENTS.filter((name) => name !== 'content-digest') }],
  ['that does not cover the address', { components: COMPONENTS.filter((name) => name !== '@path') }],
  ['that covers an unknown derived component', { components: [...COMPONENTS, '@query'] }],
  ['that covers a name of the prototype', { components: [...COMPONENTS, 'constructor'] }],
  ['by another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ['of another algorithm', { alg: 'hmac-sha256' }],
  ['that is older than five minutes', { created: CREATED - 301 }],
  ['from the future', { created: CREATED + 302 }],
  ['with the digest of another body', { digest: `sha-256=:${createHash('sha256').update('{}').digest('base64')}:` }],
  ['with an unknown digest', { digest: 'md5=:AAAA:' }],
] satisfies [string, Change][])('a signature %s is refused', (_name, change) => {
  expect(verifies(signedCallback(change))).toBe(false);
});

test.each([
  ['a changed body', () => ({ ...signedCallback(), body: new Uint8Array(Buffer.from(BODY.replace('COMPLETED', 'FAILED'))) })],
  ['a missing header', () => ({ ...signedCallback(), headers: { ...signedCallback().headers, 'signature-date': '' } })],
  ['no headers', () => ({ ...signedCallback(), headers: {} })],
  ['another label', () => ({ ...signedCallback(), headers: { ...signedCallback().headers, signature: 'other=:AAAA:' } })],
  ['a signature that is too short', () => ({ ...signedCallback(), headers: { ...signedCallback().headers, signature: 'sig-pp=:AAAA:' } })],
])('a callback with %s is refused', (_name, callback) => {
  expect(verifies(callback())).toBe(false);
});

test('a public key is read from PEM and from base64, and only for P-256', () => {
  const text = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64');
  expect(readPublicKey(text(publicKey))).not.toBeNull();
  expect(readPublicKey(publicKey.export({ format: 'pem', type: 'spki' }).toString())).not.toBeNull();
  expect(readPublicKey(text(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey))).toBeNull();
  for (const wrong of ['', 'AAAA', '-----BEGIN PUBLIC KEY-----', text(generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey)])
    expect(readPublicKey(wrong)).toBeNull();
});

test('a signed deposit counts only if its id follows from our reference: other systems may use the same pawaPay account', () => {
  const callbackPublicKey = publicKey.export({ type: 'spki', format: 'pem' });
  const credentials = { apiToken: 'a-token-of-a-test', callbackPublicKey, baseUrl: 'https://api.sandbox.pawapay.io' };
  const account = accountOf('pawapay', credentials, { callbackUrl: ADDRESS.href });
  const clientReferenceId = 'A'.repeat(20);
  const receive = (depositId: string) => {
    const payer = { type: 'MMO', accountDetails: { phoneNumber: '255712345678', provider: 'TIGO_TZA' } };
    const deposit = { depositId, status: 'COMPLETED', amount: '5000', currency: 'TZS', clientReferenceId, payer };
    return createPawapayAdapter({ clock: () => NOW }).readCallback(account, signedCallback({}, JSON.stringify(deposit)));
  };
  expect(receive(idOf(clientReferenceId))).toMatchObject({
    verified: true,
    payer: '0712345678',
    outcome: { kind: 'paid', amount: 500_000n },
  });
  expect(receive(idOf('ANOTHER'))).toMatchObject({ verified: false, outcome: null });
});
