import jsQR from 'jsqr';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { makeShortLink } from '@/lib/gateway/bills/short-links';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { testWebProcess } from '@/testing/web-process';

const runtime = testRuntime();
const OPERATOR = { OPERATOR_NAME: 'Malipo <Bora> Ltd', OPERATOR_CONTACT: '0712 345 678' };

async function billWith({ merchant = 'Duka la Mfano', reference = 'AGIZO-7', paid = 0n } = {}) {
  const billId = await makeBill(runtime(), await makeMerchant(runtime(), merchant), { amount: 5000, reference });
  if (paid > 0n) await pay(runtime(), billId, paid);
  const bill = await findBillByLink(runtime().db, 'sandbox', billId);
  if (!bill) throw new Error('the bill is missing');
  return bill;
}

/** Reads the QR code of a picture, as a camera would. */
async function readQr(png: Uint8Array): Promise<string | undefined> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

/** Tests short links, pictures and the home page on the built product: answered directly by the listener, and through Next.js. */
describe('public pages', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL, OPERATOR);
  const call = (path: string, { at = open().sandbox, ...init }: RequestInit & { at?: string } = {}) =>
    fetch(at + path, { redirect: 'manual', headers: { 'accept-language': 'en' }, ...init });

  test('a short link leads to its bill, and keeps the language and the page', async () => {
    const bill = await billWith();
    const code = (await makeShortLink(runtime(), bill)).slice(-12);
    for (const [query, kept] of [
      ['', ''],
      ['?lang=en', '&lang=en'],
      ['?show=receipt&lang=sw', '&show=receipt&lang=sw'],
      ['?show=stop&part=version&bill=x&lang=fr', ''],
    ] as const) {
      const response = await call(`/p/${code}${query}`);
      expect([response.status, response.headers.get('location')]).toEqual([302, `/pay?bill=${bill.id}${kept}`]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect((await call(`/p/${code.toLowerCase()}`)).status).toBe(302);
    expect((await call(`/p/${code}`, { method: 'HEAD' })).status).toBe(302);
    expect((await call(`/p/${code}`, { method: 'POST' })).status).toBe(405);
  });

  test('a short link of another environment, or a wrong one, is not found, and the page says what to check', async () => {
    const code = (await makeShortLink(runtime(), await billWith())).slice(-12);
    for (const [at, path] of [
      [open().live, `/p/${code}`],
      [open().sandbox, '/p/FAKEFAKEFAKE'],
      [open().sandbox, `/p/${code}/x`],
      [open().sandbox, '/p/'],
      [open().sandbox, '/p'],
      [open().sandbox, `/p/${'x'.repeat(5_000)}`],
      [open().sandbox, '/pay?bill=x'],
    ] as const) {
      const response = await call(path, { at });
      expect(response.status, path).toBe(404);
      const text = await response.text();
      expect(text).toContain('Is the link complete?');
      expect(text).toContain('href="tel:0712345678"');
      expect(text).toContain('href="/verify?lang=en"');
    }
  });

  test('the picture of a receipt is a PNG with a QR code that verifies it', async () => {
    const bill = await billWith({ paid: 500_000n });
    const response = await call(`/pay/picture/${bill.id}/receipt.png?lang=sw`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    const png = new Uint8Array(await response.arrayBuffer());
    const { format, width = 0, height = 0 } = await sharp(png).metadata();
    expect([format, width]).toEqual(['png', 1080]);
    expect(height).toBeGreaterThan(1_000);
    expect(png.length).toBeLessThan(150_000);
    const address = await readQr(png);
    expect(address).toContain('/verify?code=');
    expect((await call(new URL(address ?? '').pathname + new URL(address ?? '').search)).status).toBe(200);
    const etag = response.headers.get('etag') ?? '';
    expect((await call(`/pay/picture/${bill.id}/receipt.png?lang=sw`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('the picture of a link is small, has the size that chats show large, and changes when the bill is paid', async () => {
    const unpaid = await billWith();
    const response = await call(`/pay/picture/${unpaid.id}/bill.png?lang=sw`);
    const png = new Uint8Array(await response.arrayBuffer());
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(png.length).toBeLessThan(300_000);
    await pay(runtime(), unpaid.id, 500_000n);
    expect((await call(`/pay/picture/${unpaid.id}/bill.png?lang=sw`)).headers.get('etag')).not.toBe(response.headers.get('etag'));
  });

  test.each([
    ['long words', 'W'.repeat(255)],
    ['other alphabets', 'محمد علي 付款 हिन्दी Ωμέγα Ж 👩‍👩‍👧 '.repeat(8).slice(0, 255)],
    ['XML and invisible characters', '"><script>&amp;]]>\ufffe\u202e'],
  ])('names and references with %s do not break the pictures', async (_, text) => {
    const bill = await billWith({
      merchant: `Duka ${text.slice(0, 80).replaceAll(/\p{C}/gu, '')}`,
      reference: text,
      paid: 200_000n,
    });
    for (const file of ['receipt.png', 'bill.png']) {
      const response = await call(`/pay/picture/${bill.id}/${file}`);
      expect(response.status, file).toBe(200);
      const png = new Uint8Array(await response.arrayBuffer());
      expect((await sharp(png).metadata()).format).toBe('png');
      if (file === 'receipt.png') expect(await readQr(png)).toContain('/verify?code=');
    }
  });

  test('there is no picture of an unknown bill, of the receipt of an unpaid bill, or in another environment', async () => {
    const bill = await billWith();
    for (const [at, path] of [
      [open().sandbox, `/pay/picture/${bill.id}/receipt.png`],
      [open().live, `/pay/picture/${bill.id}/bill.png`],
      [open().sandbox, `/pay/picture/${bill.id}/bill.svg`],
      [open().sandbox, `/pay/picture/${bill.id}/bill.png/x`],
      [open().sandbox, '/pay/picture/x/bill.png'],
      [open().sandbox, '/pay/picture'],
    ] as const)
      expect((await call(path, { at })).status, path).toBe(404);
    expect((await call(`/pay/picture/${bill.id}/bill.png`, { method: 'POST' })).status).toBe(405);
  });

  test('the home page names the operator, and leads to sign-in and to the check of a receipt', async () => {
    const response = await call('/', { at: open().live });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('This service is operated by Malipo &lt;Bora&gt; Ltd.');
    for (const part of ['href="/sign-in"', 'action="/verify"', 'href="tel:0712345678"', 'M-Pesa']) expect(text).toContain(part);
    // This installation accepts no sign-ups: accounts are created by invitation.
    expect(text).not.toContain('href="/sign-up"');
    expect(text).not.toContain('<script');
    expect(text.length).toBeLessThan(20_000);
    expect(await (await call('/?lang=sw', { at: open().live })).text()).toContain('lang="sw"');
    const cookie = { cookie: 'bili-lang=sw' };
    expect(await (await call('/', { at: open().live, headers: cookie })).text()).toContain('lang="sw"');
    expect((await call('/', { at: open().live, method: 'POST' })).status).toBe(405);
    const sandbox = await call('/');
    expect([sandbox.status, sandbox.headers.get('location')]).toEqual([307, `${open().live.replace('127.0.0.1', 'localhost')}/`]);
  });
});

describe('limits for each address', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL);

  /** Sends groups of 20 requests until one is refused. Returns how many were answered. */
  async function countUntilRefused(path: string, most: number): Promise<{ count: number; retryAfter: string | null }> {
    for (let count = 0; count < most; ) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(open().sandbox + path, { redirect: 'manual' })));
      await Promise.all(responses.map((response) => response.arrayBuffer()));
      const refused = responses.find(({ status }) => status === 429);
      count += responses.filter(({ status }) => status !== 429).length;
      if (refused) return { count, retryAfter: refused.headers.get('retry-after') };
    }
    throw new Error(`${most} requests were not refused`);
  }

  test('1,000 short links can be tried at once', async () => {
    const { count, retryAfter } = await countUntilRefused('/p/FAKEFAKEFAKE', 3_000);
    expect(count).toBeGreaterThanOrEqual(1_000);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  });

  test('120 pictures can be asked for at once', async () => {
    const bill = await billWith();
    const { count } = await countUntilRefused(`/pay/picture/${bill.id}/bill.png`, 500);
    expect(count).toBeGreaterThanOrEqual(120);
  });
});
