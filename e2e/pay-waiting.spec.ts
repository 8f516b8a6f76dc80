import { type Product, startProduct } from '@/lib/testing/product';
import { LOOKS, lookAt } from './pay-looks';
import { askAs, stageWaiting } from './pay-stage';
import { test as base, expect, merchantServer } from './product';

/** A product whose prompts last one minute, as real ones do. */
const test = base.extend<object, { slow: Product }>({
  slow: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const product = await startProduct({ SANDBOX_DELAY_FACTOR: '1' });
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test('passing states during a prompt, with help if the prompt does not arrive', async ({ browser, slow }) => {
  const stage = await stageWaiting(slow);
  for (const look of LOOKS) await lookAt(browser, stage, { ...look, javaScript: true });
  for (const lang of ['sw', 'en'] as const) await lookAt(browser, stage, { lang, width: 360, javaScript: false, axe: false });

  const bill = await merchantServer(slow).create({ amount: 5_000, reference: 'HELP' });
  const cookie = await askAs(slow, bill, { mobile: '0754345005' });
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect(async () => {
    await page.getByRole('link', { name: 'Check again' }).click();
    await expect(page.getByRole('timer')).toHaveText(/^Please respond by \d\d:\d\d$/, { timeout: 500 });
  }).toPass();
  await expect(page.getByRole('heading', { name: 'No payment request on your phone?' })).toHaveCount(0);
  expect(await page.content()).toContain('http-equiv="refresh"');
  await page.getByRole('link', { name: 'Stop automatic updates' }).click();
  expect(await page.content()).not.toContain('http-equiv="refresh"');
  await expect(async () => {
    await page.getByRole('link', { name: 'Check again' }).click();
    await expect(page.getByRole('heading', { name: 'No payment request on your phone?' })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 40_000 });
  const folded = page.getByText('first decline the request on the phone');
  await expect(folded).toBeHidden();
  await page.getByText('More help').click();
  await expect(folded).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  const help = {
    url: bill.webPayUrl,
    heading: { en: 'The phone ending in 005 has a payment request', sw: 'Simu inayoishia 005 imetumiwa ombi' },
    form: false,
  };
  const ownHelp = { ...help, heading: { en: 'Check your phone', sw: 'Angalia simu yako' }, cookie };
  for (const look of LOOKS) await lookAt(browser, { help, ownHelp }, { ...look, javaScript: true });
});
