import { expect, test } from 'vitest';
import { deriveSecrets } from './secrets';

const secrets = deriveSecrets(Buffer.alloc(32, 1).toString('base64'));

test('encrypted text can be decrypted, and is different every time', () => {
  const first = secrets.encrypt('whsec_abc', 'webhook:1');
  expect(secrets.decrypt(first, 'webhook:1')).toBe('whsec_abc');
  expect(Buffer.compare(first, secrets.encrypt('whsec_abc', 'webhook:1'))).not.toBe(0);
  expect(Buffer.from(first).includes('whsec_abc')).toBe(false);
});

test('decryption fails with another context, another deployment or a changed byte', () => {
  const sealed = secrets.encrypt('text', 'webhook:1');
  expect(() => secrets.decrypt(sealed, 'webhook:2')).toThrow();
  expect(() => deriveSecrets(Buffer.alloc(32, 2).toString('base64')).decrypt(sealed, 'webhook:1')).toThrow();
  for (const index of sealed.keys()) {
    const changed = Uint8Array.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => secrets.decrypt(changed, 'webhook:1')).toThrow();
  }
});

test('a secret that is decrypted often is checked like any other, also after it changed', () => {
  const first = secrets.encrypt('first', 'webhook:1');
  expect(secrets.decryptOften(first, 'webhook:1')).toBe('first');
  expect(secrets.decryptOften(Uint8Array.from(first), 'webhook:1')).toBe('first');
  expect(secrets.decryptOften(secrets.encrypt('second', 'webhook:1'), 'webhook:1')).toBe('second');
  expect(() => secrets.decryptOften(first, 'webhook:2')).toThrow();
  expect(() => deriveSecrets(Buffer.alloc(32, 2).toString('base64')).decryptOften(first, 'webhook:1')).toThrow();
});

test('each purpose has its own key', () => {
  expect(secrets.key('session')).not.toEqual(secrets.key('encryption'));
  expect(secrets.token('callback', 'a')).not.toBe(secrets.token('callback', 'b'));
  expect(secrets.token('callback', 'a')).toBe(secrets.token('callback', 'a'));
});
