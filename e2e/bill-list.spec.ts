import { readFile } from 'node:fs/promises';
import { sheetRows, unzip } from '@/testing/data/read-workbook';
import { keepPicture, looksWell } from './looks';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { either, pattern, text } from './texts';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a merchant filters, saves a view, turns pages, sees updates, searches and exports', { tag: '@full' }, async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Orodha');
  const key = await newKey(product, merchant, 'Server');
  const scope = ['--merchant', merchant.slug, '--environment', 'sandbox'];
  const bills = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills`;
  const list = page.getByRole('table', { name: text('BillList.title') });

  await test.step('an empty list says what to do', async () => {
    await page.goto(bills);
    await signIn(page, merchant);
    await expect(page.getByText(text('BillList.emptyTitle'))).toBeVisible();
    await expect(page.getByRole('link', { name: text('BillList.emptyCreate') })).toHaveAttribute(
      'href',
      `/m/${merchant.slug}/sandbox/bills/new`,
    );
    await looksWell(page, bills, 'bill-list-blank');
    await product.bili(['demo', 'seed', ...scope, '--bills', '130']);
  });

  await test.step('adds filters and removes one', async () => {
    await page.goto(bills);
    await expect(page.getByText(text('BillList.total', { shown: '130', count: 130 }))).toBeVisible();
    await page.getByRole('button', { name: text('BillTabs.moreFilters') }).click();
    await page.getByLabel(text('Status.FULLY_PAID'), { exact: true }).check();
    await page.getByLabel(text('BillList.least')).fill('1,000');
    await page.getByLabel(text('BillList.sort')).selectOption(text('BillList.sort_largest'));
    await page.getByRole('button', { name: text('BillList.show'), exact: true }).click();
    await expect(page).toHaveURL(/status=FULLY_PAID/);
    await expect(list.getByText(text('BillRows.short_NOT_PAID'))).toHaveCount(0);
    await page
      .getByRole('link', { name: text('BillList.remove', { filter: text('BillList.leastPart', { amount: 'TZS 1,000' }) }) })
      .click();
    await expect(page).toHaveURL(`${bills}?status=FULLY_PAID&sort=largest`);
  });

  await test.step('filters by days that are typed as day, month and year; the address has ISO dates', async () => {
    await page.goto(bills);
    await page.getByRole('button', { name: text('BillTabs.moreFilters') }).click();
    await page.getByRole('combobox', { name: text('BillList.period') }).selectOption(text('BillList.period_days'));
    await page.getByLabel(text('BillList.from'), { exact: true }).fill('1.2.2020');
    await page.getByLabel(text('BillList.to'), { exact: true }).fill('11/12/2020');
    await page.getByRole('button', { name: text('BillList.show'), exact: true }).click();
    await expect(page).toHaveURL(/from=2020-02-01&to=2020-12-11/);
  });

  await test.step('saves, renames and deletes a view', async () => {
    await page.goto(`${bills}?status=FULLY_PAID&sort=largest`);
    await page.getByText(text('BillList.saveView')).click();
    await page.getByLabel(text('BillList.viewName')).fill('Paid, large first');
    await page.getByRole('button', { name: text('BillList.save'), exact: true }).click();
    await expect(page.getByRole('link', { name: 'Paid, large first' })).toHaveAttribute('aria-current', 'page');
    await page.goto(`${bills}?status=NOT_PAID`);
    await page.getByText(text('BillList.saveView')).click();
    await page.getByLabel(text('BillList.viewName')).fill('Paid, large first');
    await page.getByRole('button', { name: text('BillList.save'), exact: true }).click();
    await expect(page.getByText(text('BillList.view_name_used'))).toBeVisible();
    await expect(page.getByLabel(text('BillList.viewName'))).toHaveValue('Paid, large first');
    await page.getByRole('link', { name: 'Paid, large first' }).click();
    await page.getByText(text('BillList.changeView')).click();
    await page.getByLabel(text('BillList.viewName')).fill('Large');
    await page.getByRole('button', { name: text('BillList.rename') }).click();
    await expect(page.getByRole('link', { name: 'Large', exact: true })).toBeVisible();
    await looksWell(page, `${bills}?status=FULLY_PAID&sort=largest`, 'bill-list-filtered');
    await page.goto(`${bills}?status=FULLY_PAID&sort=largest`);
    await page.getByText(text('BillList.changeView')).click();
    await page.getByRole('button', { name: text('BillList.deleteView', { name: 'Large' }) }).click();
    await expect(page).toHaveURL(bills);
    await expect(page.getByRole('link', { name: 'Large', exact: true })).toHaveCount(0);
  });

  await test.step('pages forward and back', async () => {
    await page.goto(`${bills}?size=50`);
    const first = await list.getByRole('link').first().innerText();
    await page.getByRole('link', { name: text('BillList.next') }).click();
    await expect(page).toHaveURL(/page=/);
    await page.getByRole('link', { name: text('BillList.next') }).click();
    await expect(list.getByRole('row')).toHaveCount(31);
    await expect(page.getByRole('link', { name: text('BillList.next') })).toHaveCount(0);
    await page.getByRole('link', { name: text('BillList.previous') }).click();
    await expect(page.getByRole('link', { name: text('BillList.next') })).toBeVisible();
    await page.getByRole('link', { name: text('BillList.previous') }).click();
    await expect(list.getByRole('link').first()).toHaveText(first);
  });

  await test.step('a bill becomes paid in its row, and new bills are announced without moving the list', async () => {
    const { id } = await newBill(request, product.sandboxUrl, key, { amount: 700, reference: 'LIVE-1' });
    await page.goto(bills);
    await expect(list.getByRole('row', { name: new RegExp(`LIVE-1 .*${text('Status.NOT_PAID')}`) })).toBeVisible();
    // The customer pays only after the list is shown, because the test checks that the open list changes the row of the bill.
    const customer = await page.context().newPage();
    await customer.goto(`${product.sandboxUrl}/pay?bill=${id}&lang=en`);
    await customer.getByLabel(text('Pay.mobileLabel')).fill('0712345001');
    await customer.getByRole('button', { name: pattern('Pay.payButton') }).click();
    await expect(
      customer.getByRole('heading', { name: either(text('Pay.sendingTitle'), text('Pay.promptedTitle'), text('Pay.paidTitle')) }),
    ).toBeVisible();
    await customer.close();
    await newBill(request, product.sandboxUrl, key, { amount: 800, reference: 'LIVE-2' });
    await newBill(request, product.sandboxUrl, key, { amount: 900, reference: 'LIVE-3' });
    await expect(list.getByRole('row', { name: new RegExp(`LIVE-1 .*${text('Status.FULLY_PAID')}`) })).toBeVisible();
    const news = page.getByRole('link', { name: text('BillList.newer', { count: 2 }) });
    await expect(news).toBeVisible();
    await expect(list.getByRole('link').first()).toHaveText('LIVE-1');
    await news.click();
    await expect(list.getByRole('link').first()).toHaveText('LIVE-3');
    await expect(news).toHaveCount(0);
  });

  await test.step('invalid parameters are explained, and an empty result says so', async () => {
    await page.goto(`${bills}?status=PAID&least=much`);
    await expect(page.getByText(text('BillList.problem_status', { value: 'PAID' }))).toBeVisible();
    await looksWell(page, `${bills}?status=PAID&least=much`, 'bill-list-problems');
    await page.goto(`${bills}?reference=NONE`);
    await expect(page.getByText(text('BillList.noneTitle'))).toBeVisible();
    await looksWell(page, `${bills}?reference=NONE`, 'bill-list-none');
  });

  /** Searches from the keyboard. Presses `/` repeatedly, because the key works only after the page's script has started. */
  async function searchFor(typed: string): Promise<void> {
    await expect(async () => {
      await page.keyboard.press('/');
      await expect(page.getByRole('combobox', { name: text('SearchBox.label') })).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.type(`${typed}\n`);
  }

  await test.step('searches with the slash key: one result opens the bill, several open a list', async () => {
    await page.goto(bills);
    await searchFor('LIVE-2');
    await expect(page.getByRole('heading', { name: 'LIVE-2' })).toBeVisible();
    await searchFor('LIVE');
    await expect(page.getByRole('heading', { name: text('Search.found', { asked: 'LIVE' }) })).toBeVisible();
    await expect(page.getByRole('link', { name: /^LIVE-/ })).toHaveCount(3);
    await looksWell(page, `${product.liveUrl}/m/${merchant.slug}/sandbox/search?q=LIVE`, 'search');
    await looksWell(page, `${product.liveUrl}/m/${merchant.slug}/sandbox/search?q=nothing-such`, 'search-none');
  });

  await test.step('exports only the filtered bills', async () => {
    await page.goto(`${bills}?reference=LIVE`);
    await page.getByRole('button', { name: text('BillExport.export') }).click();
    const dialog = page.getByRole('dialog', { name: text('BillExport.exportTitle') });
    await expect(dialog.getByText(text('BillExport.exportCount', { shown: '3', count: 3 }))).toBeVisible();
    await dialog.getByLabel(text('BillExport.format')).selectOption(text('BillExport.format_csv'));
    await dialog.getByText(text('BillExport.options'), { exact: true }).click();
    await dialog.getByLabel(text('BillExport.column_description')).uncheck();
    await dialog.getByLabel(text('BillExport.separator')).selectOption(text('BillExport.separator_semicolon'));
    await keepPicture(page, 'bill-list-export-1280-light-en');
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: text('BillExport.download') }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^bills-${merchant.slug}-sandbox-\\d{4}-\\d{2}-\\d{2}\\.csv$`));
    await expect(dialog.getByText(text('BillExport.downloaded', { rows: '3' }))).toBeVisible();
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffReference;Customer;Amount;Paid amount;Remaining;Status;Due date;Mobile number;Created;Paid at;Closed at;Receipt numbers',
    );
    expect(lines.slice(1).map((line) => line.split(';')[0])).toEqual(['LIVE-3', 'LIVE-2', 'LIVE-1']);
    await dialog.getByLabel(text('BillExport.format')).selectOption(text('BillExport.format_xlsx'));
    await dialog.getByLabel(text('BillExport.headings')).selectOption(text('BillExport.headings_sw'));
    const workbook = page.waitForEvent('download');
    await dialog.getByRole('button', { name: text('BillExport.download') }).click();
    const file = await workbook;
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
    const rows = sheetRows(unzip(await readFile(await file.path())).get('xl/worksheets/sheet1.xml') ?? '');
    expect(rows.map(([reference]) => reference)).toEqual(['"Kumbukumbu"', '"LIVE-3"', '"LIVE-2"', '"LIVE-1"', '"Jumla"']);
  });

  await looksWell(page, `${bills}?failed=1`, 'bill-list-filled');
});

