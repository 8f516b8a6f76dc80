import type { BrowserContext, Page } from '@playwright/test';
import { Client } from 'pg';
import { keepPicture, looksWell } from './looks';
import { fitsThePhone, isAccessible } from './page-checks';
import { menuButton, newMerchant, signedIn, type TestMerchant } from './people';
import { expect, test } from './product';
import { either, pattern, text } from './texts';
import { findBrokenAmounts } from './window-checks';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const at = (base: string, { slug }: TestMerchant) => `${base}/m/${slug}/sandbox/counter`;

let client: Client;
let context: BrowserContext;
let merchant: TestMerchant;
let page: Page;
let counter: string;

test.beforeEach(async ({ browser, product }) => {
  client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  merchant = await newMerchant(product, 'Duka la Kaunta');
  context = await signedIn(browser, product.liveUrl, merchant);
  page = await context.newPage();
  counter = at(product.liveUrl, merchant);
});
test.afterEach(async () => {
  await context.close();
  await client.end();
});

async function countBills(): Promise<{ bills: number; prompts: number }> {
  const { rows } = await client.query<{ bills: number; prompts: number }>(
    'SELECT (SELECT count(*)::int FROM bill WHERE merchant_id = $1) AS bills, (SELECT count(*)::int FROM push_attempt WHERE merchant_id = $1) AS prompts',
    [merchant.id],
  );
  return rows[0] ?? { bills: -1, prompts: -1 };
}

async function tapAmount(keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.getByRole('button', { name: key, exact: true }).click();
}

/** Waits until the browser has stored the page for use without a connection. */
async function isInstalled(): Promise<void> {
  await expect(async () => {
    const kept = await page.evaluate(async (path) => Boolean(await caches.match(path)), new URL(counter).pathname);
    expect(kept).toBe(true);
  }).toPass();
}

test('money is taken by a request in one tap, the result appears, and the next customer follows in one tap', { tag: '@full' }, async () => {
  await page.goto(counter);
  await looksWell(page, counter, 'counter');
  await page.goto(counter);
  await tapAmount(['5', '0', '00']);
  await expect(page.getByLabel(text('Counter.amount'))).toHaveValue('5,000');
  await page.getByRole('button', { name: text('Counter.sendRequest') }).click();
  await expect(page.getByText(text('Counter.mobileMissing'))).toBeVisible();
  await page.getByLabel(text('Counter.mobile')).fill('0754345001');
  await page.getByRole('button', { name: text('Counter.sendRequest') }).click();
  await expect(page.getByText(text('Counter.state_waiting'))).toBeVisible();
  await isAccessible(page);
  await keepPicture(page, 'counter-waiting');
  await expect(page.getByText(text('Counter.stateText_paid'))).toBeVisible();
  await expect(page).toHaveTitle(pattern('Counter.paidTitle', { amount: 'TZS 5,000' }));
  await isAccessible(page);
  await keepPicture(page, 'counter-paid');
  await expect(page.getByText(pattern('Counter.shiftBills')).first()).toBeVisible();
  await page.getByRole('button', { name: text('Counter.next') }).click();
  await expect(page.getByLabel(text('Counter.amount'))).toHaveValue('');

  await tapAmount(['7', '00']);
  await page.getByLabel(text('Counter.mobile')).fill('0754345004');
  await page.getByRole('button', { name: text('Counter.sendRequest') }).click();
  await expect(page.getByText(text('AttemptReason.insufficient_funds'))).toBeVisible();
  await keepPicture(page, 'counter-declined');
  await page.getByRole('button', { name: text('Counter.sendAgain') }).click();
  await page.getByLabel(text('Counter.mobile')).fill('0754345001');
  await page
    .getByRole('button', { name: text('Counter.sendRequest') })
    .last()
    .click();
  await expect(page.getByText(text('Counter.stateText_paid'))).toBeVisible();
  expect(await countBills()).toEqual({ bills: 2, prompts: 3 });
});

