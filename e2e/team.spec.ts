import type { Browser, Locator, Page } from '@playwright/test';
import { looksWell } from './looks';
import { invite, newMerchant, signIn, type TestMerchant } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const PASSWORD = 'boriti tatu za mnazi';

async function elsewhere(browser: Browser): Promise<Page> {
  return (await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } })).newPage();
}

/** Accepts an invitation as a new person, and signs in. */
async function join(page: Page, link: string, { email, name }: { email: string; name: string }): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: /^Join/ }).click();
  await expect(page.getByText('You have joined the team.')).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue(email);
  await signIn(page, { email, password: PASSWORD });
  await expect(page.getByRole('heading', { name: 'Welcome to Duka' })).toBeVisible();
}

/**
 * Submits a form without the checks of the browser. Turns the checks off and clicks in one step, because React restores changed attributes
 * whenever the page refreshes itself.
 */
async function submitUnchecked(button: Locator): Promise<void> {
  await button.evaluate((element) => {
    const form = element.closest('form');
    if (form) form.noValidate = true;
    if (element instanceof HTMLElement) element.click();
  });
}

const team = (base: string, { slug }: TestMerchant) => `${base}/m/${slug}/sandbox/team`;

test('a person is invited, joins in another browser, gets another role immediately, and is removed', async ({ page, browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Timu');
  const guest = { email: `asha.${merchant.slug}@example.com`, name: 'Asha Juma' };
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);

  const link = await test.step('the owner invites a person and copies the link', async () => {
    await page.getByLabel('E-mail address').fill('nobody@');
    await submitUnchecked(page.getByRole('button', { name: 'Invite', exact: true }));
    await expect(page.getByText('Enter a valid e-mail address.')).toBeVisible();
    await expect(page.getByLabel('E-mail address')).toHaveValue('nobody@');
    await page.getByLabel('E-mail address').fill(guest.email);
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const shown = await page.locator('code').innerText();
    await page.getByRole('link', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: new RegExp(guest.email) }).getByText('Pending')).toBeVisible();
    expect(await page.content()).not.toContain(shown.split('/').at(-1) ?? '');
    return shown;
  });

  const other = await elsewhere(browser);
  await test.step('another signed-in person cannot accept it', async () => {
    await page.goto(link);
    await expect(page.getByText(`This invitation is for ${guest.email}`)).toBeVisible();
  });
  await test.step('the guest sets a password and joins', async () => {
    await other.goto(link);
    await other.getByLabel('Your name').fill(guest.name);
    await other.getByLabel('Password').fill('short');
    await submitUnchecked(other.getByRole('button', { name: /^Join/ }));
    await expect(other.getByText(/Use at least \d+ characters\./)).toBeVisible();
    await expect(other.getByLabel('Your name')).toHaveValue(guest.name);
    await join(other, link, guest);
    await other.goto(link);
    await expect(other.getByText('This invitation was already accepted')).toBeVisible();
  });

  const row = page.getByRole('row', { name: /Asha Juma/ });
  await test.step('a viewer sees the team and changes nothing; after the change to collector, the next click shows only bills', async () => {
    await other.goto(team(product.liveUrl, merchant));
    await expect(other.getByText('Your role can view the team but not change it.')).toBeVisible();
    await expect(other.getByText('Remove')).toBeHidden();
    await page.goto(team(product.liveUrl, merchant));
    await row.locator('summary').click();
    await row.getByLabel('Role of Asha Juma').selectOption('collector');
    await row.getByRole('button', { name: 'Save role' }).click();
    await expect(page.getByText('Role changed')).toBeVisible();
    await other.reload();
    await expect(other.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  });

  await test.step('the only owner cannot leave, and the removed member loses access at once', async () => {
    const own = page.getByRole('row', { name: new RegExp(`${merchant.email}`) });
    await own.locator('summary').click();
    await own.getByRole('button', { name: 'Leave this team' }).click();
    await expect(page.getByText('This is the last owner')).toBeVisible();
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Remove Asha Juma' }).click();
    await expect(page.getByText('Member removed')).toBeVisible();
    const answer = await other.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
    expect(answer?.status()).toBe(404);
    await other.goto(`${product.liveUrl}/account`);
    await other.getByRole('link', { name: 'Go to home page' }).click();
    await expect(other.getByRole('heading', { name: 'No merchant yet' })).toBeVisible();
    await expect(other).toHaveURL(`${product.liveUrl}/no-merchant`);
  });

  await test.step('an invitation is resent and revoked', async () => {
    await page.getByLabel('E-mail address').fill('later@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const old = await page.locator('code').innerText();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Resend to later@example.com' }).click();
    const fresh = await page.locator('code').innerText();
    await other.goto(old);
    await expect(other.getByText('This link is not valid.')).toBeVisible();
    await other.context().clearCookies();
    await other.goto(fresh);
    await expect(other.getByLabel('Your name')).toBeVisible();
    await page.goto(team(product.liveUrl, merchant));
    await page.getByRole('button', { name: 'Revoke the invitation of later@example.com' }).click();
    await expect(page.getByText('Invitation revoked')).toBeVisible();
    await other.reload();
    await expect(other.getByText('This invitation was revoked.')).toBeVisible();
  });
  await other.context().close();
});

test('a collector sees only the bills page', async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Keshia');
  const guest = { email: `collector.${merchant.slug}@example.com`, name: 'Juma' };
  const { link } = await invite(product, merchant, { email: guest.email, role: 'collector' });
  await join(page, link, guest);
  await expect(page.getByText(/^You have joined .* as cashier\.$/)).toBeVisible();
  await expect(page).toHaveTitle(`Welcome · ${merchant.name}`);
  await looksWell(page, page.url(), 'welcome');
  const sandbox = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  await page.goto(`${sandbox}/bills`);
  await expect(page.getByRole('heading', { name: 'Bills', exact: true })).toBeVisible();
  for (const section of ['team', 'settings', 'audit', 'bills/import']) {
    await page.goto(`${sandbox}/${section}`);
    await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
    expect(await page.content()).not.toContain(merchant.email);
  }
  expect((await page.context().request.get(`${sandbox}/audit/export`)).status()).toBe(403);
});

test('the pages are accessible in every look', async ({ page, browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Picha');
  const { link } = await invite(product, merchant, { email: 'waiting@example.com', role: 'admin' });
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { name: 'Team', exact: true })).toBeVisible();
  await looksWell(page, team(product.liveUrl, merchant), 'team');
  const other = await elsewhere(browser);
  await looksWell(other, link, 'invitation');
  await other.context().close();
});
