import { looksWell } from './looks';
import { isAccessible } from './page-checks';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a shop finds bills by tabs and chips, sees why a request failed, and acts on several bills at once', async ({
  page,
  request,
  product,
}) => {
  test.setTimeout(240_000);
  const merchant = await newMerchant(product, 'Duka la Vitendo');
  const key = await newKey(product, merchant, 'Server');
  const bills = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills`;
  const list = page.getByRole('table', { name: 'Bills' });
  const tab = (name: string) => page.getByRole('navigation', { name: 'Bills by state' }).getByRole('link', { name });
  const make = (reference: string, more: object = {}) => newBill(request, product.sandboxUrl, key, { amount: 5000, reference, ...more });
  // The last digits of the number decide what the simulated customer does: 001 pays, 003 enters a wrong PIN.
  await make('WRONG-PIN', { mobile: '0712345003' });
  await make('PAYS', { mobile: '0712345001' });
  for (const index of [1, 2, 3]) await make(`OPEN-${index}`);
  await page.goto(bills);
  await signIn(page, merchant);

  await test.step('the row says why the request failed', async () => {
    await expect(list.getByRole('row', { name: /WRONG-PIN .*Not paid.*Wrong PIN · (just now|. min ago)/ })).toBeVisible({
      timeout: 30_000,
    });
    await expect(list.getByRole('row', { name: /PAYS .*Paid/ })).toBeVisible({ timeout: 30_000 });
  });

  await test.step('tabs count the bills under the other filters, and the footer adds them up', async () => {
    await page.reload();
    await expect(tab('All 5')).toHaveAttribute('aria-current', 'page');
    await tab('Failed request 1').click();
    await expect(tab('Failed request 1')).toHaveAttribute('aria-current', 'page');
    await expect(list.getByRole('link')).toHaveText(['WRONG-PIN']);
    await tab('Not paid 4').click();
    await expect(list.getByRole('link')).toHaveCount(4);
    const totals = page.getByRole('region', { name: 'Totals of these bills' });
    await expect(totals).toContainText('4 bills');
    await expect(totals).toContainText(/Outstanding\s*TZS\s20,000/);
    await page.getByRole('link', { name: 'Today' }).click();
    await expect(page).toHaveURL(`${bills}?status=NOT_PAID&state=open&period=today`);
    await expect(tab('Not paid 4')).toHaveAttribute('aria-current', 'page');
  });

  await test.step('the whole row is a link, and the number in it can be selected', async () => {
    await page.goto(bills);
    const row = list.getByRole('row', { name: /OPEN-1/ });
    const box = await row.boundingBox();
    if (!box) throw new Error('the row is not shown');
    await page.mouse.click(box.x + box.width - 60, box.y + box.height / 2);
    await expect(page.getByRole('heading', { name: 'Bill OPEN-1' })).toBeVisible();
    await page.goBack();
  });

  await test.step('selected bills stay selected while the list refreshes, and are closed together', async () => {
    await page.goto(bills);
    await list.getByRole('checkbox', { name: 'Select bill OPEN-1' }).check();
    await list.getByRole('checkbox', { name: 'Select bill PAYS' }).check();
    await page.waitForResponse((answer) => answer.url().includes('/bills/rows'));
    const bar = page.getByRole('region', { name: 'Selected bills' });
    await expect(bar).toContainText('2 bills selected');
    await list.getByRole('checkbox', { name: 'Select bill OPEN-2' }).check();
    await bar.getByRole('button', { name: 'Close bills' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close 2 bills?' });
    await expect(dialog).toContainText('Outstanding in total: TZS 10,000');
    await expect(dialog).toContainText('1 of the selected bills is left out');
    await isAccessible(page);
    await dialog.getByLabel('Reason').fill('Cancelled');
    await dialog.getByRole('button', { name: 'Close 2 bills' }).click();
    await expect(page.getByText('2 bills closed')).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(bar).toContainText('1 bill selected');
    await expect(tab('Closed 2')).toBeVisible();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await expect(bar).toHaveCount(0);
  });

  await test.step('a request is sent again with the keyboard only, to the bills for which it is possible', async () => {
    await page.goto(bills);
    await list.getByRole('checkbox', { name: 'Select all' }).focus();
    await page.keyboard.press('Space');
    const bar = page.getByRole('region', { name: 'Selected bills' });
    await expect(bar).toContainText('5 bills selected');
    await bar.getByRole('button', { name: 'Send request' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send 1 payment request?' });
    await expect(dialog).toContainText('In total: TZS 5,000');
    await dialog.getByRole('button', { name: 'Send 1 request' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 request sent')).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('QR codes are printed eight to a page', async () => {
    await page.goto(bills);
    await list.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('link', { name: 'Print QR codes' }).click();
    await expect(page.getByRole('heading', { name: 'QR codes' })).toBeVisible();
    await expect(page.getByText('3 selected bills are left out')).toBeVisible();
    await expect(page.getByRole('img', { name: /^QR code of bill/ })).toHaveCount(2);
    await looksWell(page, page.url(), 'bill-print');
  });

  await looksWell(page, bills, 'bill-list');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(bills);
  await expect(list.getByRole('link').first()).toBeInViewport();
});
