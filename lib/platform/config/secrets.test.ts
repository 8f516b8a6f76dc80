import { expect, test } from 'vitest';
import { createSecrets, firstKeys, PURPOSES } from './secrets';

const [FIRST, SECOND] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
const derived = firstKeys(FIRST);
/** The only key, from which the stored keys were derived. */
const first = createSecrets({ SECRET_KEY: FIRST }, derived);
const prepared = createSecrets({ SECRET_KEY: FIRST, SECRET_KEY_OTHER: SECOND }, derived);
const swapped = createSecrets({ SECRET_KEY: SECOND, SECRET_KEY_OTHER: FIRST }, derived);
const second = createSecrets({ SECRET_KEY: SECOND }, derived);

test.each([
  ['the first key', first],
  ['a later key', second],
])('text encrypted with %s can be decrypted, and is different every time', (_, secrets) => {
  const sealed = secrets.encrypt('whsec_abc', 'webhook:1');
  expect(secrets.decrypt(sealed, 'webhook:1')).toBe('whsec_abc');
  expect(Buffer.compare(sealed, secrets.encrypt('whsec_abc', 'webhook:1'))).not.toBe(0);
  expect(Buffer.from(sealed).includes('whsec_abc')).toBe(false);
});

test.each([
  ['the first key', first, second],
  ['a later key', second, first],
])('with %s, decryption fails with another context, another key or a changed byte', (_, secrets, stranger) => {
  const sealed = secrets.encrypt('text', 'webhook:1');
  expect(() => secrets.decrypt(sealed, 'webhook:2')).toThrow();
  expect(() => stranger.decrypt(sealed, 'webhook:1')).toThrow();
  for (const index of sealed.keys()) {
    for (const bit of [1, 2, 3]) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ bit;
      expect(() => secrets.decrypt(changed, 'webhook:1')).toThrow();
    }
  }
  expect(() => secrets.decrypt(sealed.subarray(0, 20), 'webhook:1')).toThrow();
  expect(() => secrets.decrypt(new Uint8Array(), 'webhook:1')).toThrow();
});

test('during each step of a replacement, every process reads what the processes of this step and the next one write', () => {
  const steps = [[first], [first, prepared], [prepared], [prepared, swapped], [swapped], [swapped, second], [second]];
  for (const running of steps) {
    for (const writer of running) {
      for (const reader of running) expect(reader.decrypt(writer.encrypt('text', 'a'), 'a')).toBe('text');
    }
  }
});

test('a value names its key as soon as there is a second one, and older values stay readable', () => {
  const [old, between] = [first.encrypt('old', 'a'), prepared.encrypt('between', 'a')];
  const idOf = (bytes: Uint8Array) => [bytes[0], Buffer.from(bytes.subarray(1, 5)).toString('hex')];
  expect(old[0]).toBe(1);
  expect(idOf(between)).toEqual([2, first.keyIds[0]]);
  expect(idOf(swapped.encrypt('new', 'a'))).toEqual([2, second.keyIds[0]]);
  expect(idOf(second.encrypt('new', 'a'))).toEqual([2, second.keyIds[0]]);
  expect(prepared.keyIds).toEqual([first.keyIds[0], second.keyIds[0]]);
  expect(swapped.keyIds).toEqual(prepared.keyIds.toReversed());
  for (const secrets of [prepared, swapped]) {
    expect(secrets.decrypt(old, 'a')).toBe('old');
    expect(secrets.decryptOften(between, 'a')).toBe('between');
  }
});

test('a secret that is decrypted often is checked like any other, also after it changed', () => {
  const sealed = first.encrypt('first', 'webhook:1');
  expect(first.decryptOften(sealed, 'webhook:1')).toBe('first');
  expect(first.decryptOften(Uint8Array.from(sealed), 'webhook:1')).toBe('first');
  expect(first.decryptOften(first.encrypt('second', 'webhook:1'), 'webhook:1')).toBe('second');
  expect(() => first.decryptOften(sealed, 'webhook:2')).toThrow();
  expect(() => second.decryptOften(sealed, 'webhook:1')).toThrow();
});

test('each purpose has its own key, which does not depend on the master key', () => {
  const keys = PURPOSES.map((purpose) => first.key(purpose).toString('hex'));
  expect(new Set(keys).size).toBe(PURPOSES.length);
  expect(PURPOSES.map((purpose) => second.key(purpose).toString('hex'))).toEqual(keys);
  expect(() => createSecrets({ SECRET_KEY: FIRST }).key('receipt')).toThrow();
  expect(first.token('callback', 'a')).not.toBe(first.token('callback', 'b'));
  expect(second.token('callback', 'a')).toBe(first.token('callback', 'a'));
});

test('the first keys are those of earlier versions, so that receipts stay valid', () => {
  expect(derived.get('receipt')?.toString('hex')).toBe('27880c2ad0fe39988af4a1aa81f2011f675286af43d184e1821d144da3038b2a');
});
