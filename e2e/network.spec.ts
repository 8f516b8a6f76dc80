import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fitsThePhone, isAccessible } from './page-checks';
import { chooseOther, REQUESTED, showNetworks } from './pay-act';
import { newBill, newKey, newMerchant } from './people';
import { expect, merchantServer, test } from './product';
import { text } from './texts';

/** Returns the names of the networks that the form offers. */
async function networksOf(page: Page): Promise<string[]> {
  const names = await page
    .getByRole('group', { name: text('Pay.networkLabel') })
    .locator('label')
    .allInnerTexts();
  return names.map((name) => name.trim());
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, { tag: '@full' }, () => {
    test.use({ javaScriptEnabled });

    test('a customer with a ported number chooses its network, which is remembered for the next attempt', async ({ page, product }) => {
      const server = merchantServer(product);
      const bill = await server.create({ amount: 1000, reference: 'PORTED' });
      const address = `${bill.webPayUrl}&lang=en`;
      await page.goto(address);
      await showNetworks(page);
      expect(await networksOf(page)).toEqual([text('Pay.networkByNumber'), 'M-Pesa', 'Mixx by Yas', 'Airtel Money', 'HaloPesa', 'T-Pesa']);
      const airtel = page.getByRole('radio', { name: 'Airtel Money' });
      await expect(page.getByRole('radio', { name: text('Pay.networkByNumber') })).toBeChecked();
      if (javaScriptEnabled) {
        await isAccessible(page);
        await fitsThePhone(page);
      }

      await airtel.check();
      await page.getByLabel(text('Pay.mobileLabel')).fill('0754 34');
      await page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 1,000' }) }).click();
      await expect(page.getByRole('alert')).toHaveText(text('Pay.mobileTooShort', { digits: '6' }));
      await showNetworks(page);
      await expect(airtel).toBeChecked();

      await page.getByLabel(text('Pay.mobileLabel')).fill('0754 345 002');
      await page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 1,000' }) }).click();
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(async () => {
        if (!javaScriptEnabled) await page.goto(address);
        await expect(page.getByRole('heading', { name: text('ReasonTitle.user_cancelled') })).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await chooseOther(page);
      await expect(page.locator('#guess')).toHaveText('Airtel Money');
      await page.getByLabel(text('Pay.mobileLabel')).fill('0754 345 001');
      await page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 1,000' }) }).click();
      await expect.poll(async () => (await server.get(bill.id)).status).toBe('FULLY_PAID');
      const { Client } = (await import('pg')).default;
      const client = new Client({ connectionString: await product.databaseUrl() });
      await client.connect();
      const { rows } = await client.query('SELECT mobile, network FROM push_attempt WHERE bill_id = $1 ORDER BY id', [bill.id]);
      await client.end();
      expect(rows).toEqual([
        { mobile: '0754345002', network: 'airtel' },
        { mobile: '0754345001', network: 'airtel' },
      ]);
    });
  });
}

test('the page says before any prompt that a network is not supported, and keeps the number', { tag: '@full' }, async ({
  page,
  product,
  request,
}) => {
  const merchant = await newMerchant(product, 'Kahawa');
  const { id } = await newBill(request, product.liveUrl, await newKey(product, merchant, 'shop', 'live'), {
    amount: 1000,
    reference: 'LIVE',
  });
  const number = page.getByLabel(text('Pay.mobileLabel'));
  const pay = page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 1,000' }) });
  await page.goto(`${product.liveUrl}/pay?bill=${id}&lang=en`);
  await expect(page.getByText(text('Pay.nothingServed'))).toBeVisible();
  await expect(number).toHaveCount(0);
  const early = await request.post(`${product.liveUrl}/pay`, { form: { bill: id, lang: 'en', mobile: '0754345678' } });
  expect(early.status()).toBe(200);
  expect(await early.text()).toContain(text('Pay.unservedTitle'));

  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials = {
    // No server listens at this address, and none is needed: the account is never called.
    baseUrl: 'http://127.0.0.1:9',
    env: 'openapi',
    apiKey: 'no-key-of-anybody',
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    serviceProviderCode: '123456',
    mode: 'async',
  };
  const config = join(product.dataDir, 'mpesa.json');
  await writeFile(config, JSON.stringify(credentials));
  await product.bili(['provider', 'add', '--type', 'mpesa', '--environment', 'live', '--merchant', merchant.slug, '--config', config]);

  await page.getByRole('link', { name: text('Pay.checkAgain') }).click();
  await number.fill('0712 345 678');
  await pay.click();
  await expect(page.getByRole('alert')).toContainText(text('Pay.numberNotServed', { wallet: 'Mixx by Yas' }));
  await expect(number).toHaveValue('0712 345 678');
  expect(await networksOf(page)).toEqual([text('Pay.networkByNumber'), 'M-Pesa']);
  await isAccessible(page);
  await fitsThePhone(page);
  await number.fill('0722 345 678');
  await pay.click();
  await expect(page.getByRole('alert')).toHaveText(text('Pay.networkUnknown'));

  for (const [network, says] of [
    ['airtel', 'The shop cannot receive Airtel Money payments at the moment.'],
    ['other', text('Pay.networkInvalid')],
    ['__proto__', text('Pay.networkInvalid')],
  ]) {
    const form = { bill: id, lang: 'en', mobile: '0754345678', network: network ?? '' };
    const answer = await request.post(`${product.liveUrl}/pay`, { form });
    expect(answer.status()).toBe(422);
    expect(await answer.text()).toContain(says);
  }
  await page.goto(`${product.liveUrl}/pay?bill=${id}&lang=en`);
  await expect(number).toBeVisible();
});
