import { answering, startReceiver } from '@/testing/fakes/start-receiver';
import { isAccessible } from './page-checks';
import { goTo, navigation, newBill, newKey, newMerchant, openMenu, postBill, setHook, signedIn, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

/** Answers the first delivery with an error and the others with 200. */
async function startSlowStarter() {
  const receiver = await startReceiver();
  receiver.answer((request, response) => {
    answering(500, '<h1>Down for lunch</h1>')(request, response);
    receiver.answer(answering(200, 'thank you'));
  });
  return receiver;
}

test('the dashboard has its styles in browsers that do not know cascade layers', { tag: '@full' }, async ({ page, product }) => {
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: withoutLayers(await response.text()) });
  });
  // Next.js answers this address, with the style of the dashboard.
  await page.goto(`${product.liveUrl}/m`);
  const button = page.getByRole('link', { name: text('Dashboard.toStart') });
  await expect(button).toBeVisible();
  expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
  await page.route('**/*.css', (route) => route.abort());
  await page.reload();
  for (const icon of await page.locator('svg:not([viewBox="0 0 128 96"])').all())
    expect((await icon.boundingBox())?.width).toBeLessThanOrEqual(32);
});

/** Removes all cascade layers with their rules from a style sheet. */
function withoutLayers(css: string): string {
  let [kept, depth, from] = ['', 0, 0];
  for (const { 0: found, index } of css.matchAll(/@layer[^{;]*\{|[{}]/g)) {
    if (depth === 0 && found.startsWith('@layer')) [kept, depth] = [kept + css.slice(from, index), 1];
    else if (depth > 0 && found === '}') [depth, from] = [depth - 1, index + 1];
    else if (depth > 0) depth += 1;
  }
  return kept + css.slice(from);
}

test('each page of the menu opens', async ({ browser, product }) => {
  const context = await signedIn(browser, product.liveUrl, await newMerchant(product, 'Duka la Menyu'));
  const page = await context.newPage();
  await page.goto(product.liveUrl);
  await openMenu(page);
  const links = navigation(page).getByRole('link');
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(paths.length).toBeGreaterThan(7);
  for (const path of paths) {
    const response = await page.goto(`${product.liveUrl}${path}`);
    expect([response?.status(), path]).toEqual([200, path]);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await context.close();
});

test('a merchant follows a bill, creates a key, sees its webhook and revokes the key', { tag: '@full' }, async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Mtihani');
  const first = await newKey(product, merchant, 'Server');
  const receiver = await startSlowStarter();
  await setHook(product, merchant, receiver.url());
  await newBill(request, product.sandboxUrl, first, { amount: 5000, reference: 'ORDER-77', mobile: '0712345001' });
  const sandbox = `${product.liveUrl}/m/${merchant.slug}/sandbox`;

  await test.step('signs in at the second attempt, and reaches the requested page', async () => {
    await page.goto(`${sandbox}/bills`);
    await signIn(page, { email: merchant.email, password: 'not the password' });
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(text('SignIn.wrong'));
    await signIn(page, merchant);
    await expect(page).toHaveURL(`${sandbox}/bills`);
    await expect(page.getByText(text('Dashboard.sandboxNote'))).toBeVisible();
  });

  await test.step('finds the bill and reads its timeline', async () => {
    await page.getByRole('link', { name: 'ORDER-77' }).click();
    await expect(page.getByRole('heading', { name: 'ORDER-77' })).toBeVisible();
    await expect(async () => {
      await page.reload();
      const timeline = page.getByRole('region', { name: text('Bill.timeline') });
      await expect(timeline.getByText(text('Bill.payment', { amount: 'TZS 5,000' }))).toBeVisible({ timeout: 1_000 });
      await expect(timeline.getByText(text('Bill.receipt')).first()).toBeVisible({ timeout: 1_000 });
      const attempt = page.getByText(text('Webhooks.tryNumber', { number: '1' }), { exact: true });
      await timeline.locator('details').filter({ has: attempt }).locator('summary').first().click({ timeout: 1_000 });
      await expect(attempt).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(
      page.getByRole('region', { name: text('Bill.timeline') }).getByText(text('Webhooks.answered', { status: '500' }), { exact: true }),
    ).toBeVisible();
    await expectNoSidewaysScroll();
  });

  await test.step('on a slow network, a loading state appears at once', async () => {
    const waiting = page.locator('[data-shown=pending]');
    const slow = Promise.withResolvers<void>();
    await page.route('**/team?*', async (route) => {
      await slow.promise;
      await route.continue();
    });
    await goTo(page, text('Team.title'));
    await expect(waiting).toBeVisible();
    await expect(page.locator('[data-shown=outline]').getByText(text('Team.title'), { exact: true })).toBeVisible();
    await isAccessible(page);
    slow.resolve();
    await expect(page.getByRole('heading', { name: text('Team.title'), exact: true })).toBeVisible();
    await expect(waiting).toHaveCount(0);
    await page.unroute('**/team?*');
  });

  await test.step('chooses the dark theme, which is remembered', async () => {
    await openMenu(page);
    await page.getByRole('button', { name: text('Shell.theme_dark') }).click();
    await page.goto(`${sandbox}/bills`);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
    await isAccessible(page);
  });

  const created = await test.step('creates a key whose secret is shown once', async () => {
    await goTo(page, text('Keys.title'));
    await page.getByRole('link', { name: text('Keys.create') }).click();
    await page.getByLabel(text('KeyPage.label')).fill('Till 4');
    await page.getByRole('button', { name: text('Keys.create') }).click();
    await expect(page.getByText(text('Keys.createdTitle'))).toBeVisible();
    const shown = page.getByRole('region', { name: text('Keys.createdTitle') }).getByRole('code');
    const key = { apiKey: (await shown.nth(0).innerText()).trim(), apiSecret: (await shown.nth(1).innerText()).trim() };
    expect(key.apiSecret).toMatch(/^bili_sandbox_secret_/);
    expect(page.url()).not.toContain(key.apiSecret);
    await page.reload();
    await expect(page.getByText('Till 4').first()).toBeVisible();
    expect(await page.content()).not.toContain(key.apiSecret);
    return key;
  });

  await test.step('creates a bill with it and sees its webhook', async () => {
    await newBill(request, product.sandboxUrl, created, { amount: 800, reference: 'ORDER-78', mobile: '0712345001' });
    await expect(async () => {
      await page.goto(`${sandbox}/webhooks/deliveries`);
      await expect(page.getByRole('row', { name: new RegExp(`ORDER-78.*${text('Webhooks.state_DELIVERED')}`) })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass();
    await page.getByRole('link', { name: 'ORDER-78' }).click();
    await expect(
      page.getByRole('region', { name: text('Hooks.attempts') }).getByText(text('Webhooks.answered', { status: '200' })),
    ).toBeVisible();
    await expectNoSidewaysScroll();
  });

  await test.step('the page says that the server does not answer, and that nothing is lost', async () => {
    const endpoint = ['--merchant', merchant.slug, '--environment', 'sandbox'];
    await product.bili(['webhook', 'set', ...endpoint, '--url', 'http://127.0.0.1:9/nobody']);
    await newBill(request, product.sandboxUrl, created, { amount: 900, reference: 'ORDER-79', mobile: '0712345001' });
    await expect(async () => {
      await page.goto(`${sandbox}/webhooks`);
      await expect(page.getByText(pattern('Webhooks.failingTitle'))).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByText(/waiting\. (It is|They are) not lost/)).toBeVisible();
    await isAccessible(page);
    await product.bili(['webhook', 'pause', ...endpoint]);
    await page.goto(`${sandbox}/webhooks`);
    await expect(page.getByText(pattern('Webhooks.pausedTitle'))).toBeVisible();
    await product.bili(['webhook', 'set', ...endpoint, '--url', receiver.url()]);
    await product.bili(['webhook', 'resume', ...endpoint]);
    await expect(async () => {
      await page.goto(`${sandbox}/webhooks/deliveries`);
      await expect(page.getByRole('row', { name: new RegExp(`ORDER-79.*${text('Webhooks.state_DELIVERED')}`) })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass();
    await isAccessible(page);
    await expectNoSidewaysScroll();
  });

  await test.step('revokes the key, which is refused from then on', async () => {
    await goTo(page, text('Keys.title'));
    await page.getByRole('link', { name: 'Till 4' }).click();
    await page.getByText(text('KeyPage.revoke')).last().click();
    await page.getByRole('button', { name: text('KeyPage.revokeNow', { label: 'Till 4' }) }).click();
    await expect(page.getByText(text('Keys.revoked'), { exact: true })).toBeVisible();
    await expect(async () =>
      expect((await postBill(request, product.sandboxUrl, created, { amount: 1, reference: 'LATE' })).status()).toBe(401),
    ).toPass({ timeout: 2_000 });
  });

  await test.step('signs out, and the old cookie is invalid', async () => {
    const before = await page.context().cookies();
    await openMenu(page);
    await page.getByRole('button', { name: text('SignIn.signOut') }).click();
    await expect(page).toHaveURL(`${product.liveUrl}/sign-in`);
    await page.context().addCookies(before);
    await page.goto(`${sandbox}/bills`);
    await expect(page.getByRole('heading', { name: text('SignIn.title') })).toBeVisible();
  });
  await receiver.stop();

  async function expectNoSidewaysScroll(): Promise<void> {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
});

test('a merchant creates a key without JavaScript', { tag: '@full' }, async ({ browser, product }) => {
  const merchant = await newMerchant(product, 'Duka Bila Hati');
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/keys`);
  await signIn(page, merchant);
  await page.getByRole('link', { name: text('Keys.create') }).click();
  await page.getByLabel(text('KeyPage.label')).fill('Old browser');
  await page.getByRole('button', { name: text('Keys.create') }).click();
  await expect(page.getByText(text('Keys.createdTitle'))).toBeVisible();
  await expect(page.getByRole('row', { name: /Old browser/ })).toBeVisible();
  await context.close();
});
