import { once } from 'node:events';
import { createServer, request as passOn } from 'node:http';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { Client } from 'pg';
import { makePastDays } from '@/testing/data/past-days';
import { keepPicture, looksWell } from './looks';
import { fitsThePhone, isAccessible } from './page-checks';
import { goTo, newMerchant, signedIn, signIn, type TestMerchant } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const OFFLINE = text('Line.offlineTitle');
const STALE = /This page shows what was true at \d\d:\d\d:\d\d/;

async function fillBill(page: Page, reference: string): Promise<void> {
  await page.getByLabel(`${text('NewBill.amount')} (TZS)`).fill('12500');
  await page.getByLabel(text('NewBill.reference')).fill(reference);
}

async function isKept(page: Page, reference: string): Promise<void> {
  await expect(page.getByLabel(`${text('NewBill.amount')} (TZS)`)).toHaveValue('12,500');
  await expect(page.getByLabel(text('NewBill.reference'))).toHaveValue(reference);
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

/** Fills in the form of the dialog about an ended session. */
async function signInAgain(dialog: Locator, { email, password }: Pick<TestMerchant, 'email' | 'password'>): Promise<void> {
  await dialog.getByLabel(text('Line.email')).fill(email);
  await dialog.getByLabel(text('Line.password'), { exact: true }).fill(password);
  await dialog.getByRole('button', { name: text('Line.signInHere'), exact: true }).click();
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

  test('without internet, a form says that nothing was sent, keeps its input, and can be sent later', { tag: '@full' }, async ({
    product,
  }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-1');
    await context.setOffline(true);
    // The click below shows that the notice does not cover the button.
    await expect(page.getByText(STALE)).toBeVisible();
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    const dialog = page.getByRole('dialog', { name: OFFLINE });
    await expect(dialog).toContainText(text('Line.offlineText'));
    await expect(dialog).toContainText(text('Line.waiting'));
    // The page below the dialog does not repeat what the dialog says.
    await expect(page.getByText(STALE)).toBeHidden();
    await expect(page.locator('form').getByText(text('Line.offlineText'))).toBeHidden();
    await isAccessible(page);
    await fitsThePhone(page);
    await keepPicture(page, 'form-offline');
    await dialog
      .getByRole('button', { name: text('Line.close') })
      .last()
      .click();
    await expect(page.getByRole('alert').filter({ hasText: text('Line.offlineText') })).toBeVisible();
    await isKept(page, 'FAR-1');

    await goTo(page, text('Webhooks.title'));
    await expect(page.getByText(text('Line.heldText'))).toBeVisible();
    await keepPicture(page, 'link-offline');
    await page.keyboard.press('Escape');
    await isKept(page, 'FAR-1');
    expect(await countBills(client, merchant)).toBe(0);

    await context.setOffline(false);
    await expect(page.getByText(text('Line.heldText'))).toHaveCount(0);
    await context.setOffline(true);
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await expect(dialog).toContainText(text('Line.connectedAgain'));
    expect(await countBills(client, merchant)).toBe(0);
    await dialog.getByRole('button', { name: text('Line.send') }).click();
    await expect(page.getByRole('heading', { name: 'FAR-1' })).toBeVisible();
    expect(await countBills(client, merchant)).toBe(1);
  });

  test('if the answer is lost, the page says that the result is unknown; sending the form again creates no second bill', {
    tag: '@full',
  }, async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-2');
    // The request arrives, but the answer is lost.
    await page.route('**/bills/new', async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    const dialog = page.getByRole('dialog', { name: text('Line.unknownTitle') });
    await expect(dialog).toContainText(text('Line.repeatable'));
    await keepPicture(page, 'form-unknown');
    expect(await countBills(client, merchant)).toBe(1);

    await page.unroute('**/bills/new');
    await dialog.getByRole('button', { name: text('Line.sendAgain') }).click();
    await expect(page.getByText('FAR-2').first()).toBeVisible();
    expect(await countBills(client, merchant)).toBe(1);
  });

  test('forms that redirect and file uploads also keep their page', async ({ product }) => {
    await page.goto(`${product.liveUrl}/account`);
    await page.getByLabel(text('Account.name')).fill('Asha wa Mbali');
    await context.setOffline(true);
    await page.getByRole('button', { name: text('Account.save') }).click();
    const dialog = page.getByRole('dialog', { name: OFFLINE });
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await dialog.getByRole('button', { name: text('Line.send') }).click();
    await expect(page.getByText(text('Account.nameSaved'))).toBeVisible();

    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/import`);
    await page
      .getByLabel(text('Import.file'))
      .setInputFiles({ name: 'bills.csv', mimeType: 'text/csv', buffer: Buffer.from('amount,reference\n500,A\n') });
    await context.setOffline(true);
    await page.getByRole('button', { name: text('Import.check') }).click();
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await dialog.getByRole('button', { name: text('Line.send') }).click();
    await expect(page).toHaveURL(/\/bills\/import\/[\w-]+$/);
  });

  test('the charts need no script', { tag: '@full' }, async ({ product }) => {
    await makePastDays(client, { merchantId: merchant.id, environment: 'sandbox' }, { bills: 60, days: 20, now: new Date() });
    await page.route('**/_next/static/**/*.js', (route) => route.abort('internetdisconnected'));
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
    const chart = page.getByRole('region', { name: text('Overview.collectedPerDay') }).locator('svg[preserveAspectRatio="none"]');
    await chart.scrollIntoViewIfNeeded();
    await expect(chart).toBeVisible();
    await expect(page.getByRole('heading', { name: text('Overview.title'), level: 1 })).toBeVisible();
  });

  test('the page reports an ended session, and the form works after signing in in another tab', { tag: '@full' }, async ({ product }) => {
    const address = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`;
    await looksWell(page, address, 'bill-new');
    await page.goto(address);
    await fillBill(page, 'FAR-3');
    await stopPolls(page);
    await endSessions(client, merchant);
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    const dialog = page.getByRole('dialog', { name: text('Line.endedTitle') });
    await expect(dialog).toBeVisible();
    await isAccessible(page);
    await keepPicture(page, 'session-ended');
    expect(await countBills(client, merchant)).toBe(0);

    const problem = dialog.getByRole('alert');
    await signInAgain(dialog, { ...merchant, password: 'a wrong password' });
    await expect(problem).toHaveText(text('SignIn.wrong'));

    const opened = context.waitForEvent('page');
    await dialog.getByRole('link', { name: text('Line.signIn') }).click();
    const beside = await opened;
    await signIn(beside, merchant);
    await expect(beside.getByRole('heading', { name: text('NewBill.title') })).toBeVisible();
    await beside.close();
    await page.bringToFront();
    await comeBack(page);
    await expect(dialog).toContainText(text('Line.signedInAgain'));
    expect(await countBills(client, merchant)).toBe(0);
    await dialog.getByRole('button', { name: text('Line.send') }).click();
    await expect(page.getByRole('heading', { name: 'FAR-3' })).toBeVisible();
  });

  test('a person signs in again in the dialog, and the typed form is sent', { tag: '@full' }, async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-4');
    await stopPolls(page);
    await endSessions(client, merchant);
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    const dialog = page.getByRole('dialog', { name: text('Line.endedTitle') });
    await signInAgain(dialog, merchant);
    await expect(dialog).toContainText(text('Line.signedInAgain'));
    await dialog.getByRole('button', { name: text('Line.send') }).click();
    await expect(page.getByRole('heading', { name: 'FAR-4' })).toBeVisible();
  });

  test('a page that refreshes itself reports an ended session once', { tag: '@full' }, async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
    await endSessions(client, merchant);
    const dialog = page.getByRole('dialog', { name: text('Line.endedTitle') });
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
      await expect(page.getByText(pattern('Overview.notUpdated'))).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(text('Line.endedStale'))).toBeVisible();
    await expect(page.getByRole('link', { name: text('Line.signIn') })).toBeVisible();
    await isAccessible(page);
    await keepPicture(page, 'signed-out-bar');
  });

  test('a page that cannot refresh itself says from when its data is, until it can', { tag: '@full' }, async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
    await expect(page.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
    const notice = page.getByText(STALE);
    await context.setOffline(true);
    await expect(notice).toBeVisible();
    await keepPicture(page, 'stale');
    await context.setOffline(false);
    await expect(notice).toHaveCount(0);
    // The device has a connection, but the server is silent.
    await page.route('**/*', (route) => route.abort());
    await expect(notice).toBeVisible();
    await page.unroute('**/*');
    await expect(notice).toHaveCount(0);
  });

  test('while the server does not answer, nothing is sent, and the form is sent when it answers again', { tag: '@full' }, async ({
    product,
  }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-5');
    await page.route('**/account/session', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    const dialog = page.getByRole('dialog', { name: text('Line.downTitle') });
    await expect(dialog).toContainText(text('Line.downText'));
    await keepPicture(page, 'server-down');
    expect(await countBills(client, merchant)).toBe(0);
    await page.unroute('**/account/session');
    await expect(dialog).toContainText(text('Line.connectedAgain'));
    await dialog.getByRole('button', { name: text('Line.send') }).click();
    await expect(page.getByRole('heading', { name: 'FAR-5' })).toBeVisible();
    expect(await countBills(client, merchant)).toBe(1);
  });

  test('if a new version no longer knows the form, the page is loaded again with what was typed', { tag: '@full' }, async ({ product }) => {
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
    await fillBill(page, 'FAR-4');
    await page.route('**/bills/new', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fulfill({ status: 404, headers: { 'x-nextjs-action-not-found': '1' }, body: 'Server action not found.' });
    });
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    const dialog = page.getByRole('dialog', { name: text('Line.versionTitle') });
    await expect(dialog).toContainText(text('Line.versionText'));
    await keepPicture(page, 'new-version');
    await page.unroute('**/bills/new');
    await dialog.getByRole('button', { name: text('Line.reload') }).click();
    await expect(dialog).toHaveCount(0);
    await isKept(page, 'FAR-4');
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    await expect(page.getByRole('heading', { name: 'FAR-4' })).toBeVisible();
  });
});