test('filters, pages and saved views work without JavaScript', { tag: '@full' }, async ({ browser, product }) => {
  const merchant = await newMerchant(product, 'Duka Bila Hati');
  await product.bili(['demo', 'seed', '--merchant', merchant.slug, '--environment', 'sandbox', '--bills', '60']);
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
  await signIn(page, merchant);
  await page.getByRole('button', { name: text('BillTabs.moreFilters') }).click();
  await page.getByLabel(text('Status.FULLY_PAID'), { exact: true }).check();
  await page.getByRole('button', { name: text('BillList.show'), exact: true }).click();
  await page.getByRole('link', { name: text('BillList.next') }).click();
  await expect(page.getByRole('link', { name: text('BillList.previous') })).toBeVisible();
  await page.getByText(text('BillList.saveView')).click();
  await page.getByLabel(text('BillList.viewName')).fill('Paid');
  await page.getByRole('button', { name: text('BillList.save'), exact: true }).click();
  await expect(
    page.getByRole('navigation', { name: text('BillList.views') }).getByRole('link', { name: 'Paid', exact: true }),
  ).toHaveAttribute('aria-current', 'page');
  const answer = await context.request.get(
    await page.getByRole('link', { name: text('BillExport.export') }).evaluate((link: HTMLAnchorElement) => link.href),
  );
  expect(answer.headers()['content-type']).toContain('spreadsheetml');
  await context.close();
});
