import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { looksWell } from './looks';
import { fitsThePhone } from './page-checks';
import { newBill, newKey, newMerchant, postBill, signIn } from './people';
import { expect, test } from './product';
import { text } from './texts';

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
  const part = (name: string) => page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings?part=${name}`);
  const card = (name: string) => page.getByRole('region', { name });
  const save = async (name: string) => {
    await card(name)
      .getByRole('button', { name: text('Settings.save'), exact: true })
      .click();
    await expect(card(name).getByRole('status').getByText(text('Settings.saved')).first()).toBeVisible();
  };

  await test.step('name and language', async () => {
    await page.getByLabel(text('Settings.name')).fill('www.duka.example');
    await card(text('Settings.business'))
      .getByRole('button', { name: text('Settings.save'), exact: true })
      .click();
    await expect(page.getByText(text('Settings.name_wrong'))).toBeVisible();
    await page.getByLabel(text('Settings.name')).fill('Mama Asha & Co');
    await page.getByLabel(text('Settings.languageLabel')).selectOption('sw');
    await save(text('Settings.business'));
    await expect(page.getByLabel(text('Settings.languageLabel'))).toHaveValue('sw');
    await expect(page.getByRole('banner').getByText('Mama Asha & Co')).toBeVisible();
    await page.goto(pay);
    await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
    await expect(page.getByText('Mama Asha & Co').first()).toBeVisible();
    await page.goto(`${pay}&lang=en`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
  });

  await test.step('the payment page links back to a website of the shop, and to no other', async () => {
    await part('website');
    const addresses = page.getByLabel(text('ReturnLinks.origins'));
    await addresses.fill('https://shop.example.com/cart\nhttp://plain.example.com');
    await card(text('ReturnLinks.title'))
      .getByRole('button', { name: text('Settings.save'), exact: true })
      .click();
    await expect(page.getByText(text('ReturnLinks.wrong', { address: 'http://plain.example.com' }))).toBeVisible();
    await addresses.fill('shop.example.com');
    await save(text('ReturnLinks.title'));
    await expect(addresses).toHaveValue('https://shop.example.com');
    const post = (returnUrl: string) =>
      postBill(request, product.sandboxUrl, key, { amount: 1_000, reference: 'BACK', returnUrl, language: 'en' });
    await expect(async () => {
      expect((await post('https://shop.example.com/done?order=7')).headers()['bili-ignored']).toBeUndefined();
    }).toPass();
    const { id, webPayUrl } = await (await post('https://shop.example.com/done?order=7')).json();
    expect((await post('https://evil.example.com/')).headers()['bili-ignored']).toBe('returnUrl');
    await page.goto(webPayUrl);
    const link = page.getByRole('link', { name: text('Pay.backToShop', { merchant: 'Mama Asha & Co' }) });
    await expect(link).toHaveAttribute('href', `https://shop.example.com/done?order=7&bill=${id}`);
    await looksWell(page, webPayUrl, 'pay-return');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
  });

  await test.step('an invalid logo is refused with an explanation, and the colour is kept', async () => {
    for (const [file, words] of [
      ['logo.svg', text('Settings.logo_wrong', { reason: text('LogoProblem.no_picture') })],
      ['large.png', text('Settings.logo_wrong', { reason: text('LogoProblem.too_large') })],
    ] as const) {
      await page.getByLabel(text('Settings.ownColour')).fill('#ffcc00');
      await page.getByLabel(text('Settings.logo'), { exact: true }).setInputFiles(join(folder, file));
      await page.getByRole('button', { name: text('Settings.saveLogo') }).click();
      await expect(page.getByText(words)).toBeVisible();
      await expect(page.getByLabel(text('Settings.ownColour'))).toHaveValue('#ffcc00');
    }
    await page.getByLabel(text('Settings.ownColour')).fill('yellowish');
    await card(text('Settings.business'))
      .getByRole('button', { name: text('Settings.save'), exact: true })
      .click();
    await expect(page.getByText(text('Settings.colour_wrong'))).toBeVisible();
  });

  await test.step('logo, colour and number appear in the preview and on the payment page', async () => {
    await page.getByRole('button', { name: text('Settings.colour_blue') }).click();
    await expect(page.getByLabel(text('Settings.ownColour'))).toHaveValue('#1d4f9c');
    await page.getByLabel(text('Settings.ownColour')).fill('#ffcc00');
    await page.getByLabel(text('Settings.support')).fill('+255 712 345 678');
    await page.getByLabel(text('Settings.logo'), { exact: true }).setInputFiles(join(folder, 'logo.png'));
    const preview = page.getByRole('region', { name: text('Settings.preview') });
    await expect(preview.getByText(text('Settings.previewCall', { number: '0712 345 678' }))).toBeVisible();
    await expect(preview.locator('img')).toHaveAttribute('src', /^blob:/);
    await expect(preview.getByText('#ffcc00').first()).toBeVisible();
    await save(text('Settings.business'));
    await page.getByRole('button', { name: text('Settings.saveLogo') }).click();
    await expect(preview.locator('img')).toHaveAttribute('src', /^\/pay\/logo\//);
    await expect(
      card(text('Settings.business'))
        .getByRole('form', { name: text('Settings.saveLogo') })
        .getByRole('status'),
    ).toHaveText(text('Settings.saved'));
    await page.goto(`${pay}&lang=en`);
    await expect(page.getByRole('img', { name: 'Mama Asha & Co' })).toBeVisible();
    expect(
      await page
        .getByRole('img', { name: 'Mama Asha & Co' })
        .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    ).toBe(true);
    await expect(page.getByRole('link', { name: text('Pay.support', { number: '0712 345 678' }) })).toBeVisible();
    expect(await page.locator('header').evaluate((header) => getComputedStyle(header).backgroundColor)).toBe('rgb(255, 204, 0)');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/settings`);
    await page.getByLabel(text('Settings.removeLogo')).check();
    await page.getByRole('button', { name: text('Settings.saveLogo') }).click();
    // The preview hides the logo at once. Waits until the server has removed it, too.
    await expect(
      card(text('Settings.business'))
        .getByRole('form', { name: text('Settings.saveLogo') })
        .getByRole('status'),
    ).toHaveText(text('Settings.saved'));
    await expect(preview.locator('img')).toBeHidden();
  });

  await test.step('part payments and unique references, in this environment only', async () => {
    await part('payments');
    await page.getByLabel(text('Settings.partial')).check();
    await expect(page.getByText(text('Settings.unsaved'))).toBeVisible();
    await page.getByLabel(text('Settings.unique')).check();
    await save(text('Settings.rules'));
    await expect(page.getByText(text('Settings.unsaved'))).toBeHidden();
    await looksWell(page, page.url(), 'settings-payments');
    await page.goto(`${product.liveUrl}/m/${merchant.slug}/live/settings?part=payments`);
    await expect(page.getByLabel(text('Settings.partial'))).not.toBeChecked();
    await part('payments');
    await expect(page.getByLabel(text('Settings.unique'))).toBeChecked();
  });

  await test.step('chooses who gets notifications', async () => {
    await part('mail');
    const to = page.getByLabel(text('Settings.notifyToOf', { topic: text('Settings.notify_webhooks') }), { exact: true });
    const second = page.getByLabel(text('Settings.notifyToOfMore', { topic: text('Settings.notify_webhooks'), number: '2' }));
    const summary = page.getByLabel(text('Settings.notifyToOf', { topic: text('Settings.notify_summary') }), { exact: true });
    await expect(card(text('Settings.notify')).getByText(text('Settings.notifyNoServer'))).toBeVisible();
    await to.fill('tech@example.com');
    await second.fill('nobody@');
    await expect(summary).toBeHidden();
    await page.getByLabel(text('Settings.notify_summary'), { exact: true }).check();
    await summary.fill('asha@example.com');
    await page.getByLabel(text('Settings.notify_keys'), { exact: true }).uncheck();
    await card(text('Settings.notify'))
      .getByRole('button', { name: text('Settings.save') })
      .click();
    await expect(page.getByText(text('Settings.address_wrong', { address: 'nobody@' }))).toBeVisible();
    await expect(to).toHaveValue('tech@example.com');
    await expect(second).toHaveValue('nobody@');
    await expect(summary).toHaveValue('asha@example.com');
    await second.fill('second@example.com');
    await save(text('Settings.notify'));
    await page.reload();
    await expect(to).toHaveValue('tech@example.com');
    await expect(second).toHaveValue('second@example.com');
    await expect(summary).toHaveValue('asha@example.com');
    await expect(page.getByLabel(text('Settings.notify_keys'), { exact: true })).not.toBeChecked();
  });
  await looksWell(page, page.url(), 'settings-mail');
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
