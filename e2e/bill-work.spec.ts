import { looksWell } from './looks';
import { fitsThePhone, isAccessible } from './page-checks';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';
import { findBrokenAmounts } from './window-checks';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a shop finds bills by tabs and chips, sees why a request failed, and acts on several bills at once', async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Vitendo');
  const key = await newKey(product, merchant, 'Server');
  const bills = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills`;
  const list = page.getByRole('table', { name: text('BillList.title') });
  const tab = (name: string) => page.getByRole('navigation', { name: text('BillTabs.label') }).getByRole('link', { name });
  const make = (reference: string, more: object = {}) => newBill(request, product.sandboxUrl, key, { amount: 5000, reference, ...more });
  // The last digits of the number decide what the simulated customer does: 001 pays, 003 enters a wrong PIN.
  await make('WRONG-PIN', { mobile: '0712345003' });
  await make('PAYS', { mobile: '0712345001' });
  for (const index of [1, 2, 3]) await make(`OPEN-${index}`);
  await page.goto(bills);
  await signIn(page, merchant);

  await test.step('the row says why the request failed', async () => {
    await expect(
      list.getByRole('row', { name: new RegExp(`WRONG-PIN .*${text('Status.NOT_PAID')}.*${text('BillRows.reason_wrong_pin')} · `) }),
    ).toBeVisible();
    await expect(list.getByRole('row', { name: new RegExp(`PAYS .*${text('Status.FULLY_PAID')}`) })).toBeVisible();
  });

  await test.step('tabs count the bills under the other filters, and the footer adds them up', async () => {
    await page.reload();
    await expect(tab('All 5')).toHaveAttribute('aria-current', 'page');
    await tab('Failed request 1').click();
    await expect(tab('Failed request 1')).toHaveAttribute('aria-current', 'page');
    await expect(list.getByRole('link')).toHaveText(['WRONG-PIN']);
    await tab('Not paid 4').click();
    await expect(list.getByRole('link')).toHaveCount(4);
    const totals = page.getByRole('region', { name: text('BillTotals.label') });
    await expect(totals).toContainText(text('BillTotals.count', { shown: '4', count: 4 }));
    await expect(totals).toContainText(new RegExp(`${text('BillTotals.outstanding')}\\s*TZS\\s20,000`));
    await page.getByRole('link', { name: text('BillList.period_today') }).click();
    await expect(page).toHaveURL(`${bills}?status=NOT_PAID&state=open&period=today`);
    await expect(tab('Not paid 4')).toHaveAttribute('aria-current', 'page');
  });

  await test.step('the whole row is a link, and the number in it can be selected', async () => {
    await page.goto(bills);
    const row = list.getByRole('row', { name: /OPEN-1/ });
    const box = await row.boundingBox();
    if (!box) throw new Error('the row is not shown');
    await page.mouse.click(box.x + box.width - 60, box.y + box.height / 2);
    await expect(page.getByRole('heading', { name: 'OPEN-1' })).toBeVisible();
    await page.goBack();
  });

  await test.step('selected bills stay selected while the list refreshes, and are closed together', async () => {
    await page.goto(bills);
    await list.getByRole('checkbox', { name: text('BillRows.select', { reference: 'OPEN-1' }) }).check();
    await list.getByRole('checkbox', { name: text('BillRows.select', { reference: 'PAYS' }) }).check();
    await page.waitForResponse((answer) => answer.url().includes('/bills/rows'));
    const bar = page.getByRole('region', { name: text('BulkBills.label') });
    await expect(bar).toContainText(text('BulkBills.selected', { count: 2 }));
    await list.getByRole('checkbox', { name: text('BillRows.select', { reference: 'OPEN-2' }) }).check();
    await bar.getByRole('button', { name: text('BulkBills.close') }).click();
    const dialog = page.getByRole('dialog', { name: text('BulkBills.closeTitle', { count: 2 }) });
    await expect(dialog).toContainText(text('BulkBills.closeText', { amount: 'TZS 10,000' }));
    await expect(dialog).toContainText(text('BulkBills.skipped', { count: 1 }));
    await isAccessible(page);
    await dialog.getByLabel(text('CloseReason.reason')).fill('Cancelled');
    await dialog.getByRole('button', { name: text('BulkBills.closeNow', { count: 2 }) }).click();
    await expect(page.getByText(text('BulkBills.doneClose', { count: 2 }))).toBeVisible();
    await page.getByRole('button', { name: text('BulkBills.finished') }).click();
    await expect(bar).toContainText(text('BulkBills.selected', { count: 1 }));
    await expect(tab('Closed 2')).toBeVisible();
    await bar.getByRole('button', { name: text('BulkBills.clear') }).click();
    await expect(bar).toHaveCount(0);
  });

  await test.step('a request is sent again with the keyboard only, to the bills for which it is possible', async () => {
    await page.goto(bills);
    await list.getByRole('checkbox', { name: text('BillRows.selectAll') }).focus();
    await page.keyboard.press('Space');
    const bar = page.getByRole('region', { name: text('BulkBills.label') });
    await expect(bar).toContainText(text('BulkBills.selected', { count: 5 }));
    await bar.getByRole('button', { name: text('BulkBills.request') }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: text('BulkBills.requestTitle', { count: 1 }) });
    await expect(dialog).toContainText(text('BulkBills.requestText', { amount: 'TZS 5,000' }));
    await dialog.getByRole('button', { name: text('BulkBills.requestNow', { count: 1 }) }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(text('BulkBills.doneRequest', { count: 1 }))).toBeVisible();
    await page.getByRole('button', { name: text('BulkBills.finished') }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('QR codes are printed eight to a page', async () => {
    await page.goto(bills);
    await list.getByRole('checkbox', { name: text('BillRows.selectAll') }).check();
    await page.getByRole('link', { name: text('BulkBills.print') }).click();
    await expect(page.getByRole('heading', { name: text('PrintCodes.title') })).toBeVisible();
    await expect(page.getByText(text('PrintCodes.omitted', { count: 3 }))).toBeVisible();
    await expect(page.getByRole('img', { name: pattern('PrintCodes.qrLabel') })).toHaveCount(2);
    await looksWell(page, page.url(), 'bill-print');
  });

  await looksWell(page, bills, 'bill-list');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(bills);
  await expect(list.getByRole('link').first()).toBeInViewport();
});

test('a large amount stays in its place, and an action that no selected bill allows says so', { tag: '@full' }, async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Jumla');
  const key = await newKey(product, merchant, 'Server');
  // Without a mobile number, no payment request can be sent.
  const { id } = await newBill(request, product.sandboxUrl, key, { amount: 999_999_999.99, reference: 'LARGE' });
  const bills = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills`;
  await page.goto(bills);
  await signIn(page, merchant);
  const list = page.getByRole('table', { name: text('BillList.title') });
  const overflow = (cell: Element) => cell.scrollWidth - cell.clientWidth;
  expect(await list.getByRole('cell', { name: '999,999,999.99' }).evaluate(overflow)).toBeLessThanOrEqual(0);

  await page.setViewportSize({ width: 360, height: 740 });
  await list.getByRole('checkbox', { name: text('BillRows.select', { reference: 'LARGE' }) }).check();
  const bar = page.getByRole('region', { name: text('BulkBills.label') });
  for (const button of await bar.locator('a, button').all()) expect(await button.evaluate(overflow)).toBeLessThanOrEqual(0);
  await bar.getByRole('button', { name: text('BulkBills.request') }).click();
  const dialog = page.getByRole('dialog', { name: text('BulkBills.request') });
  await expect(dialog).toContainText(text('BulkBills.nonePossible'));
  for (const path of [bills, `${bills}/${id}`, `${bills}/print?id=${id}`]) {
    await page.goto(path);
    expect(await page.evaluate(findBrokenAmounts), path).toEqual([]);
    await fitsThePhone(page);
  }
});
