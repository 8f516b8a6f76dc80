import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { keepPicture, looksWell } from './looks';
import { isAccessible } from './page-checks';
import { newBill, newKey, newMerchant, signedIn, signIn } from './people';
import { expect, test } from './product';
import { text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

/** A number whose prompt the sandbox approves. */
const PAYS = '0712345001';

/** Makes the page believe that its tab is in the background or in front. */
async function setVisible(page: Page, visible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => state === 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    visible ? 'visible' : 'hidden',
  );
}

test('a payment appears in the bell, in the title of a tab in the background, and is heard if the member wants that', async ({
  browser,
  product,
  request,
}) => {
  const merchant = await newMerchant(product, 'Duka la Kengele');
  const key = await newKey(product, merchant, 'Server');
  const context = await signedIn(browser, product.liveUrl, merchant);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    Object.assign(window, { notes: 0 });
    OscillatorNode.prototype.start = function (...when) {
      Object.assign(window, { notes: Reflect.get(window, 'notes') + 1 });
      start.apply(this, when);
    };
  });
  const notes = () => page.evaluate(() => Number(Reflect.get(window, 'notes')));
  const root = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  await page.goto(`${root}/team`);
  const title = await page.title();
  const bell = page.getByRole('button', { name: text('Bell.title') });

  await test.step('the sound is off until the member switches it on', async () => {
    await bell.click();
    const panel = page.getByRole('dialog', { name: text('Bell.title') });
    await expect(panel.getByText(text('Bell.empty'), { exact: true })).toBeVisible();
    await expect(panel.getByLabel(text('Bell.sound'))).not.toBeChecked();
    expect(await notes()).toBe(0);
    await panel.getByLabel(text('Bell.sound')).check();
    expect(await notes()).toBe(2);
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(bell).toBeFocused();
  });

  await test.step('money comes while the tab is in the background', async () => {
    await setVisible(page, false);
    await newBill(request, product.sandboxUrl, key, { amount: 2000, reference: 'KENGELE-1', mobile: PAYS });
    await expect.poll(() => page.title()).toBe(`(1) Paid TZS\u00a02,000 · ${title}`);
    expect(await notes()).toBe(4);
    await setVisible(page, true);
    await expect.poll(() => page.title()).toBe(title);
  });

  await test.step('the bell counts it, leads to the bill, and forgets it once it is marked as read', async () => {
    await expect(bell).toHaveAccessibleName(`${text('Bell.title')}: ${text('Bell.news')}`);
    await bell.click();
    const panel = page.getByRole('dialog', { name: text('Bell.title') });
    await expect(panel.getByRole('link', { name: `${text('Alerts.payment', { amount: 'TZS 2,000' })} KENGELE-1` })).toBeVisible();
    await isAccessible(page);
    await keepPicture(page, 'bell-panel');
    await panel.getByRole('button', { name: text('Bell.markRead') }).click();
    await expect(bell).toHaveAccessibleName(text('Bell.title'));
    await panel.getByRole('link', { name: /KENGELE-1/ }).click();
    await expect(page.getByRole('heading', { name: 'KENGELE-1' })).toBeVisible();
    await expect(panel).toBeHidden();
  });
  await looksWell(page, `${root}/notifications`, 'notifications');
  await context.close();
});

