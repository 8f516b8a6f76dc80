import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { PAY_POLLER } from '@/components/pay/poller';
import { type Product, startProduct } from '@/lib/testing/product';
import { isAccessible } from './page-checks';
import { askAs, type Staged, stageSettled, stageWaiting } from './pay-stage';
import { test as base, expect, merchantServer } from './product';

const MAX_PAGE_BYTES = 14 * 1024;
const MAX_REQUESTS = 3;
const MAX_POLLER_BYTES = 2 * 1024;

/** One product whose simulated phones answer quickly, and one whose prompts live for a minute, as people's do. */
const test = base.extend<object, { settled: Readonly<Record<string, Staged>>; slow: Product }>({
  settled: [async ({ product }, use) => use(await stageSettled(product)), { scope: 'worker', timeout: 120_000 }],
  slow: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const product = await startProduct({ SANDBOX_DELAY_FACTOR: '1' });
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** Each state is judged in both languages and at both widths; the rules of axe look at each language once. */
const LOOKS = [
  { lang: 'sw', width: 360, axe: true },
  { lang: 'en', width: 360, axe: false },
  { lang: 'sw', width: 1280, axe: false },
  { lang: 'en', width: 1280, axe: true },
] as const;

interface Look {
  readonly lang: 'sw' | 'en';
  readonly width: number;
  readonly javaScript: boolean;
  readonly axe: boolean;
}

/** Looks at each bill's page; where `PAY_SHOTS` names a folder, a picture of each is left there. */
async function lookAt(browser: Browser, stage: Readonly<Record<string, Staged>>, { lang, width, javaScript, axe }: Look): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: javaScript, viewport: { width, height: 740 } });
  const page = await context.newPage();
  for (const [name, { url, heading, form, cookie }] of Object.entries(stage)) {
    await context.clearCookies();
    if (cookie)
      await context.addCookies([{ name: cookie.slice(0, cookie.indexOf('=')), value: cookie.slice(cookie.indexOf('=') + 1), url }]);
    await page.goto(`${url}&lang=${lang}`);
    await expect(page.getByRole('heading', { level: 1 }), name).toHaveText(heading[lang]);
    await expect(page, name).toHaveTitle(new RegExp(`^${heading[lang].replaceAll('.', '\\.')}`));
    await expect(page.locator('h1 svg'), name).toBeVisible();
    await expect(page.getByRole('button'), name).toHaveCount(form ? 1 : 0);
    if (process.env.PAY_SHOTS) await page.screenshot({ path: `${process.env.PAY_SHOTS}/${name}-${lang}-${width}.png`, fullPage: true });
    if (!javaScript) continue;
    if (axe) await isAccessible(page);
    await fits(page, width, name);
  }
  await context.close();
}

/** Nothing runs out of the window, at the reader's text size and at twice that. */
async function fits(page: Page, width: number, name: string): Promise<void> {
  for (const size of ['100%', '200%']) {
    const scrollWidth = await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
      return document.documentElement.scrollWidth;
    }, size);
    expect(scrollWidth, `${name} at ${size}`).toBeLessThanOrEqual(width);
  }
}

for (const look of LOOKS) {
  test(`every state that stays, in ${look.lang}, ${look.width} px wide`, async ({ browser, settled }) => {
    await lookAt(browser, settled, { ...look, javaScript: true });
  });
}

test('every state that stays, without JavaScript', async ({ browser, settled }) => {
  for (const lang of ['sw', 'en'] as const) await lookAt(browser, settled, { lang, width: 360, javaScript: false, axe: false });
});

test('every state has an icon of its own, beside its colour', async ({ settled }) => {
  const icons = await Promise.all(
    ['ready', 'closed', 'suspended', 'unserved', 'declined', 'pin', 'balance', 'expired', 'part', 'paid', 'overpaid'].map(async (name) => {
      const { url = '', cookie = '' } = settled[name] ?? {};
      return /<h1.*?<path d="(.*?)"/.exec(await (await fetch(url, { headers: { cookie } })).text())?.[1];
    }),
  );
  expect(icons).not.toContain(undefined);
  expect(new Set(icons).size).toBe(icons.length);
});

test('while somebody is asked: every state that passes, and what to do about a prompt that does not come', async ({ browser, slow }) => {
  const stage = await stageWaiting(slow);
  for (const look of LOOKS) await lookAt(browser, stage, { ...look, javaScript: true });
  for (const lang of ['sw', 'en'] as const) await lookAt(browser, stage, { lang, width: 360, javaScript: false, axe: false });

  const bill = await merchantServer(slow).create({ amount: 5_000, reference: 'HELP' });
  const cookie = await askAs(slow, bill, { mobile: '0754345005' });
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect(async () => {
    await page.getByRole('link', { name: 'Check again' }).click();
    await expect(page.getByText(/^You can answer until \d\d:\d\d/)).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByText(/^Nothing on the phone by \d\d:\d\d:\d\d\?/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Did not get the prompt?' })).toHaveCount(0);
  expect(await page.content()).toContain('http-equiv="refresh"');
  await page.getByRole('link', { name: 'Stop refreshing this page' }).click();
  expect(await page.content()).not.toContain('http-equiv="refresh"');
  await expect(async () => {
    await page.getByRole('link', { name: 'Check again' }).click();
    await expect(page.getByRole('heading', { name: 'Did not get the prompt?' })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 40_000 });
  await expect(page.getByText('This request holds the whole amount until it ends.')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  const help = { url: bill.webPayUrl, heading: { en: 'Look at your phone', sw: 'Angalia simu yako' }, form: false };
  for (const look of LOOKS) await lookAt(browser, { help, ownHelp: { ...help, cookie } }, { ...look, javaScript: true });
});

test('the page is light: all it loads, compressed', async ({ page, settled, product }) => {
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
