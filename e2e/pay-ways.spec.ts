import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { readQr } from '@/lib/platform/core/emv';
import type { Product } from '@/testing/product';
import { isAccessible, picture, scan } from './page-checks';
import { askAs, keepPrompt, sql } from './pay-stage';
import { newBill, newKey, newMerchant, signedIn } from './people';
import { type BillJson, expect, merchantServer, test } from './product';
import { swahili, text } from './texts';

const LANGUAGES = { en: text, sw: swahili } as const;
/** Without the QR code, gzipped. */
const MAX_PAGE_BYTES = 10 * 1024;

const openView = ({ webPayUrl }: BillJson, lang: 'en' | 'sw' = 'en') => `${webPayUrl}&lang=${lang}&show=ways`;
const ask = (page: Page) => page.getByRole('button', { name: text('PayWays.ask') }).click();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** The number on the page, as a customer copies it. */
async function numberOn(page: Page): Promise<string> {
  await expect(page.locator('.num')).toBeVisible();
  return (await page.locator('.num').innerText()).replace(/\s/g, '');
}

/** Checks the page on a phone and on a large screen, in both themes. */
async function looksWell(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await isAccessible(page);
    }
    for (const size of ['200%', '100%']) {
      await page.evaluate((fontSize) => (document.documentElement.style.fontSize = fontSize), size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} at ${size}`).toBeLessThanOrEqual(width);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await picture(page, name);
}

const PHONE = '0754345678';

/** Pays on a test phone what the customer typed or scanned. @param amount for a number that takes any amount. */
async function payOnPhone(
  browser: Browser,
  product: Product,
  entered: { number: string } | { qr: string },
  amount?: string,
): Promise<void> {
  const page = await browser.newPage({ javaScriptEnabled: false, locale: 'en-GB' });
  await page.goto(`${/http\S+\/phone\/\S+/.exec(product.running().output())?.[0]}?phones=${PHONE}&pay=${PHONE}`);
  if ('qr' in entered) await page.getByLabel(text('Phone.billQr')).fill(entered.qr);
  else await page.getByLabel(text('Phone.billNumber')).fill(entered.number);
  await page.getByRole('button', { name: text('Phone.next') }).click();
  if (amount !== undefined) await page.getByLabel(text('Phone.billAmount')).fill(amount);
  await page.getByLabel(text('Phone.pin')).fill('1234');
  await page.getByRole('button', { name: text('Phone.send') }).click();
  await page.context().close();
}

for (const lang of ['en', 'sw'] as const) {
  test(`from the bill to a number, a QR code and a receipt, in ${lang}`, { tag: '@full' }, async ({ page, browser, product }) => {
    const t = LANGUAGES[lang];
    const bill = await merchantServer(product).create({ amount: 12_500, reference: `WAYS-${lang}` });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${bill.webPayUrl}&lang=${lang}`);
    await picture(page, `ways-entry-${lang}`);
    await page.getByRole('link', { name: t('PayWays.open') }).click();
    await expect(page.getByText(t('PayWays.intro'))).toBeVisible();
    await looksWell(page, `ways-ask-${lang}`);
    await page.getByRole('button', { name: t('PayWays.ask') }).click();
    // The page changes by itself when the number was issued.
    const number = await numberOn(page);
    await expect(heading(page)).toHaveText(t('PayWays.readyTitle'));
    await page.getByText('M-Pesa', { exact: true }).click();
    await expect(page.getByText(t('PayWays.enterAmount', { amount: 'TZS\u00a012,500' })).first()).toBeVisible();
    await looksWell(page, `ways-ready-${lang}`);
    const code = await scan(page);
    expect(readQr(code)).toMatchObject({ amount: 1_250_000n, currency: '834', reference: number });
    await expect(page.getByRole('link', { name: t('PayWays.card', { provider: 'Sandbox' }) })).toHaveAttribute('href', /^http/);
    await payOnPhone(browser, product, lang === 'en' ? { number } : { qr: code });
    await expect(heading(page)).toHaveText(t('Pay.paidTitle'));
    await expect(page.getByRole('heading', { name: t('Receipt.payments'), exact: true })).toBeVisible();
    await isAccessible(page);
    await picture(page, `ways-paid-${lang}`);
    await page.goto(openView(bill, lang));
    await expect(heading(page)).toHaveText(t('Pay.paidTitle'));
    await expect(page.locator('.num')).toHaveCount(0);
  });
}

