import { Client } from 'pg';
import { makePastDays } from '@/testing/data/past-days';
import { answering, startReceiver } from '@/testing/fakes/start-receiver';
import { looksWell } from './looks';
import { newBill, newKey, newMerchant, setHook, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('the overview shows open tasks, received money and failure reasons, and refreshes itself', { tag: '@full' }, async ({
  page,
  request,
  product,
}) => {
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
  // Waits until the prompt has expired. Then changes the attempt as if the outcome had been unknown for twenty minutes, because the
  // provider did not answer.
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
    await expect(page.getByRole('heading', { name: text('Overview.title'), level: 1 })).toBeVisible();
  });

  await test.step('open tasks come first, with links', async () => {
    await expect(async () => {
      await page.reload();
      const attention = page.getByRole('region', { name: text('Overview.attention') });
      await expect(attention.getByText(text('Overview.payments_unknown_title', { count: 1, shown: '1' }))).toBeVisible({ timeout: 1_000 });
      await expect(attention.getByText(text('Overview.endpoint_failing_title'))).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.getByRole('link', { name: text('Overview.bill', { reference: 'UNKNOWN-1' }) }).click();
    await expect(page.getByRole('heading', { name: 'UNKNOWN-1' })).toBeVisible();
    await page.goto(overview);
    await page.getByRole('link', { name: text('Overview.open_webhooks') }).click();
    await expect(page.getByRole('heading', { name: text('Webhooks.title'), exact: true })).toBeVisible();
    await page.goto(overview);
  });

  await test.step('shows the money of the chosen days and the comparison', async () => {
    await page.getByRole('link', { name: text('Overview.range_today'), exact: true }).click();
    await expect(page).toHaveURL(`${overview}?range=today`);
    const collected = page.getByRole('region', { name: text('Overview.collected'), exact: true });
    await expect(collected.getByText('TZS 20,000')).toBeVisible();
    await expect(collected.getByText(pattern('Overview.change_none'))).toBeVisible();
    await expect(page.getByText('ANOTHERS')).toHaveCount(0);
  });

  await test.step('each figure leads to the list of what it counts', async () => {
    const leadsTo = async (region: string, link: string | RegExp, references: readonly string[]) => {
      await page.goto(`${overview}?range=today`);
      await page.getByRole('region', { name: region, exact: true }).getByRole('link', { name: link }).first().click();
      await expect(page.getByRole('heading', { name: text('BillList.title'), level: 1 })).toBeVisible();
      const list = page.getByRole('table', { name: text('BillList.title') });
      for (const reference of references) await expect(list.getByText(reference, { exact: true })).toBeVisible();
      await expect(list.getByRole('row')).toHaveCount(references.length + 1);
    };
    await leadsTo(text('Overview.collected'), 'TZS 20,000', ['PAID-1', 'PAID-2']);
    await leadsTo(text('Overview.unpaid'), 'TZS 14,000', ['PIN-1', 'BALANCE-1', 'UNKNOWN-1']);
    await leadsTo(text('Overview.unpaid'), text('Overview.age_today'), ['PIN-1', 'BALANCE-1', 'UNKNOWN-1']);
    await leadsTo(text('Overview.success'), '50%', ['PAID-1', 'PAID-2', 'PIN-1', 'BALANCE-1']);
    await leadsTo(text('Overview.success'), pattern('Overview.failedText'), ['PIN-1', 'BALANCE-1']);
    await leadsTo(text('Overview.success'), text('RequestReason.wrong_pin'), ['PIN-1']);
    await leadsTo(text('Overview.networks'), /Airtel Money/, ['PAID-2']);
    await leadsTo(text('Overview.networks'), text('Overview.networkRate', { rate: 50, count: 2, ended: 2 }), ['PAID-1', 'PIN-1']);
    await page.goto(overview);
    const days = page.getByRole('region', { name: text('Overview.collectedPerDay') });
    await days.getByText(text('Overview.numbers')).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('PAID-1', { exact: true })).toBeVisible();
  });

  await test.step('any days can be chosen, and are compared with earlier ones', async () => {
    await page.goto(overview);
    await page.getByText(text('Overview.range_custom'), { exact: true }).click();
    await page.getByLabel(text('Overview.from'), { exact: true }).fill('2026-01-01');
    await page.getByLabel(text('Overview.to'), { exact: true }).fill('2026-01-10');
    await page.getByLabel(text('Overview.compareWith')).selectOption(text('Overview.compare_month'));
    await page.getByRole('button', { name: text('Overview.apply') }).click();
    await expect(page).toHaveURL(`${overview}?from=2026-01-01&to=2026-01-10&compare=month`);
    await expect(page.getByText(text('Overview.change_none', { when: '1 Dec 2025 – 10 Dec 2025' }))).toBeVisible();
  });

  await test.step('it refreshes itself while it is visible', async () => {
    await page.clock.install();
    await page.goto(overview);
    await expect(page.getByRole('region', { name: text('Overview.collected'), exact: true }).getByText('TZS 20,000')).toBeVisible();
    const paid = await create('PAID-3', 1_000, '0754000001');
    await expect(async () => {
      const { rows } = await client.query<{ status: string }>('SELECT status FROM bill WHERE id = $1', [paid.id]);
      expect(rows[0]?.status).toBe('FULLY_PAID');
    }).toPass();
    await page.clock.runFor(31_000);
    await expect(page.getByRole('region', { name: text('Overview.collected'), exact: true }).getByText('TZS 21,000')).toBeVisible();
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

test('an account with data has at most two screens on a phone', { tag: '@full' }, async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Simu');
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  const scope = { merchantId: merchant.id, environment: 'sandbox' } as const;
  await makePastDays({ query: async ({ text }, values) => (await client.query(text, [...(values ?? [])])).rows }, scope, {
    bills: 1_500,
    days: 89,
    now: new Date(),
  });
  await client.end();
  await page.setViewportSize({ width: 360, height: 740 });
  const overview = `${product.liveUrl}/m/${merchant.slug}/sandbox/overview`;
  await page.goto(overview);
  await signIn(page, merchant);
  for (const range of ['', '?range=today', '?range=month']) {
    await page.goto(`${overview}${range}`);
    await expect(page.getByRole('region', { name: text('Overview.collected'), exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollHeight), range).toBeLessThanOrEqual(2 * 740);
  }
});

test('a new merchant is led through the first steps, which come first, end or are dismissed', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka Jipya');
  const overview = `${product.liveUrl}/m/${merchant.slug}/sandbox/overview`;
  await page.goto(overview);
  await signIn(page, merchant);
  const steps = page.getByRole('region', { name: text('Overview.guide') });
  await expect(steps.getByText(text('Overview.progress', { done: '0', count: '3' }))).toBeVisible();
  await expect(steps.getByRole('heading', { level: 3 }).first()).toHaveText(text('Overview.step_bill'));
  await expect(steps.getByRole('link', { name: text('Overview.go_key') })).toBeHidden();
  await steps.getByText(text('Overview.serverSteps')).click();
  await expect(steps.getByRole('link', { name: text('Overview.go_key') })).toBeVisible();
  await steps
    .locator('summary')
    .filter({ hasText: text('Overview.sandboxTitle') })
    .click();
  await expect(page.getByRole('row', { name: `001 ${text('Overview.sandbox_001')}` })).toBeVisible();
  const [first, below] = await Promise.all([
    steps.boundingBox(),
    page.getByRole('region', { name: text('Overview.attention') }).boundingBox(),
  ]);
  expect(first?.y).toBeLessThan(below?.y ?? 0);
  await looksWell(page, overview, 'overview-empty');
  const key = await newKey(product, merchant, 'First');
  await newBill(request, product.sandboxUrl, key, { amount: 500, reference: 'FIRST' });
  await page.goto(overview);
  await expect(page.getByRole('region', { name: text('Overview.collected'), exact: true })).toBeVisible();
  await expect(steps.getByRole('link', { name: text('Overview.go_team') })).toBeHidden();
  await steps.getByText(text('Overview.progress', { done: '1', count: '3' })).click();
  await expect(steps.getByRole('link', { name: text('Overview.go_team') })).toBeVisible();
  await steps.getByRole('button', { name: text('Overview.hideSteps') }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('region', { name: text('Overview.collected'), exact: true })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test('a pending merchant sees one notice and no actions that are not possible yet', { tag: '@full' }, async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka Linalosubiri');
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  await client.query("UPDATE merchant_profile SET status = 'pending' WHERE merchant_id = $1 AND environment = 'live'", [merchant.id]);
  await client.end();
  const live = `${product.liveUrl}/m/${merchant.slug}/live`;
  await page.goto(`${live}/overview`);
  await signIn(page, merchant);
  await page.goto(`${live}/overview`);
  await expect(page.getByRole('heading', { name: text('Overview.title'), level: 1 })).toBeVisible();
  await expect(page.getByText(text('Dashboard.pendingTitle'))).toHaveCount(0);
  await expect(page.getByText(text('Overview.merchant_pending_title'))).toHaveCount(0);
  for (const name of [text('BillList.create'), text('BillList.emptyCreate')]) {
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  }
  const activation = page.getByRole('region', { name: text('Overview.activation') });
  await expect(activation.getByText(text('Overview.toDo'))).toHaveCount(3);
  await activation.getByRole('button', { name: text('Overview.activationRequest') }).click();
  await expect(activation.getByText(pattern('Overview.activationRequested'))).toBeVisible();
  await expect(activation.getByRole('button')).toHaveCount(0);
  expect(JSON.stringify(await product.bili(['merchant', 'list']))).toMatch(/"activationRequestedAt":"20/);
  await looksWell(page, `${live}/overview`, 'overview-pending');
  await page.goto(`${live}/bills/new`);
  await expect(page.getByText(text('BillList.emptyInactive'))).toBeVisible();
  await expect(page.getByLabel(`${text('NewBill.amount')} (TZS)`)).toHaveCount(0);
  await looksWell(page, `${live}/bills/new`, 'bill-new-pending');
  await page.goto(`${live}/bills`);
  await expect(page.getByText(text('BillList.emptyTitle'))).toBeVisible();
  for (const name of [text('BillList.create'), text('BillList.emptyCreate'), text('BillList.import')]) {
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  }
});

test('without JavaScript, everything works except the automatic refresh', { tag: '@full' }, async ({ browser, request, product }) => {
  const merchant = await newMerchant(product, 'Duka Bila Hati');
  const key = await newKey(product, merchant, 'Server');
  await newBill(request, product.sandboxUrl, key, { amount: 2_000, reference: 'PLAIN', mobile: '0754000001' });
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
  await signIn(page, merchant);
  await expect(async () => {
    await page.reload();
    await expect(
      page.getByRole('region', { name: text('Overview.collected'), exact: true }).getByRole('link', { name: 'TZS 2,000' }),
    ).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await expect(page.getByRole('region', { name: text('Overview.success') })).toContainText(
    text('Overview.successText', { succeeded: '1', ended: '1' }),
  );
  await page
    .getByRole('region', { name: text('Overview.collectedPerDay') })
    .getByText(text('Overview.numbers'))
    .click();
  await expect(page.getByRole('row', { name: /TZS 2,000/ })).toBeVisible();
  await page.locator('a[href*="by=received"][tabindex="-1"]').last().click();
  await expect(page.getByText('PLAIN', { exact: true })).toBeVisible();
  await page.goBack();
  await page.getByLabel(text('Help.open')).click();
  await expect(page.getByText(text('Overview.help'))).toBeVisible();
  await context.close();
});
