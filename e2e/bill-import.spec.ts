import { readFile } from 'node:fs/promises';
import { looksWell } from './looks';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const file = (content: string, name = 'ada.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

test('a file with errors creates no bills; after the fix, it creates each bill once, even if the button is pressed again', {
  tag: '@full',
}, async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Shule ya Mtihani');
  const key = await newKey(product, merchant, 'Server');
  await newBill(request, product.sandboxUrl, key, { amount: 500, reference: 'ADA-1' });
  const url = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/import`;
  await page.goto(url);
  await signIn(page, merchant);
  const upload = async (content: string, name?: string) => {
    await page.goto(url);
    await page.getByLabel(text('Import.file')).setInputFiles(file(content, name));
    await page.getByRole('button', { name: text('Import.check') }).click();
  };

  await test.step('files in a wrong format are refused with instructions', async () => {
    await looksWell(page, url, 'import');
    await upload('PK\u0003\u0004\u0000', 'ada.xlsx');
    await expect(page.getByText(text('Import.problem_no_text'))).toBeVisible();
    await upload('jina,kiasi\nAsha,5');
    await expect(page.getByText(text('Import.problem_columns_missing', { fields: text('BillField.reference') }))).toBeVisible();
    await upload(`amount,reference\n${'1,A\n'.repeat(700_000)}`);
    await expect(page.getByText(text('Import.problem_too_large'))).toBeVisible();
  });

  await test.step('an Excel file and pasted cells are read, and the template can be downloaded', async () => {
    await page.goto(url);
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: text('Import.template_xlsx') }).click(),
    ]);
    await page
      .getByLabel(text('Import.file'))
      .setInputFiles({ name: 'bills.xlsx', mimeType: '', buffer: await readFile(await template.path()) });
    // The scripts of the next page arrive after somebody has typed.
    const typed = Promise.withResolvers<void>();
    const scripts = /\/_next\/static\/.*\.js/;
    await page.route(scripts, async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: text('Import.check') }).click();
    await expect(page.getByText(text('Import.problem_empty'))).toBeVisible();
    await page.getByLabel(text('Import.cells')).fill('kiasi\tjina\n5000\tAsha');
    typed.resolve();
    await expect(page.getByText(text('Import.noneChosen'))).toBeVisible();
    await page.unroute(scripts);
    await expect(page.getByLabel(text('Import.cells'))).toHaveValue('kiasi\tjina\n5000\tAsha');
    await page.getByRole('button', { name: text('Import.check') }).click();
    await expect(page.getByText(text('Import.problem_columns_missing', { fields: text('BillField.reference') }))).toBeVisible();
    // What was pasted is still there, to be corrected.
    await expect(page.getByLabel(text('Import.cells'))).toHaveValue('kiasi\tjina\n5000\tAsha');
    await page.getByLabel(text('Import.cells')).fill('kiasi\tkumbukumbu\n5000\tBANDIKA-1');
    await page.getByRole('button', { name: text('Import.check') }).click();
    await expect(page.getByRole('heading', { name: text('Import.pastedName') })).toBeVisible();
    await expect(page.getByText('BANDIKA-1')).toBeVisible();
    await expect(page.getByText(text('Import.encoding'))).toHaveCount(0);
  });

  await test.step('every error is shown in its row', async () => {
    await upload('kiasi;kumbukumbu;simu\n12,500;ADA-1;0712345005\nelfu;ADA-2;12\n8000;;\n');
    await expect(page.getByText(text('Import.wrongTitle'))).toBeVisible();
    const wrong = page.getByRole('row', { name: /elfu/ });
    await expect(wrong).toContainText(text('BillField.amount_not_number'));
    await expect(wrong).toContainText(text('Import.read', { read: '12' }));
    await expect(page.getByRole('row', { name: text('BillField.reference_required') })).toBeVisible();
    await expect(page.getByRole('row', { name: text('BillField.reference_used') })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Create/ })).toHaveCount(0);
    await looksWell(page, page.url(), 'import-wrong');
  });

  await test.step('the fixed file creates three bills, even if the button is pressed twice', async () => {
    await upload(
      'kiasi;kumbukumbu;simu;mteja;mwisho wa kulipa\n12,500;ADA-1;0712345005;Asha Juma;30/11/2026\n8000;ADA-2;;;\n9000.50;=ADA-3;;;',
    );
    await expect(page.getByText(`Asha Juma · ${text('BillField.dueDate')}: 30 Nov 2026`)).toBeVisible();
    await expect(page.getByText(text('Import.warnedTitle'))).toBeVisible();
    await looksWell(page, page.url(), 'import-checked');
    await page.reload();
    await page.getByText(text('Import.askPhones', { count: '1' })).click();
    await page.getByRole('button', { name: text('Import.create', { count: 3 }) }).dblclick();
    await expect(page.getByText(text('Import.doneTitle', { made: 3 }))).toBeVisible();
    await looksWell(page, page.url(), 'import-done');
    await page.reload();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: text('Import.download') }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^2,12500\.00,ADA-1,0712345005,[0-9a-f-]{36},http.*\/pay\?bill=[0-9a-f-]{36},,Asha Juma,,2026-11-30$/);
    expect(lines[3]).toContain("'=ADA-3");
    await page.getByRole('link', { name: `${text('Import.openBill')} ADA-1` }).click();
    await expect(page.getByText(text('Bill.promptTitle', { amount: 'TZS 12,500', mobile: '0712345005' }), { exact: true })).toBeVisible();
  });

  await test.step('repeated rows create bills only after a confirmation', async () => {
    await upload(
      'kiasi;kumbukumbu;simu;mteja;mwisho wa kulipa\n12,500;ADA-1;0712345005;Asha Juma;30/11/2026\n8000;ADA-2;;;\n9000.50;=ADA-3;;;',
    );
    await expect(page.getByText(pattern('Import.beforeTitle'))).toBeVisible();
    await page.getByText(text('Import.again')).click();
    await page.getByRole('button', { name: text('Import.create', { count: 3 }) }).click();
    await expect(page.getByText(text('Import.doneTitle', { made: 3 }))).toBeVisible();
    await page.goto(url);
    await expect(page.getByText(text('Import.state_done'), { exact: true })).toHaveCount(2);
    await looksWell(page, url, 'import-list');
  });
});