test.describe('without JavaScript', { tag: '@full' }, () => {
  test.use({ javaScriptEnabled: false });

  test('a bill is paid by its number, and the page reloads itself', async ({ page, browser, product }) => {
    const bill = await merchantServer(product).create({ amount: 5_000, reference: 'WAYS-PLAIN' });
    await page.goto(`${bill.webPayUrl}&lang=en`);
    await page.getByRole('link', { name: text('PayWays.open') }).click();
    await ask(page);
    expect(page.url()).toBe(openView(bill));
    const number = await numberOn(page);
    await payOnPhone(browser, product, { number });
    await expect.poll(async () => (await merchantServer(product).get(bill.id)).status).toBe('FULLY_PAID');
    await page.getByRole('link', { name: text('Pay.checkAgain') }).click();
    await expect(heading(page)).toHaveText(text('Pay.paidTitle'));
    const other = await merchantServer(product).create({ amount: 5_000, reference: 'WAYS-STOP' });
    await page.goto(openView(other));
    await ask(page);
    await numberOn(page);
    expect(await page.content()).toContain('http-equiv="refresh" content="30;');
    await page.getByRole('link', { name: text('Pay.stopRefresh') }).click();
    expect(await page.content()).not.toContain('http-equiv="refresh"');
  });
});

test('a payment of another amount shows what is left, and the same number takes the rest', { tag: '@full' }, async ({
  page,
  browser,
  product,
}) => {
  const bill = await merchantServer(product).create({ amount: 1_500_000, reference: 'WAYS-PART' });
  await page.goto(openView(bill));
  await ask(page);
  const number = await numberOn(page);
  expect(number).toMatch(/^99\d{10}$/);
  await payOnPhone(browser, product, { number }, '600000');
  await expect(page.locator('.sum')).toContainText('TZS\u00a0900,000');
  expect(await numberOn(page)).toBe(number);
  await looksWell(page, 'ways-part');
  await payOnPhone(browser, product, { number }, '900000');
  await expect(heading(page)).toHaveText(text('Pay.paidTitle'));
});

test('a bill whose amount changes gets another number, and a closed bill none', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 8_000, reference: 'WAYS-CLOSED', mobile: '0712345009' });
  // The phone pays only a half. With this, the exact number of the whole amount is worth nothing any more.
  await page.goto(openView(bill));
  await expect(page.locator('.sum')).toContainText('TZS\u00a04,000');
  await ask(page);
  const before = await numberOn(page);
  await sql(product, 'UPDATE bill SET amount = 700000 WHERE id = $1', bill.id);
  await sql(product, 'UPDATE instrument SET due_at = now() WHERE bill_id = $1', bill.id);
  await expect(page.getByText(text('PayWays.replaced'))).toBeVisible();
  const after = await numberOn(page);
  expect(after).not.toBe(before);
  expect(readQr(await scan(page))).toMatchObject({ amount: 300_000n, reference: after });
  await sql(product, 'UPDATE bill SET closed_at = now() WHERE id = $1', bill.id);
  await expect(heading(page)).toHaveText(text('Pay.closedTitle'));
  await expect(page.locator('.num')).toHaveCount(0);
});