test('money is taken by QR code with the keyboard alone, and the shift is closed in two taps with a summary to print', async ({
  request,
}) => {
  await page.goto(counter);
  await expect(page.getByLabel(text('Counter.amount'))).toBeFocused();
  await page.keyboard.type('1200');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: pattern('Counter.qrLabel', { amount: 'TZS 1,200' }) })).toBeVisible();
  await isAccessible(page);
  await keepPicture(page, 'counter-qr');
  const { rows } = await client.query<{ id: string }>('SELECT id FROM bill WHERE merchant_id = $1', [merchant.id]);
  expect((await request.get(new URL(`/pay?bill=${rows[0]?.id}`, counter).href)).status()).toBeLessThan(500);
  await expect(page.getByRole('button', { name: text('Counter.next') })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('300');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0754345001');
  await page.keyboard.press('Enter');
  await expect(page.getByText(text('Counter.stateText_paid'))).toBeVisible();

  await page.getByRole('button', { name: text('Counter.closeShift') }).click();
  await keepPicture(page, 'counter-close');
  await page.getByRole('button', { name: text('Counter.closeNow') }).click();
  await expect(page.getByRole('heading', { name: text('Shift.closedTitle') })).toBeVisible();
  await expect(page.getByText('M-Pesa (1)')).toBeVisible();
  await expect(page.getByText(pattern('Shift.signCashier'))).toHaveCount(2);
  const message = new URL((await page.getByRole('link', { name: text('Shift.whatsapp') }).getAttribute('href')) ?? '').searchParams.get(
    'text',
  );
  expect(message).toContain('M-Pesa: TZS 300');
  expect(message).toContain(`${text('Shift.bills')}: 2, ${text('Shift.paid')}: 1, ${text('Shift.unpaid')}: 1`);
  await looksWell(page, page.url(), 'counter-shift');
  const sizeOfSum = () =>
    page
      .getByText(/^TZS\s300$/)
      .first()
      .evaluate((sum) => Number.parseFloat(getComputedStyle(sum).fontSize));
  const onScreen = await sizeOfSum();
  await page.emulateMedia({ media: 'print' });
  expect(await sizeOfSum()).toBeLessThan(onScreen);
  await expect(page.getByRole('button', { name: text('Counter.print') })).toBeHidden();
  for (const width of [272, 720]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await keepPicture(page, `counter-print-${width}`);
  }
});

test('a cashier takes cash, waits for an open request, and closes the shift with a difference that the owner sees', async () => {
  await client.query("UPDATE membership SET role = 'collector' WHERE merchant_id = $1", [merchant.id]);
  await client.query('UPDATE merchant_profile SET cashiers_take_cash = true WHERE merchant_id = $1', [merchant.id]);
  const cash = page.getByRole('button', { name: text('Counter.cash'), exact: true });
  await page.goto(counter);
  await context.setOffline(true);
  await page.getByLabel(text('Counter.amount')).fill('7500');
  await cash.click();
  await expect(page.getByText(text('Counter.cashOffline'))).toBeVisible();
  await keepPicture(page, 'counter-cash-offline');
  await context.setOffline(false);
  await expect(page.getByText(text('Counter.offline'))).toBeHidden();
  await cash.click();
  await page.getByLabel(text('Counter.given')).fill('10000');
  await expect(page.getByText(text('Counter.change', { amount: 'TZS\u00a02,500' }))).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  await keepPicture(page, 'counter-cash');
  await page.route('**/counter/bills/cash', async (route) => {
    // The server records the cash, but the answer never arrives.
    await route.fetch();
    await route.abort();
  });
  const received = page.getByRole('button', { name: pattern('Counter.cashReceived') });
  await received.click();
  await expect(
    page.getByText(either(text('Counter.cashNotReached'), text('Counter.stateText_paid_cash', { cash: 'TZS\u00a07,500' }))),
  ).toBeVisible();
  await page.unroute('**/counter/bills/cash');
  await expect(page.getByText(text('Counter.stateText_paid_cash', { cash: 'TZS\u00a07,500' }))).toBeVisible();
  await isAccessible(page);
  await keepPicture(page, 'counter-cash-paid');

  await page.getByRole('button', { name: text('Counter.next') }).click();
  await page.getByLabel(text('Counter.amount')).fill('500');
  await page.getByLabel(text('Counter.mobile')).fill('0754345005');
  await page.getByRole('button', { name: text('Counter.sendRequest') }).click();
  await page.getByRole('button', { name: text('Counter.paidInCash') }).click();
  await expect(page.getByText(text('Counter.cash_prompt_open'))).toBeVisible();
  await expect(received).toBeHidden();
  await isAccessible(page);
  await keepPicture(page, 'counter-cash-wait');

  await page.getByRole('button', { name: text('Counter.closeShift') }).click();
  await page.getByLabel(text('Counter.counted')).fill('7,4');
  await page.getByRole('button', { name: text('Counter.closeNow') }).click();
  await expect(page.getByText(text('Counter.count_invalid'))).toBeVisible();
  await page.getByLabel(text('Counter.counted')).fill('7,400');
  await isAccessible(page);
  await keepPicture(page, 'counter-cash-close');
  await page.getByRole('button', { name: text('Counter.closeNow') }).click();
  await expect(page.getByRole('heading', { name: text('Shift.closedTitle') })).toBeVisible();
  const missing = page.getByText(text('Shift.cashMissing'), { exact: true }).locator('..');
  await expect(missing).toContainText('TZS\u00a0100');
  const message = new URL((await page.getByRole('link', { name: text('Shift.whatsapp') }).getAttribute('href')) ?? '').searchParams.get(
    'text',
  );
  expect(message).toContain(`${text('Shift.cashMissing')}: TZS`);
  await looksWell(page, page.url(), 'counter-cash-shift');

  await client.query("UPDATE membership SET role = 'owner' WHERE merchant_id = $1", [merchant.id]);
  await page.goto(new URL('audit', counter).href);
  await page.getByRole('link', { name: text('AuditAction.shift_closed') }).click();
  await expect(missing).toContainText('TZS\u00a0100');
});

