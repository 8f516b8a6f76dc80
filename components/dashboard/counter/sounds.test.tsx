import { afterEach, expect, test, vi } from 'vitest';
import { isMuted, setMuted } from './sounds';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the sound stays off on this page if the browser forbids storage', () => {
  const forbidden = {
    get localStorage(): Storage {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  };
  vi.stubGlobal('window', forbidden);
  expect(isMuted()).toBe(false);
  setMuted(true);
  expect(isMuted()).toBe(true);
  setMuted(false);
  expect(isMuted()).toBe(false);
});
