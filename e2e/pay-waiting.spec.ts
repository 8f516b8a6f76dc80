import { type Product, startProduct } from '@/testing/product';
import { LOOKS, lookAt } from './pay-looks';
import { askAs, stageWaiting } from './pay-stage';
import { test as base, expect, merchantServer } from './product';
import { swahili, text } from './texts';

/** A product whose prompts last one minute, as real ones do. */
const test = base.extend<object, { slow: Product }>({
  slow: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const product = await startProduct({ SANDBOX_DELAY_FACTOR: '1' });
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

test('passing states during a prompt, with help if the prompt does not arrive', { tag: '@full' }, async ({ browser, slow }) => {
  const stage = await stageWaiting(slow);
  for (const look of LOOKS) await lookAt(browser, stage, { ...look, javaScript: true });
  for (const lang of ['sw', 'en'] as const) await lookAt(browser, stage, { lang, width: 360, javaScript: false, axe: false });

  const bill = await merchantServer(slow).create({ amount: 5_000, reference: 'HELP' });
  const cookie = await askAs(slow, bill, { mobile: '0754345005' });
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect(async () => {
    await page.getByRole('link', { name: text('Pay.checkAgain') }).click();
    await expect(page.getByRole('timer')).toHaveText(new RegExp(`^${text('Pay.respondBy')} \\d\\d:\\d\\d$`), { timeout: 500 });
  }).toPass();
  await expect(page.getByRole('heading', { name: text('Pay.helpTitle') })).toHaveCount(0);
  expect(await page.content()).toContain('http-equiv="refresh"');
  await page.getByRole('link', { name: text('Pay.stopRefresh') }).click();
  expect(await page.content()).not.toContain('http-equiv="refresh"');
  await expect(async () => {
    await page.getByRole('link', { name: text('Pay.checkAgain') }).click();
    await expect(page.getByRole('heading', { name: text('Pay.helpTitle') })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 40_000 });
  const folded = page.getByText(text('Pay.helpOther'));
  await expect(folded).toBeHidden();
  await page.getByText(text('Pay.helpMore')).click();
  await expect(folded).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  const help = {
    url: bill.webPayUrl,
    heading: { en: text('Pay.promptedOtherTitle', { digits: '005' }), sw: swahili('Pay.promptedOtherTitle', { digits: '005' }) },
    form: false,
  };
  const ownHelp = { ...help, heading: { en: text('Pay.promptedTitle'), sw: swahili('Pay.promptedTitle') }, cookie };
  for (const look of LOOKS) await lookAt(browser, { help, ownHelp }, { ...look, javaScript: true });
});
