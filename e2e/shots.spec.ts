import { expect, merchantServer, test } from './product';

test('shots', async ({ browser, product }) => {
  test.setTimeout(300_000);
  const server = merchantServer(product);
  const shot = async (
    name: string,
    bill: { webPayUrl: string },
    options: { lang?: string; width?: number; act?: (page: import('@playwright/test').Page) => Promise<void> } = {},
  ) => {
    const context = await browser.newContext({ viewport: { width: options.width ?? 360, height: 740 }, locale: 'sw-TZ' });
    const page = await context.newPage();
    await page.goto(`${bill.webPayUrl}&lang=${options.lang ?? 'sw'}`);
    if (options.act) await options.act(page);
    await page.screenshot({ path: `/tmp/pp-shots/${name}.png`, fullPage: true });
    await context.close();
  };
  const plain = await server.create({ amount: 12500.5, reference: 'AGIZO-7' });
  await shot('ready', plain);
  await shot('ready-en-wide', plain, { lang: 'en', width: 1280 });
  await shot('wrong', plain, {
    act: async (page) => {
      await page.locator('#mobile').fill('0812');
      await page.locator('button').click();
    },
  });
  await shot('big', await server.create({ amount: 1_000_000_000, reference: 'x'.repeat(255) }), {
    lang: 'en',
    act: async (page) => {
      await page.locator('#mobile').fill('0754');
    },
  });
  const run = async (name: string, ends: string, wait: RegExp, amount = 5000) => {
    const bill = await server.create({ amount, reference: `S-${ends}` });
    await shot(name, bill, {
      act: async (page) => {
        await page.locator('#mobile').fill(`0712345${ends}`);
        await page.locator('button').click();
        await expect(page.locator('h1')).toHaveText(wait, { timeout: 20_000 });
      },
    });
    return bill;
  };
  await run('prompted', '005', /Angalia simu/);
  const slow = await server.create({ amount: 5000, reference: 'HELP' });
  await shot('help', slow, {
    lang: 'en',
    act: async (page) => {
      await page.locator('#mobile').fill('0754345005');
      await page.locator('button').click();
      await expect(page.locator('h2').first()).toHaveText(/Did not/, { timeout: 20_000 });
    },
  });
  await run('declined', '002', /limekataliwa/);
  await run('pin', '003', /siri/);
  await run('balance', '004', /Salio/);
  await run('notreg', '006', /haina/);
  await run('paid', '001', /Imelipwa/);
  await run('part', '009', /sehemu/, 5001);
  await run('queued', '013', /haujajibu/);
  const many = await server.create({ amount: 4_000_000, reference: 'MANY' });
  await shot('many-own', many, {
    lang: 'en',
    act: async (page) => {
      await page.locator('#amount').fill('1,000,000');
      await page.locator('#mobile').fill('0754345005');
      await page.locator('button').click();
      await expect(page.locator('h1')).toHaveText(/Look/);
    },
  });
  await shot('many-other', many, { lang: 'en' });
});
