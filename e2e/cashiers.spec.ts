import { type Browser, devices, type Page } from '@playwright/test';
import { keepPicture, looksWell } from './looks';
import { fitsThePhone, isAccessible } from './page-checks';
import { goTo, newMerchant, signIn, type TestMerchant } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const PIN = '271828';
const team = (base: string, { slug }: TestMerchant) => `${base}/m/${slug}/sandbox/team`;

async function phone(browser: Browser): Promise<Page> {
  const { userAgent } = devices['Pixel 7'];
  return (await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 }, userAgent })).newPage();
}

/** Opens the form that invites a cashier. */
async function openInvitation(page: Page): Promise<void> {
  await page.getByRole('link', { name: text('Team.invite'), exact: true }).click();
  await expect(page.getByLabel(text('Cashiers.name'))).toBeFocused();
}

/** Invites a cashier in the open form. Returns the link. */
async function inviteCashier(page: Page, name: string, mobile: string): Promise<string> {
  await page.getByLabel(text('Cashiers.name')).fill(name);
  await page.getByLabel(text('Cashiers.mobile')).fill(mobile);
  await page.getByRole('button', { name: text('Cashiers.create') }).click();
  await expect(page.getByText(text('Cashiers.readyTitle', { name }))).toBeVisible();
  return page.locator('code').innerText();
}

async function choosePin(page: Page, link: string, pin = PIN): Promise<void> {
  await page.goto(link);
  await page.getByLabel(text('CashierJoin.pin')).fill(pin);
  await page.getByLabel(text('CashierJoin.repeat')).fill(pin);
  await page.getByRole('button', { name: text('CashierJoin.start') }).click();
}

