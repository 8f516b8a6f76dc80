import { readFile } from 'node:fs/promises';
import { looksWell } from './looks';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const file = (text: string, name = 'ada.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('a file with errors creates no bills; after the fix, it creates each bill once, even if the button is pressed again', async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Shule ya Mtihani');
  const key = await newKey(product, merchant, 'Server');
  await newBill(request, product.sandboxUrl, key, { amount: 500, reference: 'ADA-1' });
  const url = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/import`;
  await page.goto(url);
  await signIn(page, merchant);
  const upload = async (text: string, name?: string) => {
    await page.goto(url);
    await page.getByLabel('CSV file').setInputFiles(file(text, name));
    await page.getByRole('button', { name: 'Check file' }).click();
  };

  await test.step('files in a wrong format are refused with instructions', async () => {
    await looksWell(page, url, 'import');
    await upload('PK\u0003\u0004\u0000', 'ada.xlsx');
    await expect(page.getByText('This is not a CSV file')).toBeVisible();
    await upload('jina,kiasi\nAsha,5');
    await expect(page.getByText('Columns missing in the first row: Reference.')).toBeVisible();
    await upload(`amount,reference\n${'1,A\n'.repeat(700_000)}`);
    await expect(page.getByText('The file is larger than 2 MB.')).toBeVisible();
  });

  await test.step('every error is shown in its row', async () => {
    await upload('kiasi;kumbukumbu;simu\n12,500;ADA-1;0712345005\nelfu;ADA-2;12\n8000;;\n');
    await expect(page.getByText('Fix the file and upload it again')).toBeVisible();
    const wrong = page.getByRole('row', { name: /elfu/ });
    await expect(wrong).toContainText('Enter the amount in digits, for example 12,500.');
    await expect(wrong).toContainText('The cell contains “12”.');
    await expect(page.getByRole('row', { name: /The reference is missing/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Another bill already has this reference/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Create/ })).toHaveCount(0);
    await looksWell(page, page.url(), 'import-wrong');
  });

  await test.step('the fixed file creates three bills, even if the button is pressed twice', async () => {
    await upload(
      'kiasi;kumbukumbu;simu;mteja;mwisho wa kulipa\n12,500;ADA-1;0712345005;Asha Juma;30/11/2026\n8000;ADA-2;;;\n9000.50;=ADA-3;;;',
    );
    await expect(page.getByText('Asha Juma · Due date: 30 Nov 2026')).toBeVisible();
    await expect(page.getByText('Some references are already used')).toBeVisible();
    await looksWell(page, page.url(), 'import-checked');
    await page.reload();
    await page.getByText('Send payment requests now (phones: 1)').click();
    await page.getByRole('button', { name: 'Create 3 bills' }).dblclick();
    await expect(page.getByText('3 bills created')).toBeVisible();
    await looksWell(page, page.url(), 'import-done');
    await page.reload();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download bills with payment links' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^2,12500\.00,ADA-1,0712345005,[0-9a-f-]{36},http.*\/pay\?bill=[0-9a-f-]{36},,Asha Juma,,2026-11-30$/);
    expect(lines[3]).toContain("'=ADA-3");
    await page.getByRole('link', { name: /Open the bill ADA-1/ }).click();
    await expect(page.getByText('Payment request for TZS 12,500 to 0712345005', { exact: true })).toBeVisible();
  });

  await test.step('repeated rows create bills only after a confirmation', async () => {
    await upload(
      'kiasi;kumbukumbu;simu;mteja;mwisho wa kulipa\n12,500;ADA-1;0712345005;Asha Juma;30/11/2026\n8000;ADA-2;;;\n9000.50;=ADA-3;;;',
    );
    await expect(page.getByText('Bills were already created from the same rows')).toBeVisible();
    await page.getByText('Yes, create these bills again').click();
    await page.getByRole('button', { name: 'Create 3 bills' }).click();
    await expect(page.getByText('3 bills created')).toBeVisible();
    await page.goto(url);
    await expect(page.getByText('Bills created', { exact: true })).toHaveCount(2);
    await looksWell(page, url, 'import-list');
  });
});
