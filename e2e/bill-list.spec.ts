import { readFile } from 'node:fs/promises';
import { sheetRows, unzip } from '@/lib/testing/data/read-workbook';
import { keepPicture, looksWell } from './looks';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a merchant filters, saves a view, turns pages, sees updates, searches and exports', async ({ page, request, product }) => {
  test.setTimeout(240_000);
  const merchant = await newMerchant(product, 'Duka la Orodha');
  const key = await newKey(product, merchant, 'Server');
  const scope = ['--merchant', merchant.slug, '--environment', 'sandbox'];
  const bills = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills`;
  const list = page.getByRole('table', { name: 'Bills' });

  await test.step('an empty list says what to do', async () => {
    await page.goto(bills);
    await signIn(page, merchant);
    await expect(page.getByText('No bills yet')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Create your first bill' })).toHaveAttribute(
      'href',
      `/m/${merchant.slug}/sandbox/bills/new`,
    );
    await looksWell(page, bills, 'bill-list-blank');
    await product.bili(['demo', 'seed', ...scope, '--bills', '130']);
  });

  await test.step('adds filters and removes one', async () => {
    await page.goto(bills);
    await expect(page.getByText('130 bills')).toBeVisible();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Paid', { exact: true }).check();
    await page.getByLabel('Minimum amount').fill('1,000');
    await page.getByLabel('Sort by').selectOption('Highest amount first');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(page).toHaveURL(/status=FULLY_PAID/);
    await expect(list.getByText('Not paid')).toHaveCount(0);
    await page.getByRole('link', { name: 'Remove filter: At least TZS 1,000' }).click();
    await expect(page).toHaveURL(`${bills}?status=FULLY_PAID&sort=largest`);
  });

  await test.step('saves, renames and deletes a view', async () => {
    await page.getByText('Save this list').click();
    await page.getByLabel('Name of the list').fill('Paid, large first');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('link', { name: 'Paid, large first' })).toHaveAttribute('aria-current', 'page');
    await page.goto(`${bills}?status=NOT_PAID`);
    await page.getByText('Save this list').click();
    await page.getByLabel('Name of the list').fill('Paid, large first');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('You already have a list with this name.')).toBeVisible();
    await expect(page.getByLabel('Name of the list')).toHaveValue('Paid, large first');
    await page.getByRole('link', { name: 'Paid, large first' }).click();
    await page.getByText('Edit this list').click();
    await page.getByLabel('Name of the list').fill('Large');
    await page.getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('link', { name: 'Large', exact: true })).toBeVisible();
    await looksWell(page, `${bills}?status=FULLY_PAID&sort=largest`, 'bill-list-filtered');
    await page.goto(`${bills}?status=FULLY_PAID&sort=largest`);
    await page.getByText('Edit this list').click();
    await page.getByRole('button', { name: 'Delete “Large”' }).click();
    await expect(page).toHaveURL(bills);
    await expect(page.getByRole('link', { name: 'Large', exact: true })).toHaveCount(0);
  });

  await test.step('pages forward and back', async () => {
    await page.goto(`${bills}?size=50`);
    const first = await list.getByRole('link').first().innerText();
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page).toHaveURL(/page=/);
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(list.getByRole('row')).toHaveCount(31);
    await expect(page.getByRole('link', { name: 'Next' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Previous' }).click();
    await expect(page.getByRole('link', { name: 'Next' })).toBeVisible();
    await page.getByRole('link', { name: 'Previous' }).click();
    await expect(list.getByRole('link').first()).toHaveText(first);
  });

  await test.step('a bill becomes paid in its row, and new bills are announced without moving the list', async () => {
    const { id } = await newBill(request, product.sandboxUrl, key, { amount: 700, reference: 'LIVE-1' });
    await page.goto(bills);
    await expect(list.getByRole('row', { name: /LIVE-1 .*Not paid/ })).toBeVisible();
    // The customer pays only after the list is shown, because the test checks that the open list changes the row of the bill.
    const customer = await page.context().newPage();
    await customer.goto(`${product.sandboxUrl}/pay?bill=${id}&lang=en`);
    await customer.getByLabel('Mobile money number').fill('0712345001');
    await customer.getByRole('button', { name: /^Pay / }).click();
    await expect(customer.getByRole('heading', { name: /^(Sending the request…|Check your phone|Paid. Thank you.)$/ })).toBeVisible();
    await customer.close();
    await newBill(request, product.sandboxUrl, key, { amount: 800, reference: 'LIVE-2' });
    await newBill(request, product.sandboxUrl, key, { amount: 900, reference: 'LIVE-3' });
    await expect(list.getByRole('row', { name: /LIVE-1 .*Paid/ })).toBeVisible({ timeout: 30_000 });
    const news = page.getByRole('link', { name: 'Show 2 new bills' });
    await expect(news).toBeVisible({ timeout: 20_000 });
    await expect(list.getByRole('link').first()).toHaveText('LIVE-1');
    await news.click();
    await expect(list.getByRole('link').first()).toHaveText('LIVE-3');
    await expect(news).toHaveCount(0);
  });

  await test.step('invalid parameters are explained, and an empty result says so', async () => {
    await page.goto(`${bills}?status=PAID&least=much`);
    await expect(page.getByText('“PAID” is not a valid status.')).toBeVisible();
    await looksWell(page, `${bills}?status=PAID&least=much`, 'bill-list-problems');
    await page.goto(`${bills}?reference=NONE`);
    await expect(page.getByText('No bills found')).toBeVisible();
    await looksWell(page, `${bills}?reference=NONE`, 'bill-list-none');
  });

  /** Searches from the keyboard. Presses `/` repeatedly, because the key works only after the page's script has started. */
  async function searchFor(text: string): Promise<void> {
    await expect(async () => {
      await page.keyboard.press('/');
      await expect(page.getByRole('combobox', { name: 'Search bills' })).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.type(`${text}\n`);
  }

  await test.step('searches with the slash key: one result opens the bill, several open a list', async () => {
    await page.goto(bills);
    await searchFor('LIVE-2');
    await expect(page.getByRole('heading', { name: 'Bill LIVE-2' })).toBeVisible();
    await searchFor('LIVE');
    await expect(page.getByRole('heading', { name: 'Results for “LIVE”' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^LIVE-/ })).toHaveCount(3);
    await looksWell(page, `${product.liveUrl}/m/${merchant.slug}/sandbox/search?q=LIVE`, 'search');
    await looksWell(page, `${product.liveUrl}/m/${merchant.slug}/sandbox/search?q=nothing-such`, 'search-none');
  });

  await test.step('exports only the filtered bills', async () => {
    await page.goto(`${bills}?reference=LIVE`);
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export these bills' });
    await expect(dialog.getByText('3 bills')).toBeVisible();
    await dialog.getByLabel('File format').selectOption('CSV');
    await dialog.getByText('Options', { exact: true }).click();
    await dialog.getByLabel('Description').uncheck();
    await dialog.getByLabel('Separator').selectOption('Semicolon');
    await keepPicture(page, 'bill-list-export-1280-light-en');
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^bills-${merchant.slug}-sandbox-\\d{4}-\\d{2}-\\d{2}\\.csv$`));
    await expect(dialog.getByText('Download complete: 3 bills.')).toBeVisible();
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffReference;Customer;Amount;Paid amount;Remaining;Status;Due date;Mobile number;Created;Paid at;Closed at;Receipt numbers',
    );
    expect(lines.slice(1).map((line) => line.split(';')[0])).toEqual(['LIVE-3', 'LIVE-2', 'LIVE-1']);
    await dialog.getByLabel('File format').selectOption('Excel (XLSX)');
    await dialog.getByLabel('Language of headings and statuses').selectOption('Swahili');
    const workbook = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const file = await workbook;
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
    const rows = sheetRows(unzip(await readFile(await file.path())).get('xl/worksheets/sheet1.xml') ?? '');
    expect(rows.map(([reference]) => reference)).toEqual(['"Kumbukumbu"', '"LIVE-3"', '"LIVE-2"', '"LIVE-1"', '"Jumla"']);
  });

  await looksWell(page, `${bills}?failed=1`, 'bill-list-filled');
});

test('filters, pages and saved views work without JavaScript', async ({ browser, product }) => {
  const merchant = await newMerchant(product, 'Duka Bila Hati');
  await product.bili(['demo', 'seed', '--merchant', merchant.slug, '--environment', 'sandbox', '--bills', '60']);
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills`);
  await signIn(page, merchant);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Paid', { exact: true }).check();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('link', { name: 'Previous' })).toBeVisible();
  await page.getByText('Save this list').click();
  await page.getByLabel('Name of the list').fill('Paid');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Saved lists' }).getByRole('link', { name: 'Paid', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  const answer = await context.request.get(
    await page.getByRole('link', { name: 'Export' }).evaluate((link: HTMLAnchorElement) => link.href),
  );
  expect(answer.headers()['content-type']).toContain('spreadsheetml');
  await context.close();
});
