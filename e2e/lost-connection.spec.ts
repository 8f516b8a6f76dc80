import { once } from 'node:events';
import { createServer, request as passOn } from 'node:http';
import type { BrowserContext, Page } from '@playwright/test';
import { Client } from 'pg';
import { makePastDays } from '@/lib/testing/data/past-days';
import { keepPicture, looksWell } from './looks';
import { fitsThePhone, isAccessible } from './page-checks';
import { goTo, newMerchant, signedIn, signIn, type TestMerchant } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const OFFLINE = 'No internet';
const STALE = /This page shows what was true at \d\d:\d\d:\d\d/;

async function fillBill(page: Page, reference: string): Promise<void> {
  await page.getByLabel('Amount (TZS)').fill('12500');
  await page.getByLabel('Reference').fill(reference);
}

async function isKept(page: Page, reference: string): Promise<void> {
  await expect(page.getByLabel('Amount (TZS)')).toHaveValue('12,500');
  await expect(page.getByLabel('Reference')).toHaveValue(reference);
}

/** Simulates the browser's event when a person returns to a page. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

/** Answers the polls of the page, so that the page does not notice the end of the session until a form is sent. */
async function stopPolls(page: Page): Promise<void> {
  await page.route('**/notifications/data', (route) => route.fulfill({ json: { unread: 0, counted: 100, items: [], newest: null } }));
}

async function countBills(client: Client, { id }: TestMerchant): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM bill WHERE merchant_id = $1', [id]);
  return rows[0]?.count ?? -1;
}

async function endSessions(client: Client, { email }: TestMerchant): Promise<void> {
  const { rowCount } = await client.query('DELETE FROM session WHERE user_id = (SELECT id FROM "user" WHERE email = $1)', [email]);
  expect(rowCount).toBeGreaterThan(0);
}

