import type { Browser, Locator, Page } from '@playwright/test';
import type { Product } from '@/testing/product';
import { looksWell } from './looks';
import { newMember } from './members';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { keepPrompt, sql } from './pay-stage';
import { newBill, newKey, newMerchant, signIn, type TestMerchant } from './people';
import { expect, test } from './product';
import { pattern, swahili, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const at = (product: Product, merchant: TestMerchant, page: string) => `${product.liveUrl}/m/${merchant.slug}/sandbox/${page}`;
const timeline = (page: Page) => page.getByRole('region', { name: text('Bill.timeline') });
const summary = (page: Page) => page.getByRole('region', { name: text('BillPage.summary') });
/** Opens the menu of the bill, and the row of it with this title. Returns what the row shows. */
async function openRow(page: Page, title: string): Promise<Locator> {
  await summary(page).getByText(text('BillPage.more'), { exact: true }).click();
  const row = page
    .getByRole('region', { name: text('BillPage.moreTitle') })
    .locator('details')
    .filter({ hasText: title });
  await row.locator('summary').click();
  return row;
}

async function pageOf(browser: Browser, url: string, person: TestMerchant): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } })).newPage();
  await page.goto(url);
  await signIn(page, person);
  return page;
}

test('a bill is created, sent, closed, reopened and paid, and its page updates itself', async ({ page, browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Bili');
  await page.goto(at(product, merchant, 'bills/new'));
  await signIn(page, merchant);

  await test.step('errors are explained, and the input is kept', async () => {
    await page.getByLabel(`${text('NewBill.amount')} (TZS)`).fill('elfu tano');
    await page.getByLabel(text('NewBill.reference')).fill('Ada ya Januari');
    await page.getByLabel(text('NewBill.mobile')).fill('12');
    await page.getByRole('button', { name: text('NewBill.create') }).click();
    await expect(page.getByText(text('BillField.amount_not_number'))).toBeVisible();
    await expect(page.getByText(text('Pay.mobileInvalid'))).toBeVisible();
    await expect(page.getByLabel(text('NewBill.reference'))).toHaveValue('Ada ya Januari');
    await looksWell(page, page.url(), 'bill-new');
    await page.reload();
  });

  await test.step('thousands are grouped while they are typed, and a point before three digits separates thousands', async () => {
    const amount = page.getByLabel(`${text('NewBill.amount')} (TZS)`);
    await amount.pressSequentially('1250000');
    await expect(amount).toHaveValue('1,250,000');
    await amount.press('Home');
    await amount.press('Delete');
    await expect(amount).toHaveValue('250,000');
    await amount.fill('');
    await amount.pressSequentially('12.500');
    await expect(amount).toHaveValue('12,500');
    await expect(page.getByText(text('NewBill.pointRead', { amount: '12,500' }))).toBeVisible();
  });

  await test.step('a double click creates one bill', async () => {
    await page.getByLabel(`${text('NewBill.amount')} (TZS)`).fill('TSh 12,500/=');
    await page.getByLabel(text('NewBill.reference')).fill('Ada ya Januari');
    await page.getByRole('button', { name: text('NewBill.create') }).dblclick();
    await expect(page.getByText(text('BillPage.told_created'))).toBeVisible();
    await expect(summary(page).getByText('TZS 12,500', { exact: true })).toBeVisible();
    await expect(timeline(page).getByText(text('Bill.byOther', { name: merchant.email }))).toBeVisible();
    await expect(page).toHaveURL(/\/bills\/[\w-]+\?share=1$/);
    await expect(page.getByRole('region', { name: text('BillPage.shareTitle') })).toBeVisible();
    await expect(page).toHaveTitle(`Ada ya Januari · ${merchant.name} · ${text('Dashboard.sandbox')}`);
  });
  const url = page.url().replace('?share=1', '');
  await page.goto(url);

  await test.step('the name, the description and the due date are added and changed', async () => {
    await openRow(page, text('BillInfo.edit'));
    await page.getByLabel(text('BillInfo.customerName'), { exact: true }).fill('Asha Juma');
    await page.getByLabel(text('BillInfo.dueDate'), { exact: true }).fill('2020-01-31');
    await page.getByRole('button', { name: text('BillInfo.save'), exact: true }).click();
    await expect(page.getByText(text('BillPage.told_saved'))).toBeVisible();
    await expect(page.getByText(pattern('BillInfo.overdue'))).toBeVisible();
    // A sheet closes when its form has been saved.
    await expect(page.getByRole('region', { name: text('BillPage.moreTitle') })).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Asha Juma · Ada ya Januari');
    await expect(timeline(page).getByText(text('BillInfo.changed'))).toBeVisible();
    await looksWell(page, url, 'bill-info');
    // On a wide screen, the list says only this about the bill.
    const list = await page.context().newPage();
    await list.setViewportSize({ width: 1280, height: 800 });
    await list.goto(url.slice(0, url.lastIndexOf('/')));
    const badge = list.getByRole('row').filter({ hasText: 'Asha Juma' }).getByText(pattern('BillInfo.overdue'));
    await expect(badge).toBeVisible();
    const column = list.getByRole('columnheader', { name: text('BillRows.status'), exact: true });
    const [left = 0, edge = 0] = await Promise.all([badge, column].map(async (one) => (await one.boundingBox())?.x));
    expect(left - edge).toBeLessThan(40);
    await list.close();
    // The last row has no line below it.
    const facts = page.getByRole('region', { name: text('Bill.facts') });
    await facts.locator('summary').click();
    const rows = facts.locator('dl > div');
    await expect(rows.last()).toHaveCSS('border-bottom-width', '0px');
    await expect(rows.first()).toHaveCSS('border-top-width', '0px');
    await openRow(page, text('BillInfo.edit'));
    await page.getByLabel(text('BillInfo.description'), { exact: true }).fill('Ada ya muhula wa kwanza');
    await page.getByLabel(text('BillInfo.dueDate'), { exact: true }).fill('');
    await page.getByRole('button', { name: text('BillInfo.save'), exact: true }).click();
    await expect(summary(page).getByText('Ada ya muhula wa kwanza')).toBeVisible();
    await expect(page.getByText(pattern('BillInfo.overdue'))).toHaveCount(0);
    await page.goto(url);
  });

  const link = await test.step('the link can be sent in both languages', async () => {
    const share = page.getByRole('region', { name: text('BillPage.shareTitle') });
    await summary(page).getByText(text('BillPage.share'), { exact: true }).click();
    await expect(share.locator('[data-shown=message]')).toContainText(
      swahili('Share.billText', { merchant: 'Duka la Bili', amount: 'TZS 12,500', reference: 'Ada ya Januari', url: 'http' }),
    );
    await share.getByText('English').click();
    await expect(share.locator('[data-shown=message]')).toContainText(
      text('Share.billText', { merchant: 'Duka la Bili', amount: 'TZS 12,500', reference: 'Ada ya Januari', url: 'http' }),
    );
    await expect(share.getByRole('link', { name: text('BillForms.whatsapp') })).toHaveAttribute(
      'href',
      /^https:\/\/wa\.me\/\?text=Duka%20la%20Bili%3A%20pay%20TZS%2012%2C500/,
    );
    await expect(share.getByRole('link', { name: text('BillForms.sms') })).toHaveAttribute('href', /^sms:\?body=Duka/);
    await share.getByText(text('BillPage.showQr')).click();
    await expect(share.getByRole('img', { name: text('Share.qrLabel') })).toBeVisible();
    await isAccessible(page);
    await fitsThePhone(page);
    await picture(page, 'bill-share');
    return (await share.getByRole('link', { name: /^http/ }).getAttribute('href')) ?? '';
  });

  const customer = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await test.step('a bill is closed with a note, and can be paid after it is reopened', async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: text('BillPage.shareTitle') })).toBeHidden();
    await openRow(page, text('CloseBill.close'));
    await page.getByLabel(text('CloseReason.reason')).fill('ordered twice');
    await page.getByRole('button', { name: text('CloseBill.closeNow') }).click();
    await expect(page.getByText(text('BillPage.told_closed'))).toBeVisible();
    await expect(timeline(page).getByText('ordered twice')).toBeVisible();
    await customer.goto(link);
    await expect(customer.getByRole('heading', { name: text('Pay.closedTitle') })).toBeVisible();
    await looksWell(page, url, 'bill-closed');
    await page.goto(url);

    await page.getByText(text('BillForms.writeNote')).click();
    await page.getByLabel(text('BillForms.noteLabel')).fill('Asha called:\nshe pays tomorrow');
    await page.getByRole('button', { name: text('BillForms.noteSave') }).click();
    await expect(timeline(page).getByText('she pays tomorrow')).toBeVisible();

    await summary(page).getByText(text('CloseBill.reopen'), { exact: true }).first().click();
    await page.getByLabel(text('CloseReason.reason')).fill('it was not');
    await page.getByRole('button', { name: text('CloseBill.reopenNow') }).click();
    await expect(page.getByText(text('BillPage.told_reopened'))).toBeVisible();
    await customer.goto(link);
    await expect(customer.getByRole('heading', { name: text('Pay.readyTitle') })).toBeVisible();
  });

  await test.step('one prompt is sent, and the page shows its outcome without losing input or open sections', async () => {
    await page.getByText(text('BillForms.writeNote')).click();
    await page.getByLabel(text('BillForms.noteLabel')).fill('half a though');
    await summary(page)
      .locator('summary')
      .filter({ hasText: text('BillPage.askPhone') })
      .click();
    await page.getByLabel(text('BillForms.ask_mobile')).fill('0712 345 002');
    await page.getByRole('button', { name: text('AskPhone.send') }).dblclick();
    await expect(page.getByText(text('BillPage.told_asked'))).toBeVisible();
    await expect(summary(page).getByText(text('AttemptReason.user_cancelled'))).toBeVisible();
    await expect(page.getByLabel(text('BillForms.noteLabel'))).toHaveValue('half a though');
    await expect(timeline(page).getByText(pattern('Bill.promptTitle'))).toHaveCount(1);
    await expect(timeline(page).getByText(text('BillPage.fromDashboard', { name: merchant.email }))).toBeVisible();
  });

  await test.step('another number pays the bill', async () => {
    await summary(page).getByText(text('BillForms.ask_change')).click();
    await page.getByLabel(text('BillForms.ask_mobile')).fill('0754 345 001');
    await page.getByRole('button', { name: text('AskPhone.send') }).click();
    await expect(summary(page).getByText(text('Status.FULLY_PAID'), { exact: true })).toBeVisible();
    await expect(page.getByText(text('BillPage.told_asked'))).toHaveCount(0);
    await expect(page.getByText(text('CloseBill.close'))).toHaveCount(0);
    await expect(timeline(page).getByText(text('Bill.payment', { amount: 'TZS 12,500' }))).toBeVisible();
    await page.getByRole('link', { name: text('BillPage.oldestFirst') }).click();
    await expect(timeline(page).getByRole('listitem').first()).toContainText(text('Bill.eventCreated'));
    await looksWell(page, url, 'bill-paid');
  });
});

