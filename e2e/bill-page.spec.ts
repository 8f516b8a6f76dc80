import type { Browser, Page } from '@playwright/test';
import type { Product } from '@/lib/testing/product';
import { looksWell } from './looks';
import { newMember } from './members';
import { sql } from './pay-stage';
import { newBill, newKey, newMerchant, signIn, type TestMerchant } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const at = (product: Product, merchant: TestMerchant, page: string) => `${product.liveUrl}/m/${merchant.slug}/sandbox/${page}`;
const timeline = (page: Page) => page.getByRole('region', { name: 'History' });
const summary = (page: Page) => page.getByRole('region', { name: 'Payment status' });

async function pageOf(browser: Browser, url: string, person: TestMerchant): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } })).newPage();
  await page.goto(url);
  await signIn(page, person);
  return page;
}

test('a bill is created, sent, closed, reopened and paid, and its page updates itself', async ({ page, browser, product }) => {
  test.setTimeout(180_000);
  const merchant = await newMerchant(product, 'Duka la Bili');
  await page.goto(at(product, merchant, 'bills/new'));
  await signIn(page, merchant);

  await test.step('errors are explained, and the input is kept', async () => {
    await page.getByLabel('Amount (TZS)').fill('elfu tano');
    await page.getByLabel('Reference').fill('Ada ya Januari');
    await page.getByLabel('Mobile number').fill('12');
    await page.getByRole('button', { name: 'Create bill' }).click();
    await expect(page.getByText('Enter the amount in digits, for example 12,500.')).toBeVisible();
    await expect(page.getByText('Enter a Tanzanian mobile number')).toBeVisible();
    await expect(page.getByLabel('Reference')).toHaveValue('Ada ya Januari');
    await looksWell(page, page.url(), 'bill-new');
    await page.reload();
  });

  await test.step('thousands are grouped while they are typed, and a point before three digits separates thousands', async () => {
    const amount = page.getByLabel('Amount (TZS)');
    await amount.pressSequentially('1250000');
    await expect(amount).toHaveValue('1,250,000');
    await amount.press('Home');
    await amount.press('Delete');
    await expect(amount).toHaveValue('250,000');
    await amount.fill('');
    await amount.pressSequentially('12.500');
    await expect(amount).toHaveValue('12,500');
    await expect(page.getByText('We read this as 12,500.')).toBeVisible();
  });

  await test.step('a double click creates one bill', async () => {
    await page.getByLabel('Amount (TZS)').fill('TSh 12,500/=');
    await page.getByLabel('Reference').fill('Ada ya Januari');
    await page.getByRole('button', { name: 'Create bill' }).dblclick();
    await expect(page.getByText('Bill created. Now send the link.')).toBeVisible();
    await expect(summary(page).getByText('TZS 12,500')).toBeVisible();
    await expect(timeline(page).getByText(`By ${merchant.email}`)).toBeVisible();
    await expect(page).toHaveURL(/\/bills\/[\w-]+$/);
    await expect(page).toHaveTitle(`Bill Ada ya Januari · ${merchant.name} · Sandbox`);
  });
  const url = page.url();

  await test.step('the name, the description and the due date are added and changed', async () => {
    await page.getByText('Edit name, description and due date').click();
    await page.getByLabel("Customer's name").fill('Asha Juma');
    await page.getByLabel('Due date').fill('2020-01-31');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved.')).toBeVisible();
    await expect(page.getByText(/^Overdue by [\d,]+ days$/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Details' }).getByText('Asha Juma')).toBeVisible();
    await expect(timeline(page).getByText('Name, description or due date changed')).toBeVisible();
    await looksWell(page, url, 'bill-info');
    // The last row has no line below it.
    const rows = page.getByRole('region', { name: 'Details' }).locator('dl > div');
    await expect(rows.last()).toHaveCSS('border-bottom-width', '0px');
    await expect(rows.first()).toHaveCSS('border-top-width', '0px');
    await page.getByText('Edit name, description and due date').click();
    await page.getByLabel('Description').fill('Ada ya muhula wa kwanza');
    await page.getByLabel('Due date').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Details' }).getByText('Ada ya muhula wa kwanza')).toBeVisible();
    await expect(page.getByText(/^Overdue/)).toHaveCount(0);
    await page.goto(url);
  });

  const link = await test.step('the link can be sent in both languages', async () => {
    const share = page.getByRole('region', { name: 'Send the link' });
    await expect(share.locator('[data-shown=message]')).toContainText('Duka la Bili: lipa TZS 12,500 (Ada ya Januari) hapa http');
    await share.getByText('English').click();
    await expect(share.locator('[data-shown=message]')).toContainText('Duka la Bili: pay TZS 12,500 (Ada ya Januari) here http');
    await expect(share.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
      'href',
      /^https:\/\/wa\.me\/\?text=Duka%20la%20Bili%3A%20pay%20TZS%2012%2C500/,
    );
    await expect(share.getByRole('link', { name: 'SMS' })).toHaveAttribute('href', /^sms:\?body=Duka/);
    await share.getByText('Show QR code').click();
    await expect(share.getByRole('img', { name: /QR code/ })).toBeVisible();
    return (await share.getByRole('link', { name: /^http/ }).getAttribute('href')) ?? '';
  });

  const customer = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await test.step('a bill is closed with a note, and can be paid after it is reopened', async () => {
    await page.getByText('Close this bill').click();
    await page.getByLabel('Reason').fill('ordered twice');
    await page.getByRole('button', { name: 'Close the bill' }).click();
    await expect(page.getByText('Bill closed.')).toBeVisible();
    await expect(timeline(page).getByText('ordered twice')).toBeVisible();
    await customer.goto(link);
    await expect(customer.getByRole('heading', { name: 'This bill is closed' })).toBeVisible();
    await looksWell(page, url, 'bill-closed');
    await page.goto(url);

    await page.getByText('Add a note').click();
    await page.getByLabel('Note for your team').fill('Asha called:\nshe pays tomorrow');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(timeline(page).getByText('she pays tomorrow')).toBeVisible();

    await page.getByLabel('Reason').fill('it was not');
    await page.getByRole('button', { name: 'Reopen this bill' }).click();
    await expect(page.getByText('Bill reopened. It can be paid again.')).toBeVisible();
    await customer.goto(link);
    await expect(customer.getByRole('heading', { name: 'Pay this bill' })).toBeVisible();
  });

  await test.step('one prompt is sent, and the page shows its outcome without losing input or open sections', async () => {
    await page.getByText('Add a note').click();
    await page.getByLabel('Note for your team').fill('half a though');
    await page.getByLabel('Mobile number').fill('0712 345 002');
    await page.getByRole('button', { name: 'Send payment request' }).dblclick();
    await expect(page.getByText('A payment request is being sent to the phone.')).toBeVisible();
    await expect(summary(page).getByText('The customer declined on the phone.')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByLabel('Note for your team')).toHaveValue('half a though');
    await expect(timeline(page).getByText(/^Payment request for/)).toHaveCount(1);
    await expect(timeline(page).getByText(`Sent by ${merchant.email}`)).toBeVisible();
  });

  await test.step('another number pays the bill', async () => {
    await page.getByLabel('Mobile number').fill('0754 345 001');
    await page.getByRole('button', { name: 'Send payment request' }).click();
    await expect(summary(page).getByText('Paid in full')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('A payment request is being sent to the phone.')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Close the bill' })).toHaveCount(0);
    await expect(timeline(page).getByText('Payment of TZS 12,500 received')).toBeVisible();
    await page.getByRole('link', { name: 'Oldest first' }).click();
    await expect(timeline(page).getByRole('listitem').first()).toContainText('Bill created');
    await looksWell(page, url, 'bill-paid');
  });
});

test('a page that the browser has translated shows the present state', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Tafsiri');
  const key = await newKey(product, merchant, 'Server');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 2_100, reference: 'TAFSIRI' });
  await page.goto(at(product, merchant, `bills/${bill.id}`));
  await signIn(page, merchant);
  await expect(page.getByRole('main').getByText('Not paid', { exact: true }).first()).toBeVisible();
  // Browsers replace each text node by an element with the translation.
  await page.evaluate(() => {
    const texts: Node[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node);
    for (const text of texts) {
      const font = document.createElement('font');
      font.textContent = text.textContent;
      text.parentNode?.replaceChild(font, text);
    }
  });
  await request.post(`${product.sandboxUrl}/pay`, {
    form: { bill: bill.id, lang: 'en', mobile: '0712345001' },
    headers: { origin: product.sandboxUrl },
    maxRedirects: 0,
  });
  await expect(page.getByRole('main').getByText('Paid', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('main').getByText('Not paid', { exact: true })).toHaveCount(0);
});

test('an admin sees and does more than a viewer: prompts, unknown attempts and provider messages', async ({
  page,
  browser,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Wote');
  const [admin, viewer, collector] = await Promise.all([
    newMember(product, merchant, 'admin'),
    newMember(product, merchant, 'viewer'),
    newMember(product, merchant, 'collector'),
  ]);
  const key = await newKey(product, merchant, 'Till 4');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7_000, reference: 'STUCK', mobile: '0712345005' });
  const url = at(product, merchant, `bills/${bill.id}`);
  await holdPrompt(product, bill.id);
  await page.goto(url);
  await signIn(page, admin);

  await test.step('while a prompt is open, no second prompt is sent and the bill cannot be closed', async () => {
    await expect(summary(page).getByText('to 0712345005 (Mixx by Yas)')).toBeVisible();
    await expect(page.getByText('Payment requests for the full remaining amount are already open.')).toBeVisible();
    await expect(page.getByText('You can close the bill when the request has ended.')).toBeVisible();
    await expect(timeline(page).getByText('By API key “Till 4”')).toBeVisible();
    const whatsapp = page.getByRole('region', { name: 'Send the link' }).getByRole('link', { name: 'WhatsApp' });
    await expect(whatsapp).toHaveAttribute('href', /^https:\/\/wa\.me\/255712345005\?text=/);
  });

  await test.step('raw provider messages are shown on request, with masked secrets', async () => {
    await expect(page.getByRole('link', { name: /Provider messages \(\d+\)/ })).toBeVisible({ timeout: 30_000 });
    await page.getByRole('link', { name: /Provider messages/ }).click();
    const message = timeline(page).getByRole('listitem').filter({ hasText: 'Sandbox answered the payment request' }).first();
    await message.getByText('Show message').click();
    await expect(message.locator('pre').last()).toContainText('"');
    await looksWell(page, `${url}?messages=show`, 'bill-messages');
  });

  await test.step('an unknown attempt is released', async () => {
    await sql(
      product,
      "UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = now() - interval '20 minutes' WHERE bill_id = $1",
      bill.id,
    );
    await looksWell(page, url, 'bill-unknown');
    await page.goto(url);
    await page.getByText('Stop waiting').first().click();
    await page.getByLabel('Reason').first().fill('paid in cash');
    await page.getByRole('button', { name: 'Stop waiting for this payment' }).click();
    await expect(page.getByText('We no longer wait for that payment.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send payment request' })).toBeVisible();
    await expect(page.getByLabel('Mobile number')).toHaveValue('0712345005');
  });

  await test.step('a viewer can only look', async () => {
    const theirs = await pageOf(browser, `${url}?messages=show`, viewer);
    await expect(timeline(theirs).getByText('paid in cash')).toBeVisible();
    for (const button of ['Send payment request', 'Save note', 'Close the bill'])
      await expect(theirs.getByRole('button', { name: button })).toHaveCount(0);
    await expect(theirs.getByText('Provider messages')).toHaveCount(0);
    expect(await theirs.content()).not.toContain('Sandbox answered');
    await theirs.goto(at(product, merchant, 'bills/new'));
    await expect(theirs.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  });

  await test.step('a collector finds only their own bills', async () => {
    const theirs = await pageOf(browser, at(product, merchant, 'bills/new'), collector);
    expect((await theirs.goto(url))?.status()).toBe(404);
    expect((await theirs.request.get(`${url}/version`)).status()).toBe(404);
    await theirs.goto(at(product, merchant, 'bills/new'));
    await theirs.getByLabel('Amount (TZS)').fill('900');
    await theirs.getByLabel('Reference').fill('MINE');
    await theirs.getByRole('button', { name: 'Create bill' }).click();
    await expect(theirs.getByRole('heading', { name: 'Bill MINE' })).toBeVisible();
    expect((await theirs.request.get(`${theirs.url().split('?')[0]}/version`)).status()).toBe(200);
    await theirs.getByLabel('Mobile number').fill('0712345002');
    await theirs.getByRole('button', { name: 'Send payment request' }).click();
    await expect(summary(theirs).getByText('The customer declined on the phone.')).toBeVisible({ timeout: 30_000 });
    for (const button of ['Save note', 'Close the bill']) await expect(theirs.getByRole('button', { name: button })).toHaveCount(0);
    await theirs.goto(at(product, merchant, 'bills'));
    await theirs.getByRole('checkbox', { name: 'Select bill MINE' }).check();
    await theirs.getByRole('region', { name: 'Selected bills' }).getByRole('button', { name: 'Send request' }).click();
    await theirs.getByRole('button', { name: 'Send 1 request' }).click();
    await expect(theirs.getByText('1 request sent')).toBeVisible();
  });
});