test('web push: the worker runs beside the pages, and only a member who is signed in reads the news of a device', { tag: '@full' }, async ({
  browser,
  playwright,
  product,
  request,
}) => {
  const merchant = await newMerchant(product, 'Duka la Push');
  const key = await newKey(product, merchant, 'Server');
  const context = await signedIn(browser, product.liveUrl, merchant);
  const page = await context.newPage();
  const root = `/m/${merchant.slug}/sandbox`;
  await page.goto(`${product.liveUrl}${root}/team`);
  const worker = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('/push-worker.js', { scope: '/push/' });
    const starting = registration.installing;
    if (starting) {
      await new Promise<void>((resolve) => {
        starting.addEventListener('statechange', () => starting.state === 'activated' && resolve());
      });
    }
    return { state: registration.active?.state, controlsPage: navigator.serviceWorker.controller !== null };
  });
  expect(worker).toEqual({ state: 'activated', controlsPage: false });

  const endpoint = `https://push.example.com/${merchant.slug}`;
  const post = (path: string, fields: Record<string, string>) =>
    page.evaluate(
      async ({ path, fields }) => {
        const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(fields) });
        return { status: answer.status, text: await answer.text() };
      },
      { path, fields },
    );
  expect(await post(`${root}/notifications/push`, { endpoint: 'http://127.0.0.1:1/', on: 'on' })).toMatchObject({ status: 204 });
  expect(await post(`${root}/notifications/push`, { endpoint: 'http://10.0.0.1/', on: 'on' })).toMatchObject({ status: 400 });
  expect(await post(`${root}/notifications/push`, { endpoint, on: 'on' })).toMatchObject({ status: 204 });
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 2000, reference: 'PUSH-1', mobile: PAYS });
  await expect(async () => {
    const { status, text } = await post('/push/news', { endpoint });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      title: 'Sandbox: Paid TZS\u00a02,000',
      body: 'PUSH-1 · Duka la Push',
      url: `${root}/bills/${bill.id}`,
    });
  }).toPass();
  const stranger = await playwright.request.newContext();
  const headers = { origin: product.liveUrl, 'sec-fetch-site': 'same-origin' };
  expect((await stranger.post(`${product.liveUrl}/push/news`, { form: { endpoint }, headers })).status()).toBe(404);
  await stranger.dispose();
  expect(await post(`${root}/notifications/push`, { endpoint, on: 'off' })).toMatchObject({ status: 204 });
  expect(await post('/push/news', { endpoint })).toMatchObject({ status: 404 });
  await context.close();
});

test('a device on which notifications could not be switched off says so and stays switched on', { tag: '@full' }, async ({
  browser,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Simu');
  const context = await signedIn(browser, product.liveUrl, merchant);
  const page = await context.newPage();
  // The test browser has no push service, so this script replaces the functions that need one.
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    const device = async () => ({ endpoint: 'http://127.0.0.1:1/device' });
    Object.assign(PushManager.prototype, { subscribe: device, getSubscription: device });
  });
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/team`);
  await page.getByRole('button', { name: text('Bell.title') }).click();
  const push = page.getByRole('checkbox', { name: text('Bell.push') });
  await push.click();
  await expect(push).toBeChecked();
  await page.route('**/notifications/push', (route) => route.fulfill({ status: 503 }));
  await push.click();
  await expect(page.getByText(text('Bell.pushFailed'))).toBeVisible();
  await expect(push).toBeChecked();
  await page.unroute('**/notifications/push');
  await push.click();
  await expect(push).not.toBeChecked();
  await context.close();
});

test.describe('without JavaScript', { tag: '@full' }, () => {
  test.use({ javaScriptEnabled: false });

  test('the bell is a link to a page that lists everything and marks it as read', async ({ page, product, request }) => {
    const merchant = await newMerchant(product, 'Duka la Kengele Kale');
    const key = await newKey(product, merchant, 'Server');
    const bill = await newBill(request, product.sandboxUrl, key, { amount: 3000, reference: 'KALE-1', mobile: PAYS });
    const client = new Client({ connectionString: await product.databaseUrl() });
    await client.connect();
    await expect
      .poll(async () => (await client.query('SELECT status FROM bill WHERE id = $1', [bill.id])).rows)
      .toEqual([{ status: 'FULLY_PAID' }]);
    await client.end();
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
    await signIn(page, merchant);
    await page.getByRole('link', { name: text('Bell.title') }).click();
    await expect(page.getByRole('row', { name: text('Alerts.daySum', { count: 1, amount: 'TZS 3,000' }) })).toBeVisible();
    const entry = page.getByRole('row', { name: /KALE-1/ });
    await expect(entry).toContainText(text('Bell.new'));
    await page.getByRole('button', { name: text('Bell.markRead') }).click();
    await expect(page.getByRole('button', { name: text('Bell.markRead') })).toHaveCount(0);
    await expect(entry).not.toContainText(text('Bell.new'));
    await entry.getByRole('link', { name: 'KALE-1' }).click();
    await expect(page.getByRole('heading', { name: 'KALE-1' })).toBeVisible();
  });
});