test('a bill has one next step, and everything else is in sheets above its history', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Hatua');
  const key = await newKey(product, merchant, 'Server');
  // The reference turns the direction of what follows it.
  const reference = 'Kodi\u202eabc';
  const { id } = await newBill(request, product.sandboxUrl, key, { amount: 12_000, reference, customer: { name: 'Emmanuel Lyimo' } });
  const url = at(product, merchant, `bills/${id}`);
  const filled = page.locator('main').locator('a, button, summary').and(page.locator('.bg-brand')).filter({ visible: true });
  await page.goto(url);
  await signIn(page, merchant);
  await expect(summary(page)).toBeVisible();
  await page.goto(`${url}?share=1`);
  const share = page.getByRole('region', { name: text('BillPage.shareTitle') });
  await expect(share.getByRole('link', { name: text('BillForms.whatsapp') })).toBeInViewport();
  await page.mouse.click(180, 10);
  await expect(share).toBeHidden();
  await expect(filled).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 }).locator('bdi')).toHaveText(['Emmanuel Lyimo', reference]);

  const recording = await openRow(page, text('RecordPayment.title'));
  await recording.getByRole('textbox', { name: text('BillForms.record_amount') }).fill('5,000');
  await recording.getByRole('button', { name: text('BillForms.record_save') }).click();
  await expect(page.getByText(text('BillPage.told_recorded'))).toBeVisible();
  await expect(page.getByRole('region', { name: text('BillPage.moreTitle') })).toBeHidden();
  await expect(summary(page).getByText(text('Status.PARTIALLY_PAID'), { exact: true })).toBeVisible();
  await expect(summary(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '500000');
  await expect(page.locator('progress')).toHaveCount(0);
  // The status belongs to the entry of the payment.
  await expect(timeline(page).getByRole('listitem')).toHaveCount(2);
  await expect(timeline(page).locator('time').first()).toHaveAttribute('title', /:\d\d:\d\d$/);
  await expect(filled).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1_500);
  await looksWell(page, url, 'bill-part');
});

