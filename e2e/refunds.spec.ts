import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test';
import type { Product } from '@/testing/product';
import { looksWell } from './looks';
import { newMember } from './members';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { ask, sql, until } from './pay-stage';
import { goTo, newBill, newKey, newMerchant, signIn, type TestMerchant } from './people';
import { expect, test } from './product';
import { swahili, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

interface Shop {
  readonly merchant: TestMerchant;
  readonly base: string;
  paid(
    reference: string,
    amount?: number,
    mobile?: string,
  ): Promise<{ readonly id: string; readonly payUrl: string; readonly page: string }>;
}

/** A shop whose bills are paid by a number with which the sandbox can reverse the payment. */
async function openShop(product: Product, request: APIRequestContext, name: string): Promise<Shop> {
  const merchant = await newMerchant(product, name);
  const key = await newKey(product, merchant, 'Server');
  const base = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  return {
    merchant,
    base,
    async paid(reference, amount = 5_000, mobile = '0712345001') {
      const { id } = await newBill(request, product.sandboxUrl, key, { amount, reference, mobile });
      const payUrl = `${product.sandboxUrl}/pay?bill=${id}`;
      await until({ webPayUrl: payUrl }, text('Pay.paidTitle'));
      return { id, payUrl, page: `${base}/bills/${id}` };
    },
  };
}

const form = (page: Page) => page.getByRole('region', { name: text('RefundForm.title'), exact: true });
const list = (page: Page) => page.getByRole('region', { name: text('RefundList.card') });
const button = (on: Page | Locator, name: string) => on.getByRole('button', { name, exact: true });

/** Fills in the form of a bill's page. Returns when the page says how the money will go back. */
async function askFor(page: Page, { amount, reason }: { readonly amount?: string; readonly reason: string }): Promise<void> {
  await page.getByRole('main').getByText(text('BillPage.more'), { exact: true }).click();
  await page.getByRole('link', { name: text('BillPage.refund'), exact: true }).click();
  if (amount !== undefined) await form(page).getByLabel(text('RefundForm.amount')).fill(amount);
  await form(page).getByLabel(text('RefundForm.reason'), { exact: true }).fill(reason);
  await button(form(page), text('RefundForm.check')).click();
  await expect(button(form(page), text('RefundForm.back'))).toBeVisible();
}

test('a payment goes back to the phone whole, and a part of another one by hand', async ({ page, request, product }) => {
  const shop = await openShop(product, request, 'Duka la Marejesho');
  const whole = await shop.paid('WHOLE');
  // Of a number of TTCL, the sandbox neither reverses payments nor pays out.
  const part = await shop.paid('PART', 5_000, '0732345001');

  await page.goto(whole.page);
  await signIn(page, shop.merchant);
  await askFor(page, { reason: 'wrong goods' });
  await expect(form(page).getByText(text('RefundForm.plan_network', { provider: 'Sandbox', mobile: '0712345001' }))).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  await picture(page, 'refund-plan');
  await button(form(page), text('RefundForm.back')).click();
  await expect(form(page).getByLabel(text('RefundForm.reason'), { exact: true })).toHaveValue('wrong goods');
  await button(form(page), text('RefundForm.check')).click();
  await button(form(page), text('RefundForm.sendNetwork')).click();
  await expect(page.getByText(text('RefundList.told_asked_QUEUED')).first()).toBeVisible();
  await expect(list(page).getByText(text('RefundList.state_DONE'), { exact: true })).toBeVisible();
  await expect(
    page.getByRole('region', { name: text('Bill.timeline') }).getByText(text('Bill.refundAsked', { amount: 'TZS 5,000' })),
  ).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  await page.goto(`${whole.payUrl}&lang=en`);
  await expect(page.getByText(text('Reason.reversed'))).toBeVisible();
  await expect(page.getByText(/^Returned on/).locator('..')).toHaveText(/TZS\s5,000/);

  await page.goto(part.page);
  await askFor(page, { amount: '2,000', reason: 'one thing was missing' });
  await expect(form(page).getByText(text('RefundForm.plan_onlyHand', { provider: 'Sandbox' }))).toBeVisible();
  await button(form(page), text('RefundForm.sendHand')).click();
  await expect(list(page).getByText(text('RefundList.state_APPROVED'), { exact: true })).toBeVisible();

  await goTo(page, text('Refunds.title'));
  const todo = page.getByRole('region', { name: text('Refunds.toReturn') });
  await expect(todo.getByText('one thing was missing')).toBeVisible();
  await todo.locator('summary').click();
  await todo.getByLabel(text('RefundForm.how')).selectOption('bank');
  await isAccessible(page);
  await fitsThePhone(page);
  await button(todo, text('RefundForm.returnNow')).click();
  await expect(page.getByText(text('RefundList.told_returned')).first()).toBeVisible();
  await expect(page.getByText(text('Refunds.todoEmptyTitle'))).toBeVisible();
  await page.getByRole('link', { name: text('Refunds.tab_all') }).click();
  const all = page.getByRole('region', { name: text('Refunds.allTitle') });
  await expect(all.getByText(text('RefundList.state_DONE'), { exact: true })).toHaveCount(2);
  await looksWell(page, page.url(), 'refunds-all');

  for (const show of ['', '&show=receipt']) {
    await page.goto(`${part.payUrl}${show}&lang=en`);
    await expect(page.getByText(/^Returned on/).locator('..')).toHaveText(/TZS\s2,000/);
    await expect(page.getByText('one thing was missing')).toHaveCount(0);
    await isAccessible(page);
    await fitsThePhone(page);
    for (const lang of ['sw', 'en']) {
      await page.goto(`${part.payUrl}${show}&lang=${lang}`);
      await picture(page, `refunded-${show === '' ? 'page' : 'receipt'}-${lang}`);
    }
  }
});

/** Opens a page of the dashboard as another person. */
async function pageOf(browser: Browser, person: TestMerchant, url: string, lang?: 'sw'): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(url);
  await signIn(page, person);
  if (lang) {
    await context.addCookies([{ name: 'bili-lang', value: lang, url: new URL(url).origin }]);
    await page.goto(url);
  }
  return page;
}

