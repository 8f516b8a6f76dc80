import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { askAs, keepPrompt } from './pay-stage';
import { expect, merchantServer, test } from './product';
import { swahili, text } from './texts';

const MERCHANT = 'duka-la-mfano';
/**
 * The height of what a small phone shows of a page before scrolling, in pixels. It is smaller than the screen, because the bars of the
 * browser need space.
 */
const FIRST_SCREEN = 640;
const PHONE = { width: 360, height: 740 };

test.use({ viewport: PHONE });

let folder: string;
let logo: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-design-'));
  logo = join(folder, 'logo.png');
  await writeFile(
    logo,
    await sharp({ create: { width: 600, height: 200, channels: 3, background: '#0a2a5e' } })
      .png()
      .toBuffer(),
  );
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));
test.afterEach(async ({ product }) => {
  const plain = ['--colour', 'none', '--support', 'none', '--remove-logo'];
  await product.bili(['merchant', 'brand', '--merchant', MERCHANT, ...plain]);
  await product.bili(['merchant', 'partial-payments', '--merchant', MERCHANT, '--environment', 'sandbox', '--off']);
});

/** Returns the font sizes of all texts on the page, except the amount. */
const textSizes = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *:not(script, style, noscript, option)')]
      .filter(
        (element) => !element.closest('.sum') && [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
      )
      .map((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
  );

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, { tag: '@full' }, () => {
    test.use({ javaScriptEnabled });

    test('the amount is the largest text, and everything that is needed to pay is on the first screen', async ({ page, product }) => {
      const server = merchantServer(product);
      const plain = await server.create({ amount: 12_500, reference: 'ORDER-2026-0077' });
      const part = await server.create({ amount: 12_501, reference: 'ORDER-2026-0078', mobile: '0712345009' });
      await expect.poll(async () => (await server.get(part.id)).status).toBe('PARTIALLY_PAID');
      const look = async (bill: typeof plain) => {
        for (const lang of ['sw', 'en']) {
          await page.goto(`${bill.webPayUrl}&lang=${lang}`);
          const amount = page.locator('.sum b');
          await expect(amount).toHaveText(bill === part ? 'TZS 6,250' : 'TZS 12,500');
          const size = await amount.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
          expect(Math.max(...(await textSizes(page)))).toBeLessThan(size);
          for (const needed of [
            amount,
            page.getByText(/^ORDER-/),
            page.locator('#mobile'),
            page.locator('#hint'),
            page.getByRole('button'),
          ]) {
            const box = await needed.boundingBox();
            expect(
              (box?.y ?? FIRST_SCREEN) + (box?.height ?? 1),
              `${needed} of ${bill === part ? 'the part' : 'the plain bill'} in ${lang}`,
            ).toBeLessThanOrEqual(FIRST_SCREEN);
          }
        }
      };
      await look(plain);
      await look(part);
      await product.bili(['merchant', 'brand', '--merchant', MERCHANT, '--colour', '#d6006c', '--support', '0712345678', '--logo', logo]);
      await look(plain);
      await look(part);
      await product.bili(['merchant', 'partial-payments', '--merchant', MERCHANT, '--environment', 'sandbox', '--on']);
      await look(part);
      await expect(page.locator('#amount')).toBeVisible();
    });

    test("the payer's language is remembered, and a link of the shop does not change it", async ({ page, product, context }) => {
      const server = merchantServer(product);
      const [first, second] = [
        await server.create({ amount: 1_000, reference: 'A' }),
        await server.create({ amount: 1_000, reference: 'B' }),
      ];
      await page.goto(`${first.webPayUrl}&lang=sw`);
      expect((await context.cookies()).filter(({ name }) => name === 'bili-pay-lang')).toEqual([]);
      await page.getByRole('link', { name: swahili('Pay.otherLanguage') }).click();
      await expect(page.getByRole('heading', { name: text('Pay.readyTitle') })).toBeVisible();
      await page.goto(second.webPayUrl);
      await expect(page.getByRole('heading', { name: text('Pay.readyTitle') })).toBeVisible();
      await page.goto(`${second.webPayUrl}&lang=sw`);
      await expect(page.getByRole('heading', { name: swahili('Pay.readyTitle') })).toBeVisible();
      await page.goto(second.webPayUrl);
      await expect(page.getByRole('heading', { name: text('Pay.readyTitle') })).toBeVisible();
    });

    test('a prompt has one time, and speaks to the person who may answer it', async ({ page, product, browser }) => {
      const bill = await merchantServer(product).create({ amount: 3_000, reference: 'TIME' });
      const [name = '', value = ''] = (await askAs(product, bill, { mobile: '0712345005' })).split(/=(.*)/s);
      await keepPrompt(product, bill);
      const other = await browser.newPage({ javaScriptEnabled });
      await other.goto(`${bill.webPayUrl}&lang=en`);
      await expect(other.getByRole('heading', { name: text('Pay.promptedOtherTitle', { digits: '005' }) })).toBeVisible();
      await expect(other.getByText(text('Pay.promptedOtherText'))).toBeVisible();
      await expect(other.locator('.sum')).toHaveText('TZS 3,000');
      await page.context().addCookies([{ name, value, url: bill.webPayUrl }]);
      await page.goto(`${bill.webPayUrl}&lang=en`);
      await expect(page.getByRole('heading', { name: text('Pay.promptedTitle') })).toBeVisible();
      await expect(page.getByText(text('Pay.promptedCheck'))).toBeVisible();
      for (const one of [page, other]) {
        await expect(one.getByRole('timer')).toHaveCount(1);
        await expect(one.getByRole('timer')).toHaveText(javaScriptEnabled ? /^Time left \d:\d\d$/ : /^Please respond by \d\d:\d\d$/);
        if (javaScriptEnabled) await expect(one.locator('#ring')).toHaveAttribute('style', /stroke-dashoffset: \d/);
      }
      await other.close();
    });
  });
}

