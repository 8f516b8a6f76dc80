import { randomUUID } from 'node:crypto';
import { fieldsOf, listActions } from '@/testing/surface/actions';
import { listGuestForms } from '@/testing/surface/guest-forms';
import { parametersOf } from '@/testing/surface/parameters';
import { addressPattern, listRouteFiles } from '@/testing/surface/route-files';
import { act } from './act';
import { newBill, newKey, newMerchant, signedIn } from './people';
import { expect, test } from './product';

const MERCHANT = '(dashboard)/m/[merchant]/[environment]/';
/** Values that no form or link of the product sends. */
const HOSTILE = [
  'a\0b',
  '\u{1f600}'.repeat(300),
  'constructor',
  "../../x?y=1' OR 1=1 --",
  '99999999999999999999999999',
  '0100-01-01',
  '9999-12-31',
  '+275760-09-13T00:00:00.000Z',
];
/** All query parameters that a page or route reads. */
const PARAMETERS = [...new Set(listRouteFiles().flatMap((file) => parametersOf(file).map(({ name }) => name)))];

/** If a page fails while it is streamed, only its text shows the failure, because the HTTP status was sent before. */
const BROKEN = /data-dgst="(?!NEXT_)|Something went wrong/;

test('foreign scripts do not run on any page, and every answer has its security headers', { tag: '@full' }, async ({ page, product }) => {
  for (const address of [`${product.liveUrl}/sign-in`, `${product.sandboxUrl}/pay`]) {
    const answer = await page.goto(address);
    const { 'content-security-policy': policy = '', ...headers } = answer?.headers() ?? {};
    expect(policy).toMatch(/^default-src '(self|none)'/);
    expect(policy).toMatch(/script-src '(nonce-[\w+/=]{20,}' 'strict-dynamic'|sha256-)/);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const ran = await page.evaluate(() => {
      const script = document.createElement('div');
      script.innerHTML = '<img src="/none" onerror="document.title = \'mine\'">';
      document.body.append(script);
      const image = script.firstElementChild;
      return new Promise((resolve) => image?.addEventListener('error', () => resolve(document.title)));
    });
    expect(ran).not.toBe('mine');
  }
  const optimiser = await page.request.get(`${product.liveUrl}/_next/image?url=%2Fhealthz&w=64&q=75`);
  expect(optimiser.status()).toBe(404);
});

