import { expect, test } from 'vitest';
import { checkCallbackAddress } from './check-account';

const REAL = 'https://openapi.m-pesa.com';
const REFUSED = /^LIVE_BASE_URL is https?:\/\/\S+, to which openapi\.m-pesa\.com cannot send callbacks securely: .*\.$/;

test.each([
  ['live', 'http://localhost:3000', REAL],
  ['live', 'https://localhost:3000', REAL],
  ['live', 'https://127.0.0.2', REAL],
  ['live', 'http://pay.example.com', REAL],
] as const)('%s with the base URL %s is refused for the provider %s', (environment, base, provider) => {
  expect(checkCallbackAddress({ environment, base: new URL(base), provider: new URL(provider) })).toMatch(REFUSED);
});

test.each([
  ['live', 'https://pay.example.com', REAL],
  ['live', 'http://localhost:3000', 'http://127.0.0.1:4000'],
  ['live', 'http://localhost:3000', 'http://[::1]:4000'],
  ['live', 'http://localhost:3000', null],
  ['sandbox', 'http://localhost:3001', REAL],
] as const)('%s with the base URL %s is accepted for the provider %s', (environment, base, provider) => {
  expect(checkCallbackAddress({ environment, base: new URL(base), provider: provider && new URL(provider) })).toBeNull();
});
