import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountOf, answer } from '@/testing/providers/samples';
import { createPawapayAdapter } from './adapter';
import { idOf, isSigned, readDepositAnswer, readDepositStatus, readPublicKey, readRefundAnswer, readRefundStatus } from './wire';

const ID = idOf('0123456789ABCDEFGHIJ');
const OTHER = idOf('ABCDEFGHIJ0123456789');
const failure = (failureCode: string) => ({ failureReason: { failureCode, failureMessage: 'text' } });

test('ids are UUIDs of version 4 that depend on the reference only', () => {
  expect(ID).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idOf('0123456789ABCDEFGHIJ')).toBe(ID);
  expect(OTHER).not.toBe(ID);
});

test.each([
  ['accepted', answer(200, { depositId: ID, status: 'ACCEPTED' }), { kind: 'accepted', providerReference: ID }],
  ['about another deposit', answer(200, { depositId: OTHER, status: 'ACCEPTED' }), { kind: 'unknown' }],
  ['accepted and failed', answer(200, { depositId: ID, status: 'ACCEPTED', ...failure('INVALID_AMOUNT') }), { kind: 'unknown' }],
  ['a duplicate', answer(200, { depositId: ID, status: 'DUPLICATE_IGNORED' }), { kind: 'duplicate' }],
  ['rejected', answer(200, { depositId: ID, status: 'REJECTED', ...failure('AMOUNT_OUT_OF_BOUNDS') }), failed('amount_invalid')],
  ['rejected for an unknown reason', answer(200, { depositId: ID, status: 'REJECTED', ...failure('constructor') }), { kind: 'unknown' }],
  ['a wrong token', answer(403, failure('AUTHENTICATION_ERROR')), failed('merchant_config')],
  ['deposits are not allowed', answer(403, { depositId: ID, ...failure('DEPOSITS_NOT_ALLOWED') }), failed('merchant_config')],
  [
    'the wallet is down',
    answer(200, { depositId: ID, status: 'REJECTED', ...failure('PROVIDER_TEMPORARILY_UNAVAILABLE') }),
    failed('provider_unavailable'),
  ],
  ['a documented code with an error of the server', answer(500, failure('INVALID_AMOUNT')), { kind: 'unknown' }],
  ['refused and accepted', answer(400, { depositId: ID, status: 'ACCEPTED', ...failure('INVALID_AMOUNT') }), { kind: 'unknown' }],
  ['a refusal of another deposit', answer(400, { depositId: OTHER, ...failure('INVALID_AMOUNT') }), { kind: 'unknown' }],
  ['a refusal of this deposit', answer(400, { depositId: ID, status: 'REJECTED', ...failure('INVALID_AMOUNT') }), failed('amount_invalid')],
  ['a documented code with a time-out', answer(408, failure('INVALID_AMOUNT')), { kind: 'unknown' }],
  ['a refusal by something else', answer(403, { message: 'forbidden' }), { kind: 'unknown' }],
])('a request for a deposit: %s', (_name, received, outcome) => {
  expect(readDepositAnswer(received, ID)).toEqual(outcome);
});

const found = (data: object) => answer(200, { status: 'FOUND', data: { depositId: ID, currency: 'TZS', amount: '5000.00', ...data } });

test.each([
  ['completed', found({ status: 'COMPLETED' }), { kind: 'paid', transactionId: ID, amount: 500_000n }],
  [
    'completed, with an amount that is a number',
    found({ status: 'COMPLETED', amount: 5_000 }),
    { kind: 'paid', transactionId: ID, amount: 500_000n },
  ],
  ['another deposit', found({ status: 'COMPLETED', depositId: OTHER }), { kind: 'unknown' }],
  ['another currency', found({ status: 'COMPLETED', currency: 'KES' }), { kind: 'unknown' }],
  ['a fraction of a shilling', found({ status: 'COMPLETED', amount: '5000.50' }), { kind: 'unknown' }],
  ['no amount', found({ status: 'COMPLETED', amount: null }), { kind: 'unknown' }],
  ['completed and failed', found({ status: 'COMPLETED', ...failure('PAYER_NOT_FOUND') }), { kind: 'unknown' }],
  ['the outer status says that the search succeeded', answer(200, { status: 'COMPLETED', data: { depositId: ID } }), { kind: 'unknown' }],
  ['in reconciliation', found({ status: 'IN_RECONCILIATION' }), { kind: 'pending' }],
  ['failed', found({ status: 'FAILED', ...failure('PAYER_LIMIT_REACHED') }), failed('limit_exceeded')],
  ['failed without a reason', found({ status: 'FAILED' }), failed('rejected')],
  ['an unknown status', found({ status: 'NEW' }), { kind: 'unknown' }],
  ['not found', answer(200, { status: 'NOT_FOUND' }), { kind: 'not_found' }],
  ['not found and found', answer(200, { status: 'NOT_FOUND', data: { depositId: ID } }), { kind: 'unknown' }],
  ['404', answer(404, { status: 'NOT_FOUND' }), { kind: 'unknown' }],
])('a status query: %s', (_name, received, outcome) => {
  expect(readDepositStatus(received, ID)).toEqual(outcome);
});

test.each([
  ['accepted', answer(200, { refundId: ID, status: 'ACCEPTED' }), { kind: 'pending' }],
  ['a duplicate', answer(200, { refundId: ID, status: 'DUPLICATE_IGNORED' }), { kind: 'unknown' }],
  ['already refunded', answer(200, { refundId: ID, status: 'REJECTED', ...failure('ALREADY_REFUNDED') }), failed('rejected')],
  ['about another refund', answer(200, { refundId: OTHER, status: 'ACCEPTED' }), { kind: 'unknown' }],
])('a request for a refund: %s', (_name, received, outcome) => {
  expect(readRefundAnswer(received, ID)).toEqual(outcome);
});

const refund = (data: object) => answer(200, { status: 'FOUND', data: { refundId: ID, currency: 'TZS', amount: '2000', ...data } });

test.each([
  ['completed', refund({ status: 'COMPLETED' }), { kind: 'refunded', transactionId: ID, amount: 200_000n }],
  ['another refund', refund({ status: 'COMPLETED', refundId: OTHER }), { kind: 'unknown' }],
  ['failed', refund({ status: 'FAILED' }), failed('rejected')],
  ['in progress', refund({ status: 'PROCESSING' }), { kind: 'pending' }],
  ['not found', answer(200, { status: 'NOT_FOUND' }), { kind: 'pending' }],
])('a status query about a refund: %s', (_name, received, outcome) => {
  expect(readRefundStatus(received, ID)).toEqual(outcome);
});

function failed(reason: string) {
  return { kind: 'failed', reason };
}

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
