import { REQUESTED } from './pay-act';
import { ask, until } from './pay-stage';
import { expect, merchantServer, test } from './product';
import { either, pattern, swahili, text } from './texts';

const NUMBER = text('Pay.mobileLabel');

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, { tag: '@full' }, () => {
    test.use({ javaScriptEnabled });

    test('a number is accepted in many formats, and only the device that entered it sees it whole', async ({ page, product, browser }) => {
      const bill = await merchantServer(product).create({ amount: 1_000, reference: 'NUMBER' });
      await page.goto(`${bill.webPayUrl}&lang=en`);
      const number = page.getByLabel(NUMBER);
      await expect(number).toHaveAttribute('autocomplete', 'tel-national');
      await expect(number).toHaveAttribute('inputmode', 'tel');
      await number.fill('+255 (0) 754.345-003');
      await page.getByRole('button').click();
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(page.getByText('0754 345 003').first()).toBeVisible();
      await expect(page.getByText('M-Pesa', { exact: true })).toBeVisible();

      const stranger = await browser.newPage();
      await stranger.goto(`${bill.webPayUrl}&lang=en`);
      await expect(stranger.getByText('0*** *** 003').first()).toBeVisible();
      expect(await stranger.content()).not.toMatch(/0754.345.?003|754345003/);

      await until(bill, text('ReasonTitle.not_completed'));
      await page.goto(`${bill.webPayUrl}&lang=en`);
      await expect(number).toHaveValue('0754 345 003');
      await stranger.goto(`${bill.webPayUrl}&lang=en`);
      await expect(stranger.getByLabel(NUMBER)).toHaveValue('');
      await stranger.close();
    });

    test('an empty number is reported in the language of the page', async ({ page, product }) => {
      const bill = await merchantServer(product).create({ amount: 1_000, reference: 'EMPTY' });
      await page.goto(`${bill.webPayUrl}&lang=sw`);
      await page.getByRole('button').click();
      await expect(page.locator('#problem')).toHaveText(swahili('Pay.mobileInvalid'));
    });

    test('a number is remembered on the device only if the customer agrees', async ({ page, product, context }) => {
      const server = merchantServer(product);
      const visit = async (reference: string) => page.goto(`${(await server.create({ amount: 1_000, reference })).webPayUrl}&lang=en`);
      const remember = page.getByRole('checkbox', { name: text('Pay.remember') });
      const pay = async (agree: boolean) => {
        await page.getByLabel(NUMBER).fill('0712345001');
        await remember.setChecked(agree);
        await page.getByRole('button').click();
        await expect(
          page.getByRole('heading', { name: either(text('Pay.sendingTitle'), text('Pay.promptedTitle'), text('Pay.paidTitle')) }),
        ).toBeVisible();
      };
      await visit('FIRST');
      await expect(remember).not.toBeChecked();
      await pay(false);
      expect((await context.cookies()).filter(({ name }) => name.endsWith('.number'))).toEqual([]);
      await visit('SECOND');
      await expect(page.getByLabel(NUMBER)).toHaveValue('');
      await pay(true);
      const [stored] = (await context.cookies()).filter(({ name }) => name.endsWith('.number'));
      expect(stored).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/pay' });
      expect(stored?.value).not.toContain('712345001');
      await visit('THIRD');
      await expect(page.getByLabel(NUMBER)).toHaveValue('0712 345 001');
      await expect(remember).toBeChecked();
      await pay(false);
      await visit('FOURTH');
      await expect(page.getByLabel(NUMBER)).toHaveValue('');
    });

    test("a bill above the wallets' limit is paid in parts, by several customers at once", async ({ page, product, browser }) => {
      const server = merchantServer(product);
      const bill = await server.create({ amount: 4_000_000, reference: 'TOGETHER' });
      await page.goto(`${bill.webPayUrl}&lang=en`);
      const amount = page.getByLabel(text('Pay.amountLabel'));
      await expect(amount).toHaveValue('3,000,000');
      await page.getByLabel(NUMBER).fill('0712 345 005');
      for (const [typed, says] of [
        ['499', text('Pay.amountTooSmall', { min: 'TZS 500' })],
        ['two', text('Pay.amountInvalid')],
        ['4,000,001', text('Pay.amountTooLarge', { max: 'TZS 4,000,000' })],
        ['3,999,600', text('Pay.amountLeavesTooLittle', { max: 'TZS 4,000,000', min: 'TZS 500' })],
      ] as const) {
        await amount.fill(typed);
        await page.getByRole('button').click();
        await expect(page.getByRole('alert')).toHaveText(says);
        await expect(amount).toHaveValue(typed);
        await expect(page.getByLabel(NUMBER)).toHaveValue('0712 345 005');
      }
      await amount.fill('TSh 1 500 000/=');
      await page.getByRole('button').click();
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(page.getByText('TZS 1,500,000', { exact: true })).toBeVisible();
      await expect(page.getByText(text('Pay.payBeside', { amount: 'TZS 2,500,000' }))).toBeVisible();

      const other = await browser.newPage();
      await other.goto(`${bill.webPayUrl}&lang=en`);
      await expect(other.getByText(text('Pay.otherPrompted', { mobile: '0*** *** 005', amount: 'TZS 1,500,000' }))).toBeVisible();
      await expect(other.getByText(text('Pay.payableNow', { amount: 'TZS 2,500,000' }))).toBeVisible();
      await expect(other.getByLabel(text('Pay.amountLabel'))).toHaveValue('2,500,000');
      await other.getByLabel(NUMBER).fill('0754345001');
      await other.getByRole('button', { name: javaScriptEnabled ? 'Pay TZS 2,500,000' : text('Pay.payAmountButton') }).click();
      await expect.poll(async () => (await server.get(bill.id)).paidAmount).toBe(2_500_000);
      await other.goto(`${bill.webPayUrl}&lang=en`);
      await expect(other.getByText(text('Pay.partText', { paid: 'TZS 2,500,000', amount: 'TZS 4,000,000' }))).toBeVisible();
      await expect(other.getByRole('progressbar', { name: text('Pay.progress', { percent: '62' }) })).toBeVisible();
      await other.close();
    });
  });
}

