import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPublicKey, readSignedText, signMessage } from './wire';

const BODY = '{"reference":"Bill 12","transaction":{"amount":5000,"id":"0123456789ABCDEFGHIJ"}}';
/** The bytes 0, 1, 2 … as key, and again as initialisation vector. */
const counting = (count: number) => new Uint8Array(count).map((_, index) => index);

// The vector was computed with `openssl enc -aes-256-cbc`.
const SIGNATURE =
  'WbS92Klx2f5XrN4jV9t/dTazzFTJdwgHUocTt5uU+E0gvgyquqDm2SWmoEzRkeoYf6cg/DWDrDSMHfcXedRoqK5QDmieyDjVkHL0f7mlvGiWgTCXpvmqhRvHHI2ZDkTN';
const KEY_AND_IV = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=:AAECAwQFBgcICQoLDA0ODw==';

test.each([1024, 2048])('the body is encrypted with an AES key, and that key with an RSA key of %i bits', (modulusLength) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  const headers = signMessage(BODY, publicKey, counting);
  expect(headers['x-signature']).toBe(SIGNATURE);
  const encrypted = Buffer.from(headers['x-key'] ?? '', 'base64');
  expect(privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, encrypted).toString()).toBe(KEY_AND_IV);
  expect(readSignedText(headers, privateKey)).toBe(BODY);
  expect(readSignedText({ ...headers, 'x-key': 'AAAA' }, privateKey)).toBeNull();
  expect(readSignedText({}, privateKey)).toBeNull();
});

test("Airtel's key is base64, and must be an RSA key", () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const text = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  expect(readPublicKey(text)?.asymmetricKeyDetails?.modulusLength).toBe(1024);
  expect(readPublicKey('bm8ga2V5')).toBeNull();
  const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(readPublicKey(other.export({ type: 'spki', format: 'der' }).toString('base64'))).toBeNull();
});
