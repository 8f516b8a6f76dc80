import { looksWell } from './looks';
import { newKey, newMerchant, postBill, signIn } from './people';
import { expect, test } from './product';
import { text } from './texts';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a developer finds a refused request by its id, sees the reason, and sends a request again', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Programu');
  const key = await newKey(product, merchant, 'Shop server');
  const keys = `${product.liveUrl}/m/${merchant.slug}/sandbox/keys`;
  const log = keys.replace(/keys$/, 'requests');
  const send = (bill: object, secret = key.apiSecret) => postBill(request, product.sandboxUrl, { ...key, apiSecret: secret }, bill);
  await page.goto(keys);
  await signIn(page, merchant);

  await test.step('reads what the page is for while it is empty', async () => {
    await page.getByRole('link', { name: text('Requests.tab_requests') }).click();
    await expect(page.getByText(text('Requests.emptyTitle'))).toBeVisible();
  });

  const refused = await send({ amount: 5000, reference: 'LOG-1', mobile: '12345' });
  await send({ amount: 5000, reference: 'LOG-2', mobile: '0712345001' });
  await send({ amount: 5000, reference: 'LOG-3' }, 'wrong');

  await test.step('finds the refused request', async () => {
    await expect(async () => {
      await page.goto(log);
      await expect(page.getByRole('row')).toHaveCount(4, { timeout: 1_000 });
    }).toPass();
    await looksWell(page, log, 'request-log');
    await page.goto(log);
    await page.getByRole('button', { name: text('BillTabs.moreFilters') }).click();
    await page.getByLabel(text('Requests.request')).fill((refused.headers()['x-request-id'] ?? '').slice(0, 12));
    await page.getByRole('button', { name: text('Requests.apply') }).click();
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('link', { name: 'POST /api/v3/bills/create' }).click();
    await expect(page.getByRole('region', { name: text('Requests.call'), exact: true })).toContainText(
      'mobile must be a Tanzanian mobile number',
    );
    await expect(page.getByRole('region', { name: text('Requests.sent') })).toContainText('"reference": "LOG-1"');
    await looksWell(page, page.url(), 'request-refused');
  });

  await test.step('sees the bill of a request in its row, and finds the errors with one click', async () => {
    await page.goto(log);
    await expect(page.getByRole('row', { name: /LOG-2.*TZS 5,000/ })).toBeVisible();
    await page
      .getByRole('navigation', { name: text('Requests.filteredBy') })
      .getByRole('link', { name: text('Requests.class_errors') })
      .click();
    await expect(page.getByRole('row')).toHaveCount(3);
    await expect(page.getByRole('row', { name: 'mobile_invalid' })).toBeVisible();
    await expect(page.getByRole('row', { name: /LOG-2/ })).toHaveCount(0);
  });

  await test.step('sees that a secret was wrong', async () => {
    await page.goto(`${log}?status=4xx`);
    await page.getByRole('row', { name: 'Invalid api key or api secret' }).getByRole('link').click();
    await expect(page.getByText(text('Requests.refusal_wrong_secret'))).toBeVisible();
    await expect(page.getByRole('button', { name: text('Requests.replay') })).toHaveCount(0);
  });

  await test.step('sends a request again', async () => {
    await page.goto(`${log}?status=2xx`);
    await page.getByRole('link', { name: 'POST /api/v3/bills/create' }).click();
    await expect(page.getByText('0712345001')).toHaveCount(0);
    await page.getByRole('button', { name: text('Requests.replay') }).click();
    await expect(page.getByText(text('Requests.result_replayed'))).toBeVisible();
    await expect(page.getByText('idempotency-key: replay-')).toBeVisible();
    await looksWell(page, page.url(), 'request-replayed');
    await page.getByRole('link', { name: text('Requests.showBill') }).click();
    await expect(page.getByRole('heading', { name: /LOG-2/ })).toBeVisible();
  });
});
