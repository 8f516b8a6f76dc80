import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What keys are derived for; each purpose has its own key, so that one leaking says nothing of the others. */
type Purpose = 'encryption' | 'session' | 'callback' | 'receipt' | 'recovery-code' | 'audit' | 'sandbox-provider';

const ENCRYPTED_V1 = 1;

/** The deployment's one secret, and everything that is derived from it. */
export interface Secrets {
  /** @returns 32 bytes (HKDF-SHA-256, RFC 5869) that only this deployment can make. */
  key(purpose: Purpose): Buffer;
  /** AES-256-GCM. @param context what the text belongs to; decrypting under another context fails. */
  encrypt(text: string, context: string): Uint8Array<ArrayBuffer>;
  /** Throws when the bytes were not made by `encrypt` with the same secret and context. */
  decrypt(bytes: Uint8Array, context: string): string;
  /** @returns an unguessable token (128 bits) for a name; the same name gives the same token. */
  token(purpose: Purpose, name: string): string;
}

export function deriveSecrets(secretKey: string): Secrets {
  const master = Buffer.from(secretKey, 'base64');
  const keys = new Map<Purpose, Buffer>();

  function key(purpose: Purpose): Buffer {
    const known = keys.get(purpose);
    if (known) return known;
    const derived = Buffer.from(hkdfSync('sha256', master, '', `bili/${purpose}`, 32));
    keys.set(purpose, derived);
    return derived;
  }

  return {
    key,
    encrypt(text, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key('encryption'), nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return new Uint8Array(Buffer.concat([Buffer.of(ENCRYPTED_V1), nonce, cipher.getAuthTag(), sealed]));
    },
    decrypt(bytes, context) {
      if (bytes[0] !== ENCRYPTED_V1) throw new Error('encrypted value of an unknown version');
      const decipher = createDecipheriv('aes-256-gcm', key('encryption'), bytes.subarray(1, 13));
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(13, 29));
      return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString('utf8');
    },
    token(purpose, name) {
      return createHmac('sha256', key(purpose)).update(name).digest().subarray(0, 16).toString('base64url');
    },
  };
}
