import { constants, createCipheriv, createDecipheriv, createPublicKey, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';
import type { Random } from '@/lib/core/clock';
import { KEY_HEADER, SIGNATURE_HEADER } from './wire';

const CIPHER = 'aes-256-cbc';
const KEY_BYTES = 32;
const IV_BYTES = 16;
/** Airtel uses 1024 and 2048 bits. */
const RSA_MIN_BITS = 1024;

/** Reads Airtel's RSA key: base64 (DER, SPKI). Returns null if the text is no such key. */
export function readPublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_MIN_BITS ? key : null;
  } catch {
    return null;
  }
}

/**
 * Creates the headers that sign a message: the body encrypted with a new AES key, and that key encrypted with Airtel's RSA key.
 * @param body the exact text of the request.
 */
export function signMessage(body: string, publicKey: KeyObject, random: Random): Readonly<Record<string, string>> {
  const key = Buffer.from(random(KEY_BYTES));
  const iv = Buffer.from(random(IV_BYTES));
  const cipher = createCipheriv(CIPHER, key, iv);
  const secret = Buffer.from(`${key.toString('base64')}:${iv.toString('base64')}`);
  return {
    [SIGNATURE_HEADER]: Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]).toString('base64'),
    [KEY_HEADER]: publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, secret).toString('base64'),
  };
}

/** Decrypts the signature header, which contains the signed text. Returns the text, or null if the headers are invalid. */
export function readSignedText(headers: Readonly<Record<string, unknown>>, privateKey: KeyObject): string | null {
  const signature = headers[SIGNATURE_HEADER];
  const encryptedKey = headers[KEY_HEADER];
  if (typeof signature !== 'string' || typeof encryptedKey !== 'string') return null;
  try {
    const options = { key: privateKey, padding: constants.RSA_PKCS1_PADDING };
    const [key = '', iv = ''] = privateDecrypt(options, Buffer.from(encryptedKey, 'base64')).toString('utf8').split(':');
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'));
    return Buffer.concat([decipher.update(signature, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
