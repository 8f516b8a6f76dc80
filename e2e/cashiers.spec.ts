import { type Browser, devices, type Page } from '@playwright/test';
import { keepPicture, looksWell } from './looks';
import { newMerchant, signIn, type TestMerchant } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const PIN = '271828';
const team = (base: string, { slug }: TestMerchant) => `${base}/m/${slug}/sandbox/team`;

async function phone(browser: Browser): Promise<Page> {
  const { userAgent } = devices['Pixel 7'];
  return (await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 }, userAgent })).newPage();
}

/** Invites a cashier on the open team page. Returns the link. */
async function inviteCashier(page: Page, name: string, mobile: string): Promise<string> {
  await page.getByLabel('Name of the cashier').fill(name);
  await page.getByLabel('Phone number').fill(mobile);
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByText(`Send this link to ${name} now`)).toBeVisible();
  return page.locator('code').innerText();
}

async function choosePin(page: Page, link: string, pin = PIN): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New PIN').fill(pin);
  await page.getByLabel('The same PIN again').fill(pin);
  await page.getByRole('button', { name: 'Start' }).click();
}

test('a cashier is invited by phone number, chooses a PIN, signs in with it on that phone, and on no other', async ({
  page,
  browser,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Kaunta');
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);

  await page.getByLabel('Name of the cashier').fill('Asha Juma');
  await page.getByLabel('Phone number').fill('0512 345 678');
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByText('Enter a Tanzanian mobile number')).toBeVisible();
  await expect(page.getByLabel('Name of the cashier')).toHaveValue('Asha Juma');
  const link = await inviteCashier(page, 'Asha Juma', '+255 712 345 678');
  const whatsapp = await page.getByRole('link', { name: 'Send by WhatsApp' }).getAttribute('href');
  expect(whatsapp).toMatch(/^https:\/\/wa\.me\/255712345678\?text=/);
  expect(decodeURIComponent(whatsapp ?? '')).toContain(link);
  expect(await page.getByRole('link', { name: 'Send by SMS' }).getAttribute('href')).toMatch(/^sms:\+255712345678\?body=/);
  await keepPicture(page, 'cashier-link');

  const other = await phone(browser);
  await test.step('the cashier chooses a PIN and is signed in at once', async () => {
    await looksWell(other, link, 'cashier-join');
    await choosePin(other, link, '123456');
    await expect(other.getByText('This PIN is too easy to guess.')).toBeVisible();
    await choosePin(other, link);
    await expect(other).toHaveURL(new RegExp(`/m/${merchant.slug}/live/`));
    await other.goto(link);
    await expect(other.getByText('This link was already used.')).toBeVisible();
  });

  await test.step('after signing out, this phone asks for the PIN only', async () => {
    await other.context().clearCookies({ name: /\.session$/ });
    await other.goto(`${product.liveUrl}/m/${merchant.slug}/live/counter`);
    await expect(other.getByRole('heading', { name: 'Enter your PIN' })).toBeVisible();
    await expect(other.getByText('Asha Juma')).toBeVisible();
    await looksWell(other, other.url(), 'cashier-pin');
    await other.getByLabel('PIN').fill('271829');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await expect(other.getByText('Wrong PIN. 4 attempts are left.')).toBeVisible();
    await other.getByLabel('PIN').fill(PIN);
    await other.keyboard.press('Enter');
    await expect(other).toHaveURL(new RegExp(`/m/${merchant.slug}/live/counter`));
    await expect(other.getByRole('button', { name: 'Send request' })).toBeVisible();
    await other.getByRole('link', { name: 'All your bills' }).click();
    await expect(other.getByRole('heading', { name: 'Bills', exact: true })).toBeVisible();
    await expect(other.getByRole('navigation', { name: 'Environment' })).toBeHidden();
    await expect(other.getByRole('link', { name: 'Import' })).toBeHidden();
  });

  await test.step('another phone is asked for e-mail address and password', async () => {
    const stranger = await phone(browser);
    await stranger.goto(`${product.liveUrl}/sign-in/pin`);
    await expect(stranger.getByLabel('E-mail address')).toBeVisible();
    await stranger.context().close();
  });

  await test.step('the owner removes the phone, and the session ends', async () => {
    await page.goto(team(product.liveUrl, merchant));
    await expect(page.getByRole('row', { name: /Asha Juma/ })).toContainText('0712');
    await page.getByRole('button', { name: /^Remove phone: Asha Juma/ }).click();
    await expect(page.getByText('Phone removed')).toBeVisible();
    await other.reload();
    await expect(other.getByLabel('E-mail address')).toBeVisible();
  });
  await other.context().close();
});

test('wrong PINs lock the phone, and a new link opens it; two cashiers share a phone', async ({ page, browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Makeshia');
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);
  const first = await inviteCashier(page, 'Asha', '0712345678');
  await page.getByRole('link', { name: 'Done' }).click();
  const second = await inviteCashier(page, 'Neema', '0754345678');

  const shared = await phone(browser);
  await choosePin(shared, first);
  await expect(shared).toHaveURL(/\/m\//);
  await choosePin(shared, second, '905173');
  await expect(shared).toHaveURL(/\/m\//);
  await shared.context().clearCookies({ name: /\.session$/ });
  await shared.goto(`${product.liveUrl}/sign-in`);
  await expect(shared.getByRole('radio')).toHaveCount(2);
  for (let guess = 0; guess < 5; guess += 1) {
    await shared.getByRole('radio', { name: /Asha/ }).check();
    await shared.getByLabel('PIN').fill(`48021${guess}`);
    await shared.getByRole('button', { name: 'Sign in' }).click();
    await expect(shared.getByRole('alert').filter({ hasText: guess < 4 ? `${4 - guess} attempt` : 'This phone is locked' })).toBeVisible();
  }
  await shared.getByRole('radio', { name: /Neema/ }).check();
  await shared.getByLabel('PIN').fill('905173');
  await shared.getByRole('button', { name: 'Sign in' }).click();
  await expect(shared).toHaveURL(/\/m\//);

  await page.goto(team(product.liveUrl, merchant));
  await expect(page.getByText('Locked after wrong PINs')).toBeVisible();
  await looksWell(page, team(product.liveUrl, merchant), 'team-cashiers');
  const row = page.getByRole('row', { name: /Asha/ });
  await row.locator('summary').click();
  await row.getByRole('button', { name: 'New link for Asha' }).click();
  const again = await row.locator('code').innerText();
  await choosePin(shared, again, '314159');
  await expect(shared).toHaveURL(/\/m\//);
  await page.goto(team(product.liveUrl, merchant));
  await expect(page.getByText('Locked after wrong PINs')).toBeHidden();
  await shared.context().close();
});