test('an error disappears when the amount is corrected, and a large amount stays on one line', { tag: '@full' }, async () => {
  await page.goto(counter);
  await page.getByLabel(text('Counter.amount')).fill('9999999999');
  await page.getByRole('button', { name: text('Counter.showQr') }).click();
  const problem = page.locator('#counter-amount-problem');
  await expect(problem).toBeVisible();
  await page.getByLabel(text('Counter.amount')).fill('1234567');
  await expect(problem).toBeHidden();
  await page.getByRole('button', { name: text('Counter.showQr') }).click();
  await expect(page.getByRole('img', { name: pattern('Counter.qrLabel') })).toBeVisible();
  await expect(page.getByText(pattern('Counter.shiftBills')).first()).toBeVisible();
  expect(await page.evaluate(findBrokenAmounts)).toEqual([]);
  await fitsThePhone(page);
});

test('without a connection, a bill is kept over a reload and a closed tab, and is sent once when the connection is back', async () => {
  await page.goto(counter);
  await isInstalled();
  await context.setOffline(true);
  // A new or reloaded page can have a connection for a moment, although the context is offline. So its requests are blocked, too.
  await context.route('**/counter/bills', (route) => route.abort());
  await page.getByLabel(text('Counter.amount')).fill('2500');
  await page.getByRole('button', { name: text('Counter.showQr') }).click();
  await expect(page.getByText(text('Counter.kept_kept'))).toBeVisible();
  await keepPicture(page, 'counter-kept');
  await page.reload();
  await expect(page.getByText(text('Counter.offline'), { exact: false })).toBeVisible();
  // A page that knows that there is no connection shows "Not sent yet". A page that does not know this yet sends the bill, gets no answer
  // and shows "Checking".
  const unsent = () => page.getByText(either(text('Counter.badge_kept'), text('Counter.badge_checking')));
  await expect(unsent()).toBeVisible();
  await keepPicture(page, 'counter-offline');
  await page.close();
  page = await context.newPage();
  await page.goto(counter);
  await expect(unsent()).toBeVisible();
  expect(await countBills()).toEqual({ bills: 0, prompts: 0 });
  await context.unroute('**/counter/bills');
  await context.setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(unsent()).toBeHidden();
  await expect(page.getByText(pattern('Counter.shiftBills')).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(text('Counter.state_declined'))).toBeVisible();
  expect(await countBills()).toEqual({ bills: 1, prompts: 0 });
});

