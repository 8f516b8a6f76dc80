import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Purposes of derived keys. Each purpose has its own key, so that a leaked key reveals nothing about the other keys. */
type Purpose = 'encryption' | 'session' | 'callback' | 'receipt' | 'recovery-code' | 'audit' | 'push' | 'sandbox-provider' | 'phone-link';

const ENCRYPTED_V1 = 1;

/** The maximum number of decrypted secrets that a process keeps in memory. */
const REMEMBERED_MAX = 2_000;

/** The functions that depend on SECRET_KEY. */
export interface Secrets {
  /** Derives a 32-byte key that only this deployment can derive (HKDF-SHA-256, RFC 5869). */
  key(purpose: Purpose): Buffer;
  /** Encrypts with AES-256-GCM. @param context the record to which the text belongs. Decryption needs the same context. */
  encrypt(text: string, context: string): Uint8Array<ArrayBuffer>;
  /** Decrypts. Throws if the bytes were not encrypted with the same secret and context. */
  decrypt(bytes: Uint8Array, context: string): string;
  /** Decrypts a secret that is needed often, and keeps it in memory: decrypting a signing secret takes longer than signing a webhook. */
  decryptOften(bytes: Uint8Array, context: string): string;
  /** Derives an unguessable token (128 bits) from a name. The same name always gives the same token. */
  token(purpose: Purpose, name: string): string;
}

export function deriveSecrets(secretKey: string): Secrets {
  const master = Buffer.from(secretKey, 'base64');
  const keys = new Map<Purpose, Buffer>();
  const remembered = new Map<string, string>();

  function key(purpose: Purpose): Buffer {
    const known = keys.get(purpose);
    if (known) return known;
    const derived = Buffer.from(hkdfSync('sha256', master, '', `bili/${purpose}`, 32));
    keys.set(purpose, derived);
    return derived;
  }

  function decrypt(bytes: Uint8Array, context: string): string {
    if (bytes[0] !== ENCRYPTED_V1) throw new Error(`the encrypted value has the unknown version ${bytes[0]}`);
    const decipher = createDecipheriv('aes-256-gcm', key('encryption'), bytes.subarray(1, 13));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(13, 29));
    return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString('utf8');
  }

  return {
    key,
    decrypt,
    decryptOften(bytes, context) {
      // The key of the map contains the encrypted bytes. A changed secret has other bytes, so an old secret is never returned for it.
      const name = `${context} ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
      const known = remembered.get(name);
      if (known !== undefined) return known;
      const text = decrypt(bytes, context);
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(name, text);
      return text;
    },
    encrypt(text, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key('encryption'), nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return new Uint8Array(Buffer.concat([Buffer.of(ENCRYPTED_V1), nonce, cipher.getAuthTag(), sealed]));
    },
    token(purpose, name) {
      return createHmac('sha256', key(purpose)).update(name).digest().subarray(0, 16).toString('base64url');
    },
  };
}
