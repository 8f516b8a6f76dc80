import type { BrowserContext, Locator, Page } from '@playwright/test';
import { Client } from 'pg';
import { makePastDays } from '@/testing/data/past-days';
import { chooseOther, REQUESTED } from './pay-act';
import { menuButton, navigation, newBill, newKey, newMerchant, signedIn, type TestMerchant } from './people';
import { expect, merchantServer, test } from './product';
import { text } from './texts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, locale: 'en-GB' } as const;
test.use(PHONE);

/** Taps on a phone. Typing, which includes the keys of a keypad and of the phone's keyboard, is not counted. */
function countTaps() {
  let taps = 0;
  return {
    async tap(target: Locator): Promise<void> {
      taps += 1;
      await target.tap();
    },
    /** Expects that `goal` is visible now and that exactly `most` taps were counted. */
    async reached(goal: Locator, most: number): Promise<void> {
      await expect(goal).toBeVisible();
      expect(taps, 'taps').toBe(most);
    },
  };
}

let merchant: TestMerchant;
let context: BrowserContext;
let page: Page;
let root: string;

test.beforeAll(async ({ browser, playwright, product }) => {
  merchant = await newMerchant(product, 'Duka la Vidole');
  root = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  const request = await playwright.request.newContext();
  const key = await newKey(product, merchant, 'Server');
  const client = new Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  await makePastDays(
    { query: async ({ text }, values) => (await client.query(text, [...(values ?? [])])).rows },
    { merchantId: merchant.id, environment: 'sandbox' },
    { bills: 1_500, days: 89, now: new Date() },
  );
  for (const [reference, mobile, state] of [
    ['PAID-1', '0754345001', 'SUCCEEDED'],
    ['AGAIN-1', '0754349003', 'FAILED'],
  ] as const) {
    const { id } = await newBill(request, product.sandboxUrl, key, { amount: 5_000, reference, mobile });
    const settled = 'SELECT 1 FROM push_attempt WHERE bill_id = $1 AND state = $2';
    await expect.poll(async () => (await client.query(settled, [id, state])).rowCount).toBe(1);
  }
  await client.end();
  await request.dispose();
  const session = await signedIn(browser, product.liveUrl, merchant);
  context = await browser.newContext({ ...PHONE, storageState: await session.storageState() });
  await session.close();
});
test.afterAll(() => context.close());
test.beforeEach(async () => {
  page = await context.newPage();
  await page.goto(`${root}/overview`);
  await expect(page.getByRole('region', { name: text('Overview.collected'), exact: true })).toBeVisible();
});
test.afterEach(() => page.close());

const search = () => page.getByRole('combobox', { name: text('SearchBox.label') });
const found = () =>
  page
    .getByRole('listbox', { name: text('SearchBox.results') })
    .getByRole('option')
    .first();

test('a payment is found by the last four digits of the number with 2 taps', { tag: '@full' }, async () => {
  const { tap, reached } = countTaps();
  await tap(search());
  await page.keyboard.type('5001');
  await tap(found());
  await reached(page.getByRole('region', { name: text('Bill.timeline') }).getByText(text('Bill.payment', { amount: 'TZS 5,000' })), 2);
});

test('a new bill is created and sent by WhatsApp with 3 taps on its page', { tag: '@full' }, async () => {
  await page.goto(`${root}/bills/new`);
  const { tap, reached } = countTaps();
  await tap(page.getByLabel(`${text('NewBill.amount')} (TZS)`));
  await page.keyboard.type('12500');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ada ya Januari');
  await tap(page.getByRole('button', { name: text('NewBill.create') }));
  const whatsapp = page.getByRole('link', { name: text('BillForms.whatsapp') }).first();
  await expect(whatsapp).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text=/);
  await whatsapp.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()));
  await tap(whatsapp);
  await reached(whatsapp, 3);
});

test('a failed payment request is sent again with 3 taps', { tag: '@full' }, async () => {
  const { tap, reached } = countTaps();
  await tap(search());
  await page.keyboard.type('9003');
  await tap(found());
  await tap(page.getByRole('button', { name: text('BillPage.askAgain') }));
  // Looks for the entry in the history. The notice above it disappears as soon as the payment request has an outcome.
  await reached(page.getByRole('region', { name: text('Bill.timeline') }).getByText(/^Sent by .+@example\.com$/), 3);
});