test.describe('without JavaScript', { tag: '@full' }, () => {
  test.use({ javaScriptEnabled: false });

  test('a form works, and after the end of the session it leads to the sign-in page with an explanation', async ({ page, product }) => {
    const merchant = await newMerchant(product, 'Duka la Kale');
    const address = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`;
    await page.goto(address);
    await signIn(page, merchant);
    await fillBill(page, 'OLD-1');
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    await expect(page.getByRole('heading', { name: 'OLD-1' })).toBeVisible();

    await page.goto(address);
    await fillBill(page, 'OLD-2');
    const client = new Client({ connectionString: await product.databaseUrl() });
    await client.connect();
    await endSessions(client, merchant);
    await client.end();
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    await expect(page.getByRole('alert')).toContainText(text('SignIn.expired'));
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
  test(`behind a proxy, forms work with its own spelling of Host, and say so if it changes Host, with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, {
    tag: '@full',
  }, async ({ browser, product }) => {
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
      await page.getByRole('button', { name: text('NewBill.create') }).click();
    };
    await create('SPELLED');
    await expect(page.getByText('SPELLED').first()).toBeVisible();
    await expect(page).not.toHaveURL(/bills\/new/);

    host = () => 'bili-web:3000';
    await create('CHANGED');
    await expect(page.getByText(text('Line.foreignTitle')).filter({ visible: true }).first()).toBeVisible();
    host = (own) => own;
    await page.goto(bills);
    await expect(page.getByText('SPELLED').first()).toBeVisible();
    await expect(page.getByText('CHANGED')).toHaveCount(0);
    expect(product.running().output()).toContain('Host bili-web:3000');
    await context.close();
    proxy.close();
  });
}
