import { REQUESTED } from './pay-act';
import { ask, until } from './pay-stage';
import { expect, merchantServer, test } from './product';

const NUMBER = 'Mobile money number';

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
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

      await until(bill, 'The last payment request was not completed');
      await page.goto(`${bill.webPayUrl}&lang=en`);
      await expect(number).toHaveValue('0754 345 003');
      await stranger.goto(`${bill.webPayUrl}&lang=en`);
      await expect(stranger.getByLabel(NUMBER)).toHaveValue('');
      await stranger.close();
    });

    test('a number is remembered on the device only if the customer agrees', async ({ page, product, context }) => {
      const server = merchantServer(product);
      const visit = async (reference: string) => page.goto(`${(await server.create({ amount: 1_000, reference })).webPayUrl}&lang=en`);
      const remember = page.getByRole('checkbox', { name: 'Remember this number on this device' });
      const pay = async (agree: boolean) => {
        await page.getByLabel(NUMBER).fill('0712345001');
        await remember.setChecked(agree);
        await page.getByRole('button').click();
        await expect(page.getByRole('heading', { name: /Sending the request|Check your phone|Paid/ })).toBeVisible();
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
      const amount = page.getByLabel('Amount to pay now (TZS)');
      await expect(amount).toHaveValue('3,000,000');
      await page.getByLabel(NUMBER).fill('0712 345 005');
      for (const [typed, says] of [
        ['499', 'Pay at least TZS 500.'],
        ['two', 'Enter the amount in whole shillings, for example 2,000.'],
        ['4,000,001', 'You can pay at most TZS 4,000,000 now.'],
        ['3,999,600', 'Pay TZS 4,000,000, or leave at least TZS 500 for later. Smaller amounts cannot be paid by phone.'],
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
      await expect(page.getByText('Pay TZS 2,500,000 from another phone')).toBeVisible();

      const other = await browser.newPage();
      await other.goto(`${bill.webPayUrl}&lang=en`);
      await expect(other.getByText('0*** *** 005 has a payment request for TZS 1,500,000')).toBeVisible();
      await expect(other.getByText('You can pay TZS 2,500,000 now.')).toBeVisible();
      await expect(other.getByLabel('Amount to pay now (TZS)')).toHaveValue('2,500,000');
      await other.getByLabel(NUMBER).fill('0754345001');
      await other.getByRole('button', { name: javaScriptEnabled ? 'Pay TZS 2,500,000' : 'Pay this amount' }).click();
      await expect.poll(async () => (await server.get(bill.id)).paidAmount).toBe(2_500_000);
      await other.goto(`${bill.webPayUrl}&lang=en`);
      await expect(other.getByText('TZS 2,500,000 of TZS 4,000,000 has been paid.')).toBeVisible();
      await expect(other.getByRole('progressbar', { name: 'Paid: 62%' })).toBeVisible();
      await other.close();
    });
  });
}

test('a form that was loaded before another prompt still sends a prompt to its own number', async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 4_000_000, reference: 'BEFORE' });
  for (const mobile of ['0712345005', '0754345005', '0712345005', '0754345005'])
    expect((await ask(product, bill, { mobile, amount: '1000000' })).status).toBe(303);
  const page = await (await fetch(`${bill.webPayUrl}&lang=en`)).text();
  expect([...page.matchAll(/has a payment request for/g)]).toHaveLength(2);
  expect(page).toContain('You can pay TZS\u00a02,000,000 now.');
});

test('parallel requests never ask for more than the remaining amount', async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 4_000_000, reference: 'RACE' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ask(product, bill, { mobile: `07543400${index}5`, amount: '1,500,000' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 303, ...Array.from({ length: 6 }, () => 422)]);
});

test('any form input is answered with a page', async ({ product }) => {
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