test('the name that the account defines is on the waiting page', { tag: '@full' }, async ({ page, product }) => {
  const account = '00000000-0000-7000-8000-5a0db0c00001';
  await product.bili(['provider', 'prompt-name', account, 'SELCOM  PAYTECH LTD']);
  const bill = await merchantServer(product).create({ amount: 3_000, reference: 'NAME', mobile: '0712345005' });
  await keepPrompt(product, bill);
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect(page.getByText(text('Pay.promptedName', { name: 'SELCOM PAYTECH LTD', amount: 'TZS 3,000' }))).toBeVisible();
  await product.bili(['provider', 'prompt-name', account, '--none']);
  await page.reload();
  await expect(page.getByText(text('Pay.promptedCheck'))).toBeVisible();
});

test('digits are grouped while they are typed, and the button shows the chosen amount', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 4_000_000, reference: 'TYPE' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  const number = page.locator('#mobile');
  await number.pressSequentially('0712345678');
  await expect(number).toHaveValue('0712 345 678');
  for (let left = 6; left > 0; left -= 1) await number.press('Backspace');
  await expect(number).toHaveValue('0712');
  await number.fill('+255 712 345');
  await expect(number).toHaveValue('+255 712 345');
  const amount = page.locator('#amount');
  await expect(page.getByRole('button')).toHaveText(text('Pay.payButton', { amount: 'TZS 3,000,000' }));
  await amount.fill('');
  await amount.pressSequentially('1250000');
  await expect(amount).toHaveValue('1,250,000');
  await expect(page.getByRole('button')).toHaveText(text('Pay.payButton', { amount: 'TZS 1,250,000' }));
});

test('a wrong number is explained', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 1_000, reference: 'WRONG' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  for (const [typed, says] of [
    ['0712 345 67', text('Pay.mobileTooShort', { digits: '9' })],
    ['0712 345 6789', text('Pay.mobileTooLong', { digits: '11' })],
    ['+254 712 345 678', 'Numbers from outside Tanzania cannot pay here.'],
    ['022 211 2345', 'This is a landline number.'],
    ['0912 345 678', 'Enter a Tanzanian mobile number'],
  ] as const) {
    await page.locator('#mobile').fill(typed);
    await page.getByRole('button').click();
    await expect(page.getByRole('alert')).toContainText(says);
  }
});

test('a chat shows the shop, the amount and the logo of a link, without cookies or scripts', { tag: '@full' }, async ({ product }) => {
  await product.bili(['merchant', 'brand', '--merchant', MERCHANT, '--logo', logo]);
  const bill = await merchantServer(product).create({ amount: 12_500, reference: 'ORDER <7>' });
  const html = await (await fetch(bill.webPayUrl, { headers: { 'user-agent': 'WhatsApp/2.24' } })).text();
  const meta = (name: string) => new RegExp(`<meta property="og:${name}" content="(.*?)"`).exec(html)?.[1] ?? '';
  expect(meta('title')).toBe('Duka la Mfano: lipa TZS\u00a012,500');
  expect(meta('description')).toBe('Kumbukumbu Na. ORDER &lt;7&gt;');
  expect(meta('type')).toBe('website');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  const picture = await fetch(meta('image').replaceAll('&amp;', '&'));
  expect(picture.headers.get('content-type')).toBe('image/png');
  const robots = await (await fetch(new URL('/robots.txt', bill.webPayUrl))).text();
  expect(robots).toMatch(/User-agent: facebookexternalhit[\s\S]*Allow: \/pay[\s\S]*User-agent: \*\s+Disallow: \//);
});
