import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeBrand } from '@/lib/backoffice/merchants/change-brand';
import { encodeLogo } from '@/lib/identity/merchants/encode-logo';
import { LOGO_MAX_BYTES, type Logo } from '@/lib/identity/merchants/logo-rules';
import { pay } from '@/testing/data/paying';
import { noise } from '@/testing/pictures';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { testWebProcess } from '@/testing/web-process';

const runtime = testRuntime();

/** Returns a logo of the maximum size. It consists of random data, because other data would be compressed to fewer bytes. */
async function largestLogo(): Promise<Logo> {
  const logo = await encodeLogo(await noise(300, 100).png().toBuffer(), 'shop');
  if (!logo.ok) throw new Error(logo.error.kind);
  const filled = Buffer.concat([
    logo.value.bytes,
    (await noise(64, 32).raw().toBuffer()).subarray(0, LOGO_MAX_BYTES - logo.value.bytes.length),
  ]);
  const hash = await crypto.subtle.digest('SHA-256', filled);
  return { ...logo.value, bytes: filled, hash: Buffer.from(hash).toString('hex') };
}

describe("a merchant's brand", () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL);
  let merchant: TestMerchant;
  let logo: Logo;
  let address: string;
  beforeAll(async () => {
    merchant = await makeMerchant(runtime(), 'Duka la Mama & Wana');
    logo = await largestLogo();
    const change = { brandColour: '#ffdd00', supportNumber: '0222123456', logo };
    await changeBrand(runtime(), merchant.operator('live'), change);
    address = `/pay/logo/${merchant.merchant.id}/${logo.hash}`;
  });
  const call = (path: string, method = 'GET', at: 'live' | 'sandbox' = 'sandbox') => fetch(open()[at] + path, { method });

  test('the logo is served at both base addresses and may be cached forever', async () => {
    for (const at of ['live', 'sandbox'] as const) {
      const response = await call(address, 'GET', at);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': logo.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      });
      expect(Buffer.from(await response.arrayBuffer()).equals(logo.bytes)).toBe(true);
    }
  });

  test('HEAD has the same headers without the image', async () => {
    const response = await call(address, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(logo.type);
    expect(await response.text()).toBe('');
  });

  test('other paths below /pay/logo are answered with 404 and not cached', async () => {
    const { id } = merchant.merchant;
    const other = await makeMerchant(runtime());
    for (const path of [
      '/pay/logo',
      '/pay/logo/',
      `/pay/logo/${id}`,
      `/pay/logo/${id}/`,
      `/pay/logo/${id}/${'0'.repeat(64)}`,
      `/pay/logo/${other.merchant.id}/${logo.hash}`,
      `/pay/logo/nobody/${logo.hash}`,
      `/pay/logo/${id}/%00`,
      `${address}/`,
      `${address}/more`,
    ]) {
      const response = await call(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect([path, response.headers.get('cache-control')]).toEqual([path, 'no-store']);
    }
  });

  test('only GET and HEAD are allowed', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await call(address, method);
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  test('every page of a bill shows the brand, allows exactly its extra style, and stays below 14 kB with the logo', async () => {
    const bill = await makeBill(runtime(), merchant);
    await pay(runtime(), bill, 100_000n);
    for (const query of ['lang=sw', 'lang=en', 'lang=sw&show=qr', 'lang=sw&show=receipt']) {
      const response = await call(`/pay?bill=${bill}&${query}`);
      const html = await response.text();
      expect(html).toContain(`src="${address}" alt="Duka la Mama &amp; Wana" width="${logo.width}" height="${logo.height}"`);
      expect(html).toContain('href="tel:0222123456"');
      expect(html).toContain('background:#ffdd00');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain("img-src 'self' data:");
      const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) => style);
      expect(/style-src ([^;]*)/.exec(policy)?.[1]?.split(' ')).toHaveLength(styles.length);
      for (const style of styles) {
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
        expect(policy).toContain(`'sha256-${Buffer.from(digest).toString('base64')}'`);
      }
      expect(gzipSync(html).length + LOGO_MAX_BYTES).toBeLessThanOrEqual(14_000);
    }
  });

  test('a merchant without a brand has a plain page', async () => {
    const bill = await makeBill(runtime(), await makeMerchant(runtime(), 'Bila Sura'));
    const html = await (await call(`/pay?bill=${bill}`)).text();
    expect(html).toContain('Bila Sura');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('"tel:');
  });
});
