import { addressPattern, listPages } from '@/testing/surface/route-files';
import { askAs, keepPrompt, sql } from './pay-stage';
import { newBill, newKey, newMerchant, setHook, signedIn } from './people';
import { expect, merchantServer, test } from './product';
import { text } from './texts';
import { findBrokenAmounts, recordShifts, worksInEveryWindow, worksWithKeyboard } from './window-checks';

test.use({ locale: 'en-GB' });

const DASHBOARD = '(dashboard)/m/[merchant]/[environment]/';

test('public pages work with the keyboard and at a zoom of 400 %', { tag: '@full' }, async ({ page, product }) => {
  await recordShifts(page);
  const server = merchantServer(product);
  const [ready, part, paid, closed, waiting, long] = [
    await server.create({ amount: 12_500, reference: 'READY' }),
    await server.create({ amount: 4_000_000, reference: 'PART' }),
    await server.create({ amount: 5_000, reference: 'PAID', mobile: '0712345001' }),
    await server.create({ amount: 5_000, reference: 'CLOSED' }),
    await server.create({ amount: 5_000, reference: 'WAITING' }),
    await server.create({ amount: 999_999_999.5, reference: 'R'.repeat(200) }),
  ];
  await sql(product, 'UPDATE bill SET closed_at = now() WHERE id = $1', closed.id);
  const failed = await server.create({ amount: 5_000, reference: 'FAILED', mobile: '0712345003' });
  await expect.poll(async () => (await server.get(paid.id)).status).toBe('FULLY_PAID');
  const [name = '', value = ''] = (await askAs(product, waiting, { mobile: '0712345005' })).split(/=(.*)/s);
  await keepPrompt(product, waiting);
  await page.context().addCookies([{ name, value, url: waiting.webPayUrl }]);
  await page.goto(`${paid.webPayUrl}&show=receipt&lang=en`);
  const code = await page.locator('.code').innerText();
  await page.goto(`${ready.webPayUrl}&show=qr&lang=en`);
  const short = await page.locator('a[href*="wa.me"]').getAttribute('href');
  const link = /http\S+\/p\/\w{12}/.exec(decodeURIComponent(short ?? ''))?.[0] ?? '';
  for (const [title, url] of [
    ['home', product.liveUrl],
    ['pay', `${ready.webPayUrl}&lang=sw`],
    ['pay a part', `${part.webPayUrl}&lang=en`],
    ['pay a long bill', `${long.webPayUrl}&lang=en`],
    ['waiting', `${waiting.webPayUrl}&lang=sw`],
    ['failed', `${failed.webPayUrl}&lang=en`],
    ['paid', `${paid.webPayUrl}&lang=en`],
    ['closed', `${closed.webPayUrl}&lang=en`],
    ['bill not found', `${product.sandboxUrl}/pay?bill=x&lang=en`],
    ['receipt', `${paid.webPayUrl}&show=receipt&lang=en`],
    ['QR code', `${ready.webPayUrl}&show=qr&lang=en`],
    ['block a number', `${ready.webPayUrl}&show=stop&lang=en`],
    ['another way to pay', `${ready.webPayUrl}&show=ways&lang=sw`],
    ['short link', link],
    ['verify', `${product.sandboxUrl}/verify?lang=en`],
    ['genuine', `${product.sandboxUrl}/verify?lang=sw&code=${code}`],
    ['unknown', `${product.sandboxUrl}/verify?lang=en&code=FAKE-FAKE-FAKE`],
    ['sign in', `${product.liveUrl}/sign-in`],
    ['forgot', `${product.liveUrl}/forgot`],
    ['sign up', `${product.liveUrl}/sign-up`],
    ['not found', `${product.liveUrl}/nothing-here`],
  ] as const) {
    await worksInEveryWindow(page, url, title);
  }
});

test('amounts are never broken into two lines', { tag: '@full' }, async ({ page, product }) => {
  const server = merchantServer(product);
  const bills = await Promise.all(
    [5_000, 50_000, 125_000, 1_250_000, 999_999_999].map((amount) => server.create({ amount, reference: `SUM-${amount}` })),
  );
  const paid = await Promise.all(
    [50_000, 125_000].map((amount) => server.create({ amount, reference: `P-${amount}`, mobile: '0712345001' })),
  );
  for (const { id } of paid) await expect.poll(async () => (await server.get(id)).status).toBe('FULLY_PAID');
  const pages = [
    ...bills.map(({ webPayUrl }) => `${webPayUrl}&lang=sw`),
    ...paid.flatMap(({ webPayUrl }) => [`${webPayUrl}&lang=en`, `${webPayUrl}&show=receipt&lang=en`]),
  ];
  for (const url of pages) {
    await page.goto(url);
    for (const [width, text, media] of [
      [240, '100%', 'screen'],
      [320, '100%', 'screen'],
      [320, '200%', 'screen'],
      [181, '100%', 'print'],
      [200, '100%', 'print'],
    ] as const) {
      // In letters of twice the size, an amount of ten millions in a sentence is wider than the line.
      if (text === '200%' && (await page.getByText('TZS\u00a010,000,000').count()) > 0) continue;
      await page.emulateMedia({ media });
      await page.setViewportSize({ width, height: 400 });
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
      expect(await page.evaluate(findBrokenAmounts), `${url} at ${width} px, text ${text}, ${media}`).toEqual([]);
    }
  }
});

test('pages of the dashboard work with the keyboard and at a zoom of 400 %', { tag: '@full' }, async ({ browser, request, product }) => {
  test.setTimeout(480_000);
  const merchant = await newMerchant(product, 'Duka la Dirisha');
  const key = await newKey(product, merchant, 'Server');
  await setHook(product, merchant, 'http://127.0.0.1:9/nobody');
  await product.bili(['demo', 'seed', '--merchant', merchant.slug, '--environment', 'sandbox', '--bills', '30']);
  const context = await signedIn(browser, product.liveUrl, merchant);
  const page = await context.newPage();
  await recordShifts(page);
  const root = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  await page.goto(`${root}/bills`);
  const bill = await page
    .getByRole('table', { name: text('BillList.title') })
    .getByRole('link')
    .first()
    .getAttribute('href');
  const pages = listPages().filter((file) => file.startsWith(DASHBOARD) && !file.slice(DASHBOARD.length).includes('['));
  expect(pages.length).toBeGreaterThan(15);
  const paths = pages.map((file) => addressPattern(file.slice(DASHBOARD.length)));
  for (const path of [...paths, 'search?q=a', 'search?q=nothing-such']) {
    await worksInEveryWindow(page, `${root}/${path}`, path);
  }
  await page.goto(`${root}/bills`);
  await page.getByRole('checkbox', { name: text('BillRows.selectAll') }).check();
  await expect(page.getByRole('region', { name: text('BulkBills.label') })).toBeVisible();
  await worksWithKeyboard(page, 'bills with the bar of actions');
  await page.setViewportSize({ width: 360, height: 740 });
  await worksWithKeyboard(page, 'bills with the bar of actions on a phone');
  await worksInEveryWindow(page, new URL(bill ?? '', product.liveUrl).href, 'bill');
  const unpaid = await newBill(request, product.sandboxUrl, key, { amount: 2000, reference: 'ADA-YA-SHULE' });
  await worksInEveryWindow(page, `${root}/bills/${unpaid.id}`, 'unpaid bill');
  await worksInEveryWindow(page, `${product.liveUrl}/account`, 'account');
  await context.close();
});
