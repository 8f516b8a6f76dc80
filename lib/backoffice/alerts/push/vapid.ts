import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Secrets } from '@/lib/platform/config/secrets';
import type { Settings } from '@/lib/platform/config/settings';
import { addMs, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';

/** The order of the curve P-256 (SEC 2, 2.4.2). A private key is a number from 1 to `ORDER - 1`. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** How long the signed token of a push is valid. RFC 8292 allows at most 24 hours. */
const TOKEN_MS = 12 * HOUR_MS;

interface PushKey {
  /** The public key as an uncompressed point of the curve, in base64url, as browsers expect it. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/**
 * Returns the key pair with which this installation identifies itself to push services (VAPID, RFC 8292). The key pair is
 * derived from a stored key, so all processes have the same key pair.
 */
export function pushKey(secrets: Pick<Secrets, 'key'>): PushKey {
  const scalar = (BigInt(`0x${secrets.key('push').toString('hex')}`) % (ORDER - 1n)) + 1n;
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: ecdh.getPrivateKey().toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

interface PushRequest {
  /** The address that the browser got from its push service. */
  readonly endpoint: string;
  readonly now: Date;
}

/** Returns the headers of a push without content. */
export function pushHeaders(
  { secrets, settings }: { readonly secrets: Pick<Secrets, 'key'>; readonly settings: ContactSettings },
  { endpoint, now }: PushRequest,
): Record<string, string> {
  const { publicKey, privateKey } = pushKey(secrets);
  const expires = Math.floor(addMs(now, TOKEN_MS).getTime() / SECOND_MS);
  const claims = { aud: new URL(endpoint).origin, exp: expires, sub: contactOf(settings) };
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return {
    authorization: `vapid t=${signed}.${signature}, k=${publicKey}`,
    // The push service stores a push for a day (in seconds) while the device is off. A newer push replaces one that was not delivered.
    ttl: '86400',
    topic: 'bili',
    urgency: 'high',
    'content-length': '0',
  };
}

type ContactSettings = Pick<Settings, 'PUSH_CONTACT' | 'OPERATOR_EMAIL' | 'LIVE_BASE_URL'>;

/**
 * Returns the address by which the provider of a push service can reach the operator: an e-mail address, or the address of this
 * installation.
 */
function contactOf({ PUSH_CONTACT, OPERATOR_EMAIL, LIVE_BASE_URL }: ContactSettings): string {
  const email = PUSH_CONTACT ?? OPERATOR_EMAIL;
  return email === undefined ? LIVE_BASE_URL.origin : `mailto:${email}`;
}
