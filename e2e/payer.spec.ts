import { fitsThePhone, isAccessible } from './page-checks';
import { chooseOther, REQUESTED } from './pay-act';
import { expect, merchantServer, test } from './product';
import { either, swahili, text } from './texts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled });

    test('a customer pays a bill from its page', async ({ page, product }) => {
      const server = merchantServer(product);
      const bill = await server.create({ amount: 12500.5, reference: 'AGIZO <b>7</b>' });
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(request.url()));
      await page.goto(`${bill.webPayUrl}&lang=en`);
      await expect(page.getByRole('heading', { name: text('Pay.readyTitle') })).toBeVisible();
      await expect(page.getByRole('main').getByText('Duka la Mfano')).toBeVisible();
      await expect(page.getByText('TZS 12,500.50')).toBeVisible();
      await expect(page.getByText('AGIZO <b>7</b>')).toBeVisible();
      await expect(page.getByText(text('Pay.roundedNote'))).toBeVisible();
      expect(loaded.filter((url) => !url.startsWith('data:'))).toEqual([`${bill.webPayUrl}&lang=en`]);
      if (javaScriptEnabled) {
        await isAccessible(page);
        await fitsThePhone(page);
      }

      await page.getByLabel(text('Pay.mobileLabel')).fill('+255 712-345-678');
      await page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 12,501' }) }).click();
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(page.getByText('0712 345 678').first()).toBeVisible();
      if (javaScriptEnabled) {
        await isAccessible(page);
        await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
        await isAccessible(page);
        await fitsThePhone(page);
      } else {
        await expect(async () => {
          if (await page.getByRole('link', { name: text('Pay.checkAgain') }).isVisible())
            await page.getByRole('link', { name: text('Pay.checkAgain') }).click();
          await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible({ timeout: 500 });
        }).toPass();
      }
      await expect(page.getByText(/^SBX/)).toBeVisible();
      await expect(page.getByText(text('Pay.fiscalNote'))).toBeVisible();
      expect(await server.get(bill.id)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 12501, mobile: '0712345678' });
    });

    test('an invalid number is explained, kept and can be corrected', { tag: '@full' }, async ({ page, product }) => {
      const bill = await merchantServer(product).create({ amount: 1000, reference: 'WRONG' });
      await page.goto(`${bill.webPayUrl}&lang=sw`);
      await page.getByLabel(swahili('Pay.mobileLabel')).fill('0812 345');
      await page.getByRole('button', { name: swahili('Pay.payButton', { amount: 'TZS 1,000' }) }).click();
      await expect(page.getByRole('alert')).toHaveText(swahili('Pay.mobileInvalid'));
      await expect(page.getByLabel(swahili('Pay.mobileLabel'))).toHaveValue('0812 345');
      if (javaScriptEnabled) await isAccessible(page);
      await page.getByLabel(swahili('Pay.mobileLabel')).fill('0712 345 002');
      await page.getByRole('button', { name: swahili('Pay.payButton', { amount: 'TZS 1,000' }) }).click();
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(async () => {
        if (!javaScriptEnabled) await page.goto(`${bill.webPayUrl}&lang=sw`);
        await expect(page.getByText(swahili('Reason.user_cancelled'))).toBeVisible({
          timeout: 1_000,
        });
      }).toPass();
      await chooseOther(page);
      await page.getByLabel(swahili('Pay.mobileLabel')).fill('0712345001');
      await page.getByRole('button', { name: swahili('Pay.payButton', { amount: 'TZS 1,000' }) }).click();
      await expect.poll(async () => (await merchantServer(product).get(bill.id)).status).toBe('FULLY_PAID');
    });
  });
}

