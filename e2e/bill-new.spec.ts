import type { Page } from '@playwright/test';
import { looksWell } from './looks';
import { newBill, newKey, newMerchant, signedIn, signIn } from './people';
import { expect, test } from './product';
import { text } from './texts';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

const amount = (page: Page) => page.getByLabel(`${text('NewBill.amount')} (TZS)`);
const create = (page: Page) => page.getByRole('button', { name: text('NewBill.create') });

test('a new bill shows beside it what the customer will see, offers earlier customers, and names what is missing', async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Shule ya Mfano');
  const key = await newKey(product, merchant, 'Server');
  const url = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`;
  const customer = { name: 'Asha Juma', email: null };
  await newBill(request, product.sandboxUrl, key, { amount: 500, reference: 'OLD-1', mobile: '0754345001', customer });
  await page.goto(url);
  await signIn(page, merchant);

  await test.step('a form with missing values is not sent, and says so in the language of the page', async () => {
    // Before its script has arrived, the browser sends the form, and the server answers with other texts.
    await expect(async () => {
      await create(page).click();
      await expect(page.getByText(text('Line.required'))).toHaveCount(2, { timeout: 1_000 });
    }).toPass();
    await expect(amount(page)).toBeFocused();
    await expect(amount(page)).toHaveAttribute('aria-invalid', 'true');
    await looksWell(page, url, 'bill-new-blank');
  });

  await test.step('the preview follows every key', async () => {
    await amount(page).pressSequentially('12500');
    await page.getByLabel(text('NewBill.reference')).fill('Ada ya muhula 1');
    await expect(page.locator('[data-shown=page]')).toContainText('TZS 12,500');
    await expect(page.locator('[data-shown=chat]')).toContainText('Ada ya muhula 1');
  });

  await test.step('an earlier customer is chosen with one click', async () => {
    await page.getByRole('button', { name: 'Asha Juma' }).click();
    await expect(page.getByLabel(text('NewBill.mobile'))).toHaveValue(/^0754\s345\s001$/);
    await expect(page.locator('[data-shown=page]')).toContainText('Asha Juma');
  });

  await test.step('a due date is read as day, month and year, in every language of the device', async () => {
    await page.getByText(text('NewBill.more')).click();
    const due = page.getByLabel(text('BillInfo.dueDate'));
    await due.fill('11/12');
    await expect(page.locator('#dueDate-hint')).toContainText('11 December');
    await due.fill('31/11/2030');
    await create(page).click();
    await expect(page.getByText(text('Line.dayWrong'))).toBeVisible();
    await expect(due).toHaveValue('31/11/2030');
    await page.getByRole('button', { name: text('Line.dayMonthEnd') }).click();
    await expect(page.getByText(text('Line.dayWrong'))).toBeHidden();
  });

  await test.step('wrong numbers are explained', async () => {
    await page.getByLabel(text('NewBill.mobile')).fill('075434');
    await create(page).click();
    await expect(page.getByText(text('Pay.mobileTooShort', { digits: '6' }))).toBeVisible();
    await expect(page.locator('[data-shown=page]')).toContainText('TZS 12,500');
  });

  await test.step('a bill without a number opens with the ways to send it', async () => {
    await page.getByLabel(text('NewBill.mobile')).fill('');
    await create(page).click();
    await expect(page.getByText(text('BillPage.told_created'))).toBeVisible();
    await expect(page.getByRole('link', { name: text('BillForms.whatsapp') }).first()).toBeVisible();
  });
});

test('without JavaScript, a date is typed as people write it, and a wrong one loses nothing', { tag: '@full' }, async ({
  browser,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Tarehe');
  const session = await signedIn(browser, product.liveUrl, merchant);
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-US', storageState: await session.storageState() });
  const page = await context.newPage();
  const root = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  await page.goto(`${root}/bills/new`);
  await create(page).click();
  await expect(page.getByText(text('BillField.amount_required'))).toBeVisible();
  await amount(page).fill('5000');
  await page.getByLabel(text('NewBill.reference')).fill('PLAIN');
  await page.getByText(text('NewBill.more')).click();
  await page.getByLabel(text('BillInfo.dueDate')).fill('11/26/2030');
  await create(page).click();
  await expect(page.getByText(text('Line.dayWrong'))).toBeVisible();
  await expect(page.getByLabel(text('BillInfo.dueDate'))).toHaveValue('11/26/2030');
  await page.getByLabel(text('BillInfo.dueDate')).fill('26 Novemba 2030');
  await create(page).click();
  await expect(page.getByText('26 Nov 2030').first()).toBeVisible();
  await page.goto(`${root}/bills?period=days&from=1%2F11%2F2030&by=due`);
  await expect(page.getByText('PLAIN').first()).toBeVisible();
  await context.close();
  await session.close();
});