test("while a prompt is open, the page warns, and shows the steps of the customer's wallet first", { tag: '@full' }, async ({
  page,
  product,
}) => {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'WAYS-PROMPT' });
  const cookie = await askAs(product, bill, { mobile: '0682345005' });
  await keepPrompt(product, bill);
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name, value, url: bill.webPayUrl }]);
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await page.getByRole('link', { name: text('PayWays.open') }).click();
  const warning = text('PayWays.warnPrompt', { mobile: '0682\u00a0345\u00a0005', amount: 'TZS\u00a05,000' });
  await expect(page.getByText(warning)).toBeVisible();
  await ask(page);
  await numberOn(page);
  await expect(page.getByText(warning)).toBeVisible();
  const [first, second] = [page.locator('details').nth(0), page.locator('details').nth(1)];
  await expect(first).toContainText('Airtel Money');
  await expect(first).toHaveAttribute('open', '');
  await expect(second).not.toHaveAttribute('open', '');
  await looksWell(page, 'ways-prompt');
  // An unfolded wallet stays unfolded when the page updates itself.
  await second.locator('summary').click();
  await sql(
    product,
    "UPDATE push_attempt SET state = 'FAILED', failure_reason = 'wrong_pin', settled_at = now() WHERE bill_id = $1",
    bill.id,
  );
  await sql(product, 'UPDATE bill SET reserved_amount = 0 WHERE id = $1', bill.id);
  await expect(page.getByText(warning)).toHaveCount(0);
  await expect(page.locator('details').nth(1)).toHaveAttribute('open', '');
});

test('the page says why no number is issued, and other sites cannot ask for one', { tag: '@full' }, async ({ page, product }) => {
  const server = merchantServer(product);
  const refused = await server.create({ amount: 1_006, reference: 'WAYS-REFUSED' });
  await page.goto(openView(refused));
  await ask(page);
  await expect(page.getByText(text('PayWays.ended_refused'))).toBeVisible();
  await looksWell(page, 'ways-refused');
  // Every kind was tried, so that there is nothing else to ask for.
  await expect
    .poll(() => sql(product, "SELECT kind FROM instrument WHERE bill_id = $1 AND end_reason = 'refused' ORDER BY kind", refused.id))
    .toEqual([{ kind: 'control_number' }, { kind: 'order' }]);
  await ask(page);
  await expect(page.getByText(text('PayWays.not_offered'))).toBeVisible();

  const slow = await server.create({ amount: 1_013, reference: 'WAYS-LATE' });
  await page.goto(openView(slow));
  await ask(page);
  await expect(heading(page)).toHaveText(text('PayWays.lateTitle'));
  await looksWell(page, 'ways-late');

  const many = await server.create({ amount: 5_000, reference: 'WAYS-MANY' });
  await sql(
    product,
    `INSERT INTO instrument (id, merchant_id, environment, bill_id, provider_account_id, kind, amount, our_reference, state, end_reason, ended_at, created_at)
     SELECT gen_random_uuid(), b.merchant_id, b.environment, b.id, a.id, 'order', b.amount, upper(left(md5(random()::text), 20)), 'ENDED', 'expired', now(), now()
     FROM bill b JOIN provider_account a ON a.environment = b.environment AND a.provider = 'sandbox', generate_series(1, 20) WHERE b.id = $1`,
    many.id,
  );
  await page.goto(openView(many));
  await page.getByRole('button', { name: text('PayWays.askAgain') }).click();
  await expect(page.getByText(text('PayWays.too_many'))).toBeVisible();

  const asked = await server.create({ amount: 5_000, reference: 'WAYS-FOREIGN' });
  const post = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
    fetch(`${product.sandboxUrl}/pay`, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
  const fields = { show: 'ways', bill: asked.id, lang: 'en' };
  expect((await post(fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await post({ ...fields, bill: 'x'.repeat(20_000) }, {})).status).toBe(413);
  expect((await post({ ...fields, bill: '018f0000-0000-7000-8000-000000000000' }, {})).status).toBe(404);
  expect(await sql(product, 'SELECT 1 FROM instrument WHERE bill_id = $1', asked.id)).toEqual([]);
  // Sending the form again changes nothing.
  for (const _ of [1, 2]) expect((await post(fields, {})).headers.get('location')).toBe(`/pay?bill=${asked.id}&lang=en&show=ways`);
  expect(await sql(product, 'SELECT 1 FROM instrument WHERE bill_id = $1', asked.id)).toHaveLength(1);
});

test('the page is small without the QR code, and who does not open it loads hardly more', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'R'.repeat(255) });
  await page.goto(openView(bill));
  await ask(page);
  await numberOn(page);
  for (const lang of ['en', 'sw'] as const) {
    const html = await (await fetch(openView(bill, lang))).text();
    const withoutCode = html.replace(/<svg class="qr.*?<\/svg>/s, '');
    expect(withoutCode.length).toBeLessThan(html.length - 1_000);
    expect(gzipSync(withoutCode).length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    const entry = await (await fetch(`${bill.webPayUrl}&lang=${lang}`)).text();
    const withoutEntry = entry.replace(/<p class="center screen"><a href="[^"]*show=ways">.*?<\/p>/, '');
    expect(withoutEntry).not.toBe(entry);
    expect(entry.length - withoutEntry.length).toBeLessThanOrEqual(1_024);
  }
});

test('the message to a customer names the number, and opening the page with the link issues nothing', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'WAYS-SHARE' });
  const message = async () => {
    await page.goto(`${bill.webPayUrl}&lang=en&show=qr`);
    return new URL((await page.locator('a[href*="wa.me"]').getAttribute('href')) ?? '').searchParams.get('text');
  };
  expect(await message()).toMatch(/\/p\/\w{12}$/);
  expect(await sql(product, 'SELECT 1 FROM instrument WHERE bill_id = $1', bill.id)).toEqual([]);
  await page.goto(openView(bill));
  await ask(page);
  const number = await numberOn(page);
  expect(await message()).toContain(text('PayWays.message', { number }));
});