test('no URL and no form makes a page, a route or an action fail', { tag: '@full' }, async ({ browser, request, product }) => {
  test.setTimeout(480_000);
  const base = product.liveUrl;
  const merchant = await newMerchant(product, 'Duka la Wabaya');
  const key = await newKey(product, merchant, 'Till');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference: 'HELD' });
  const context = await signedIn(browser, base, merchant);
  const visitor = await browser.newContext();

  const own = (folder: string, id: string) =>
    `/m/${merchant.slug}/sandbox/${folder.slice(MERCHANT.length)}`.replace(/\[\w+\]/, encodeURIComponent(id));
  const ids: Readonly<Record<string, string>> = { 'bills/[id]': bill.id, 'keys/[id]': key.apiKey };
  const idOf = (folder: string) => Object.entries(ids).find(([below]) => folder.slice(MERCHANT.length).startsWith(below))?.[1];
  const folders = listRouteFiles()
    .filter((file) => /^\((dashboard|auth)\)\//.test(file))
    .map((file) => file.replace(/\/?(page\.tsx|route\.tsx?|direct\.tsx?)$/, ''));
  const failures: string[] = [];
  const look = async (path: string, who = context) => {
    const answer = await who.request.get(base + path, { maxRedirects: 0 });
    if (answer.status() >= 500 || BROKEN.test(await answer.text())) failures.push(`${answer.status()} ${path.slice(0, 300)}`);
  };
  for (const folder of folders) {
    const inside = folder.startsWith(MERCHANT);
    for (const value of HOSTILE) {
      const query = new URLSearchParams(PARAMETERS.map((name) => [name, value]));
      const path = inside
        ? own(folder, idOf(folder) ?? value)
        : `/${folder.replace(/\(\w+\)\//g, '').replace(/\[\w+\]/, encodeURIComponent(value))}`;
      await look(`${path}?${query}`);
      if (inside && idOf(folder)) await look(own(folder, value));
      if (!inside) await look(`${path}?${query}`, visitor);
    }
    await look(
      `${inside ? own(folder, bill.id) : `/${folder.replace(/\(\w+\)\//g, '')}`}?${PARAMETERS.map((name) => `${name}=1&${name}=2`).join('&')}`,
    );
  }
  for (const view of ['deliveries', 'delivery', 'run', 'endpoint'])
    for (const value of HOSTILE)
      await look(
        `/m/${merchant.slug}/sandbox/webhooks/live?${new URLSearchParams({ view, id: value, bill: value, before: value, from: value })}`,
      );
  for (const by of ['created', 'paid'])
    for (const page of ['p>9223372036854775807.', 'p<8640000000000001.', 'a>9223372036854775807.', 'c<1.'])
      await look(
        `/m/${merchant.slug}/sandbox/bills?${new URLSearchParams({ by, period: 'today', page: Buffer.from(page + bill.id).toString('base64url') })}`,
      );

  for (const action of listActions()) {
    const inside = action.page.startsWith(MERCHANT);
    const path = inside
      ? own(action.page, idOf(action.page) ?? randomUUID())
      : `/${action.page.replace(/\(\w+\)\//g, '').replace(/\[\w+\]/, 'x')}`;
    for (const value of [...HOSTILE.slice(0, 3), 'x'.repeat(5_000)]) {
      for (const known of [{}, { bill: bill.id, key: key.apiKey, form: randomUUID() }]) {
        const fields = Object.fromEntries(fieldsOf(action).map((name) => [name, value]));
        const sent = { ...fields, ...Object.fromEntries(Object.entries(known).filter(([name]) => name in fields)) };
        const answer = await act(context.request, base, action, path, { ...sent, merchant: merchant.slug, environment: 'sandbox' });
        if (answer.status() >= 500) failures.push(`${answer.status()} ${action.name} ${JSON.stringify(value.slice(0, 30))}`);
      }
    }
  }
  for (const { file, fields } of listGuestForms()) {
    const path = `/${addressPattern(file).replace(/\[\w+\]/, 'x')}`;
    for (const value of [...HOSTILE.slice(0, 3), 'x'.repeat(5_000)]) {
      const form = Object.fromEntries(fields.map((name) => [name, name === 'do' ? 'accept' : value]));
      const headers = { 'sec-fetch-site': 'same-origin' };
      const answer = await visitor.request.post(base + path, { headers, form, maxRedirects: 0 });
      if (answer.status() >= 500) failures.push(`${answer.status()} ${file} ${JSON.stringify(value.slice(0, 30))}`);
    }
  }
  expect([...new Set(failures)]).toEqual([]);
  await context.close();
  await visitor.close();
});

const PART = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
const BODIES: readonly (readonly [type: string, body: string])[] = [
  ['application/json', '{}'],
  ['application/x-www-form-urlencoded', 'a=1'],
  ['text/plain', 'x'],
  ['multipart/form-data; boundary=b', PART],
  ['multipart/form-data; boundary=b', '{"a":1}'],
  ['multipart/form-data', 'x'],
];

test('no method and no content type makes a route fail, or leaves an error in the log', { tag: '@full' }, async ({ product }) => {
  test.setTimeout(480_000);
  const files = ['robots.txt', 'favicon.ico', 'manifest.webmanifest', 'push-worker.js', '_next/x', '_next/static/x.js', 'none', 'icon.svg'];
  const paths = listRouteFiles().map((file) =>
    addressPattern(file)
      .replace(/\[environment\]/, 'sandbox')
      .replace(/\[.*?\]+/g, 'x'),
  );
  const failures: string[] = [];
  const look = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${product.liveUrl}/${path}`, { redirect: 'manual', ...init });
    const text = await answer.text();
    if (answer.status >= 500) failures.push(`${answer.status} ${init.method} ${JSON.stringify(init.headers)} ${path}`);
    if (answer.headers.get('x-content-type-options') !== 'nosniff') failures.push(`no nosniff: ${answer.status} ${init.method} ${path}`);
    if (!answer.headers.get('content-security-policy')?.includes("frame-ancestors 'none'"))
      failures.push(`may be framed: ${answer.status} ${init.method} ${path}`);
    return { status: answer.status, text };
  };
  for (const path of new Set([...paths, ...files])) {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) await look(path, { method });
    for (const [type, body] of BODIES) {
      const headers = { 'content-type': type, origin: product.liveUrl };
      await look(path, { method: 'POST', headers, body });
      await look(path, { method: 'POST', headers: { ...headers, 'next-action': '0'.repeat(42) }, body });
    }
    await look(path, { method: 'PUT', headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: '{}' });
  }
  expect(failures).toEqual([]);
  for (const file of files.slice(0, 5)) expect((await look(file, { method: 'POST', body: '{}' })).status).toBe(405);
  const broken = { 'content-type': 'multipart/form-data; boundary=b', origin: product.liveUrl };
  expect((await look('account', { method: 'POST', headers: broken, body: '{"a":1}' })).status).toBe(400);
  const log = product.running().output();
  expect(log.split('\n').filter((line) => /"level":"?(error|50)|\bERROR\b|Failed to parse/.test(line))).toEqual([]);
});