test.describe('with a session', () => {
  let client: Client;
  let context: BrowserContext;
  let merchant: TestMerchant;
  let page: Page;

  test.beforeEach(async ({ browser, product }) => {
    client = new Client({ connectionString: await product.databaseUrl() });
    await client.connect();
    merchant = await newMerchant(product, 'Duka la Mbali');
    context = await signedIn(browser, product.liveUrl, merchant);
    page = await context.newPage();
  });
  test.afterEach(async () => {
    await context.close();
    await client.end();
  });

  test('without internet, a form says that nothing was sent, keeps its input, and can be sent later', async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-1');
    await context.setOffline(true);
    // The click below shows that the notice does not cover the button.
    await expect(page.getByText(STALE)).toBeVisible({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Create bill' }).click();
    const dialog = page.getByRole('dialog', { name: OFFLINE });
    await expect(dialog).toContainText('Nothing was sent. What you typed is still here.');
    await expect(dialog).toContainText('Waiting for the connection');
    // The page below the dialog does not repeat what the dialog says.
    await expect(page.getByText(STALE)).toBeHidden();
    await expect(page.locator('form').getByText('Nothing was sent')).toBeHidden();
    await isAccessible(page);
    await fitsThePhone(page);
    await keepPicture(page, 'form-offline');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('alert').filter({ hasText: 'Nothing was sent' })).toBeVisible();
    await isKept(page, 'FAR-1');

    await goTo(page, 'Webhooks');
    await expect(page.getByText('This page stays as it is')).toBeVisible();
    await keepPicture(page, 'link-offline');
    await page.keyboard.press('Escape');
    await isKept(page, 'FAR-1');
    expect(await countBills(client, merchant)).toBe(0);

    await context.setOffline(false);
    await expect(page.getByText('This page stays as it is')).toHaveCount(0);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Create bill' }).click();
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await expect(dialog).toContainText('You are connected again. Nothing has been sent yet.');
    expect(await countBills(client, merchant)).toBe(0);
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByRole('heading', { name: 'Bill FAR-1' })).toBeVisible();
    expect(await countBills(client, merchant)).toBe(1);
  });

  test('if the answer is lost, the page says that the result is unknown; sending the form again creates no second bill', async ({
    product,
  }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-2');
    // The request arrives, but the answer is lost.
    await page.route('**/bills/new', async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Create bill' }).click();
    const dialog = page.getByRole('dialog', { name: 'We do not know whether your last action was carried out' });
    await expect(dialog).toContainText('You can send it again: nothing is created twice.');
    await keepPicture(page, 'form-unknown');
    expect(await countBills(client, merchant)).toBe(1);

    await page.unroute('**/bills/new');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByText('FAR-2').first()).toBeVisible();
    expect(await countBills(client, merchant)).toBe(1);
  });

  test('forms that redirect and file uploads also keep their page', async ({ product }) => {
    await page.goto(`${product.liveUrl}/account`);
    await page.getByLabel('Name').fill('Asha wa Mbali');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: OFFLINE });
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByText('Name saved.')).toBeVisible();

    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/import`);
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'bills.csv', mimeType: 'text/csv', buffer: Buffer.from('amount,reference\n500,A\n') });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Check file' }).click();
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await expect(page).toHaveURL(/\/bills\/import\/[\w-]+$/);
  });

  test('the charts need no script', async ({ product }) => {
    await makePastDays(client, { merchantId: merchant.id, environment: 'sandbox' }, { bills: 60, days: 20, now: new Date() });
    await page.route('**/_next/static/**/*.js', (route) => route.abort('internetdisconnected'));
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
    const chart = page.getByRole('region', { name: 'Collected per day' }).locator('svg[preserveAspectRatio="none"]');
    await chart.scrollIntoViewIfNeeded();
    await expect(chart).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  });

  test('the page reports an ended session, and the form works after signing in in another tab', async ({ product }) => {
    const address = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`;
    await looksWell(page, address, 'bill-new');
    await page.goto(address);
    await fillBill(page, 'FAR-3');
    await stopPolls(page);
    await endSessions(client, merchant);
    await page.getByRole('button', { name: 'Create bill' }).click();
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    await expect(dialog).toBeVisible();
    await isAccessible(page);
    await keepPicture(page, 'session-ended');
    expect(await countBills(client, merchant)).toBe(0);

    const opened = context.waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in (new tab)' }).click();
    const beside = await opened;
    await signIn(beside, merchant);
    await expect(beside.getByRole('heading', { name: 'New bill' })).toBeVisible();
    await beside.close();
    await page.bringToFront();
    await comeBack(page);
    await expect(dialog).toContainText('You are signed in again. Nothing has been sent yet.');
    expect(await countBills(client, merchant)).toBe(0);
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByRole('heading', { name: 'Bill FAR-3' })).toBeVisible();
  });

  test('a page that refreshes itself reports an ended session once', async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
    await endSessions(client, merchant);
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    // When a person returns, the page refreshes at most once in five seconds.
    await expect(async () => {
      await comeBack(page);
      await expect(dialog).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(async () => {
      const refused = page.waitForResponse((answer) => answer.status() === 401, { timeout: 1_000 });
      await comeBack(page);
      await refused;
    }).toPass();
    await expect(async () => {
      await comeBack(page);
      await expect(page.getByText(/Not updated since/)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('This page is no longer updated.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign in (new tab)' })).toBeVisible();
    await isAccessible(page);
    await keepPicture(page, 'signed-out-bar');
  });

  test('a page that cannot refresh itself says from when its data is, until it can', async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
    await expect(page.getByRole('heading', { name: 'Bills', exact: true })).toBeVisible();
    const notice = page.getByText(STALE);
    await context.setOffline(true);
    await expect(notice).toBeVisible({ timeout: 20_000 });
    await keepPicture(page, 'stale');
    await context.setOffline(false);
    await expect(notice).toHaveCount(0);
    // The device has a connection, but the server is silent.
    await page.route('**/*', (route) => route.abort());
    await expect(notice).toBeVisible({ timeout: 20_000 });
    await page.unroute('**/*');
    await expect(notice).toHaveCount(0);
  });

  test('while the server does not answer, nothing is sent, and the form is sent when it answers again', async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-5');
    await page.route('**/account/session', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Create bill' }).click();
    const dialog = page.getByRole('dialog', { name: 'The server does not answer' });
    await expect(dialog).toContainText('Nothing was sent');
    await keepPicture(page, 'server-down');
    expect(await countBills(client, merchant)).toBe(0);
    await page.unroute('**/account/session');
    await expect(dialog).toContainText('You are connected again');
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByRole('heading', { name: 'Bill FAR-5' })).toBeVisible();
    expect(await countBills(client, merchant)).toBe(1);
  });

  test('if a new version no longer knows the form, the page is loaded again with what was typed', async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-4');
    await page.route('**/bills/new', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fulfill({ status: 404, headers: { 'x-nextjs-action-not-found': '1' }, body: 'Server action not found.' });
    });
    await page.getByRole('button', { name: 'Create bill' }).click();
    const dialog = page.getByRole('dialog', { name: 'A new version was installed' });
    await expect(dialog).toContainText('Nothing was sent');
    await keepPicture(page, 'new-version');
    await page.unroute('**/bills/new');
    await dialog.getByRole('button', { name: 'Reload this page' }).click();
    await expect(dialog).toHaveCount(0);
    await isKept(page, 'FAR-4');
    await page.getByRole('button', { name: 'Create bill' }).click();
    await expect(page.getByRole('heading', { name: 'Bill FAR-4' })).toBeVisible();
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a form works, and after the end of the session it leads to the sign-in page with an explanation', async ({ page, product }) => {
    const merchant = await newMerchant(product, 'Duka la Kale');
    const address = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`;
    await page.goto(address);
    await signIn(page, merchant);
    await fillBill(page, 'OLD-1');
    await page.getByRole('button', { name: 'Create bill' }).click();
    await expect(page.getByRole('heading', { name: 'Bill OLD-1' })).toBeVisible();

    await page.goto(address);
    await fillBill(page, 'OLD-2');
    const client = new Client({ connectionString: await product.databaseUrl() });
    await client.connect();
    await endSessions(client, merchant);
    await client.end();
    await page.getByRole('button', { name: 'Create bill' }).click();
    await expect(page.getByRole('alert')).toContainText('open too long');
    await expect(page).toHaveURL(/\/sign-in\?/);
  });
});

/** Starts a proxy in front of the product, as operators configure them. It hides Sec-Fetch-Site, which old browsers do not send. */
async function startProxy(target: string, host: (own: string) => string): Promise<{ origin: string; close(): void }> {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { 'sec-fetch-site': _, ...headers } = request.headers;
    const changed = { ...headers, host: host(headers.host ?? ''), 'x-forwarded-host': 'bili-web:3000' };
    const passed = passOn({ hostname, port, method: request.method, path: request.url, headers: changed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed.on('error', () => response.destroy()));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  return { origin: `http://localhost:${typeof address === 'object' ? address?.port : ''}`, close: () => server.close() };
}

