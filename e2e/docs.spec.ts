import type { Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import { countKeys, newMerchant, signIn } from './people';
import { expect, test } from './product';

const PAGES = ['/docs', '/docs/quickstart', '/docs/payment-flow', '/docs/webhooks', '/docs/errors', '/docs/api'];

/** Returns how much the page's content moved while the page loaded: the sum of the layout shifts that the browser measured. */
async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'));
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 100));
      }),
  );
}

test('every page fits each screen, is accessible, and does not move while it loads', async ({ page, product }) => {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  for (const [path, theme, width] of [
    ...PAGES.map((one) => [one, 'light', 320] as const),
    ...PAGES.map((one) => [one.replace('/docs', '/docs/sw'), 'dark', 1280] as const),
  ]) {
    await page.setViewportSize({ width, height: 740 });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(product.liveUrl + path);
    expect(await layoutShift(page), path).toBeLessThan(0.01);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
    await isAccessible(page);
  }
  expect(problems).toEqual([]);
});

test('the key for the search and what is typed are not lost while the script of the page is still loading', async ({ page, product }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/docs/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${product.liveUrl}/docs`, { waitUntil: 'commit' });
  await expect(page.getByLabel('Search the documentation')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('wrong pin');
  await expect(page.getByLabel('Search the documentation')).toHaveValue('wrong pin');
  release();
  await expect(page.getByRole('status')).toHaveText(/^Results: \d+$/);
  const panel = await page.locator('#results').boundingBox();
  expect(panel?.x).toBeGreaterThanOrEqual(0);
  expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(360);
});

test('a reader finds a section, changes the language, and copies an example', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${product.liveUrl}/?lang=en`);
  await page.getByRole('link', { name: 'Documentation for developers' }).click();
  await expect(page).toHaveURL(`${product.liveUrl}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('wrong pin');
  await expect(page.getByRole('status')).toHaveText(/^Results: \d+$/);
  await page.getByLabel('Search the documentation').fill('too_many_prompts');
  await expect(page.locator('#results a').first()).toContainText('Errors › too_many_prompts');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('#results a').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${product.liveUrl}/docs/errors#too_many_prompts`);
  await expect(page.locator('#too_many_prompts')).toBeInViewport();
  await page.getByRole('link', { name: 'Kiswahili' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Makosa');
  await expect(page.locator('#too_many_prompts')).toBeInViewport();
  await page.goto(`${product.liveUrl}/docs/sw/quickstart`);
  await page.locator('.tabs label', { hasText: 'Python' }).first().click();
  await expect(page.getByRole('radio', { name: 'Python' }).first()).toBeChecked();
  await expect(page.locator('pre:visible', { hasText: 'urllib.request' }).first()).toBeVisible();
  const group = page.getByRole('group', { name: 'Lugha ya programu' }).first();
  await group.getByRole('button', { name: 'Nakili' }).click();
  await expect(group.getByRole('button', { name: 'Imenakiliwa' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^import json, os/);
  // The chosen programming language is remembered on other pages, too.
  await page.goto(`${product.liveUrl}/docs/webhooks`);
  await expect(page.locator('pre:visible', { hasText: 'BaseHTTPRequestHandler' })).toBeVisible();
});

test('the examples have the addresses of this installation, and every page is Markdown, too', async ({ request, product }) => {
  const html = await (await request.get(`${product.liveUrl}/docs/quickstart`)).text();
  expect(html).toContain(`=${product.sandboxUrl}\n`);
  expect(html).not.toContain('localhost:3001');
  const markdown = await request.get(`${product.sandboxUrl}/docs/sw/quickstart.md`);
  expect(markdown.headers()['content-type']).toBe('text/markdown; charset=utf-8');
  expect(await markdown.text()).toContain(`export BILI_URL=${product.sandboxUrl}`);
  const list = await (await request.get(`${product.liveUrl}/llms.txt`)).text();
  expect(list).toContain('](/docs/quickstart.md)');
});

test('the header of an error leads to its explanation', async ({ page, request, product }) => {
  const { apiKey, apiSecret } = product.demo.sandbox;
  const headers = { authorization: `ApiKey ${apiKey}:${apiSecret}` };
  const answer = await request.post(`${product.sandboxUrl}/api/v3/bills/create`, { headers, data: { reference: 'A' } });
  const [, address = ''] = /<([^>]+)>/.exec(answer.headers().link ?? '') ?? [];
  await page.goto(address);
  await expect(page.locator(':target')).toHaveText('amount_required');
});

test('a reader who is signed in creates a sandbox key in the quickstart, and its secret is shown once', async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Msanidi');
  await page.goto(`${product.liveUrl}/docs/quickstart`);
  await page.getByRole('link', { name: 'Sign in to see your sandbox key here' }).click();
  await signIn(page, merchant);
  await page.waitForURL(/\/m\//);
  await page.goto(`${product.liveUrl}/docs/quickstart`);
  const place = page.locator('.your-key');
  await expect(place).toContainText('Duka la Msanidi has no sandbox key yet.');
  await page.getByRole('button', { name: 'Create a sandbox key' }).click();
  await expect(place).toHaveText('Copy the secret now. It is shown only here and only once.');
  const [key = '', secret = ''] = await page.locator('[data-fill=YOUR_KEY_ID],[data-fill=YOUR_SECRET]').allTextContents();
  const headers = { authorization: `ApiKey ${key}:${secret}` };
  expect((await request.get(`${product.sandboxUrl}/api/v3/bills`, { headers })).status()).toBe(200);
  expect(await countKeys(product, merchant)).toBe(1);
  await page.reload();
  await expect(page.locator('[data-fill=YOUR_KEY_ID]')).toHaveText(key);
  await expect(page.locator('[data-fill=YOUR_SECRET]')).toHaveText('YOUR_SECRET');
  // No key is created for a request from another site, or in the live environment.
  const path = `${product.liveUrl}/m/${merchant.slug}`;
  const foreign = { origin: 'https://example.com', 'sec-fetch-site': 'cross-site' };
  expect((await page.request.post(`${path}/sandbox/keys/new`, { headers: foreign })).status()).toBe(403);
  const own = { 'sec-fetch-site': 'same-origin' };
  expect((await page.request.post(`${path}/live/keys/new`, { headers: own })).status()).toBe(404);
  expect(await countKeys(product, merchant)).toBe(1);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test('pages can be read, tabs work, and no button is shown that would not work', async ({ page, product }) => {
    await page.goto(`${product.liveUrl}/docs`);
    await page.getByText('All pages', { exact: true }).first().click();
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks', exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks');
    await page.getByText('Java', { exact: true }).click();
    await expect(page.locator('pre:visible', { hasText: 'com.sun.net.httpserver.HttpServer' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('searchbox')).toHaveCount(0);
  });
});
