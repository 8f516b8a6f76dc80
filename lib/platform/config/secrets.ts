import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { ConnectedSettings } from './settings';

/** Purposes of derived keys. Each purpose has its own key, so that a leaked key reveals nothing about the other keys. */
export const PURPOSES = [
  'session',
  'callback',
  'receipt',
  'recovery-code',
  'audit',
  'push',
  'sandbox-provider',
  'phone-link',
  'pseudonym',
] as const;
export type Purpose = (typeof PURPOSES)[number];

/** The derived keys of a deployment, by purpose. They are stored, so that they stay the same when the master key changes. */
export type DerivedKeys = ReadonlyMap<Purpose, Buffer>;

/** The master keys: the one that encrypts, and perhaps a second one that only decrypts. */
export type MasterKeys = Pick<ConnectedSettings, 'SECRET_KEY' | 'SECRET_KEY_OTHER'>;

/** The version byte, a nonce of 12 bytes, a tag of 16 bytes, the encrypted text. */
const VERSION_1 = 1;
/** The version byte, the id of the master key (4 bytes), then as in version 1. */
const VERSION_2 = 2;
const KEY_ID_BYTES = 4;

/** The maximum number of decrypted secrets that a process keeps in memory. */
const REMEMBERED_MAX = 2_000;

/** The functions that depend on the keys of a deployment. */
export interface Secrets {
  /** The ids of the master keys, each of 8 hexadecimal digits. The first one encrypts. */
  readonly keyIds: readonly [string, ...string[]];
  /** Returns the stored key of 32 bytes for a purpose. Throws if it is not loaded. */
  key(purpose: Purpose): Buffer;
  /** Encrypts with AES-256-GCM. @param context the record to which the text belongs. Decryption needs the same context. */
  encrypt(text: string, context: string): Uint8Array<ArrayBuffer>;
  /** Decrypts. Throws if the bytes were not encrypted with one of the master keys and the same context. */
  decrypt(bytes: Uint8Array, context: string): string;
  /** Decrypts a secret that is needed often, and keeps it in memory: decrypting a signing secret takes longer than signing a webhook. */
  decryptOften(bytes: Uint8Array, context: string): string;
  /** Derives an unguessable token (128 bits) from a name. The same name always gives the same token. */
  token(purpose: Purpose, name: string): string;
}

/** Derives the keys of all purposes from a master key: those that a deployment stores when it starts for the first time. */
export function firstKeys(secretKey: string): DerivedKeys {
  return new Map(PURPOSES.map((purpose) => [purpose, derive(secretKey, purpose)]));
}

/** Creates the functions that depend on the keys. @param derived the stored keys. By default there are none: then `key` throws. */
export function createSecrets({ SECRET_KEY, SECRET_KEY_OTHER }: MasterKeys, derived: DerivedKeys = new Map()): Secrets {
  const current = masterKey(SECRET_KEY);
  const masters = [current, ...(SECRET_KEY_OTHER === undefined ? [] : [masterKey(SECRET_KEY_OTHER)])];
  const remembered = new Map<string, string>();
  // Processes of the version before read only version 1. They may still run during an upgrade, but no longer when the key is replaced. So
  // version 2 begins with the second key. Until then, there is only the key from which the stored keys were derived.
  const isFirst = masters.length === 1 && derived.get('receipt')?.equals(derive(SECRET_KEY, 'receipt'));

  function key(purpose: Purpose): Buffer {
    const known = derived.get(purpose);
    if (!known) throw new Error(`the key for the purpose "${purpose}" is not loaded`);
    return known;
  }

  function decrypt(bytes: Uint8Array, context: string): string {
    if (bytes[0] === VERSION_1) {
      // The bytes do not say which key encrypted them. The tag fits only with the right one.
      for (const { encryption } of masters.slice(1)) {
        try {
          return open(encryption, bytes, 1, context);
        } catch {
          // Another key encrypted the bytes, or they are damaged.
        }
      }
      return open(current.encryption, bytes, 1, context);
    }
    const id = keyIdOf(bytes);
    if (id === null) throw new Error(`the encrypted value has the unknown version ${bytes[0]}`);
    const master = masters.find((one) => one.id === id);
    if (!master) throw new Error(`the value was encrypted with the key ${id}, which is not in the settings`);
    return open(master.encryption, bytes, 1 + KEY_ID_BYTES, context);
  }

  return {
    keyIds: [current.id, ...masters.slice(1).map(({ id }) => id)],
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
      const head = isFirst ? Buffer.of(VERSION_1) : Buffer.concat([Buffer.of(VERSION_2), Buffer.from(current.id, 'hex')]);
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.encryption, nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return new Uint8Array(Buffer.concat([head, nonce, cipher.getAuthTag(), sealed]));
    },
    token(purpose, name) {
      return createHmac('sha256', key(purpose)).update(name).digest().subarray(0, 16).toString('base64url');
    },
  };
}

/** Returns the id of the master key that encrypted a value; null for a value of version 1, which does not name its key. */
function keyIdOf(bytes: Uint8Array): string | null {
  return bytes[0] === VERSION_2 ? Buffer.from(bytes.subarray(1, 1 + KEY_ID_BYTES)).toString('hex') : null;
}

function masterKey(secretKey: string): { readonly id: string; readonly encryption: Buffer } {
  return { id: derive(secretKey, 'key-id').subarray(0, KEY_ID_BYTES).toString('hex'), encryption: derive(secretKey, 'encryption') };
}

/** HKDF-SHA-256 (RFC 5869), 32 bytes. */
function derive(secretKey: string, purpose: Purpose | 'encryption' | 'key-id'): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretKey, 'base64'), '', `bili/${purpose}`, 32));
}

/** @param start where the nonce begins. */
function open(encryption: Buffer, bytes: Uint8Array, start: number, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', encryption, bytes.subarray(start, start + 12));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(start + 12, start + 28));
  return Buffer.concat([decipher.update(bytes.subarray(start + 28)), decipher.final()]).toString('utf8');
}