test('a form that was loaded before another prompt still sends a prompt to its own number', { tag: '@full' }, async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 4_000_000, reference: 'BEFORE' });
  for (const mobile of ['0712345005', '0754345005', '0712345005', '0754345005'])
    expect((await ask(product, bill, { mobile, amount: '1000000' })).status).toBe(303);
  const page = await (await fetch(`${bill.webPayUrl}&lang=en`)).text();
  expect([...page.matchAll(new RegExp(pattern('Pay.otherPrompted'), 'gi'))]).toHaveLength(2);
  expect(page).toContain(text('Pay.payableNow', { amount: 'TZS\u00a02,000,000' }));
});

test('parallel requests never ask for more than the remaining amount', { tag: '@full' }, async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 4_000_000, reference: 'RACE' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ask(product, bill, { mobile: `07543400${index}5`, amount: '1,500,000' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 303, ...Array.from({ length: 6 }, () => 422)]);
});

test('any form input is answered with a page', { tag: '@full' }, async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 4_000_000, reference: '</script><script>alert(1)</script>' });
  for (const fields of [
    { mobile: '0712345001' },
    { mobile: '0712345001', amount: '9'.repeat(5_000) },
    { mobile: '0712345001', amount: '-1' },
    { mobile: '0712345001', amount: '<script>alert(1)</script>', network: 'constructor' },
    { mobile: '0'.repeat(10_000), amount: '\0' },
    { mobile: '\ud800', amount: '1000' },
  ]) {
    const answer = await ask(product, bill, fields);
    expect(answer.status).toBe(422);
    expect(await answer.text()).not.toContain('<script>alert');
  }
  for (const query of ['&lang=xx&part=nothing&refresh=%', '&bill=other', '&%00=%ff', `&${'x'.repeat(3_000)}`])
    expect((await fetch(`${bill.webPayUrl}${query}`)).status).toBe(200);
  expect((await ask(product, bill, { mobile: '0712345001', amount: '1000', form: 'nonsense', remember: 'yes' })).status).toBe(303);
  const cookie = 'bili=; ='.repeat(50);
  expect((await fetch(bill.webPayUrl, { headers: { cookie } })).status).toBe(200);
});
