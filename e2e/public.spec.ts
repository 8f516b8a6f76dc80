import type { Page } from '@playwright/test';
import { looksWell } from './looks';
import { newMerchant, signIn } from './people';
import { expect, merchantServer, test } from './product';
import { swahili, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

async function paidBill(server: ReturnType<typeof merchantServer>, amount = 5000) {
  const bill = await server.create({ amount, reference: 'AGIZO-7', mobile: '0712345001' });
  await expect.poll(async () => (await server.get(bill.id)).status).toBe('FULLY_PAID');
  return bill;
}

/** Makes the browser look like the browser of a phone, which can share a text with apps. Stores the shared text as the page's title. */
async function withShareSheet(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) => matchMedia.call(window, query.includes('coarse') ? 'all' : query);
    Object.defineProperty(navigator, 'share', {
      value: async ({ text }: ShareData) => {
        document.title = text ?? '';
      },
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled });

    test('the home page says what this is, checks receipts, and leads to sign-in', async ({ page, product }) => {
      const bill = await paidBill(merchantServer(product));
      await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
      const code = await page.locator('.code').innerText();
      await page.goto(product.liveUrl);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('Home.heading'));
      await expect(page).toHaveTitle(`Bili · ${text('Home.title')}`);
      await page.getByRole('link', { name: text('Pay.otherLanguage') }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(swahili('Home.heading'));
      await page.getByRole('link', { name: swahili('Pay.otherLanguage') }).click();
      await page.getByLabel(text('Verify.codeLabel')).fill(code);
      await page.getByRole('button', { name: text('Verify.check') }).click();
      // A receipt of the sandbox is unknown in live.
      await expect(page.getByRole('heading', { name: text('Verify.unknownTitle') })).toBeVisible();
      await page.getByRole('link', { name: 'Bili' }).click();
      await page.getByRole('link', { name: text('Home.signIn') }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('Home.signIn'));
      await page.getByRole('link', { name: 'Bili' }).first().click();
      await expect(page).toHaveURL(`${product.liveUrl}/`);
    });
  });
}

test('the home page shows the product in one small request', async ({ page, product }) => {
  const sizes: Promise<{ responseBodySize: number }>[] = [];
  page.on('response', (response) => sizes.push(response.request().sizes()));
  await page.goto(product.liveUrl, { waitUntil: 'networkidle' });
  expect((await Promise.all(sizes)).map(({ responseBodySize }) => responseBodySize < 8_000)).toEqual([true]);
  await expect(page.getByRole('img', { name: text('Home.phoneAlt') })).toBeVisible();
  for (const wallet of ['M-Pesa', 'Mixx by Yas', 'Airtel Money', 'HaloPesa', 'T-Pesa'])
    await expect(page.locator('.nets').getByText(wallet)).toBeVisible();
  await expect(page.getByRole('link', { name: text('Home.developers') })).toHaveAttribute('href', '/docs');
});

test('the home page, the sign-in page and pages that are not found look well', { tag: '@full' }, async ({ page, product }) => {
  await looksWell(page, product.liveUrl, 'home');
  await looksWell(page, `${product.liveUrl}/sign-in`, 'sign-in');
  await looksWell(page, `${product.liveUrl}/nothing-here`, 'not-found');
  await expect(page).toHaveTitle(`${text('Dashboard.notFoundTitle')} · Bili`);
  await expect(page.getByText(text('NotFound.check'))).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: text('Home.signIn') })).toHaveAttribute('href', '/sign-in');
  for (const lang of ['sw', 'en']) await looksWell(page, `${product.sandboxUrl}/pay?bill=x&lang=${lang}`, `pay-not-found-${lang}`);
});

test('a person who is signed in continues to the dashboard', { tag: '@full' }, async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Nyumbani');
  await page.goto(`${product.liveUrl}/sign-in`);
  await signIn(page, merchant);
  await expect(page).toHaveURL(new RegExp(`/m/${merchant.slug}/`));
  await page.goto(product.liveUrl);
  await expect(page).toHaveURL(new RegExp(`/m/${merchant.slug}/`));
  await expect(page).toHaveTitle(/ · Duka la Nyumbani( · Sandbox)?$/);
  await page.getByRole('banner').getByRole('link', { name: 'Bili' }).click();
  await expect(page).toHaveURL(new RegExp(`/m/${merchant.slug}/\\w+/overview`));
});

test('a typed e-mail address survives the change of the language', { tag: '@full' }, async ({ page, product }) => {
  await page.goto(`${product.liveUrl}/sign-in`);
  await page.getByLabel(text('SignIn.email')).fill('asha@example.com');
  // The script of the page stores the text. It may load after the text is typed.
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage))).toContain('asha@example.com');
  await page.getByRole('link', { name: text('Pay.otherLanguage') }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  await expect(page.locator('#email')).toHaveValue('asha@example.com');
});

