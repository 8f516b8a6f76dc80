import type { Browser, Locator, Page } from '@playwright/test';
import { looksWell } from './looks';
import { invite, newMerchant, signIn, type TestMerchant } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const PASSWORD = 'boriti tatu za mnazi';

async function elsewhere(browser: Browser): Promise<Page> {
  return (await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } })).newPage();
}

/** Accepts an invitation as a new person, and signs in. */
async function join(page: Page, link: string, { email, name }: { email: string; name: string }): Promise<void> {
  await page.goto(link);
  await page.getByLabel(text('Invitation.name')).fill(name);
  await page.getByLabel(text('Invitation.password')).fill(PASSWORD);
  await page.getByRole('button', { name: pattern('Invitation.accept') }).click();
  await expect(page.getByText(text('SignInMore.joined'))).toBeVisible();
  await expect(page.getByLabel(text('SignIn.email'))).toHaveValue(email);
  await signIn(page, { email, password: PASSWORD });
  await expect(page.getByRole('heading', { name: text('Welcome.title', { merchant: 'Duka' }) })).toBeVisible();
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

/** Opens the form that invites a person by e-mail. */
async function openInvitation(page: Page): Promise<void> {
  await page.getByRole('link', { name: text('Team.invite'), exact: true }).click();
  await page.getByRole('link', { name: text('Team.invite_member') }).click();
  await expect(page.getByLabel(text('Team.email'))).toBeFocused();
}

const team = (base: string, { slug }: TestMerchant) => `${base}/m/${slug}/sandbox/team`;

test('a person is invited, joins in another browser, gets another role immediately, and is removed', async ({ page, browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Timu');
  const guest = { email: `asha.${merchant.slug}@example.com`, name: 'Asha Juma' };
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);

  const link = await test.step('the owner invites a person and copies the link', async () => {
    await openInvitation(page);
    await page.getByLabel(text('Team.email')).fill('nobody@');
    await submitUnchecked(page.getByRole('button', { name: text('Team.invite'), exact: true }));
    await expect(page.getByText(text('Team.email_wrong'))).toBeVisible();
    await expect(page.getByLabel(text('Team.email'))).toHaveValue('nobody@');
    await page.getByLabel(text('Team.email')).fill(guest.email);
    await page.getByLabel(text('Team.role'), { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: text('Team.invite'), exact: true }).click();
    const shown = await page.locator('code').innerText();
    await page.getByRole('link', { name: text('Team.done') }).click();
    await expect(page.getByRole('row', { name: new RegExp(guest.email) }).getByText(text('Team.state_open'))).toBeVisible();
    expect(await page.content()).not.toContain(shown.split('/').at(-1) ?? '');
    return shown;
  });

  const other = await elsewhere(browser);
  await test.step('another signed-in person cannot accept it, and may sign out', async () => {
    await page.goto(link);
    await expect(page.getByText(pattern('Invitation.wrong_person', { email: guest.email }))).toBeVisible();
    await page.getByRole('link', { name: text('Invitation.signOut') }).click();
    await expect(page.getByRole('heading', { name: text('SignIn.signOutTitle') })).toBeVisible();
  });
  await test.step('the guest sets a password and joins', async () => {
    await other.goto(link);
    await other.getByLabel(text('Invitation.name')).fill(guest.name);
    await other.getByLabel(text('Invitation.password')).fill('short');
    await submitUnchecked(other.getByRole('button', { name: pattern('Invitation.accept') }));
    await expect(other.getByText(pattern('Invitation.too_short'))).toBeVisible();
    await expect(other.getByLabel(text('Invitation.name'))).toHaveValue(guest.name);
    await join(other, link, guest);
    await other.goto(link);
    await expect(other.getByText(text('Invitation.used'))).toBeVisible();
  });

  const row = page.getByRole('row', { name: /Asha Juma/ });
  await test.step('a viewer sees the team and changes nothing; after the change to collector, the next click shows only bills', async () => {
    await other.goto(team(product.liveUrl, merchant));
    await expect(other.getByText(text('Team.viewer'))).toBeVisible();
    await expect(other.getByText(pattern('Team.remove'))).toBeHidden();
    await page.goto(team(product.liveUrl, merchant));
    await row.locator('summary').click();
    await row.getByLabel(text('Team.newRole', { name: 'Asha Juma' })).selectOption('collector');
    await row.getByRole('button', { name: text('Team.save') }).click();
    await expect(page.getByText(text('Team.done_role'))).toBeVisible();
    await other.reload();
    await expect(other.getByRole('heading', { name: text('Shell.notAllowedTitle') })).toBeVisible();
  });

  await test.step('the only owner cannot leave, and the removed member loses access at once', async () => {
    const own = page.getByRole('row', { name: new RegExp(`${merchant.email}`) });
    await own.locator('summary').click();
    await own.getByRole('button', { name: text('Team.leave') }).click();
    await expect(page.getByText(text('Team.last_owner'))).toBeVisible();
    await row.locator('summary').click();
    await row.getByRole('button', { name: text('Team.remove', { name: 'Asha Juma' }) }).click();
    await expect(page.getByText(text('Team.done_removed'))).toBeVisible();
    const answer = await other.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
    expect(answer?.status()).toBe(404);
    await other.goto(`${product.liveUrl}/account`);
    await other.getByRole('link', { name: text('Account.backNone') }).click();
    await expect(other.getByRole('heading', { name: text('SignIn.noMerchantTitle') })).toBeVisible();
    await expect(other).toHaveURL(`${product.liveUrl}/no-merchant`);
  });

  await test.step('an invitation is resent and revoked', async () => {
    await openInvitation(page);
    await page.getByLabel(text('Team.email')).fill('later@example.com');
    await page.getByRole('button', { name: text('Team.invite'), exact: true }).click();
    const old = await page.locator('code').innerText();
    await page.getByRole('link', { name: text('Team.done') }).click();
    await page.getByRole('button', { name: text('Team.sendAgainTo', { email: 'later@example.com' }) }).click();
    const fresh = await page.locator('code').innerText();
    await other.goto(old);
    await expect(other.getByText(text('Invitation.unknown'))).toBeVisible();
    await other.context().clearCookies();
    await other.goto(fresh);
    await expect(other.getByLabel(text('Invitation.name'))).toBeVisible();
    await page.goto(team(product.liveUrl, merchant));
    await page.getByRole('button', { name: text('Team.revokeOf', { email: 'later@example.com' }) }).click();
    await expect(page.getByText(text('Team.done_revoked'))).toBeVisible();
    await other.reload();
    await expect(other.getByText(text('Invitation.revoked'))).toBeVisible();
  });
  await other.context().close();
});

test('a collector sees only the bills page', { tag: '@full' }, async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Keshia');
  const guest = { email: `collector.${merchant.slug}@example.com`, name: 'Juma' };
  const { link } = await invite(product, merchant, { email: guest.email, role: 'collector' });
  await join(page, link, guest);
  await expect(page.getByText(pattern('Welcome.joined', { role: text('Shell.role_collector') }))).toBeVisible();
  await expect(page).toHaveTitle(`${text('Welcome.tab')} · ${merchant.name}`);
  await looksWell(page, page.url(), 'welcome');
  const sandbox = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  await page.goto(`${sandbox}/bills`);
  await expect(page.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
  for (const section of ['team', 'settings', 'audit', 'bills/import']) {
    await page.goto(`${sandbox}/${section}`);
    await expect(page.getByRole('heading', { name: text('Shell.notAllowedTitle') })).toBeVisible();
    expect(await page.content()).not.toContain(merchant.email);
  }
  expect((await page.context().request.get(`${sandbox}/audit/export`)).status()).toBe(403);
});

test('the pages are accessible in every look', { tag: '@full' }, async ({ page, browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Picha');
  const { link } = await invite(product, merchant, { email: 'waiting@example.com', role: 'admin' });
  await page.goto(team(product.liveUrl, merchant));
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { name: text('Team.title'), exact: true })).toBeVisible();
  await looksWell(page, team(product.liveUrl, merchant), 'team');
  await looksWell(page, `${team(product.liveUrl, merchant)}?invite=member`, 'team-invite');
  const other = await elsewhere(browser);
  await looksWell(other, link, 'invitation');
  await other.context().close();
});
