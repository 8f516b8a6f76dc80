import type { Page } from '@playwright/test';
import { z } from 'zod';
import { keepPicture, looksWell } from './looks';
import { newMember } from './members';
import { isAccessible } from './page-checks';
import { sql } from './pay-stage';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB', hasTouch: true });

const field = (page: Page) => page.getByRole('combobox', { name: text('SearchBox.label') });
// Only the options of the found bills: a select on the page also has elements with the role `option`.
const options = (page: Page) => page.getByRole('listbox', { name: text('SearchBox.results') }).getByRole('option');

test('a merchant finds bills by any part while typing, by touch, by keyboard and without JavaScript', async ({
  page,
  browser,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Kutafuta');
  const key = await newKey(product, merchant, 'Till');
  const stranger = await newMerchant(product, 'Duka Jirani');
  const bill = (fields: object) => newBill(request, product.sandboxUrl, key, fields);
  const paid = await bill({ amount: 48_500, reference: 'ORD-BKSU-0002998', mobile: '0754345001' });
  await bill({ amount: 7_000, reference: 'Kodi ya Novemba', customer: { name: 'Asha Juma' } });
  await bill({ amount: 7_000, reference: 'ORD-BKSU-0003001', mobile: '0712345002' });
  await newBill(request, product.sandboxUrl, await newKey(product, stranger, 'Till'), { amount: 48_500, reference: 'ORD-BKSU-0002998' });
  await expect.poll(() => sql(product, "SELECT 1 FROM bill WHERE id = $1 AND status = 'FULLY_PAID'", paid.id)).toHaveLength(1);
  await expect.poll(() => sql(product, 'SELECT 1 FROM search_entry WHERE bill_id = $1', paid.id)).toHaveLength(2);
  const start = `${product.liveUrl}/m/${merchant.slug}/sandbox/overview`;
  await page.goto(start);
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await test.step('by the last four digits of a number: two taps from the start page', async () => {
    await field(page).tap();
    await page.keyboard.type('5001');
    await expect(page.getByRole('group', { name: text('Search.by_mobile') }).getByRole('option')).toHaveCount(1);
    await expect(options(page).first().locator('mark')).toHaveText('5001');
    await isAccessible(page);
    await keepPicture(page, 'search-typing-360');
    await options(page).first().tap();
    await expect(page.getByRole('heading', { name: 'ORD-BKSU-0002998' })).toBeVisible();
  });

  await test.step('by parts of other texts, and by amount', async () => {
    const [receipt] = z
      .array(z.object({ number: z.string() }))
      .parse(
        await sql(
          product,
          'SELECT p.provider_transaction_id AS number FROM payment p JOIN payment_allocation a ON a.payment_id = p.id WHERE a.bill_id = $1',
          paid.id,
        ),
      );
    const middle = receipt?.number.slice(1, -1) ?? '';
    for (const [typed, group, marked] of [
      ['bksu 0002', 'Reference', 'BKSU-0002'],
      ['ya nov', 'Reference', 'ya Nov'],
      ['sha ju', 'Customer', 'sha Ju'],
      ['48,500/=', 'Amount', 'TZS\u00a048,500'],
      [middle.toLowerCase(), text('Search.by_receipt'), middle],
    ] as const) {
      await field(page).fill(typed);
      await expect(page.getByRole('group', { name: group }).getByRole('option')).toHaveCount(1);
      await expect(page.getByRole('group', { name: group }).locator('mark')).toHaveText(marked);
    }
    await field(page).fill('nothing-such');
    await expect(page.getByText(text('SearchBox.none'))).toBeVisible();
  });

  await test.step('with the keyboard only', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(start);
    await expect(async () => {
      await page.keyboard.press('Control+k');
      await expect(field(page)).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.type('bksu');
    await expect(options(page)).toHaveCount(2);
    await keepPicture(page, 'search-typing-1280');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = options(page).nth(1);
    await expect(second).toHaveAttribute('aria-selected', 'true');
    await expect(field(page)).toHaveAttribute('aria-activedescendant', (await second.getAttribute('id')) ?? '');
    await page.keyboard.press('Escape');
    await expect(options(page)).toHaveCount(0);
    await expect(field(page)).toBeFocused();
    await expect(field(page)).toHaveValue('bksu');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'ORD-BKSU-0003001' })).toBeVisible();
    await page.setViewportSize({ width: 360, height: 740 });
  });

  await test.step('an older answer does not replace a newer one', async () => {
    const held = Promise.withResolvers<void>();
    await page.route(/results\?q=bksu$/, async (route) => {
      await held.promise;
      // The page has already cancelled the request, so `abort` may fail.
      await route.abort().catch(() => undefined);
    });
    const older = page.waitForRequest(/results\?q=bksu$/);
    await field(page).fill('bksu');
    await older;
    await field(page).fill('novemba');
    await expect(options(page)).toHaveCount(1);
    held.resolve();
    await page.unroute(/results\?q=bksu$/);
    await expect(options(page)).toHaveText(/Kodi ya Novemba/);
  });

  await test.step('the search page shows the same groups, also without JavaScript', async () => {
    const plain = await (
      await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', viewport: { width: 360, height: 740 } })
    ).newPage();
    await plain.goto(start);
    await signIn(plain, merchant);
    await field(plain).fill('7000');
    await field(plain).press('Enter');
    await expect(plain.getByRole('region', { name: text('Search.by_amount') }).getByRole('link')).toHaveCount(2);
    await field(plain).fill('2998');
    await field(plain).press('Enter');
    await expect(plain.getByRole('heading', { name: 'ORD-BKSU-0002998' })).toBeVisible();
    await plain.context().close();
    await looksWell(page, `${product.liveUrl}/m/${merchant.slug}/sandbox/search?q=bksu`, 'search');
    await looksWell(page, `${product.liveUrl}/m/${merchant.slug}/sandbox/search?q=nothing-such`, 'search-none');
  });

  await test.step('all results are the bills that the search found', async () => {
    const references = ['MEZA-KITI', ...[1, 2, 3, 4].map((index) => `KITI-${index}`)];
    for (const reference of references) await bill({ amount: 100, reference });
    await page.goto(start);
    await field(page).fill('kiti');
    await expect(options(page)).toHaveCount(5);
    await options(page)
      .filter({ hasText: text('SearchBox.all', { typed: 'kiti' }) })
      .tap();
    await expect(page.getByRole('region', { name: text('Search.by_reference') }).getByRole('link')).toHaveCount(5);
    for (const reference of references) await expect(page.getByRole('link', { name: reference })).toBeVisible();
  });

  await test.step('a collector finds only their own bills', async () => {
    const collector = await newMember(product, merchant, 'collector');
    const theirs = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await theirs.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
    await signIn(theirs, collector);
    await expect(theirs.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
    const search = (typed: string) =>
      theirs.request.get(`${product.liveUrl}/m/${merchant.slug}/sandbox/search/results?${new URLSearchParams({ q: typed })}`);
    const userId = 'SELECT id FROM "user" WHERE email = $1';
    expect(await (await search('bksu')).json()).toEqual({ groups: [], slow: false });
    await sql(product, `UPDATE bill SET created_by_id = (${userId}) WHERE id = $2`, collector.email, paid.id);
    const found = JSON.stringify(await (await search('48500')).json());
    expect(found).toContain(paid.id);
    expect(found).not.toContain('0003001');
    expect((await theirs.request.get(`${product.liveUrl}/m/${stranger.slug}/sandbox/search/results?q=bksu`)).status()).toBe(404);
    await theirs.context().close();
  });
});

test('many searches at once are refused for a moment', { tag: '@full' }, async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Haraka');
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
  const results = `${product.liveUrl}/m/${merchant.slug}/sandbox/search/results?q=abc`;
  const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await page.request.get(results)).status()));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
