import { createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** Reads an RSA public key: base64 (DER, SPKI), with or without the first and last line of a PEM file. Returns null if it is no such key. */
export function readRsaKey(text: string, minBits: number): KeyObject | null {
  try {
    const der = Buffer.from(text.replace(/-----(BEGIN|END) PUBLIC KEY-----/g, ''), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minBits ? key : null;
  } catch {
    return null;
  }
}

/** Returns the schema of an RSA public key in credentials. */
export function rsaPublicKey(name: string, minBits: number) {
  const message = `${name} must be an RSA public key of at least ${minBits} bits in base64 (DER, SPKI)`;
  return z.string(`${name} is missing`).transform((text, context): KeyObject => {
    const key = readRsaKey(text, minBits);
    if (key) return key;
    context.issues.push({ code: 'custom', message, input: undefined });
    return z.NEVER;
  });
}