test("the page uses the browser's language, otherwise Swahili, and can be switched", { tag: '@full' }, async ({ browser, product }) => {
  const bill = await merchantServer(product).create({ amount: 1000, reference: 'LUGHA' });
  for (const [locale, heading] of [
    ['en-GB', text('Pay.readyTitle')],
    ['sw-TZ', swahili('Pay.readyTitle')],
    ['fr-FR', swahili('Pay.readyTitle')],
  ] as const) {
    const context = await browser.newContext({ locale, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(bill.webPayUrl);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    expect(await page.locator('html').getAttribute('lang')).toBe(heading === 'Pay this bill' ? 'en' : 'sw');
    await context.close();
  }
  const page = await browser.newPage({ locale: 'sw-TZ' });
  await page.goto(bill.webPayUrl);
  await page.getByRole('link', { name: swahili('Pay.otherLanguage') }).click();
  await expect(page.getByRole('heading', { name: text('Pay.readyTitle') })).toBeVisible();
  await page.close();
});

test('the page of a partly paid bill shows the remaining amount and accepts it', { tag: '@full' }, async ({ page, product }) => {
  const server = merchantServer(product);
  const bill = await server.create({ amount: 5001, reference: 'PART', mobile: '0712345009' });
  await expect.poll(async () => (await server.get(bill.id)).status).toBe('PARTIALLY_PAID');
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect(page.getByText(text('Pay.partText', { paid: 'TZS 2,501', amount: 'TZS 5,001' }))).toBeVisible();
  await expect(page.getByText(`TZS 2,500 ${text('Pay.sumRemaining')}`)).toBeVisible();
  await isAccessible(page);
  await page.getByLabel(text('Pay.mobileLabel')).fill('0712345001');
  await page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 2,500' }) }).click();
  await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
  expect(await server.get(bill.id)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 5001 });
});

test('during an unknown outcome, the page says so and has no form', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 5000, reference: 'UNKNOWN', mobile: '0712345010' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect(page.getByRole('heading', { name: either(text('Pay.unknownTitle'), text('Pay.paidTitle')) })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
});

test('a form that is sent several times causes one prompt', { tag: '@full' }, async ({ product }) => {
  const server = merchantServer(product);
  const bill = await server.create({ amount: 700, reference: 'TWICE' });
  const form = new URLSearchParams({ bill: bill.id, lang: 'en', form: 'sent-again-and-again--', mobile: '0712345005' });
  const send = () => fetch(`${product.sandboxUrl}/pay`, { method: 'POST', body: form, redirect: 'manual' });
  const answers = await Promise.all(Array.from({ length: 12 }, send));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  expect((await send()).headers.get('location')).toBe(`/pay?bill=${bill.id}&lang=en`);

  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS n FROM push_attempt WHERE bill_id = $1', [bill.id]);
  await client.end();
  expect(rows).toEqual([{ n: 1 }]);
});

test('an unknown bill and a bill of the other environment are not found', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 700, reference: 'ELSEWHERE' });
  for (const url of [`${product.sandboxUrl}/pay?bill=nope`, `${product.sandboxUrl}/pay`, `${product.liveUrl}/pay?bill=${bill.id}`]) {
    const response = await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=en`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: text('Pay.notFoundTitle') })).toBeVisible();
    await isAccessible(page);
  }
});

test('any request body is answered with a page, never with a server error', { tag: '@full' }, async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 700, reference: 'ROBUST' });
  const send = async (body: string | URLSearchParams) =>
    (await fetch(`${product.sandboxUrl}/pay`, { method: 'POST', body, redirect: 'manual' })).status;
  expect(await send(new URLSearchParams({ bill: bill.id, mobile: '7'.repeat(10_000) }))).toBe(422);
  expect(await send(new URLSearchParams({ bill: bill.id, mobile: '<script>alert(1)</script>' }))).toBe(422);
  expect(await send(new URLSearchParams({ bill: '\0', mobile: '0712345001' }))).toBe(404);
  expect(await send(new URLSearchParams({ bill: bill.id, mobile: '0712345001', form: 'nonsense' }))).toBe(303);
  // A body without a form's content type.
  expect(await send('%%%=%%&=&bill')).toBe(415);
  expect(await send('x'.repeat(100_000))).toBe(413);
});

test('the page allows only its own scripts and styles, and no frames', { tag: '@full' }, async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 700, reference: '"><script>alert(1)</script>' });
  const response = await fetch(bill.webPayUrl);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(await response.text()).not.toContain('<script>alert(1)');
});

test('the page says that the network cannot be reached, and later shows the outcome by itself', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const bill = await merchantServer(product).create({ amount: 5000, reference: 'DOWN-1', mobile: '0712345013' });
  await expect(async () => {
    await page.goto(`${bill.webPayUrl}&lang=en`);
    await expect(page.getByRole('heading', { name: text('Pay.queuedTitle') })).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByRole('heading', { name: text('ReasonTitle.provider_unavailable') })).toBeVisible({ timeout: 40_000 });
});
