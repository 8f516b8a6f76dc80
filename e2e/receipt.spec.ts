import type { Page } from '@playwright/test';
import { fitsThePhone, isAccessible, picture, scan } from './page-checks';
import { type BillJson, expect, merchantServer, test } from './product';
import { swahili, text } from './texts';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;
const LANGUAGES = ['sw', 'en'] as const;

type Server = ReturnType<typeof merchantServer>;

async function paidBill(server: Server, { amount = 5000, reference = 'AGIZO-7', mobile = '0712345001' } = {}) {
  const bill = await server.create({ amount, reference, mobile });
  await expect.poll(async () => (await server.get(bill.id)).status).toMatch(/^(FULLY|PARTIALLY)_PAID$/);
  return bill;
}

/** Pays a bill on its payment page as another phone would: without the cookies of the test's browser. */
async function payOnPage({ id, webPayUrl }: BillJson): Promise<void> {
  const body = new URLSearchParams({ bill: id, lang: 'en', mobile: '0712345001' });
  await fetch(new URL('/pay', webPayUrl), { method: 'POST', body, redirect: 'manual' });
}

async function isFine(page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await isAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
  await page.setViewportSize(SIZES[0]);
}

test('the QR code of a receipt leads to its verification, and all pages are accessible in both languages', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const bill = await paidBill(merchantServer(product), { reference: 'AGIZO <b>7</b>' });
  for (const language of LANGUAGES) {
    await page.goto(`${bill.webPayUrl}&lang=${language}`);
    await isFine(page);
    await page.getByRole('link', { name: language === 'sw' ? swahili('Receipt.open') : text('Receipt.open') }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      language === 'sw' ? swahili('Receipt.heading') : text('Receipt.heading'),
    );
    await isFine(page);
    await picture(page, `receipt-${language}`);
    const code = await page.locator('.code').innerText();
    const address = await scan(page);
    expect(address).toBe(`${product.sandboxUrl}/verify?code=${code.replaceAll('-', '')}`);
    await page.goto(`${address}&lang=${language}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      language === 'sw' ? swahili('Verify.sandbox') : text('Verify.sandbox'),
    );
    await picture(page, `receipt-verified-${language}`);
    await expect(page.getByText('AGIZO <b>7</b>')).toBeVisible();
    await isFine(page);
  }
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled });

    test('a cashier verifies a receipt by its code', async ({ page, product }) => {
      const bill = await paidBill(merchantServer(product));
      await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
      const code = await page.locator('.code').innerText();
      await expect(page.getByText(text('Pay.fiscalNote'))).toBeVisible();
      await expect(page.getByText('0*** *** 001')).toBeVisible();

      await page.goto(`${product.sandboxUrl}/verify?lang=en`);
      await page.getByLabel(text('Verify.codeLabel')).fill(code.toLowerCase().slice(0, -1));
      await page.getByRole('button', { name: text('Verify.check') }).click();
      await expect(page.getByRole('alert')).toHaveText(text('Verify.malformed'));
      if (javaScriptEnabled) await isFine(page);
      await page.getByLabel(text('Verify.codeLabel')).fill(code.toLowerCase().replaceAll('-', ' '));
      await page.getByLabel(text('Verify.codeLabel')).press('Enter');
      await expect(page.getByRole('status')).toContainText(text('Verify.paidTitle'));
      await expect(page.getByText(text('Verify.sandbox'))).toBeVisible();
      await page.getByRole('link', { name: text('Verify.checkAnother') }).click();
      await page.getByLabel(text('Verify.codeLabel')).fill('FAKE-FAKE-FAKE');
      await page.getByRole('button', { name: text('Verify.check') }).click();
      await expect(page.getByRole('heading', { name: text('Verify.unknownTitle') })).toBeVisible();
      if (javaScriptEnabled) await isFine(page);
      await page.getByRole('link', { name: text('Pay.otherLanguage') }).click();
      await expect(page.getByRole('heading', { name: swahili('Verify.unknownTitle') })).toBeVisible();
      await expect(page.getByLabel(swahili('Verify.codeLabel'))).toHaveValue('FAKE-FAKE-FAKE');

      await page.goto(`${product.liveUrl}/verify?code=${code}&lang=en`);
      await expect(page.getByRole('heading', { name: text('Verify.unknownTitle') })).toBeVisible();
    });
  });
}

test.describe('with JavaScript off', { tag: '@full' }, () => {
  test.use({ javaScriptEnabled: false });

  test('without JavaScript, a link reloads the counter page until it shows that the bill is paid', async ({ page, product }) => {
    const server = merchantServer(product);
    const bill = await server.create({ amount: 12500, reference: 'KAUNTA-2' });
    await page.goto(`${bill.webPayUrl}&show=qr&lang=sw`);
    await expect(page.getByRole('img', { name: swahili('Share.qrLabel') })).toBeVisible();
    await payOnPage(bill);
    await expect.poll(async () => (await server.get(bill.id)).status).toBe('FULLY_PAID');
    await page.getByRole('link', { name: swahili('Pay.checkAgain') }).click();
    await expect(page.getByRole('heading', { name: swahili('Pay.paidTitle') })).toBeVisible();
  });
});

test('a partly paid bill has a receipt, and its verification says so', { tag: '@full' }, async ({ page, product }) => {
  const bill = await paidBill(merchantServer(product), { amount: 5001, mobile: '0712345009' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await page.getByRole('link', { name: text('Receipt.open') }).click();
  await expect(page.getByText(text('Pay.remaining'))).toBeVisible();
  await isFine(page);
  await page.goto(await scan(page));
  await expect(page.getByRole('status')).toContainText(text('Verify.partTitle'));
  await isFine(page);
});

test('a receipt of a reversed payment is no longer valid', { tag: '@full' }, async ({ page, product }) => {
  const bill = await paidBill(merchantServer(product));
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
  const code = await page.locator('.code').innerText();
  const receipt = await page.locator('dt b').innerText();
  await product.bili(['payment', 'reverse', receipt, '--reason', 'wrong goods']);
  await expect.poll(async () => (await merchantServer(product).get(bill.id)).status).toBe('NOT_PAID');
  for (const [language, title] of [
    ['sw', swahili('Verify.backTitle')],
    ['en', text('Verify.backTitle')],
  ] as const) {
    await page.goto(`${product.sandboxUrl}/verify?code=${code}&lang=${language}`);
    await expect(page.getByRole('status')).toContainText(title);
    await isFine(page);
  }
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
  await expect(page.getByText(code)).toHaveCount(0);
  await expect(page.locator('.stamp')).toHaveText(text('Stamp.back'));
  await isFine(page);
});

test('the counter page has a QR code of the bill, and shows by itself that the bill is paid', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const server = merchantServer(product);
  const bill = await server.create({ amount: 12500, reference: 'KAUNTA-1' });
  let link = '';
  for (const [language, name] of [
    ['sw', swahili('Share.open')],
    ['en', text('Share.open')],
  ] as const) {
    await page.goto(`${bill.webPayUrl}&lang=${language}`);
    await page.getByRole('link', { name }).click();
    link = await scan(page);
    expect(link).toMatch(new RegExp(`^${product.sandboxUrl}/p/[0-9A-Z]{12}$`));
    await isFine(page);
    await picture(page, `qr-${language}`);
  }
  const shared = text('Share.billText', { merchant: 'Duka la Mfano', amount: 'TZS 12,500', reference: 'KAUNTA-1', url: link });
  const body = encodeURIComponent(shared);
  await expect(page.getByRole('link', { name: text('Share.sms') })).toHaveAttribute('href', `sms:?body=${body}`);
  await expect(page.getByRole('link', { name: text('Share.whatsapp') })).toHaveAttribute('href', `https://wa.me/?text=${body}`);
  await payOnPage(bill);
  await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
  await expect(page.locator('svg.qr')).toHaveCount(0);
  await expect(page.locator('dt').first()).toHaveText(text('Verify.paidTo'));
  await isFine(page);
  await picture(page, 'qr-paid-en');
});

test('a printed receipt has no links and backgrounds and fits on one page', { tag: '@full' }, async ({ page, product }) => {
  const bill = await paidBill(merchantServer(product), { reference: 'R'.repeat(80) });
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=sw`);
  await fitsThePhone(page);
  await page.emulateMedia({ media: 'print' });
  for (const link of await page.getByRole('link').all()) await expect(link).toBeHidden();
  await expect(page.locator('svg.qr')).toBeVisible();
  const pdf = (await page.pdf({ format: 'A5', margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' } })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});
