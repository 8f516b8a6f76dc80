import type { Page } from '@playwright/test';
import { looksWell } from './looks';
import { newMember } from './members';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { keepPrompt, sql } from './pay-stage';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const card = (page: Page) => page.getByRole('region', { name: text('BillWays.title'), exact: true });
/** Opens the menu of the bill, and the row of it with this title. */
async function openRow(page: Page, title: string): Promise<void> {
  await page
    .getByRole('region', { name: text('BillPage.summary') })
    .getByText(text('BillPage.more'), { exact: true })
    .click();
  // A row that was opened before is still open.
  const row = page
    .getByRole('region', { name: text('BillPage.moreTitle') })
    .locator('details')
    .filter({ hasText: title });
  if ((await row.getAttribute('open')) === null) await row.getByText(title).first().click();
}
const history = (page: Page) => page.getByRole('region', { name: text('Bill.timeline') });

test('a bill gets a number and a QR code, which end when the bill is closed', async ({ page, request, product, browser }) => {
  const merchant = await newMerchant(product, 'Duka la Namba');
  const key = await newKey(product, merchant, 'Server');
  const { id } = await newBill(request, product.sandboxUrl, key, { amount: 5_000, reference: 'WAYS-1' });
  const own = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${id}`;
  await page.goto(own);
  await signIn(page, merchant);

  await openRow(page, text('BillWays.title'));
  await card(page)
    .getByRole('button', { name: text('BillWays.ask') })
    .click();
  await expect(page.getByText(text('BillPage.told_waysAsked')).first()).toBeVisible();
  // The page shows the number by itself when the provider has issued it, also outside the menu.
  await expect(page.getByText(/^\d{8}$/).filter({ visible: true })).toHaveCount(1);
  await openRow(page, text('BillWays.title'));
  const number = card(page).getByText(/^\d{8}$/);
  await expect(number).toBeVisible();
  const issued = await number.innerText();
  await expect(card(page).getByText(text('BillWays.exactAmount', { amount: 'TZS 5,000' }))).toBeVisible();
  await expect(card(page).getByRole('link', { name: text('BillWays.link') })).toHaveAttribute('href', /^http/);
  await card(page).getByText(text('BillWays.showQr')).click();
  await expect(card(page).getByRole('img', { name: text('BillWays.qrLabel') })).toBeVisible();
  await expect(history(page).getByText(text('BillWays.asked', { amount: 'TZS 5,000' }))).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  await picture(page, 'bill-ways-qr');
  await looksWell(page, own, 'bill-ways');

  // Whoever types the number into the search finds the bill.
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/search?q=${issued}`);
  await expect(page.getByText('WAYS-1').first()).toBeVisible();

  await page.goto(own);
  await openRow(page, text('CloseBill.close'));
  await page.getByLabel(text('CloseReason.reason')).fill('ordered twice');
  await page.getByRole('button', { name: text('CloseBill.closeNow') }).click();
  await expect(page.getByText(text('BillPage.told_closed')).first()).toBeVisible();
  await openRow(page, text('BillWays.title'));
  await card(page)
    .getByText(text('BillWays.ended', { count: 1 }))
    .click();
  await expect(card(page).getByText(text('BillWays.end_closed'))).toBeVisible();
  await expect(card(page).getByRole('button', { name: text('BillWays.ask') })).toHaveCount(0);
  await isAccessible(page);
  await fitsThePhone(page);
  await picture(page, 'bill-ways-closed');

  // A viewer sees the card, but cannot ask.
  const other = await newBill(request, product.sandboxUrl, key, { amount: 7_000, reference: 'WAYS-2' });
  const viewer = await newMember(product, merchant, 'viewer');
  const context = await browser.newContext({ locale: 'en-GB' });
  const second = await context.newPage();
  await second.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${other.id}`);
  await signIn(second, viewer);
  await openRow(second, text('BillWays.title'));
  await expect(card(second).getByText(text('BillWays.none'))).toBeVisible();
  await expect(card(second).getByRole('button', { name: text('BillWays.ask') })).toHaveCount(0);
  await context.close();
});

test('while a payment request is open, the page warns that the customer could pay twice', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Mara Mbili');
  const key = await newKey(product, merchant, 'Server');
  const { id } = await newBill(request, product.sandboxUrl, key, { amount: 5_000, reference: 'WAYS-3', mobile: '0712345005' });
  await keepPrompt(product, { id });
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${id}`);
  await signIn(page, merchant);
  await openRow(page, text('BillWays.title'));
  await card(page)
    .getByRole('button', { name: text('BillWays.ask') })
    .click();
  await expect(page.getByText(text('BillPage.told_waysAsked')).first()).toBeVisible();
  await openRow(page, text('BillWays.title'));
  await expect(card(page).getByText(/^\d{8}$/)).toBeVisible();
  await expect(card(page).getByText(text('BillWays.promptOpen'))).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  await picture(page, 'bill-ways-warning');
});

test('the switch for new bills is saved in one environment, and the audit log names it', async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Swichi');
  const settings = `${product.liveUrl}/m/${merchant.slug}/sandbox/settings?part=payments`;
  await page.goto(settings);
  await signIn(page, merchant);
  const choice = page.getByLabel(text('Settings.ways'));
  await expect(choice).not.toBeChecked();
  await choice.check();
  const rules = page.getByRole('region', { name: text('Settings.rules') });
  await rules.getByRole('button', { name: text('Settings.save') }).click();
  // The note that nothing is saved yet has the same word.
  await expect(rules.getByRole('status')).toHaveText(text('Settings.saved'));
  await page.reload();
  await expect(choice).toBeChecked();
  const rows = await sql(product, 'SELECT environment FROM merchant_profile WHERE merchant_id = $1 AND issues_instruments', merchant.id);
  expect(rows).toEqual([{ environment: 'sandbox' }]);
  await looksWell(page, settings, 'settings-ways');
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/audit`);
  await expect(page.getByText(text('AuditField.issuesInstruments')).first()).toBeVisible();
});