test('printed cards and the message of the dashboard name the number, and printing issues nothing', { tag: '@full' }, async ({
  browser,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Kadi');
  const key = await newKey(product, merchant, 'Server');
  const make = (reference: string) =>
    newBill(request, product.sandboxUrl, key, { amount: 5_000, reference, mobile: '0754345005' }).then(({ id }) => id);
  const [withNumber, without] = [await make('WITH-NUMBER'), await make('WITHOUT')];
  await fetch(`${product.sandboxUrl}/pay`, {
    method: 'POST',
    body: new URLSearchParams({ show: 'ways', bill: withNumber }),
    redirect: 'manual',
  });
  const issued = async (id: string) => sql(product, 'SELECT number FROM instrument WHERE bill_id = $1 AND number IS NOT NULL', id);
  await expect.poll(async () => (await issued(withNumber)).length).toBe(1);
  const context = await signedIn(browser, product.liveUrl, merchant);
  const page = await context.newPage();
  const bills = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills`;
  await page.goto(`${bills}/print?id=${withNumber}&id=${without}`);
  const cards = page.locator('main > ul > li');
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(0)).toContainText(text('PayWays.cardHow'));
  await expect(cards.nth(1)).not.toContainText(text('PayWays.cardHow'));
  await isAccessible(page);
  await picture(page, 'ways-print');
  await page.emulateMedia({ media: 'print' });
  await picture(page, 'ways-paper');
  // The card has room for all its text.
  expect(await cards.nth(0).evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
  await page.goto(`${bills}/${withNumber}`);
  const number = (await page.locator('[data-shown=message]').innerText()).match(/\b\d{4}\s\d{4}\b/)?.[0].replace(/\s/, '');
  expect(await issued(withNumber)).toEqual([{ number }]);
  expect(await issued(without)).toEqual([]);
  await context.close();
});