test('a cashier is invited by phone number, chooses a PIN, signs in with it on that phone, and on no other', async ({
  page,
  browser,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Kaunta');
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);

  await openInvitation(page);
  await page.getByLabel(text('Cashiers.name')).fill('Asha Juma');
  await page.getByLabel(text('Cashiers.mobile')).fill('0512 345 678');
  await page.getByRole('button', { name: text('Cashiers.create') }).click();
  await expect(page.getByText(text('Pay.mobileInvalid'))).toBeVisible();
  await expect(page.getByLabel(text('Cashiers.name'))).toHaveValue('Asha Juma');
  const link = await inviteCashier(page, 'Asha Juma', '+255 712 345 678');
  const whatsapp = await page.getByRole('link', { name: text('Cashiers.whatsapp') }).getAttribute('href');
  expect(whatsapp).toMatch(/^https:\/\/wa\.me\/255712345678\?text=/);
  expect(decodeURIComponent(whatsapp ?? '')).toContain(link);
  expect(await page.getByRole('link', { name: text('Cashiers.sms') }).getAttribute('href')).toMatch(/^sms:\+255712345678\?body=/);
  await keepPicture(page, 'cashier-link');

  const other = await phone(browser);
  await test.step('the cashier chooses a PIN and is signed in at once', async () => {
    await looksWell(other, link, 'cashier-join');
    await choosePin(other, link, '123456');
    await expect(other.getByText(text('CashierJoin.pin_too_easy'))).toBeVisible();
    await choosePin(other, link);
    await expect(other).toHaveURL(new RegExp(`/m/${merchant.slug}/live/`));
    await other.goto(link);
    await expect(other.getByText(text('CashierJoin.used'))).toBeVisible();
  });

  await test.step('after signing out, this phone asks for the PIN only', async () => {
    await other.context().clearCookies({ name: /\.session$/ });
    await other.goto(`${product.liveUrl}/m/${merchant.slug}/live/counter`);
    await expect(other.getByRole('heading', { name: text('PinSignIn.title') })).toBeVisible();
    await expect(other.getByText('Asha Juma')).toBeVisible();
    await looksWell(other, other.url(), 'cashier-pin');
    await other.getByLabel(text('PinSignIn.pin')).fill('271829');
    await other.getByRole('button', { name: text('PinSignIn.button') }).click();
    await expect(other.getByText(text('PinSignIn.wrong', { left: 4 }))).toBeVisible();
    await other.getByLabel(text('PinSignIn.pin')).fill(PIN);
    await other.keyboard.press('Enter');
    await expect(other).toHaveURL(new RegExp(`/m/${merchant.slug}/live/counter`));
    await expect(other.getByRole('button', { name: text('Counter.sendRequest') })).toBeVisible();
    await goTo(other, text('BillList.title'));
    await expect(other.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
    await expect(other.getByRole('link', { name: text('Dashboard.toSandbox') })).toBeHidden();
    await expect(other.getByRole('link', { name: text('BillList.import') })).toBeHidden();
  });

  await test.step('if the session ends on an open page, a dialog over this page asks for the PIN', async () => {
    await other.context().clearCookies({ name: /\.session$/ });
    const dialog = other.getByRole('dialog', { name: text('Line.endedTitle') });
    await expect(dialog.getByLabel(text('Line.who'))).toHaveText('Asha Juma');
    await dialog.getByLabel(text('Line.pin')).fill('271829');
    await dialog.getByRole('button', { name: text('Line.signInHere'), exact: true }).click();
    await expect(dialog.getByText(text('PinSignIn.wrong', { left: 4 }))).toBeVisible();
    await isAccessible(other);
    await fitsThePhone(other);
    await dialog.getByLabel(text('Line.pin')).fill(PIN);
    await other.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await other.reload();
    await expect(other.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
  });

  await test.step('another phone is asked for e-mail address and password', async () => {
    const stranger = await phone(browser);
    await stranger.goto(`${product.liveUrl}/sign-in/pin`);
    await expect(stranger.getByLabel(text('SignIn.email'))).toBeVisible();
    await stranger.context().close();
  });

  await test.step('the owner removes the phone, and the session ends', async () => {
    await page.goto(team(product.liveUrl, merchant));
    await expect(page.getByRole('table', { name: text('Team.members') }).getByRole('row', { name: /Asha Juma/ })).toContainText('0712');
    await page.getByRole('button', { name: pattern('Cashiers.revokeOf', { name: 'Asha Juma' }) }).click();
    await expect(page.getByText(text('Team.done_device'))).toBeVisible();
    await other.reload();
    await expect(other.getByLabel(text('SignIn.email'))).toBeVisible();
  });
  await other.context().close();
});

test('wrong PINs lock the phone, and a new link opens it; two cashiers share a phone', { tag: '@full' }, async ({
  page,
  browser,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Makeshia');
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);
  await openInvitation(page);
  const first = await inviteCashier(page, 'Asha', '0712345678');
  await page.getByRole('link', { name: text('Cashiers.done') }).click();
  await openInvitation(page);
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
    await shared.getByLabel(text('PinSignIn.pin')).fill(`48021${guess}`);
    await shared.getByRole('button', { name: text('PinSignIn.button') }).click();
    await expect(
      shared.getByRole('alert').filter({ hasText: guess < 4 ? `${4 - guess} attempt` : text('PinSignIn.lockedTitle') }),
    ).toBeVisible();
  }
  await shared.getByRole('radio', { name: /Neema/ }).check();
  await shared.getByLabel(text('PinSignIn.pin')).fill('905173');
  await shared.getByRole('button', { name: text('PinSignIn.button') }).click();
  await expect(shared).toHaveURL(/\/m\//);

  await page.goto(team(product.liveUrl, merchant));
  await expect(page.getByText(text('Cashiers.locked'))).toBeVisible();
  await looksWell(page, team(product.liveUrl, merchant), 'team-cashiers');
  const row = page.getByRole('table', { name: text('Team.members') }).getByRole('row', { name: /Asha/ });
  await row.locator('summary').click();
  await row.getByRole('button', { name: text('Cashiers.newLinkFor', { name: 'Asha' }) }).click();
  const again = await row.locator('code').innerText();
  await choosePin(shared, again, '314159');
  await expect(shared).toHaveURL(/\/m\//);
  await page.goto(team(product.liveUrl, merchant));
  await expect(page.getByText(text('Cashiers.locked'))).toBeHidden();
  await shared.context().close();
});
