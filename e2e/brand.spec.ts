import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { noise } from '@/testing/pictures';
import { fitsThePhone, isAccessible } from './page-checks';
import { REQUESTED } from './pay-act';
import { expect, merchantServer, test } from './product';
import { swahili, text } from './texts';

const MERCHANT = 'duka-la-mfano';

let folder: string;
let logo: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-brand-'));
  logo = join(folder, 'logo.png');
  const ring =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" rx="30" fill="#0a2a5e"/><circle cx="100" cy="100" r="60" fill="none" stroke="#ffc400" stroke-width="24"/><text x="190" y="135" font-size="100" font-family="sans-serif" fill="#fff">DUKA</text></svg>';
  await writeFile(logo, await sharp(Buffer.from(ring)).png().toBuffer());
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));
test.afterEach(async ({ product }) => {
  await product.bili(['merchant', 'brand', '--merchant', MERCHANT, '--colour', 'none', '--support', 'none', '--remove-logo']);
});

for (const [name, colour] of [
  ['yellow', '#ffee00'],
  ['white', '#ffffff'],
  ['black', '#000000'],
  ['neon green', '#39ff14'],
  ['a grey on which neither white nor black has enough contrast', '#787878'],
] as const) {
  test(`a page in ${name} can be read`, { tag: '@full' }, async ({ page, product }) => {
    const bill = await merchantServer(product).create({ amount: 12_500, reference: 'RANGI' });
    await product.bili(['merchant', 'brand', '--merchant', MERCHANT, '--colour', colour, '--support', '0712345678', '--logo', logo]);
    for (const [lang, call] of [
      ['sw', swahili('Pay.support', { number: '0712 345 678' })],
      ['en', text('Pay.support', { number: '0712 345 678' })],
    ] as const) {
      await page.goto(`${bill.webPayUrl}&lang=${lang}`);
      await expect(page.getByRole('img', { name: 'Duka la Mfano' })).toBeVisible();
      await expect(page.getByRole('link', { name: call })).toHaveAttribute('href', 'tel:0712345678');
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await isAccessible(page);
        await fitsThePhone(page);
        await page.screenshot({ path: `test-results/brand-${colour.slice(1)}-${lang}-${colorScheme}.png`, fullPage: true });
      }
    }
    // The prompt may expire during the checks. Without answers to its polls, the page does not notice that and does not reload itself.
    await page.route('**/pay?*part=version', (route) => route.abort());
    await page.getByLabel(text('Pay.mobileLabel')).fill('0712345005');
    await page.getByRole('button').click();
    await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
    await isAccessible(page);
    await fitsThePhone(page);
    await page.screenshot({ path: `test-results/brand-${colour.slice(1)}-waiting.png`, fullPage: true });
  });
}

test('the logo is loaded once for many pages, and is visible', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 700, reference: 'NEMBO' });
  const photograph = join(folder, 'noise.jpg');
  await writeFile(photograph, await noise(300, 300).jpeg().toBuffer());
  await product.bili(['merchant', 'brand', '--merchant', MERCHANT, '--logo', photograph]);
  const errors: string[] = [];
  page.on('console', (message) => errors.push(message.text()));
  // The name is written beside a square logo.
  const picture = page.getByRole('banner').locator('img');
  /** The number of bytes that this page loaded for the logo. */
  const sent = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap((entry) => (entry instanceof PerformanceResourceTiming && entry.name.includes('/pay/logo/') ? [entry.transferSize] : [])),
    );
  await page.goto(`${bill.webPayUrl}&lang=sw`);
  expect(await picture.evaluate((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth)).toBeGreaterThan(0);
  // Some browsers also ask for the logo as the page's icon. It comes from the cache then.
  const [first, ...more] = await sent();
  expect(first).toBeGreaterThan(0);
  expect(more.filter((bytes) => bytes > 0)).toEqual([]);
  await page.goto(`${bill.webPayUrl}&lang=en`);
  expect((await sent()).filter((bytes) => bytes > 0)).toEqual([]);
  expect(await sent()).not.toEqual([]);
  expect(errors).toEqual([]);
});

test("a page without a brand shows the merchant's mark and name", { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 700, reference: 'BILA' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect(page.getByRole('img')).toHaveCount(0);
  await expect(page.getByRole('banner').getByText('Duka la Mfano')).toBeVisible();
  await expect(page.getByRole('banner').locator('svg')).toHaveText('D');
  await isAccessible(page);
  await fitsThePhone(page);
});