test('a bill whose answer was lost is sent again and created once, with one request', { tag: '@full' }, async () => {
  await page.goto(counter);
  let lost = 0;
  await page.route('**/counter/bills', async (route) => {
    const first = route.request().postDataJSON()?.confirmedAt === null;
    // `confirmedAt` is null in the first request, which only asks for the time of the server. This request is answered.
    if (route.request().method() !== 'POST' || first || lost > 1) return route.continue();
    lost += 1;
    // The server gets the bill, but the answer never arrives.
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel(text('Counter.amount')).fill('900');
  await page.getByLabel(text('Counter.mobile')).fill('0754345001');
  await page.getByRole('button', { name: text('Counter.sendRequest') }).click();
  await expect(page.getByText(text('Counter.kept_checking'))).toBeVisible();
  await keepPicture(page, 'counter-checking');
  await expect(page.getByText(text('Counter.stateText_paid'))).toBeVisible({ timeout: 40_000 });
  expect(lost).toBe(2);
  expect(await countBills()).toEqual({ bills: 1, prompts: 1 });
});

test('a request that was kept for more than two minutes is sent only after the cashier confirms it', { tag: '@full' }, async () => {
  await page.clock.install();
  await page.goto(counter);
  await context.setOffline(true);
  await page.getByLabel(text('Counter.amount')).fill('1500');
  await page.getByLabel(text('Counter.mobile')).fill('0754345001');
  await page.getByRole('button', { name: text('Counter.sendRequest') }).click();
  await expect(page.getByText(text('Counter.keptText_kept_prompt'), { exact: false })).toBeVisible();
  await page.clock.fastForward('03:00');
  await context.setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByText(text('Counter.kept_stale'))).toBeVisible();
  await isAccessible(page);
  await keepPicture(page, 'counter-stale');
  expect(await countBills()).toEqual({ bills: 0, prompts: 0 });
  await page.getByRole('button', { name: text('Counter.stillHere') }).click();
  await expect(async () => {
    await page.clock.runFor(3_000);
    expect(await countBills()).toEqual({ bills: 1, prompts: 1 });
  }).toPass();
});

test('a deleted bill is not created by a request that arrives later, nor sent again', { tag: '@full' }, async () => {
  await page.goto(counter);
  const sent: string[] = [];
  await page.route('**/counter/bills', async (route) => {
    const body = route.request().postData();
    if (body === null) return route.continue();
    const { confirmedAt, ...bill } = JSON.parse(body);
    if (confirmedAt === null) return route.continue();
    sent.push(JSON.stringify({ ...bill, confirmedAt: confirmedAt - 180_000 }));
    await route.continue({ postData: sent.at(-1) ?? '' });
  });
  await page.getByLabel(text('Counter.amount')).fill('700');
  await page.getByLabel(text('Counter.mobile')).fill('0754345001');
  await page.getByRole('button', { name: text('Counter.sendRequest') }).click();
  await expect(page.getByText(text('Counter.kept_stale'))).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('button', { name: text('Counter.discard') }).click();
  await expect(page.getByText(text('Counter.noBills'))).toBeVisible();
  expect(sent).toHaveLength(1);
  const late = { data: sent[0] ?? '', headers: { 'content-type': 'application/json', origin: new URL(counter).origin } };
  expect(await (await context.request.post(`${counter}/bills`, late)).json()).toMatchObject({ kind: 'stale' });
  expect(await countBills()).toEqual({ bills: 0, prompts: 0 });
});

test('the device keeps the page without bills, and signing out removes everything', { tag: '@full' }, async () => {
  await page.goto(counter);
  await page.getByLabel(text('Counter.amount')).fill('4321');
  await page.getByRole('button', { name: text('Counter.showQr') }).click();
  await expect(page.getByRole('img', { name: pattern('Counter.qrLabel') })).toBeVisible();
  await page.reload();
  await isInstalled();
  const kept = await page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const one of await cache.keys()) texts.push(one.url, (await (await cache.match(one))?.text()) ?? '');
    }
    return texts.join('\n');
  });
  expect(kept).toContain('Duka la Kaunta');
  expect(kept).not.toContain('4,321');
  expect(kept).not.toContain('/counter/bills');
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href');
  expect(await (await context.request.get(new URL(manifest ?? '', counter).href)).json()).toMatchObject({
    start_url: new URL(counter).pathname,
    display: 'standalone',
  });
  await page
    .getByRole('button', { name: text('Account.title') })
    .or(menuButton(page))
    .first()
    .click();
  await page.getByRole('button', { name: text('SignIn.signOut') }).click();
  await expect(page.getByLabel(text('SignIn.email'))).toBeVisible();
  await expect(async () => expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(0)).toPass();
});

test('signing out asks while a bill is unsent, also if another person entered it, and keeps the bill for its cashier', {
  tag: '@full',
}, async () => {
  await page.goto(counter);
  await context.route('**/counter/bills', (route) => route.abort());
  await page.getByLabel(text('Counter.amount')).fill('2500');
  await page.getByRole('button', { name: text('Counter.showQr') }).click();
  await expect(page.getByText(either(text('Counter.badge_kept'), text('Counter.badge_checking')))).toBeVisible();
  // A bill of another cashier of this phone.
  await page.evaluate(() => {
    const [key = ''] = Object.keys(localStorage).filter((name) => name.startsWith('bili-counter/'));
    const [prefix, place, environment, , id] = key.split('/');
    localStorage.setItem([prefix, place, environment, 'somebody-else', id].join('/'), localStorage.getItem(key) ?? '');
  });
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('bili-counter/')).length);
  const questions: string[] = [];
  const answer = (accept: boolean) =>
    page.once('dialog', (dialog) => {
      questions.push(dialog.type());
      return accept ? dialog.accept() : dialog.dismiss();
    });
  // The account page has no counter, but signs the same people out.
  await page.goto(new URL('/account', counter).href);
  answer(false);
  await page.getByRole('button', { name: text('SignIn.signOut'), exact: true }).click();
  await expect.poll(() => questions).toEqual(['confirm']);
  await expect(page).toHaveURL(/\/account$/);
  answer(true);
  await page.getByRole('button', { name: text('SignIn.signOut'), exact: true }).click();
  await expect(page.getByLabel(text('SignIn.email'))).toBeVisible();
  expect(await kept()).toBe(2);
  await context.unroute('**/counter/bills');
  await page.goto(counter);
  await page.getByLabel(text('SignIn.email')).fill(merchant.email);
  await page.getByLabel(text('SignIn.password'), { exact: true }).fill(merchant.password);
  await page.getByRole('button', { name: text('SignIn.button') }).click();
  await expect.poll(kept).toBe(1);
  expect(await countBills()).toEqual({ bills: 1, prompts: 0 });
});
