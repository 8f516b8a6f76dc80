import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inviteMember } from '@/lib/identity/accounts/team/invite-member';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { accessOf } from '@/testing/data/access';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { testWebProcess } from '@/testing/web-process';

const runtime = testRuntime();
const PAGE_MAX_BYTES = 10_000;
const OWN = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

/** Tests the pages for signing in on the built product. */
describe('pages for people who are not signed in', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL, { OPERATOR_NAME: 'Malipo Bora', OPERATOR_CONTACT: '0712 345 678' });

  async function call(path: string, { headers = {}, ...init }: { headers?: Record<string, string>; method?: string; body?: string } = {}) {
    const response = await fetch(open().live + path, { redirect: 'manual', headers: { 'accept-language': 'en', ...headers }, ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function invite(): Promise<{ path: string; id: string; email: string }> {
    const shop = await makeMerchant(runtime());
    const sent = await inviteMember(runtime(), await accessOf(runtime(), shop, shop.email), {
      email: `${Date.now()}@example.com`,
      role: 'viewer',
    });
    if (!sent.ok || sent.value.link === null) throw new Error('the invitation was not sent');
    return { path: new URL(sent.value.link).pathname, id: sent.value.id, email: shop.email };
  }

  test('each is one small document without files of its own', async () => {
    const { path } = await invite();
    for (const page of ['/sign-in', '/forgot', '/sign-up', '/reset?token=x', '/sign-up/finish?token=x', path, '/nothing-here']) {
      const { text, headers } = await call(page);
      expect(text, page).toContain('</html>');
      expect(text, page).not.toMatch(/<script[^>]+src|<link[^>]+stylesheet|_next/);
      expect(gzipSync(text).length, page).toBeLessThan(PAGE_MAX_BYTES);
      expect(headers.get('content-security-policy'), page).toMatch(/^default-src 'none'; style-src 'sha256-[^;]*; script-src 'sha256-/);
      expect(headers.get('cache-control'), page).toBe('no-store');
      expect(text, page).toContain('Malipo Bora');
    }
  });

  test('the sign-in page sets the CSRF cookie itself, once', async () => {
    const { status, headers, text } = await call('/sign-in');
    expect(status).toBe(200);
    const [cookie = ''] = headers.getSetCookie();
    const [token = ''] = /(?<==)[\da-f]{64}/.exec(cookie) ?? [];
    expect(text).toContain(`value="${token}"`);
    const again = await call('/sign-in', { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(again.headers.getSetCookie()).toEqual([]);
    expect(again.text).toContain(`value="${token}"`);
    const forged = await call('/sign-in', { headers: { cookie: cookie.split(';')[0]?.replace(/..$/, 'zz') ?? '' } });
    expect(forged.headers.getSetCookie()).toHaveLength(1);
    const body = new URLSearchParams({ csrfToken: token, email: 'nobody@example.com', password: 'x', callbackUrl: '/' }).toString();
    const send = (sent: string) => call('/api/auth/callback/credentials', { method: 'POST', body, headers: { ...OWN, cookie: sent } });
    expect((await send(cookie.split(';')[0] ?? '')).headers.get('location')).toBe('/sign-in?error=CredentialsSignin&callbackUrl=%2F');
    const blocked = await call('/api/auth/signin?csrf=true');
    expect(blocked.headers.get('location')).toBe('/sign-in?error=Cookies');
  });

  test('an address to return to must be our own', async () => {
    for (const [wanted, shown] of [
      ['/account', '/account'],
      ['https://evil.example/x', '/'],
      ['//evil.example', '/'],
    ] as const)
      expect((await call(`/sign-in?${new URLSearchParams({ callbackUrl: wanted })}`)).text).toContain(
        `name="callbackUrl" value="${shown}"`,
      );
  });

  test('a form must come from one of our own pages, and must not be too long', async () => {
    const body = 'email=a%40example.com';
    for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await call('/forgot', { method: 'POST', body, headers: { ...headers, 'content-type': OWN['content-type'] } })).status).toBe(
        403,
      );
    expect((await call('/forgot', { method: 'POST', body, headers: OWN })).status).toBe(303);
    expect((await call('/forgot', { method: 'POST', body: 'x'.repeat(20_000), headers: OWN })).status).toBe(413);
    expect((await call('/forgot', { method: 'POST', body, headers: { ...OWN, 'content-type': 'text/csv' } })).status).toBe(415);
    expect((await call('/sign-in', { method: 'POST', body, headers: OWN })).status).toBe(405);
    expect((await call('/forgot', { method: 'PUT', body, headers: OWN })).status).toBe(405);
  });

  test('a refused form is shown again with the message and the typed name, and without the password', async () => {
    const { path } = await invite();
    const body = new URLSearchParams({ do: 'accept', name: 'Asha "Mdogo"', password: 'too short' }).toString();
    const { status, text } = await call(path, { method: 'POST', body, headers: OWN });
    expect(status).toBe(422);
    expect(text).toContain('value="Asha &quot;Mdogo&quot;"');
    expect(text).toContain('id="password-problem"');
    expect(text).not.toContain('too short');
  });

  test('an expired invitation says whom to ask, and leads to sign-in', async () => {
    const { path, id, email } = await invite();
    await runtime().db.prisma.invitation.update({ where: { id }, data: { expiresAt: addMs(runtime().clock(), -DAY_MS) } });
    const { text } = await call(path);
    expect(text).toContain(email);
    expect(text).toMatch(/<a href="\/m\/[\w-]+\/live\/bills" class="button">/);
    expect((await call('/invitation/unknown')).status).toBe(404);
    expect((await call('/invitation/unknown')).text).toContain('href="/sign-in"');
  });

  test('the chosen theme and language are used', async () => {
    const dark = await call('/sign-in', { headers: { cookie: 'bili-theme=dark; bili-lang=sw' } });
    expect(dark.text).toContain('lang="sw"');
    expect(dark.text).toContain('color-scheme:dark');
    expect(dark.text).not.toContain('prefers-color-scheme');
    const chosen = await call('/sign-in?lang=sw', { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(chosen.text).toContain('lang="sw"');
    expect(chosen.headers.getSetCookie().join()).toContain('bili-lang=sw;');
  });

  test('an unknown address is not found, and the sandbox redirects to live', async () => {
    expect((await call('/nothing-here')).status).toBe(404);
    expect((await call('/nothing/here', { method: 'POST', headers: OWN, body: '' })).status).toBe(404);
    const sandbox = await fetch(`${open().sandbox}/sign-in?x=1`, { redirect: 'manual' });
    expect([sandbox.status, sandbox.headers.get('location')]).toEqual([
      307,
      `${open().live.replace('127.0.0.1', 'localhost')}/sign-in?x=1`,
    ]);
  });
});