test('the manifest and all icons load and have their sizes', { tag: '@full' }, async ({ page, request, product }) => {
  // Next.js answers this address, so the page has the icons and the manifest of the dashboard.
  await page.goto(`${product.liveUrl}/m`);
  const hrefs = await page
    .locator('link[rel~=icon],link[rel=apple-touch-icon]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(hrefs.length).toBeGreaterThanOrEqual(3);
  for (const href of hrefs) expect((await request.get(new URL(href, product.liveUrl).href)).status(), href).toBe(200);
  const manifest = await (await request.get(`${product.liveUrl}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ name: 'Bili', display: 'standalone', start_url: '/sign-in' });
  const icons: { src: string; sizes: string; purpose?: string }[] = manifest.icons;
  expect(icons.filter(({ purpose }) => purpose === 'maskable').map(({ sizes }) => sizes)).toEqual(['192x192', '512x512']);
  for (const { src, sizes } of icons.filter(({ src: path }) => path.endsWith('.png'))) {
    await page.goto(product.liveUrl + src);
    const { width, height } = await page
      .locator('img')
      .evaluate((image: HTMLImageElement) => ({ width: image.naturalWidth, height: image.naturalHeight }));
    expect(`${width}x${height}`).toBe(sizes);
  }
  // A page for customers contains its icon as a data URL, so the browser sends no request for it.
  await page.goto(`${product.sandboxUrl}/verify`);
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^data:image\/svg\+xml,/);
});

test('a receipt has a stamp, and can be printed, shared and saved as a picture', { tag: '@full' }, async ({ page, product }) => {
  await withShareSheet(page);
  const bill = await paidBill(merchantServer(product));
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
  await expect(page.locator('.stamp')).toHaveText(text('Stamp.paid'));
  const sizes = await page
    .locator('.paper *')
    .evaluateAll((all) =>
      all.map((one) => ({ size: Number.parseFloat(getComputedStyle(one).fontSize), figure: one.className === 'figure' })),
    );
  const largest = sizes.reduce((one, other) => (other.size > one.size ? other : one));
  expect(largest.figure).toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: text('Receipt.savePicture') }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^bili-[\w-]{14}\.png$/);
  await page.evaluate(() => {
    window.print = () => {
      document.title = 'printed';
    };
  });
  await page.getByRole('button', { name: text('Receipt.print') }).click();
  await expect(page).toHaveTitle('printed');
  await page.getByRole('button', { name: text('Share.share') }).click();
  await expect(page).toHaveTitle(/^Receipt for payment to Duka la Mfano: .*\/p\/[0-9A-Z]{12}\?show=receipt$/);
});

test('a chat shows a picture beside a link', { tag: '@full' }, async ({ page, request, product }) => {
  const bill = await merchantServer(product).create({ amount: 12500, reference: 'AGIZO-8' });
  await page.goto(`${bill.webPayUrl}&lang=sw`);
  const image = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '';
  expect(image).toContain(`${product.sandboxUrl}/pay/picture/${bill.id}/bill.png`);
  const response = await request.get(image);
  expect(response.headers()['content-type']).toBe('image/png');
  // The first bytes of a PNG contain its width and height.
  const png = await response.body();
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(png.length).toBeLessThan(300_000);
});

test.describe('without JavaScript', { tag: '@full' }, () => {
  test.use({ javaScriptEnabled: false });

  test('a receipt shows no button that would not work', async ({ page, product }) => {
    const bill = await paidBill(merchantServer(product));
    await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
    await expect(page.getByRole('link', { name: text('Receipt.savePicture') })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
  });
});

test('each result of a check has its own large icon', { tag: '@full' }, async ({ page, product }) => {
  const server = merchantServer(product);
  const bill = await paidBill(server);
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
  const code = await page.locator('.code').innerText();
  const icons = new Set<string>();
  for (const [typed, status] of [
    [code, text('Verify.sandbox')],
    ['FAKE-FAKE-FAKE', text('Verify.unknownTitle')],
  ] as const) {
    await page.goto(`${product.sandboxUrl}/verify?lang=en&code=${typed}`);
    const result = page.locator('.result');
    await expect(result.getByRole('heading', { level: 1 })).toHaveText(status);
    expect(await result.locator('svg').boundingBox()).toMatchObject({ width: 64, height: 64 });
    icons.add((await result.locator('path').getAttribute('d')) ?? '');
    await looksWell(page, page.url(), `verify-${icons.size}`);
  }
  expect(icons.size).toBe(2);
});
