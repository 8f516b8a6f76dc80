import { expect, test } from 'vitest';
import { createSecrets } from '@/lib/platform/config/secrets';
import { parseMobile } from '@/lib/platform/core/mobile';
import { cookiesOf, preferenceCookie, preferenceOf } from './cookies';
import { type PayDevice, readDevice, writeDevice } from './pay-device';

const ATTEMPT = '01a1fc78-6b9e-734f-9980-9672b3167a0c';
const MOBILE = parseMobile('0712345678');

function deployment({ secret = 1, sandbox = 'http://localhost:3001' } = {}) {
  const settings = { PORT: 3000, LIVE_BASE_URL: new URL('https://pay.example.com'), SANDBOX_BASE_URL: new URL(sandbox) };
  return { secrets: createSecrets({ SECRET_KEY: Buffer.alloc(32, secret).toString('base64') }), settings };
}

/** Returns the Cookie header that a browser sends after it has received these Set-Cookie headers. */
const cookieHeader = (set: readonly string[]) => new Headers({ cookie: set.map((one) => one.split(';', 1)[0]).join('; ') });
const stored: PayDevice = { attemptId: ATTEMPT, mobile: MOBILE };

test('reads what was stored, but only in the same environment and deployment', () => {
  const set = writeDevice(deployment(), 'sandbox', stored);
  expect(readDevice(deployment(), 'sandbox', cookieHeader(set))).toEqual(stored);
  expect(readDevice(deployment({ secret: 2 }), 'sandbox', cookieHeader(set))).toEqual({ attemptId: null, mobile: null });
  const renamed = new Headers({
    cookie: (cookieHeader(set).get('cookie') ?? '').replaceAll('bili-3000.sandbox', '__Secure-bili-3000.live'),
  });
  expect(readDevice(deployment(), 'live', renamed)).toEqual({ attemptId: null, mobile: null });
});

test('the cookies are limited to the payment page, hidden from scripts and encrypted', () => {
  const [attempt = '', mobile = ''] = writeDevice(deployment(), 'sandbox', stored);
  expect(attempt).toMatch(/^bili-3000\.sandbox\.asked=[\w-]+; Path=\/pay; Max-Age=3600; HttpOnly; SameSite=Lax$/);
  expect(mobile).toMatch(/^bili-3000\.sandbox\.number=[\w-]+; Path=\/pay; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
  expect(mobile).not.toContain('712345678');
  expect(writeDevice(deployment(), 'live', stored).every((one) => one.startsWith('__Secure-') && one.endsWith('; Secure'))).toBe(true);
});

test('the cookie of the number is deleted if the customer does not want it to be remembered', () => {
  expect(writeDevice(deployment(), 'sandbox', { attemptId: null, mobile: null })).toEqual([
    'bili-3000.sandbox.number=; Path=/pay; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
});

test.each(['', 'x', '0712345678', 'A'.repeat(60), `${'A'.repeat(5_000)}`, '%00', '"; a=b', '=;=;;'])(
  'ignores a cookie that Bili did not write: %j',
  (value) => {
    const cookie = `bili-3000.sandbox.number=${value}; bili-3000.sandbox.asked=${value}`;
    expect(readDevice(deployment(), 'sandbox', new Headers({ cookie }))).toEqual({ attemptId: null, mobile: null });
  },
);

test('over https, the cookie of a preference belongs to one host, and the name of earlier versions is still read', () => {
  const [https, http] = [new URL('https://pay.example'), new URL('http://localhost:3000')];
  expect(preferenceCookie('bili-lang', 'sw', https)).toMatch(/^__Host-bili-lang=sw; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
  expect(preferenceCookie('bili-lang', 'sw', http)).toMatch(/^bili-lang=sw; Path=\/; (?!.*Secure)/);
  const sent = (cookie: string) => cookiesOf(new Headers({ cookie }));
  expect(preferenceOf(sent('bili-lang=sw'), 'bili-lang', https)).toBe('sw');
  expect(preferenceOf(sent('bili-lang=sw; __Host-bili-lang=en'), 'bili-lang', https)).toBe('en');
  expect(preferenceOf(sent('bili-lang=sw; __Host-bili-lang=en'), 'bili-lang', http)).toBe('sw');
});