test('why yesterday was bad is found out with 3 taps', { tag: '@full' }, async () => {
  const { tap, reached } = countTaps();
  await tap(page.getByRole('link', { name: text('Overview.range_yesterday') }));
  await expect(page).toHaveURL(/range=yesterday/);
  await tap(
    page.getByRole('region', { name: text('Overview.success') }).getByRole('link', { name: text('RequestReason.insufficient_funds') }),
  );
  await expect(page.getByText(text('BillList.reasonPart', { reason: text('RequestReason.insufficient_funds') }))).toBeVisible();
  await tap(page.getByRole('link', { name: /^PAST-/ }).first());
  await reached(page.getByRole('heading', { name: 'PAST-' }), 3);
});

test('a cashier is invited with 4 taps', { tag: '@full' }, async () => {
  const { tap, reached } = countTaps();
  await tap(menuButton(page));
  await tap(navigation(page).getByRole('link', { name: text('Team.title') }));
  await tap(page.getByRole('link', { name: text('Team.invite'), exact: true }));
  await expect(page.getByLabel(text('Cashiers.name'))).toBeFocused();
  await page.keyboard.type('Asha Juma');
  // Tab and Enter stand for the keys "next" and "go" of the phone's keyboard.
  await page.keyboard.press('Tab');
  await page.keyboard.type('0712345678');
  await page.keyboard.press('Enter');
  const whatsapp = page.getByRole('link', { name: text('Cashiers.whatsapp') });
  await expect(whatsapp).toHaveAttribute('href', /^https:\/\/wa\.me\/255712345678\?text=/);
  await whatsapp.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()));
  await tap(whatsapp);
  await reached(page.getByText(text('Cashiers.readyTitle', { name: 'Asha Juma' })), 4);
});

test('at the counter, money is taken with 2 taps, and the shift is closed with 2', { tag: '@full' }, async () => {
  await page.goto(`${root}/counter`);
  const sale = countTaps();
  for (const key of ['5', '0', '00']) await page.getByRole('button', { name: key, exact: true }).tap();
  await sale.tap(page.getByLabel(text('Counter.mobile')));
  await page.keyboard.type('0754345001');
  await sale.tap(page.getByRole('button', { name: text('Counter.sendRequest') }));
  await sale.reached(page.getByText(text('Counter.stateText_paid')), 2);
  await page.goto(`${root}/counter`);
  const close = countTaps();
  await close.tap(page.getByRole('button', { name: text('Counter.closeShift') }));
  await close.tap(page.getByRole('button', { name: text('Counter.closeNow') }));
  await close.reached(page.getByRole('heading', { name: text('Shift.closedTitle') }), 2);
});

for (const javaScriptEnabled of [true, false]) {
  test(`a link is paid with 2 taps, and a failed request is repeated with one, with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, {
    tag: '@full',
  }, async ({ browser, product }) => {
    const bill = await merchantServer(product).create({ amount: 1_000, reference: 'TAPS' });
    const customer = await (await browser.newContext({ ...PHONE, javaScriptEnabled })).newPage();
    const address = `${bill.webPayUrl}&lang=en`;
    await customer.goto(address);
    const first = countTaps();
    await first.tap(customer.locator('#mobile'));
    await customer.keyboard.type('0712345003');
    await first.tap(customer.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 1,000' }) }));
    await first.reached(customer.getByRole('heading', { name: REQUESTED }), 2);
    const failed = () =>
      expect(async () => {
        if (!javaScriptEnabled) await customer.goto(address);
        await expect(customer.getByRole('heading', { name: text('ReasonTitle.wrong_pin') })).toBeVisible({ timeout: 1_000 });
      }).toPass();
    await failed();
    await expect(customer.locator('#mobile')).toBeHidden();
    const again = countTaps();
    await again.tap(customer.getByRole('button', { name: text('Pay.retry', { mobile: '0712 345 003' }) }));
    await again.reached(customer.getByRole('heading', { name: REQUESTED }), 1);
    await failed();
    await chooseOther(customer);
    await expect(customer.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 1,000' }) })).toBeVisible();
    await customer.context().close();
  });
}
