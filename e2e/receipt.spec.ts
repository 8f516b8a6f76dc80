import type { Page } from '@playwright/test';
import jsQR from 'jsqr';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { type BillJson, expect, merchantServer, test } from './product';

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

/** Reads the page's QR code from a screenshot, as a camera would. */
async function readQr(page: Page): Promise<string | undefined> {
  const png = (await page.locator('svg.qr').screenshot()).toString('base64');
  const blank = await page.context().newPage();
  const { width, height, data } = await blank.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    return { width: image.width, height: image.height, data: [...context.getImageData(0, 0, image.width, image.height).data] };
  }, `data:image/png;base64,${png}`);
  await blank.close();
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

async function isFine(page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await isAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
  await page.setViewportSize(SIZES[0]);
}

test('the QR code of a receipt leads to its verification, and all pages are accessible in both languages', async ({ page, product }) => {
  const bill = await paidBill(merchantServer(product), { reference: 'AGIZO <b>7</b>' });
  for (const language of LANGUAGES) {
    await page.goto(`${bill.webPayUrl}&lang=${language}`);
    await isFine(page);
    await page.getByRole('link', { name: language === 'sw' ? 'Chapisha au tuma risiti' : 'Print or send the receipt' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(language === 'sw' ? 'Risiti' : 'Receipt');
    await isFine(page);
    await picture(page, `receipt-${language}`);
    const code = await page.locator('.code').innerText();
    const address = await readQr(page);
    expect(address).toBe(`${product.sandboxUrl}/verify?code=${code.replaceAll('-', '')}`);
    await page.goto(`${address}&lang=${language}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      language === 'sw' ? 'Risiti ya majaribio: hakuna pesa halisi iliyolipwa.' : 'Test receipt: no real money was paid.',
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
      await expect(page.getByText('This is not a TRA fiscal receipt.')).toBeVisible();
      await expect(page.getByText('0*** *** 001')).toBeVisible();

      await page.goto(`${product.sandboxUrl}/verify?lang=en`);
      await page.getByLabel('Receipt code').fill(code.toLowerCase().slice(0, -1));
      await page.getByRole('button', { name: 'Check' }).click();
      await expect(page.getByRole('alert')).toHaveText('A receipt code has 12 letters and digits. Check the receipt and try again.');
      if (javaScriptEnabled) await isFine(page);
      await page.getByLabel('Receipt code').fill(code.toLowerCase().replaceAll('-', ' '));
      await page.getByLabel('Receipt code').press('Enter');
      await expect(page.getByRole('status')).toContainText('Genuine receipt: the bill is fully paid');
      await expect(page.getByText('Test receipt: no real money was paid.')).toBeVisible();
      await page.getByRole('link', { name: 'Check another receipt' }).click();
      await page.getByLabel('Receipt code').fill('FAKE-FAKE-FAKE');
      await page.getByRole('button', { name: 'Check' }).click();
      await expect(page.getByRole('heading', { name: 'We have no receipt with this code' })).toBeVisible();
      if (javaScriptEnabled) await isFine(page);
      await page.getByRole('link', { name: 'Kiswahili' }).click();
      await expect(page.getByRole('heading', { name: 'Risiti hii haipo kwetu' })).toBeVisible();
      await expect(page.getByLabel('Msimbo wa risiti')).toHaveValue('FAKE-FAKE-FAKE');

      await page.goto(`${product.liveUrl}/verify?code=${code}&lang=en`);
      await expect(page.getByRole('heading', { name: 'We have no receipt with this code' })).toBeVisible();
    });
  });
}

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('without JavaScript, a link reloads the counter page until it shows that the bill is paid', async ({ page, product }) => {
    const server = merchantServer(product);
    const bill = await server.create({ amount: 12500, reference: 'KAUNTA-2' });
    await page.goto(`${bill.webPayUrl}&show=qr&lang=sw`);
    await expect(page.getByRole('img', { name: 'QR yenye kiungo cha kulipa bili hii' })).toBeVisible();
    await payOnPage(bill);
    await expect.poll(async () => (await server.get(bill.id)).status).toBe('FULLY_PAID');
    await page.getByRole('link', { name: 'Angalia tena' }).click();
    await expect(page.getByRole('heading', { name: 'Imelipwa. Asante.' })).toBeVisible();
  });
});

test('a partly paid bill has a receipt, and its verification says so', async ({ page, product }) => {
  const bill = await paidBill(merchantServer(product), { amount: 5001, mobile: '0712345009' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await page.getByRole('link', { name: 'Print or send the receipt' }).click();
  await expect(page.getByText('Left to pay')).toBeVisible();
  await isFine(page);
  await page.goto((await readQr(page)) ?? '');
  await expect(page.getByRole('status')).toContainText('Genuine receipt: the bill is only partially paid');
  await isFine(page);
});

test('a receipt of a reversed payment is no longer valid', async ({ page, product }) => {
  const bill = await paidBill(merchantServer(product));
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
  const code = await page.locator('.code').innerText();
  const receipt = await page.locator('dt b').innerText();
  await product.bili(['payment', 'reverse', receipt, '--reason', 'wrong goods']);
  await expect.poll(async () => (await merchantServer(product).get(bill.id)).status).toBe('NOT_PAID');
  for (const [language, title] of [
    ['sw', 'Risiti si halali tena: malipo yalirudishwa'],
    ['en', 'No longer valid: the payment was reversed'],
  ] as const) {
    await page.goto(`${product.sandboxUrl}/verify?code=${code}&lang=${language}`);
    await expect(page.getByRole('status')).toContainText(title);
    await isFine(page);
  }
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=en`);
  await expect(page.getByText(code)).toHaveCount(0);
  await expect(page.locator('.stamp')).toHaveText('REVERSED');
  await isFine(page);
});

test('the counter page has a QR code of the bill, and shows by itself that the bill is paid', async ({ page, product }) => {
  const server = merchantServer(product);
  const bill = await server.create({ amount: 12500, reference: 'KAUNTA-1' });
  let link = '';
  for (const [language, name] of [
    ['sw', 'Onyesha QR au tuma kiungo'],
    ['en', 'Show a QR code or send the link'],
  ] as const) {
    await page.goto(`${bill.webPayUrl}&lang=${language}`);
    await page.getByRole('link', { name }).click();
    link = (await readQr(page)) ?? '';
    expect(link).toMatch(new RegExp(`^${product.sandboxUrl}/p/[0-9A-Z]{12}$`));
    await isFine(page);
    await picture(page, `qr-${language}`);
  }
  const text = encodeURIComponent(`Duka la Mfano: pay TZS 12,500 (KAUNTA-1) here ${link}`);
  await expect(page.getByRole('link', { name: 'Send by SMS' })).toHaveAttribute('href', `sms:?body=${text}`);
  await expect(page.getByRole('link', { name: 'Send by WhatsApp' })).toHaveAttribute('href', `https://wa.me/?text=${text}`);
  await payOnPage(bill);
  await expect(page.getByRole('heading', { name: 'Paid. Thank you.' })).toBeVisible();
  await expect(page.locator('svg.qr')).toHaveCount(0);
  await expect(page.locator('dt').first()).toHaveText('Paid to');
  await isFine(page);
  await picture(page, 'qr-paid-en');
});

test('a printed receipt has no links and backgrounds and fits on one page', async ({ page, product }) => {
  const bill = await paidBill(merchantServer(product), { reference: 'R'.repeat(80) });
  await page.goto(`${bill.webPayUrl}&show=receipt&lang=sw`);
  await fitsThePhone(page);
  await page.emulateMedia({ media: 'print' });
  for (const link of await page.getByRole('link').all()) await expect(link).toBeHidden();
  await expect(page.locator('svg.qr')).toBeVisible();
  const pdf = (await page.pdf({ format: 'A5', margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' } })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});