test('two people set a limit, and above it one asks and the other one approves or declines', { tag: '@full' }, async ({
  browser,
  page,
  request,
  product,
}) => {
  const shop = await openShop(product, request, 'Duka la Wawili');
  const bill = await shop.paid('TWO');
  const settings = `${shop.base}/settings?part=payments`;
  const limit = (on: Page) => on.getByRole('region', { name: text('RefundLimit.title') });

  await page.goto(settings);
  await signIn(page, shop.merchant);
  await expect(limit(page).getByText(text('RefundLimit.alone'))).toBeVisible();
  const admin = await newMember(product, shop.merchant, 'admin');
  await page.reload();
  await limit(page).getByLabel(text('RefundLimit.limit')).fill('1,000');
  await button(limit(page), text('RefundLimit.ask')).click();
  await expect(limit(page).getByText(text('RefundLimit.own'))).toBeVisible();
  await looksWell(page, settings, 'refund-limit');

  const other = await pageOf(browser, admin, settings);
  await isAccessible(other);
  await button(limit(other), text('RefundLimit.confirm')).click();
  await expect(limit(other).getByText(text('RefundLimit.now', { amount: 'TZS 1,000' }))).toBeVisible();

  const askAgain = async () => {
    await page.goto(bill.page);
    await askFor(page, { reason: 'sent twice' });
    await expect(form(page).getByText(text('RefundForm.plan_second'))).toBeVisible();
    await button(form(page), text('RefundForm.sendSecond')).click();
    await expect(list(page).getByText(text('RefundList.own'))).toBeVisible();
    await expect(list(page).getByRole('button', { name: text('RefundList.approve') })).toHaveCount(0);
  };
  await askAgain();
  await looksWell(page, bill.page, 'refund-asked');
  await other.goto(`${shop.base}/overview`);
  await other.getByRole('link', { name: text('Overview.open_refunds') }).click();
  const toApprove = other.getByRole('region', { name: text('Refunds.toApprove') });
  await expect(toApprove.getByText('sent twice')).toBeVisible();
  await isAccessible(other);
  await picture(other, 'refunds-todo');
  await toApprove.getByRole('button', { name: text('RefundList.decline') }).click();
  await expect(other.getByText(text('RefundList.told_stopped')).first()).toBeVisible();
  await page.goto(bill.page);
  await expect(list(page).getByText(/^Declined by/)).toBeVisible();

  await askAgain();
  await other.goto(`${shop.base}/refunds`);
  // The proof of identity is too old.
  await sql(
    product,
    `UPDATE session SET proven_at = proven_at - interval '20 minutes' WHERE user_id = (SELECT id FROM "user" WHERE email = $1)`,
    admin.email,
  );
  await other.reload();
  await toApprove.getByRole('link', { name: text('RefundList.approveProof') }).click();
  await other.getByLabel(text('Shell.confirmPassword')).fill(admin.password);
  await button(other, text('Shell.confirmButton')).click();
  await toApprove.getByRole('button', { name: text('RefundList.approve') }).click();
  await expect(other.getByText(text('RefundList.told_approved')).first()).toBeVisible();
  await page.goto(bill.page);
  await expect(list(page).getByText(text('RefundList.state_DONE'), { exact: true })).toBeVisible();
  await other.context().close();
});

