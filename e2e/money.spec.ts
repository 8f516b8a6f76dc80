import pg from 'pg';
import { z } from 'zod';
import { runProgram } from '@/testing/process';
import { looksWell } from './looks';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { ask, until } from './pay-stage';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const payments = z.array(z.object({ payment: z.object({ id: z.string(), transactionId: z.string() }), unmatched: z.number() }));
const reversals = z.array(z.object({ state: z.string(), amount: z.number() }));
const findings = z.array(z.object({ name: z.string(), level: z.string(), details: z.array(z.string()) }));

test("a reversed payment changes the bill's status, and merchant and customer see it", { tag: '@full' }, async ({
  page,
  request,
  ownProduct: product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Kurudisha');
  const key = await newKey(product, merchant, 'Server');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 5000, reference: 'BACK-1', mobile: '0712345001' });
  const payPage = `${product.sandboxUrl}/pay?bill=${bill.id}&lang=en`;
  await expect(async () => {
    await page.goto(payPage);
    await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const [paid] = payments.parse(await product.bili(['payment', 'show', bill.id]));
  const id = paid?.payment.id ?? '';
  await expect(product.bili(['payment', 'reverse', id, '--amount', '100.5', '--reason', 'x'])).rejects.toThrow('whole shillings');
  await product.bili(['payment', 'reverse', id, '--reason', 'wrong goods']);

  await expect(async () => {
    await page.goto(payPage);
    await expect(page.getByText(text('Reason.reversed'))).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await isAccessible(page);
  await fitsThePhone(page);
  expect(reversals.parse(await product.bili(['payment', 'reversals']))).toContainEqual(
    expect.objectContaining({ state: 'DONE', amount: 5000 }),
  );

  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${bill.id}`);
  await signIn(page, merchant);
  const timeline = page.getByRole('region', { name: text('Bill.timeline') });
  await expect(timeline.getByText(text('Bill.refundAsked', { amount: 'TZS 5,000' }))).toBeVisible();
  await expect(timeline.getByText(text('Bill.reversal', { amount: 'TZS 5,000' }))).toBeVisible();
  await expect(timeline.getByText(text('Bill.statusNow', { status: text('Status.NOT_PAID') }))).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  const { stdout } = await runProgram(['doctor', '--json'], product.env);
  const wrong = findings.parse(JSON.parse(stdout)).filter(({ level }) => level === 'wrong');
  expect(wrong).toEqual([]);
});

test('a merchant releases an unknown attempt as soon as that is allowed, and only once', { tag: '@full' }, async ({
  browser,
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Subira');
  const key = await newKey(product, merchant, 'Server');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference: 'WAIT-1', mobile: '0712345005' });
  const database = new pg.Client({ connectionString: await product.databaseUrl() });
  await database.connect();
  const unknownFor = (minutes: number) =>
    database.query(
      `UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = now() - $2 * interval '1 minute', due_at = now() + interval '1 day', lease_until = NULL WHERE bill_id = $1`,
      [bill.id, minutes],
    );
  await expect(async () => {
    const { rows } = await database.query("SELECT 1 FROM push_attempt WHERE bill_id = $1 AND state = 'AWAITING_CUSTOMER'", [bill.id]);
    expect(rows).toHaveLength(1);
  }).toPass();
  // Deletes the simulated customer's next steps, so that the attempt stays open, however slow the machine is.
  await database.query('DELETE FROM sandbox_step s USING push_attempt a WHERE s.reference = a.our_reference AND a.bill_id = $1', [bill.id]);
  await unknownFor(1);

  const billPage = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/${bill.id}`;
  await page.goto(billPage);
  await signIn(page, merchant);
  const card = page.getByRole('region', { name: text('Release.title') });
  await expect(card.getByText(pattern('Release.from'))).toBeVisible();
  await expect(card.locator('summary')).toHaveCount(0);

  await unknownFor(16);
  await page.reload();
  const another = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
  const oldPage = await another.newPage();
  await oldPage.goto(billPage);
  await card.locator('summary').click();
  await isAccessible(page);
  await fitsThePhone(page);
  await card.getByLabel(text('Release.reason')).fill('paid in cash');
  await card.getByRole('button', { name: text('Release.now') }).click();
  await expect(page.getByText(text('Release.released')).first()).toBeVisible();
  await expect(page.getByRole('region', { name: text('Bill.timeline') }).getByText(/paid in cash/)).toBeVisible();
  await expect(card).toHaveCount(0);

  const oldCard = oldPage.getByRole('region', { name: text('Pay.unknownTitle') });
  await oldCard.locator('summary').click();
  await oldCard.getByLabel(text('Release.reason')).fill('paid in cash');
  await oldCard.getByRole('button', { name: text('Release.now') }).click();
  await expect(oldPage.getByText(text('Release.already_released'))).toBeVisible();
  await another.close();

  await page.goto(`${product.sandboxUrl}/pay?bill=${bill.id}&lang=en`);
  await expect(page.getByText(text('Reason.released'))).toBeVisible();
  await page.getByLabel(text('Pay.mobileLabel')).fill('0712 345 001');
  await page.getByRole('button', { name: pattern('Pay.payButton') }).click();
  await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
  await database.end();
});

test('the overview leads to a bill that was paid twice, and its pages say what merchant and customer can do', { tag: '@full' }, async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Ziada');
  await product.bili(['merchant', 'brand', '--merchant', merchant.slug, '--support', '0712000111']);
  const key = await newKey(product, merchant, 'Server');
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/overview`);
  await signIn(page, merchant);
  const fine = await newBill(request, product.sandboxUrl, key, { amount: 12_500.5, reference: 'ROUNDED', mobile: '0712345001' });
  await until({ webPayUrl: `${product.sandboxUrl}/pay?bill=${fine.id}` }, text('Pay.paidTitle'));
  await page.reload();
  // No webhook address is set, so the page does not mention webhooks.
  await expect(page.getByText(text('Overview.calmTextNoWebhook'))).toBeAttached();

  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference: 'TWICE', mobile: '0712345011' });
  const webPayUrl = `${product.sandboxUrl}/pay?bill=${bill.id}`;
  await until({ webPayUrl }, text('ReasonTitle.not_completed'));
  await ask(product, bill, { mobile: '0754345001' });
  await until({ webPayUrl }, text('Pay.overpaidTitle'));

  await page.reload();
  await expect(page.getByText(pattern('Overview.bills_overpaid_title', { amount: 'TZS 7,000' }))).toBeVisible();
  await page.getByRole('link', { name: text('Overview.open_overpaid') }).click();
  await expect(page.getByText(text('Status.OVERPAID', { amount: '7,000' }))).toBeVisible();
  await expect(page.getByRole('link', { name: 'ROUNDED' })).toHaveCount(0);
  await looksWell(page, page.url(), 'bills-overpaid');
  await page.goto(page.url());
  await page.getByRole('link', { name: 'TWICE' }).click();
  const summary = page.getByRole('region', { name: text('BillPage.summary') });
  await expect(summary.getByText(text('BillPage.overpaid', { amount: 'TZS 7,000' }))).toBeVisible();
  await expect(summary.getByText(text('Status.FULLY_PAID'), { exact: true })).toHaveCount(0);
  await isAccessible(page);
  await fitsThePhone(page);

  for (const [address, words] of [
    [webPayUrl, pattern('Pay.overpaidText')],
    [`${webPayUrl}&show=receipt`, text('Receipt.overpaidText')],
  ] as const) {
    await page.goto(`${address}&lang=en`);
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByText(text('Pay.tooMuch'), { exact: true }).locator('..')).toHaveText(/TZS\s7,000/);
    await isAccessible(page);
    await fitsThePhone(page);
    for (const lang of ['sw', 'en']) {
      await page.goto(`${address}&lang=${lang}`);
      await picture(page, `overpaid-${address.includes('receipt') ? 'receipt' : 'page'}-${lang}`);
    }
  }
});
