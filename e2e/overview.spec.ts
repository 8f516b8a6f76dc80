import { Client } from 'pg';
import { makePastDays } from '@/lib/testing/data/past-days';
import { answering, startReceiver } from '@/lib/testing/fakes/start-receiver';
import { looksWell } from './looks';
import { newBill, newKey, newMerchant, setHook, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('the overview shows open tasks, received money and failure reasons, and refreshes itself', async ({ page, request, product }) => {
  test.setTimeout(120_000);
  const merchant = await newMerchant(product, 'Duka la Muhtasari');
  const key = await newKey(product, merchant, 'Server');
  const refuser = await startReceiver();
  refuser.answer(answering(500));
  await setHook(product, merchant, refuser.url());
  const create = (reference: string, amount: number, mobile: string) =>
    newBill(request, product.sandboxUrl, key, { amount, reference, mobile });
  await create('PAID-1', 12_500, '0754000001');
  await create('PAID-2', 7_500, '0684000001');
  await create('PIN-1', 5_000, '0754000003');
  await create('BALANCE-1', 5_000, '0684000004');
  const unknown = await create('UNKNOWN-1', 4_000, '0754000005');
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  const other = await newMerchant(product, 'Duka Jingine');
  await client.query(
    "INSERT INTO bill (id, merchant_id, environment, amount, reference, created_at) VALUES (gen_random_uuid(), $1, 'sandbox', 100, 'ANOTHERS', now())",
    [other.id],
  );
  // The prompt has expired. Makes its outcome unknown for twenty minutes, as if the provider's answer was lost.
  await expect(async () => {
    const { rowCount } = await client.query(
      `UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = now() - interval '20 minutes', due_at = now() + interval '1 day', settled_at = NULL,
         failure_reason = NULL, lease_until = NULL WHERE bill_id = $1 AND state = 'EXPIRED'`,
      [unknown.id],
    );
    expect(rowCount).toBe(1);
  }).toPass();
  const overview = `${product.liveUrl}/m/${merchant.slug}/sandbox/overview`;

  await test.step('sign-in leads to the overview', async () => {
    await page.goto(`${product.liveUrl}/sign-in`);
    await signIn(page, merchant);
    await expect(page).toHaveURL(new RegExp(`/m/${merchant.slug}/(live|sandbox)/overview$`));
    await page.goto(overview);
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  });

  await test.step('open tasks come first, with links', async () => {
    await expect(async () => {
      await page.reload();
      const attention = page.getByRole('region', { name: 'Needs attention' });
      await expect(attention.getByText('The outcome of one payment is unknown')).toBeVisible({ timeout: 1_000 });
      await expect(attention.getByText('Your server does not accept webhooks')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.getByRole('link', { name: 'Bill UNKNOWN-1' }).click();
    await expect(page.getByRole('heading', { name: 'Bill UNKNOWN-1' })).toBeVisible();
    await page.goto(overview);
    await page.getByRole('link', { name: 'Go to webhooks' }).click();
    await expect(page.getByRole('heading', { name: 'Webhooks', exact: true })).toBeVisible();
    await page.goto(overview);
  });

  await test.step("shows today's money and the comparison", async () => {
    const today = page.getByRole('region', { name: 'Today' });
    await expect(today.getByText('TZS 20,000')).toBeVisible();
    await expect(today.getByText(/^No payments to compare with \(yesterday until \d\d:\d\d\)$/)).toBeVisible();
    await expect(page.getByText('ANOTHERS')).toHaveCount(0);
  });

  await test.step('charts have their numbers as tables, and can be explored by keyboard', async () => {
    const networks = page.getByRole('region', { name: 'Success rate by network' });
    await networks.getByText('Show as a table').click();
    await expect(networks.getByRole('row', { name: /M-Pesa 2 1 50%/ })).toBeVisible();
    const reasons = page.getByRole('region', { name: 'Why payment requests fail' });
    await reasons.getByText('Show as a table').click();
    await expect(reasons.getByRole('row', { name: /Wrong PIN 1 50%/ })).toBeVisible();
    const chart = page.getByRole('region', { name: 'Collected per day' }).locator('svg.recharts-surface');
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('region', { name: 'Collected per day' }).locator('.recharts-tooltip-wrapper')).toContainText('TZS');
  });

  await test.step('another period is chosen with one click', async () => {
    await page.getByRole('link', { name: 'Last 7 days' }).click();
    await expect(page).toHaveURL(`${overview}?period=7`);
    await expect(page.getByRole('heading', { name: 'TZS 20,000 in the last 7 days' })).toBeVisible();
  });

  await test.step('it refreshes itself while it is visible', async () => {
    await page.clock.install();
    await page.goto(overview);
    await expect(page.getByRole('region', { name: 'Today' }).getByText('TZS 20,000')).toBeVisible();
    const paid = await create('PAID-3', 1_000, '0754000001');
    await expect(async () => {
      const { rows } = await client.query<{ status: string }>('SELECT status FROM bill WHERE id = $1', [paid.id]);
      expect(rows[0]?.status).toBe('FULLY_PAID');
    }).toPass();
    await page.clock.runFor(31_000);
    await expect(page.getByRole('region', { name: 'Today' }).getByText('TZS 21,000')).toBeVisible();
  });

  await test.step('it is accessible in every look', async () => {
    const scope = { merchantId: merchant.id, environment: 'sandbox' } as const;
    await makePastDays({ query: async ({ text }, values) => (await client.query(text, [...(values ?? [])])).rows }, scope, {
      bills: 1_500,
      days: 89,
      now: new Date(),
    });
    await looksWell(page, overview, 'overview');
  });
  await client.end();
  await refuser.stop();
});

test('a new merchant is led through the first steps', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka Jipya');
  const overview = `${product.liveUrl}/m/${merchant.slug}/sandbox/overview`;
  await page.goto(overview);
  await signIn(page, merchant);
  const steps = page.getByRole('region', { name: 'Get started' });
  await expect(steps.getByText('To do')).toHaveCount(3);
  await expect(steps.getByRole('heading', { level: 3 }).first()).toHaveText('Create your first bill');
  await expect(page.getByRole('row', { name: '001 Paid after one second' })).toBeVisible();
  await expect(page.getByText('All clear')).toBeVisible();
  await looksWell(page, overview, 'overview-empty');
  const key = await newKey(product, merchant, 'First');
  await page.goto(overview);
  await expect(steps.getByRole('listitem').filter({ hasText: 'create an API key' }).getByText('Done', { exact: true })).toBeVisible();
  await newBill(request, product.sandboxUrl, key, { amount: 500, reference: 'FIRST' });
  await page.goto(overview);
  await expect(steps.getByText('Done', { exact: true })).toHaveCount(2);
  const [today, below] = await Promise.all([page.getByRole('region', { name: 'Today' }).boundingBox(), steps.boundingBox()]);
  expect(today?.y).toBeLessThan(below?.y ?? 0);
});

test('a pending merchant sees one notice and no actions that are not possible yet', async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka Linalosubiri');
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  await client.query("UPDATE merchant_profile SET status = 'pending' WHERE merchant_id = $1 AND environment = 'live'", [merchant.id]);
  await client.end();
  const live = `${product.liveUrl}/m/${merchant.slug}/live`;
  await page.goto(`${live}/overview`);
  await signIn(page, merchant);
  await page.goto(`${live}/overview`);
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page.getByText('Live is not activated yet')).toHaveCount(1);
  await expect(page.getByText('This account is not active yet')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /New bill|Create your first bill/ })).toHaveCount(0);
  await looksWell(page, `${live}/overview`, 'overview-pending');
  await page.goto(`${live}/bills/new`);
  await expect(page.getByText('You cannot create bills here at the moment.')).toBeVisible();
  await expect(page.getByLabel('Amount (TZS)')).toHaveCount(0);
  await looksWell(page, `${live}/bills/new`, 'bill-new-pending');
  await page.goto(`${live}/bills`);
  await expect(page.getByText('No bills yet')).toBeVisible();
  await expect(page.getByRole('link', { name: /New bill|Create your first bill|Import/ })).toHaveCount(0);
});

test('without JavaScript, everything works except the automatic refresh', async ({ browser, request, product }) => {
  const merchant = await newMerchant(product, 'Duka Bila Hati');
  const key = await newKey(product, merchant, 'Server');
  await newBill(request, product.sandboxUrl, key, { amount: 2_000, reference: 'PLAIN', mobile: '0754000001' });
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
  await signIn(page, merchant);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('region', { name: 'Today' }).getByText('TZS 2,000')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('region', { name: 'Collected per day' }).locator('svg rect').first()).toBeAttached();
  await page.getByRole('region', { name: 'Success rate by network' }).getByText('Show as a table').click();
  await expect(page.getByRole('row', { name: /M-Pesa 1 1 100%/ })).toBeVisible();
  await context.close();
});
