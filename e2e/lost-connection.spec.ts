import type { BrowserContext, Page } from '@playwright/test';
import { Client } from 'pg';
import { makePastDays } from '@/lib/testing/data/past-days';
import { keepPicture, looksWell } from './looks';
import { fitsThePhone, isAccessible } from './page-checks';
import { goTo, newMerchant, signedIn, signIn, type TestMerchant } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const OFFLINE = /No internet\. Nothing was sent/;

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
    await page.getByRole('button', { name: 'Create bill' }).click();
    await expect(page.getByRole('alert').filter({ hasText: OFFLINE })).toBeVisible();
    await isKept(page, 'FAR-1');
    await isAccessible(page);
    await fitsThePhone(page);
    await keepPicture(page, 'form-offline');

    await goTo(page, 'Webhooks');
    await expect(page.getByText('This page stays as it is')).toBeVisible();
    await keepPicture(page, 'link-offline');
    await page.keyboard.press('Escape');
    await isKept(page, 'FAR-1');
    expect(await countBills(client, merchant)).toBe(0);

    await context.setOffline(false);
    await expect(page.getByText('This page stays as it is')).toHaveCount(0);
    await page.getByRole('button', { name: 'Create bill' }).click();
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
    await expect(page.getByRole('alert').filter({ hasText: 'we do not know whether this was done' })).toBeVisible();
    await isKept(page, 'FAR-2');
    expect(await countBills(client, merchant)).toBe(1);

    await page.unroute('**/bills/new');
    await page.getByRole('button', { name: 'Create bill' }).click();
    await expect(page.getByText('FAR-2').first()).toBeVisible();
    expect(await countBills(client, merchant)).toBe(1);
  });

  test('forms that redirect and file uploads also keep their page', async ({ product }) => {
    await page.goto(`${product.liveUrl}/account`);
    await page.getByLabel('Name').fill('Asha wa Mbali');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert').filter({ hasText: OFFLINE })).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('Asha wa Mbali');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Name saved.')).toBeVisible();

    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/import`);
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'bills.csv', mimeType: 'text/csv', buffer: Buffer.from('amount,reference\n500,A\n') });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Check file' }).click();
    await expect(page.getByRole('alert').filter({ hasText: OFFLINE })).toBeVisible();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Check file' }).click();
    await expect(page).toHaveURL(/\/bills\/import\/[\w-]+$/);
  });

  test('the charts need no script', async ({ product }) => {
    await makePastDays(client, { merchantId: merchant.id, environment: 'sandbox' }, { bills: 60, days: 20, now: new Date() });
    await page.route('**/_next/static/**/*.js', (route) => route.abort('internetdisconnected'));
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
    const chart = page.getByRole('region', { name: 'Collected per day' }).locator('svg');
    await chart.scrollIntoViewIfNeeded();
    await expect(chart).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  });

  test('the page reports an ended session, and the form works after signing in in another tab', async ({ product }) => {
    const address = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`;
    await looksWell(page, address, 'bill-new');
    await page.goto(address);
    await fillBill(page, 'FAR-3');
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
    await expect(dialog).toHaveCount(0);
    await isKept(page, 'FAR-3');
    await page.getByRole('button', { name: 'Create bill' }).click();
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
    await expect(page.getByText(/Not updated since/)).toBeVisible();
    await expect(dialog).toHaveCount(0);
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