for (const javaScriptEnabled of [true, false]) {
  test(`behind a proxy, forms work with its own spelling of Host, and say so if it changes Host, with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    browser,
    product,
  }) => {
    let host = (own: string) => own.toUpperCase();
    const proxy = await startProxy(product.liveUrl, (own) => host(own));
    const merchant = await newMerchant(product, 'Duka la Proxy');
    const context = await browser.newContext({ javaScriptEnabled, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${proxy.origin}/sign-in`);
    await signIn(page, merchant);
    const bills = `${proxy.origin}/m/${merchant.slug}/sandbox/bills`;
    const create = async (reference: string) => {
      await page.goto(`${bills}/new`);
      await fillBill(page, reference);
      await page.getByRole('button', { name: 'Create bill' }).click();
    };
    await create('SPELLED');
    await expect(page.getByText('SPELLED').first()).toBeVisible();
    await expect(page).not.toHaveURL(/bills\/new/);

    host = () => 'bili-web:3000';
    await create('CHANGED');
    await expect(page.getByText('The form was not sent').filter({ visible: true }).first()).toBeVisible();
    host = (own) => own;
    await page.goto(bills);
    await expect(page.getByText('SPELLED').first()).toBeVisible();
    await expect(page.getByText('CHANGED')).toHaveCount(0);
    expect(product.running().output()).toContain('Host bili-web:3000');
    await context.close();
    proxy.close();
  });
}
