import type { Page } from '@playwright/test';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const card = (page: Page) => page.getByRole('region', { name: text('RecordPayment.title'), exact: true });
const history = (page: Page) => page.getByRole('region', { name: text('Bill.timeline') });

test('cash is recorded, a mistyped amount is asked about, and the payment is corrected', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Taslimu');
  const key = await newKey(product, merchant, 'Server');
  const { id } = await newBill(request, product.sandboxUrl, key, { amount: 5_000, reference: 'CASH-1' });
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${id}`);
  await signIn(page, merchant);

  await page.getByRole('main').getByText(text('BillPage.more'), { exact: true }).click();
  await page
    .getByRole('region', { name: text('BillPage.moreTitle') })
    .getByText(text('RecordPayment.title'), { exact: true })
    .click();
  const amount = card(page).getByRole('textbox', { name: text('BillForms.record_amount') });
  await expect(amount).toHaveValue('5,000');
  await amount.fill('50,000');
  await card(page).getByLabel(text('BillForms.record_slip')).fill('slip-7');
  await card(page)
    .getByRole('button', { name: text('BillForms.record_save') })
    .click();
  const confirm = card(page).getByLabel(text('BillForms.record_overpay'));
  await expect(confirm).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  await picture(page, 'record-payment');
  await amount.fill('5,000');
  await card(page)
    .getByRole('button', { name: text('BillForms.record_save') })
    .click();
  await expect(page.getByText(text('BillPage.told_recorded')).first()).toBeVisible();
  await expect(history(page).getByText('SLIP-7')).toBeVisible();
  await expect(page.getByText(text('Status.FULLY_PAID'), { exact: true }).first()).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);

  await page.goto(`${product.sandboxUrl}/pay?bill=${id}&lang=en&show=receipt`);
  await expect(page.getByText(text('Receipt.way_cash'), { exact: true })).toBeVisible();

  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${id}`);
  await history(page).getByText(text('BillForms.correct'), { exact: true }).click();
  await history(page).getByLabel(text('BillForms.correctTo')).fill('0');
  await history(page).getByLabel(text('BillForms.correctReason'), { exact: true }).fill('wrong bill');
  await history(page)
    .getByRole('button', { name: text('BillForms.correctSave') })
    .click();
  await expect(page.getByText(text('BillPage.told_corrected')).first()).toBeVisible();
  await expect(page.getByText(text('Status.NOT_PAID'), { exact: true }).first()).toBeVisible();
  await isAccessible(page);
});
