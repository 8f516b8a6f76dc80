import type { Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import { countKeys, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { swahili, text } from './texts';

const PAGES = ['/docs', '/docs/quickstart', '/docs/payment-flow', '/docs/webhooks', '/docs/errors', '/docs/api', '/docs/api/bills'];

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

test('every page fits each screen, is accessible, and does not move while it loads', { tag: '@full' }, async ({ page, product }) => {
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

test('the cards of the first page leave no hole', { tag: '@full' }, async ({ page, product }) => {
  for (const width of [360, 800, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${product.liveUrl}/docs`);
    const holes = await page.locator('.cards tbody').evaluateAll((lists) =>
      lists.map((list) => {
        const last = list.lastElementChild?.getBoundingClientRect().right ?? 0;
        return Math.round(list.getBoundingClientRect().right - last);
      }),
    );
    expect(holes, `at ${width} px`).toEqual(holes.map(() => 0));
  }
});

test('the key for the search and what is typed are not lost while the script of the page is still loading', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/docs/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${product.liveUrl}/docs`, { waitUntil: 'commit' });
  await expect(page.getByLabel(text('Docs.searchHint'))).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('wrong pin');
  await expect(page.getByLabel(text('Docs.searchHint'))).toHaveValue('wrong pin');
  release();
  await expect(page.getByRole('status')).toHaveText(/^Results: \d+$/);
  const panel = await page.locator('#results').boundingBox();
  expect(panel?.x).toBeGreaterThanOrEqual(0);
  expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(360);
});

test('a reader finds a section, changes the language, and copies an example', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${product.liveUrl}/?lang=en`);
  await page.getByRole('link', { name: text('Docs.title') }).click();
  await expect(page).toHaveURL(`${product.liveUrl}/docs`);
  await expect(page.getByLabel(text('Docs.searchHint'))).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('wrong pin');
  await expect(page.getByRole('status')).toHaveText(/^Results: \d+$/);
  await page.getByLabel(text('Docs.searchHint')).fill('(too_many_prompts.*[');
  await expect(page.locator('#results a').first()).toContainText('Errors › too_many_prompts');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('#results a').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${product.liveUrl}/docs/errors#too_many_prompts`);
  await expect(page.locator('#too_many_prompts')).toBeInViewport();
  await page.getByRole('link', { name: text('Docs.otherLanguage') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(swahili('ApiReference.errors'));
  await expect(page.locator('#too_many_prompts')).toBeInViewport();
  await page.goto(`${product.liveUrl}/docs/sw/quickstart`);
  await page.locator('.tabs label', { hasText: 'Python' }).first().click();
  await expect(page.getByRole('radio', { name: 'Python' }).first()).toBeChecked();
  await expect(page.locator('pre:visible', { hasText: 'urllib.request' }).first()).toBeVisible();
  const group = page.getByRole('group', { name: swahili('Docs.languages') }).first();
  await group.getByRole('button', { name: swahili('Docs.copy') }).click();
  await expect(group.getByRole('button', { name: swahili('Docs.copied') })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^import json, os/);
  // The chosen programming language is remembered on other pages, too.
  await page.goto(`${product.liveUrl}/docs/webhooks`);
  await expect(page.locator('pre:visible', { hasText: 'BaseHTTPRequestHandler' })).toBeVisible();
});

test('the examples have the addresses of this installation, and every page is Markdown, too', { tag: '@full' }, async ({
  request,
  product,
}) => {
  const html = await (await request.get(`${product.liveUrl}/docs/quickstart`)).text();
  expect(html).toContain(`=${product.sandboxUrl}\n`);
  expect(html).not.toContain('localhost:3001');
  const markdown = await request.get(`${product.sandboxUrl}/docs/sw/quickstart.md`);
  expect(markdown.headers()['content-type']).toBe('text/markdown; charset=utf-8');
  expect(await markdown.text()).toContain(`export BILI_URL=${product.sandboxUrl}`);
  const list = await (await request.get(`${product.liveUrl}/llms.txt`)).text();
  expect(list).toContain('](/docs/quickstart.md)');
});

test('the header of an error leads to its explanation', { tag: '@full' }, async ({ page, request, product }) => {
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
  await page.getByRole('link', { name: text('Docs.keySignIn') }).click();
  await signIn(page, merchant);
  await page.waitForURL(/\/m\//);
  await page.goto(`${product.liveUrl}/docs/quickstart`);
  const place = page.locator('.your-key');
  await expect(place).toContainText(text('Docs.keyNone', { merchant: 'Duka la Msanidi' }));
  await page.getByRole('button', { name: text('Docs.keyCreate') }).click();
  await expect(place).toHaveText(text('Docs.keyCreated'));
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

/** The part of a page of the API reference about one operation. */
function operation(page: Page, name: string) {
  return page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true, level: 2 }) });
}

test('a reader sends a request of the API reference to the sandbox, with a key that stays in the tab', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { apiKey, apiSecret } = product.demo.sandbox;
  await page.goto(`${product.liveUrl}/docs/api/bills`);
  const field = page.getByLabel(text('Docs.keyPaste'));
  const form = page.locator('.own-key');
  const create = operation(page, 'Create a bill');
  await create.getByRole('button', { name: text('Docs.send') }).click();
  await expect(create.getByRole('status')).toHaveText(text('Docs.keyMissing'));
  await expect(field).toBeFocused();
  await field.fill(`${apiKey}:${apiSecret}`.replaceAll('sandbox', 'live'));
  await field.press('Enter');
  await expect(form.getByRole('status')).toHaveText(text('Docs.keyLive'));
  await expect(field).toHaveValue('');
  expect(await page.content()).not.toContain(apiKey.replace('sandbox', 'live'));
  await field.fill(apiKey);
  await field.press('Enter');
  await expect(form.getByRole('status')).toHaveText(text('Docs.keyIncomplete'));
  await field.fill(`BILI_KEY_ID=${apiKey} BILI_SECRET=${apiSecret}`);
  await field.press('Enter');
  await expect(form.getByRole('status')).toContainText(apiKey);
  for (const language of ['curl', 'PHP', 'Python', 'Node', 'Java']) {
    await create.locator('.tabs label', { hasText: language }).click();
    await expect(create.locator('.tabs pre:visible')).toContainText(`ApiKey ${apiKey}:${apiSecret}`);
  }

  await create.getByText(text('Docs.edit')).click();
  const body = create.getByLabel(text('Docs.requestBody'));
  await body.fill((await body.inputValue()).replace('5000', '6500').replace('ORDER-1', 'FROM-DOCS'));
  await expect(create.locator('.tabs pre:visible')).toContainText('"amount": 6500');
  await create.getByRole('button', { name: text('Docs.copyCurl') }).click();
  await expect(create.getByRole('button', { name: text('Docs.copied') })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`curl -sS '${product.sandboxUrl}/api/v3/bills/create'`);
  expect(command).toContain('"reference": "FROM-DOCS"');
  await create.getByRole('button', { name: text('Docs.send') }).click();
  await expect(create.getByRole('status')).toContainText(`${text('Docs.sent')} 200`);
  await expect(create.locator('.result')).toContainText('"amount": 6500.0');
  await expect(create.locator('.result')).toContainText(/X-Request-Id: [\w-]{8}/);

  // The other operations show the bill that was created, also on other pages.
  const read = operation(page, 'Get a bill');
  await read.getByRole('button', { name: text('Docs.send') }).click();
  await expect(read.locator('.result')).toContainText('"reference": "FROM-DOCS"');
  await page.goto(`${product.liveUrl}/docs/api/history`);
  const events = operation(page, 'List the events of a bill');
  await events.getByRole('button', { name: text('Docs.send') }).click();
  await expect(events.getByRole('status')).toContainText(`${text('Docs.sent')} 200`);
  await isAccessible(page);
  await page.getByRole('button', { name: text('Docs.keyRemove') }).click();
  await page.reload();
  await expect(page.locator('pre:visible', { hasText: 'ApiKey' }).first()).toContainText('YOUR_KEY_ID:YOUR_SECRET');
});

test('an error of the sandbox is shown with its explanation, at the sandbox address, too', { tag: '@full' }, async ({ page, product }) => {
  const { apiKey, apiSecret } = product.demo.sandbox;
  await page.goto(`${product.sandboxUrl}/docs/sw/api/bills`);
  await page.getByLabel(swahili('Docs.keyPaste')).fill(`${apiKey}:${apiSecret}`);
  await page.keyboard.press('Enter');
  const create = operation(page, 'Tengeneza bili');
  await create.getByText(swahili('Docs.edit')).click();
  await create.getByLabel(swahili('Docs.requestBody')).fill('{"amount": 5000}');
  await create.getByRole('button', { name: swahili('Docs.send') }).click();
  await expect(create.getByRole('status')).toContainText(`${swahili('Docs.sent')} 400`);
  await create.getByRole('link', { name: 'reference_required', exact: true }).first().click();
  await expect(page).toHaveURL(`${product.sandboxUrl}/docs/sw/errors#reference_required`);
});

test('a copy of the pages that no installation serves offers no sending', { tag: '@full' }, async ({ page, product }) => {
  await page.route('**/docs/api/networks', async (route) => {
    const answer = await route.fetch();
    const html = (await answer.text()).replace(/data-served-at="[^"]*"/, 'data-served-at="http://localhost:3000 http://localhost:3001"');
    await route.fulfill({ response: answer, body: html });
  });
  await page.goto(`${product.liveUrl}/docs/api/networks`);
  await expect(page.getByRole('button', { name: text('Docs.copyCurl') })).toBeVisible();
  await expect(page.getByRole('button', { name: text('Docs.send') })).toHaveCount(0);
});

test('each group of operations has a page, and the earlier address of an operation leads there', { tag: '@full' }, async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${product.liveUrl}/docs/api#close-a-bill`);
  await expect(page).toHaveURL(`${product.liveUrl}/docs/api/bills#close-a-bill`);
  await expect(page.locator('#close-a-bill')).toBeInViewport();
  const close = operation(page, 'Close a bill');
  const [about, examples] = await Promise.all([close.locator('.about').boundingBox(), close.locator('.examples').boundingBox()]);
  expect(examples?.x).toBeGreaterThan((about?.x ?? 0) + (about?.width ?? 0));
  await page.getByRole('navigation').getByRole('link', { name: 'Refunds', exact: true }).first().click();
  await expect(page).toHaveURL(`${product.liveUrl}/docs/api/refunds`);
  await page.getByRole('link', { name: text('Docs.otherLanguage') }).click();
  await expect(page).toHaveURL(`${product.liveUrl}/docs/sw/api/refunds`);
  await page.goto(`${product.liveUrl}/docs/sw/api#funga-bili`);
  await expect(page).toHaveURL(`${product.liveUrl}/docs/sw/api/bills#funga-bili`);
});

test.describe('without JavaScript', { tag: '@full' }, () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test('pages can be read, tabs work, and no button is shown that would not work', async ({ page, product }) => {
    await page.goto(`${product.liveUrl}/docs`);
    await page.getByText(text('Docs.menu'), { exact: true }).first().click();
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks', exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks');
    await page.getByText('Java', { exact: true }).click();
    await expect(page.locator('pre:visible', { hasText: 'com.sun.net.httpserver.HttpServer' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await page.goto(`${product.liveUrl}/docs/api#close-a-bill`);
    await page.locator(':target').click();
    await expect(page).toHaveURL(`${product.liveUrl}/docs/api/bills#close-a-bill`);
    await expect(page.locator('#close-a-bill')).toBeInViewport();
    await expect(page.getByRole('button')).toHaveCount(0);
  });
});
