import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { SECOND_MS } from '@/lib/core/clock';
import type { RawCallback } from '@/lib/providers/port/port';

/**
 * How much older or newer than our clock a signature may be. A longer time is not needed: pawaPay's signatures expire after a minute, and a
 * repeated callback has a new signature.
 */
const MAX_AGE_MS = 300 * SECOND_MS;
/** A signature must cover these components. Otherwise it would also be valid for another callback or address. */
const REQUIRED = ['@method', '@authority', '@path', 'content-digest'];
const INPUT = /^sig-pp=(\(((?:"[a-z@-]+"(?: |(?=\))))+)\)((?:;[a-z]+=(?:"[\x20\x21\x23-\x5b\x5d-\x7e]*"|\d{1,15}))+))$/;
const SIGNATURE = /^sig-pp=:([A-Za-z0-9+/]+={0,2}):$/;
const DIGEST = /^(sha-256|sha-512)=:([A-Za-z0-9+/]+={0,2}):$/;

/** Reads a public key for P-256: PEM, or the base64 text of its DER form. Returns null if it is no such key. */
export function readPublicKey(text: string): KeyObject | null {
  try {
    const key = text.includes('BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

/** Returns whether a callback has a valid signature of RFC 9421 in the form that pawaPay uses, for this address. */
export function isSigned({ headers, body }: RawCallback, address: URL, key: KeyObject, now: Date): boolean {
  const [, parameters = '', covered = '', rest = ''] = INPUT.exec(headers['signature-input'] ?? '') ?? [];
  const components = covered.split(' ').map((component) => component.slice(1, -1));
  const [, signature = ''] = SIGNATURE.exec(headers.signature ?? '') ?? [];
  if (!REQUIRED.every((component) => components.includes(component))) return false;
  if (/;alg="([^"]*)"/.exec(rest)?.[1] !== 'ecdsa-p256-sha256' || !isRecent(rest, now)) return false;
  if (!fitsDigest(headers['content-digest'] ?? '', body)) return false;
  const lines = [];
  for (const component of components) {
    const value = componentValue(component, headers, address);
    if (value === undefined) return false;
    lines.push(`"${component}": ${value}`);
  }
  const base = Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n'));
  const bytes = Buffer.from(signature, 'base64');
  // RFC 9421 asks for the 64 bytes of r and s. The samples of pawaPay have the DER form.
  return verify('sha256', base, { key, dsaEncoding: bytes.length === 64 ? 'ieee-p1363' : 'der' }, bytes);
}

function componentValue(component: string, headers: RawCallback['headers'], address: URL): string | undefined {
  switch (component) {
    case '@method':
      return 'POST';
    case '@authority':
      return address.host;
    case '@path':
      return address.pathname;
    default:
      // The sender of a callback chooses the component names, so a name can be a member of Object.prototype.
      return Object.hasOwn(headers, component) ? headers[component]?.trim() : undefined;
  }
}

function isRecent(parameters: string, now: Date): boolean {
  const created = Number(/;created=(\d+)/.exec(parameters)?.[1]);
  return Math.abs(now.getTime() - created * SECOND_MS) <= MAX_AGE_MS;
}

function fitsDigest(header: string, body: Uint8Array): boolean {
  const [, algorithm = '', given = ''] = DIGEST.exec(header) ?? [];
  if (algorithm === '') return false;
  const expected = createHash(algorithm.replace('-', '')).update(body).digest();
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