/** Makes an attempt stay open: nobody answers the prompt, it does not expire, and no worker queries it. */
async function holdPrompt(product: Product, billId: string): Promise<void> {
  const resting = "SELECT 1 FROM push_attempt WHERE bill_id = $1 AND state = 'AWAITING_CUSTOMER' AND lease_until IS NULL";
  await expect.poll(() => sql(product, resting, billId)).toHaveLength(1);
  await sql(product, 'DELETE FROM sandbox_step s USING push_attempt a WHERE s.reference = a.our_reference AND a.bill_id = $1', billId);
  await sql(product, "UPDATE push_attempt SET due_at = now() + interval '1 day' WHERE bill_id = $1", billId);
  // A worker that claimed the attempt before these changes may overwrite them. Waits until no worker has it and the changes are stored.
  await expect.poll(() => sql(product, `${resting} AND due_at > now() + interval '1 hour'`, billId)).toHaveLength(1);
}

test('without JavaScript, a bill is created and a prompt is sent', async ({ browser, product }) => {
  const merchant = await newMerchant(product, 'Duka Bila Hati');
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(at(product, merchant, 'bills/new'));
  await signIn(page, merchant);
  await page.getByLabel('Amount (TZS)').fill('12.800');
  await page.getByLabel('Reference').fill('PLAIN');
  await page.getByText('More details (optional)').click();
  await page.getByLabel("Customer's name").fill('Asha');
  await page.getByRole('button', { name: 'Create bill' }).click();
  await expect(page.getByText('You wrote 12.800. We read it as 12,800.')).toBeVisible();
  await expect(page.getByLabel('Amount (TZS)')).toHaveValue('12,800');
  await expect(page.getByLabel("Customer's name")).toHaveValue('Asha');
  await page.getByRole('button', { name: 'Create bill' }).click();
  await expect(page.getByText('Bill created. Now send the link.')).toBeVisible();
  await page.getByLabel('Mobile number').fill('12');
  await page.getByRole('button', { name: 'Send payment request' }).click();
  await expect(page.getByText('Enter a Tanzanian mobile number')).toBeVisible();
  await page.getByLabel('Mobile number').fill('0712345001');
  await page.getByRole('button', { name: 'Send payment request' }).click();
  await expect(page.getByText('A payment request is being sent to the phone.')).toBeVisible();
  await context.close();
});
