import { gzipSync } from 'node:zlib';
import { PAY_POLLER } from '@/components/pay/generated/poller';
import { LOOKS, lookAt } from './pay-looks';
import { type Staged, stageSettled } from './pay-stage';
import { test as base, expect, merchantServer } from './product';

const MAX_PAGE_BYTES = 10 * 1024;
const MAX_REQUESTS = 3;
const MAX_POLLER_BYTES = 3.75 * 1024;

const test = base.extend<object, { settled: Readonly<Record<string, Staged>> }>({
  settled: [async ({ product }, use) => use(await stageSettled(product)), { scope: 'worker', timeout: 120_000 }],
});

for (const look of LOOKS) {
  test(`every lasting state, in ${look.lang}, ${look.width} px wide`, { tag: '@full' }, async ({ browser, settled }) => {
    await lookAt(browser, settled, { ...look, javaScript: true });
  });
}

test('every lasting state, without JavaScript', { tag: '@full' }, async ({ browser, settled }) => {
  for (const lang of ['sw', 'en'] as const) await lookAt(browser, settled, { lang, width: 360, javaScript: false, axe: false });
});

test('every state has its own icon in addition to its colour', { tag: '@full' }, async ({ settled }) => {
  const icons = await Promise.all(
    ['ready', 'closed', 'suspended', 'unserved', 'declined', 'pin', 'balance', 'expired', 'part', 'paid', 'overpaid', 'decline'].map(
      async (name) => {
        const { url = '', cookie = '' } = settled[name] ?? {};
        return /<main.*?<path[^>]*? d="(.*?)"/.exec(await (await fetch(url, { headers: { cookie } })).text())?.[1];
      },
    ),
  );
  expect(icons).not.toContain(undefined);
  expect(new Set(icons).size).toBe(icons.length);
});

test('the page and everything that it loads are small', { tag: '@full' }, async ({ page, settled, product }) => {
  expect(PAY_POLLER.length).toBeLessThanOrEqual(MAX_POLLER_BYTES);
  expect((await fetch(settled.ready?.url ?? '')).headers.get('content-encoding')).toBe('gzip');
  const heavy = await merchantServer(product).create({ amount: 999_999_999.5, reference: 'R'.repeat(255), mobile: '0712345001' });
  for (const [name, url] of [...Object.entries(settled).map(([key, one]) => [key, one.url]), ['heavy', heavy.webPayUrl]]) {
    const bodies: Promise<Buffer>[] = [];
    const count = (response: { url(): string; body(): Promise<Buffer> }) =>
      response.url().startsWith('http') && bodies.push(response.body());
    page.on('response', count);
    await page.goto(`${url}&lang=sw`, { waitUntil: 'networkidle' });
    page.off('response', count);
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes, name).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect(bodies.length, name).toBeLessThanOrEqual(MAX_REQUESTS);
  }
});
