import { expect, test } from 'vitest';
import { transportSecurity } from './security-headers';

test.each([
  ['https://pay.example', 'https://sandbox.pay.example', 'max-age=31536000'],
  ['https://pay.example', 'http://pay.example:3001', null],
  ['http://localhost:3000', 'http://localhost:3001', null],
])('for %s and %s, Strict-Transport-Security is %s', (live, sandbox, header) => {
  expect(transportSecurity({ LIVE_BASE_URL: new URL(live), SANDBOX_BASE_URL: new URL(sandbox) })).toBe(header);
});
