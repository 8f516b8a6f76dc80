import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { cookieNames, cookieOptions } from '@/lib/entry/server/cookie-names';
import { secureDashboard, transportSecurity } from './security-headers';

test.each([
  ['https://pay.example', 'https://sandbox.pay.example', 'host', 'max-age=31536000'],
  ['https://pay.example', 'https://sandbox.pay.example', 'subdomains', 'max-age=31536000; includeSubDomains'],
  ['https://pay.example', 'http://pay.example:3001', 'subdomains', null],
  ['http://localhost:3000', 'http://localhost:3001', 'host', null],
] as const)('for %s, %s and %s, Strict-Transport-Security is %s', (live, sandbox, HSTS, header) => {
  expect(transportSecurity({ LIVE_BASE_URL: new URL(live), SANDBOX_BASE_URL: new URL(sandbox), HSTS })).toBe(header);
});

test('the policy of the dashboard has each directive once, because browsers ignore a second one', () => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  secureDashboard(request, response, { dev: false });
  const policy = String(response.getHeader('content-security-policy'));
  const directives = policy.split('; ').map((directive) => directive.split(' ', 1)[0]);
  expect(directives).toContain('worker-src');
  expect(policy).toContain("base-uri 'none'");
  expect(new Set(directives).size).toBe(directives.length);
});

test('over https, the cookies of the dashboard belong to one host, and scripts cannot read them', () => {
  const settings = { LIVE_BASE_URL: new URL('https://pay.example'), PORT: 3000 };
  for (const name of Object.values(cookieNames(settings))) expect(name).toMatch(/^__Host-/);
  expect(cookieOptions(settings)).toEqual({ httpOnly: true, sameSite: 'lax', path: '/', secure: true });
});