test('the excess of a bill goes back, and a viewer sees why not', { tag: '@full' }, async ({ browser, page, request, product }) => {
  const shop = await openShop(product, request, 'Duka la Ziada Tena');
  const key = await newKey(product, shop.merchant, 'Second');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference: 'TWICE', mobile: '0712345011' });
  const webPayUrl = `${product.sandboxUrl}/pay?bill=${bill.id}`;
  await until({ webPayUrl }, text('ReasonTitle.not_completed'));
  await ask(product, bill, { mobile: '0754345001' });
  await until({ webPayUrl }, text('Pay.overpaidTitle'));
  const billPage = `${shop.base}/bills/${bill.id}`;

  const viewer = await newMember(product, shop.merchant, 'viewer');
  const watching = await pageOf(browser, viewer, billPage, 'sw');
  await watching.getByRole('main').getByText(swahili('BillPage.more'), { exact: true }).click();
  await expect(button(watching, swahili('BillPage.refund'))).toBeDisabled();
  await expect(watching.getByText(swahili('BillPage.refundViewer'))).toBeVisible();
  await watching.goto(`${shop.base}/refunds`);
  await expect(watching.getByText(swahili('Refunds.todoEmptyTitle'))).toBeVisible();
  await expect(watching.getByText(swahili('Refunds.viewer'))).toBeVisible();
  await isAccessible(watching);
  await picture(watching, 'refunds-empty-sw');
  await watching.context().close();

  await page.goto(billPage);
  await signIn(page, shop.merchant);
  await page.getByRole('link', { name: text('BillPage.returnExcess') }).click();
  await expect(form(page).getByLabel(text('RefundForm.amount'))).toHaveValue('7,000');
  await looksWell(page, `${billPage}?refund=excess`, 'refund-form');
  await page.goto(`${billPage}?refund=excess`);
  // The payment that came last is of a number whose refunds stay unknown.
  await form(page).getByLabel(text('RefundForm.payment')).selectOption({ index: 1 });
  await form(page).getByLabel(text('RefundForm.reason'), { exact: true }).fill('paid twice');
  await button(form(page), text('RefundForm.check')).click();
  await button(form(page), text('RefundForm.sendNetwork')).click();
  await expect(list(page).getByText(text('RefundList.state_DONE'), { exact: true })).toBeVisible();
  await expect(page.getByText(text('BillPage.overpaid', { amount: 'TZS 7,000' }))).toHaveCount(0);
  await looksWell(page, billPage, 'refund-done');
  await page.goto(`${webPayUrl}&lang=en`);
  await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
  await expect(page.getByText(/^Returned on/).locator('..')).toHaveText(/TZS\s7,000/);
});
