import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { looksWell } from './looks';
import { fitsThePhone } from './page-checks';
import { newBill, newKey, newMerchant, postBill, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-settings-'));
  const picture = sharp({ create: { width: 300, height: 100, channels: 4, background: '#0a2a5e' } });
  await writeFile(join(folder, 'logo.png'), await picture.png().toBuffer());
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'large.png'), Buffer.concat([await picture.png().toBuffer(), Buffer.alloc(3_000_000)]));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('settings appear on the payment page, and invalid input is kept in the form', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Mipangilio');
  const key = await newKey(product, merchant, 'Server');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 12_500, reference: 'ONCE' });
  const pay = `${product.sandboxUrl}/pay?bill=${bill.id}`;
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
  await signIn(page, merchant);
  const card = (name: string) => page.getByRole('region', { name });
  const save = async (name: string) => {
    await card(name).getByRole('button', { name: 'Save', exact: true }).click();
    await expect(card(name).getByRole('status').getByText('Saved').first()).toBeVisible();
  };

  await test.step('name and language', async () => {
    await page.getByLabel('Business name').fill('   ');
    await card('Business').getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Enter a name of 1 to 100 characters')).toBeVisible();
    await page.getByLabel('Business name').fill('Mama Asha & Co');
    await page.getByLabel('Language of the payment page and e-mails').selectOption('sw');
    await save('Business');
    await expect(page.getByLabel('Language of the payment page and e-mails')).toHaveValue('sw');
    await expect(page.getByRole('banner').getByText('Mama Asha & Co')).toBeVisible();
    await page.goto(pay);
    await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
    await expect(page.getByText('Mama Asha & Co').first()).toBeVisible();
    await page.goto(`${pay}&lang=en`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
  });

  await test.step('the payment page links back to a website of the shop, and to no other', async () => {
    const addresses = page.getByLabel('Website addresses');
    await addresses.fill('https://shop.example.com/cart\nhttp://plain.example.com');
    await card('Links back to your website').getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('http://plain.example.com is not an https address.')).toBeVisible();
    await addresses.fill('shop.example.com');
    await save('Links back to your website');
    await expect(addresses).toHaveValue('https://shop.example.com');
    const post = (returnUrl: string) =>
      postBill(request, product.sandboxUrl, key, { amount: 1_000, reference: 'BACK', returnUrl, language: 'en' });
    await expect(async () => {
      expect((await post('https://shop.example.com/done?order=7')).headers()['bili-ignored']).toBeUndefined();
    }).toPass();
    const { id, webPayUrl } = await (await post('https://shop.example.com/done?order=7')).json();
    expect((await post('https://evil.example.com/')).headers()['bili-ignored']).toBe('returnUrl');
    await page.goto(webPayUrl);
    const link = page.getByRole('link', { name: 'Back to Mama Asha & Co' });
    await expect(link).toHaveAttribute('href', `https://shop.example.com/done?order=7&bill=${id}`);
    await looksWell(page, webPayUrl, 'pay-return');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
  });

  await test.step('an invalid logo is refused with an explanation, and the colour is kept', async () => {
    for (const [file, words] of [
      ['logo.svg', 'This picture cannot be used: the file is not a PNG, JPEG, WebP or GIF.'],
      ['large.png', 'This picture cannot be used: the picture is larger than 2 MB.'],
    ] as const) {
      await page.getByLabel('Colour', { exact: true }).fill('#ffcc00');
      await page.getByLabel('Logo', { exact: true }).setInputFiles(join(folder, file));
      await page.getByRole('button', { name: 'Save logo' }).click();
      await expect(page.getByText(words)).toBeVisible();
      await expect(page.getByLabel('Colour', { exact: true })).toHaveValue('#ffcc00');
    }
    await page.getByLabel('Colour', { exact: true }).fill('yellowish');
    await card('Business').getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Enter a colour like #00aa77.')).toBeVisible();
  });

  await test.step('logo, colour and number appear in the preview and on the payment page', async () => {
    await page.getByLabel('Colour', { exact: true }).fill('#ffcc00');
    await page.getByLabel('Support number').fill('+255 712 345 678');
    await page.getByLabel('Logo', { exact: true }).setInputFiles(join(folder, 'logo.png'));
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect(preview.getByText('Help: 0712 345 678')).toBeVisible();
    await expect(preview.getByRole('img')).toHaveAttribute('src', /^blob:/);
    await expect(preview.getByText('#ffcc00').first()).toBeVisible();
    await save('Business');
    await page.getByRole('button', { name: 'Save logo' }).click();
    await expect(preview.getByRole('img')).toHaveAttribute('src', /^\/pay\/logo\//);
    await expect(card('Business').getByRole('form', { name: 'Save logo' }).getByRole('status')).toHaveText('Saved');
    await page.goto(`${pay}&lang=en`);
    await expect(page.getByRole('img', { name: 'Mama Asha & Co' })).toBeVisible();
    expect(
      await page
        .getByRole('img', { name: 'Mama Asha & Co' })
        .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    ).toBe(true);
    await expect(page.getByRole('link', { name: 'Help: 0712 345 678' })).toBeVisible();
    expect(await page.locator('header').evaluate((header) => getComputedStyle(header).backgroundColor)).toBe('rgb(255, 204, 0)');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
    await page.getByLabel('Remove the logo').check();
    await page.getByRole('button', { name: 'Save logo' }).click();
    // The preview hides the logo at once. Waits until the server has removed it, too.
    await expect(card('Business').getByRole('form', { name: 'Save logo' }).getByRole('status')).toHaveText('Saved');
    await expect(preview.getByRole('img')).toBeHidden();
  });

  await test.step('part payments and unique references, in this environment only', async () => {
    await page.getByLabel('Allow part payments').check();
    await page.getByLabel('Require unique references').check();
    await save('Rules for payments and security');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/live/settings`);
    await expect(page.getByLabel('Allow part payments')).not.toBeChecked();
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
    await expect(page.getByLabel('Require unique references')).toBeChecked();
  });

  await test.step('chooses who gets notifications', async () => {
    const to = page.getByLabel('Send to: Failing webhooks', { exact: true });
    const second = page.getByLabel('Send to: Failing webhooks, address 2');
    const summary = page.getByLabel('Send to: Daily summary', { exact: true });
    await expect(card('E-mail notifications').getByText('has not set up a mail server')).toBeVisible();
    await to.fill('tech@example.com');
    await second.fill('nobody@');
    await expect(summary).toBeHidden();
    await page.getByLabel('Daily summary', { exact: true }).check();
    await summary.fill('asha@example.com');
    await page.getByLabel('Expiring API keys', { exact: true }).uncheck();
    await card('E-mail notifications').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('“nobody@” is not a valid e-mail address.')).toBeVisible();
    await expect(to).toHaveValue('tech@example.com');
    await expect(second).toHaveValue('nobody@');
    await expect(summary).toHaveValue('asha@example.com');
    await second.fill('second@example.com');
    await save('E-mail notifications');
    await page.reload();
    await expect(to).toHaveValue('tech@example.com');
    await expect(second).toHaveValue('second@example.com');
    await expect(summary).toHaveValue('asha@example.com');
    await expect(page.getByLabel('Expiring API keys', { exact: true })).not.toBeChecked();
  });
  await looksWell(page, `${product.liveUrl}/m/${merchant.slug}/sandbox/settings`, 'settings');

  await test.step('without scripts, or before they have come, the page fits a phone', async () => {
    await page.route('**/_next/static/**/*.js', (route) => route.abort());
    await page.setViewportSize({ width: 360, height: 740 });
    for (const name of ['settings', 'bills/import']) {
      await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/${name}`);
      await expect(page.locator('input[type=file]')).toBeVisible();
      await fitsThePhone(page);
    }
  });
});