test('a page that the browser has translated shows the present state', { tag: '@full' }, async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Tafsiri');
  const key = await newKey(product, merchant, 'Server');
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 2_100, reference: 'TAFSIRI' });
  await page.goto(at(product, merchant, `bills/${bill.id}`));
  await signIn(page, merchant);
  await expect(page.getByRole('main').getByText(text('Status.NOT_PAID'), { exact: true }).first()).toBeVisible();
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
  await expect(page.getByRole('main').getByText(text('Status.FULLY_PAID'), { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('main').getByText(text('Status.NOT_PAID'), { exact: true })).toHaveCount(0);
});

test('an admin sees and does more than a viewer: prompts, unknown attempts and provider messages', { tag: '@full' }, async ({
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
  await keepPrompt(product, bill);
  await page.goto(url);
  await signIn(page, admin);

  await test.step('while a prompt is open, no second prompt is sent and the bill cannot be closed', async () => {
    await expect(summary(page).getByText(pattern('BillPage.openPrompt', { mobile: '0712345005', wallet: 'Mixx by Yas' }))).toBeVisible();
    await expect(page.getByText(text('AskPhone.why_all_asked'))).toBeVisible();
    const closing = await openRow(page, text('CloseBill.close'));
    await expect(closing.getByText(text('CloseBill.waitsForPrompt'))).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(timeline(page).getByText(pattern('BillPage.byKeyLabel', { label: 'Till 4' }))).toBeVisible();
    await summary(page).getByText(text('BillPage.share'), { exact: true }).click();
    const share = page.getByRole('region', { name: text('BillPage.shareTitle') });
    await expect(share.getByRole('link', { name: text('BillForms.whatsapp') })).toHaveAttribute(
      'href',
      /^https:\/\/wa\.me\/255712345005\?text=/,
    );
    await page.keyboard.press('Escape');
  });

  await test.step('raw provider messages are shown on request, with masked secrets', async () => {
    await expect(page.getByRole('link', { name: pattern('BillPage.withMessages') })).toBeVisible();
    await page.getByRole('link', { name: pattern('BillPage.withMessages') }).click();
    const message = timeline(page)
      .getByRole('listitem')
      .filter({ hasText: text('BillPage.message_answer', { provider: 'Sandbox' }) })
      .first();
    await message.getByText(text('BillPage.showMessage')).click();
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
    await page.getByText(text('Release.open')).first().click();
    await page.getByLabel(text('Release.reason')).first().fill('paid in cash');
    await page.getByRole('button', { name: text('Release.now') }).click();
    await expect(page.getByText(text('Release.released'))).toBeVisible();
    await expect(page.getByRole('button', { name: text('BillPage.askAgain') })).toBeVisible();
    await summary(page).getByText(text('BillForms.ask_change')).click();
    await expect(page.getByLabel(text('BillForms.ask_mobile'))).toHaveValue('0712345005');
  });

  await test.step('a viewer can only look', async () => {
    const theirs = await pageOf(browser, `${url}?messages=show`, viewer);
    await expect(timeline(theirs).getByText('paid in cash')).toBeVisible();
    for (const button of [text('BillPage.askPhone'), text('BillForms.noteSave'), text('CloseBill.close'), text('BillInfo.edit')])
      await expect(theirs.getByText(button)).toHaveCount(0);
    await expect(theirs.getByText(pattern('BillPage.withMessages'))).toHaveCount(0);
    expect(await theirs.content()).not.toContain(text('BillPage.message_answer', { provider: 'Sandbox' }));
    await theirs.goto(at(product, merchant, 'bills/new'));
    await expect(theirs.getByRole('heading', { name: text('Shell.notAllowedTitle') })).toBeVisible();
  });

  await test.step('a collector finds only their own bills', async () => {
    const theirs = await pageOf(browser, at(product, merchant, 'bills/new'), collector);
    expect((await theirs.goto(url))?.status()).toBe(404);
    expect((await theirs.request.get(`${url}/version`)).status()).toBe(404);
    await theirs.goto(at(product, merchant, 'bills/new'));
    await theirs.getByLabel(`${text('NewBill.amount')} (TZS)`).fill('900');
    await theirs.getByLabel(text('NewBill.reference')).fill('MINE');
    await theirs.getByRole('button', { name: text('NewBill.create') }).click();
    await expect(theirs.getByRole('heading', { name: 'MINE' })).toBeVisible();
    expect((await theirs.request.get(`${theirs.url().split('?')[0]}/version`)).status()).toBe(200);
    await theirs.goto(theirs.url().replace('?share=1', ''));
    await summary(theirs)
      .locator('summary')
      .filter({ hasText: text('BillPage.askPhone') })
      .click();
    await theirs.getByLabel(text('BillForms.ask_mobile')).fill('0712345002');
    await theirs.getByRole('button', { name: text('AskPhone.send') }).click();
    await expect(summary(theirs).getByText(text('AttemptReason.user_cancelled'))).toBeVisible();
    for (const button of [text('BillForms.noteSave'), text('CloseBill.close')])
      await expect(theirs.getByRole('button', { name: button })).toHaveCount(0);
    await theirs.goto(at(product, merchant, 'bills'));
    await theirs.getByRole('checkbox', { name: text('BillRows.select', { reference: 'MINE' }) }).check();
    await theirs
      .getByRole('region', { name: text('BulkBills.label') })
      .getByRole('button', { name: text('BulkBills.request') })
      .click();
    await theirs.getByRole('button', { name: text('BulkBills.requestNow', { count: 1 }) }).click();
    await expect(theirs.getByText(text('BulkBills.doneRequest', { count: 1 }))).toBeVisible();
  });
});

test('without JavaScript, a bill is created and a prompt is sent', { tag: '@full' }, async ({ browser, product }) => {
  const merchant = await newMerchant(product, 'Duka Bila Hati');
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(at(product, merchant, 'bills/new'));
  await signIn(page, merchant);
  await page.getByLabel(`${text('NewBill.amount')} (TZS)`).fill('12.800');
  await page.getByLabel(text('NewBill.reference')).fill('PLAIN');
  await page.getByText(text('NewBill.more')).click();
  await page.getByLabel(text('BillInfo.customerName'), { exact: true }).fill('Asha');
  await page.getByRole('button', { name: text('NewBill.create') }).click();
  await expect(page.getByText(text('BillField.amount_thousands', { typed: '12.800', amount: '12,800' }))).toBeVisible();
  await expect(page.getByLabel(`${text('NewBill.amount')} (TZS)`)).toHaveValue('12,800');
  await expect(page.getByLabel(text('BillInfo.customerName'), { exact: true })).toHaveValue('Asha');
  await page.getByRole('button', { name: text('NewBill.create') }).click();
  await expect(page.getByText(text('BillPage.told_created'))).toBeVisible();
  // The page opens with the sheet that sends the bill. A tap beside it closes it.
  await page.mouse.click(5, 5);
  await summary(page)
    .locator('summary')
    .filter({ hasText: text('BillPage.askPhone') })
    .click();
  await page.getByLabel(text('BillForms.ask_mobile')).fill('12');
  await page.getByRole('button', { name: text('AskPhone.send') }).click();
  await expect(page.getByText(text('Pay.mobileInvalid'))).toBeVisible();
  await page.getByLabel(text('BillForms.ask_mobile')).fill('0712345001');
  await page.getByRole('button', { name: text('AskPhone.send') }).click();
  await expect(page.getByText(text('BillPage.told_asked'))).toBeVisible();
  await context.close();
});
