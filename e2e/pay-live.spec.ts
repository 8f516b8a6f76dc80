import type { Page } from '@playwright/test';
import { REQUESTED, showNetworks } from './pay-act';
import { ask, until } from './pay-stage';
import { expect, merchantServer, test } from './product';
import { either, pattern, text } from './texts';

const NUMBER = text('Pay.mobileLabel');

/**
 * Creates a bill, and requests a prompt for a part of its amount on another phone. @param ends the last digits of the number, which decide
 * the outcome.
 */
async function sharedBill(product: Parameters<typeof ask>[0], ends: string) {
  const bill = await merchantServer(product).create({ amount: 4_000_000, reference: 'LIVE' });
  await ask(product, bill, { mobile: `0712345${ends}`, amount: '1000000' });
  return bill;
}

test('the page shows and announces changes by another phone, and keeps a half-typed number and the cursor', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const bill = await sharedBill(product, '678');
  await page.goto(`${bill.webPayUrl}&lang=en`);
  const number = page.getByLabel(NUMBER);
  const announced = page.getByRole('status');
  await expect(announced).toBeAttached();
  await expect(announced).toHaveText('');
  await page.evaluate(() => document.documentElement.setAttribute('data-same', 'page'));
  await showNetworks(page);
  await page.getByRole('radio', { name: 'Airtel Money' }).check();
  await page.getByLabel(text('Pay.amountLabel')).fill('700');
  await number.pressSequentially('0754 3');
  await number.press('ArrowLeft');
  await expect(announced).toHaveText(text('Pay.partTitle'));
  await expect(page).toHaveTitle(`${text('Pay.partTitle')} · ${text('Pay.title', { merchant: 'Duka la Mfano' })}`);
  await expect(number).toHaveValue('0754 3');
  await expect(number).toBeFocused();
  await number.pressSequentially('9');
  await expect(number).toHaveValue('0754 93');
  await expect(page.getByRole('radio', { name: 'Airtel Money' })).toBeChecked();
  expect(await page.locator('html').getAttribute('data-same')).toBe('page');
});

test('without a connection, the page and what was typed stay, and the form can be sent later', async ({ page, product, context }) => {
  const server = merchantServer(product);
  const bill = await server.create({ amount: 5_000, reference: 'OFFLINE' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await page.getByLabel(NUMBER).fill('0712345001');
  await context.setOffline(true);
  await page.getByRole('button').click();
  await expect(page.locator('#unsent')).toBeVisible();
  await expect(page.getByLabel(NUMBER)).toHaveValue('0712 345 001');
  await context.setOffline(false);
  await page.getByRole('button').click();
  await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
  await expect(page.locator('#unsent')).toBeHidden();
  expect((await server.get(bill.id)).status).toBe('FULLY_PAID');
});

test('a wrong number is shown in the form without leaving the page, and the field gets the focus', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'WRONG' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await page.evaluate(() => document.documentElement.setAttribute('data-same', 'page'));
  await page.getByLabel(NUMBER).fill('0812345001');
  await page.getByRole('button').click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page.getByLabel(NUMBER)).toBeFocused();
  await expect(page.getByLabel(NUMBER)).toHaveAttribute('aria-invalid', 'true');
  expect(await page.locator('html').getAttribute('data-same')).toBe('page');
});

test('the network of a number is shown while it is typed', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 1_000, reference: 'GUESS' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  const line = page.locator('#net summary');
  await expect(line).toBeHidden();
  const known = (wallet: string) => `${text('Pay.networkLabel')}: ${wallet} · ${text('Pay.networkChange')}`;
  for (const [typed, wallet] of [
    ['0754', 'M-Pesa'],
    ['+255 78', 'Airtel Money'],
    ['00255 062', 'HaloPesa'],
    ['65', 'Mixx by Yas'],
    ['072', null],
    ['0812', text('Pay.networkChoose')],
    ['', null],
  ] as const) {
    await page.getByLabel(NUMBER).fill(typed);
    if (wallet === null) await expect(line).toBeHidden();
    else await expect(line).toHaveText(typed === '0812' ? wallet : known(wallet), { useInnerText: true });
    await expect(page.locator('#hint')).toBeVisible({ visible: wallet === null });
  }
});

test('a prompt has a countdown, its end is announced, and late money is shown', { tag: '@full' }, async ({ page, product }) => {
  const server = merchantServer(product);
  const bill = await server.create({ amount: 5_000, reference: 'DOWN' });
  await page.clock.install();
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await page.getByLabel(NUMBER).fill('0712345011');
  await page.getByRole('button').click();
  await expect(page.getByRole('heading', { name: REQUESTED })).toBeFocused();
  const left = page.locator('#left');
  await expect(left).toHaveText(/^0:\d\d$/);
  const first = await left.textContent();
  await expect(left).not.toHaveText(first ?? '');
  await expect(page.getByRole('status')).toHaveText(text('ReasonTitle.expired'));
  await expect(page.getByText(text('Reason.expired'))).toBeVisible();
  await expect(page.getByText(/not charged/)).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.getByText(text('Pay.tryHeld')).click();
  await expect(page.getByText(text('Pay.tryHeld'))).toBeHidden();
  await expect(page.getByRole('button', { name: pattern('Pay.retry') })).toBeFocused();
  await expect(page.getByLabel(NUMBER)).toHaveValue('0712 345 011');
  await expect(page.getByRole('button')).toBeVisible();
  await expect.poll(async () => (await server.get(bill.id)).status).toBe('FULLY_PAID');
  await page.clock.fastForward(20_000);
  await expect(page.getByRole('heading', { name: text('Pay.paidTitle') })).toBeVisible();
});

test('the page reports that it is offline, and shows the current state when it is online again', { tag: '@full' }, async ({
  page,
  product,
  context,
}) => {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'OFFLINE', mobile: '0712345005' });
  await page.route('**/pay?*part=version*', (route) => route.abort('internetdisconnected'));
  await page.clock.install();
  await page.goto(`${bill.webPayUrl}&lang=en`);
  const offline = page.getByText(text('Pay.offline'));
  await expect(
    page.getByRole('heading', { name: either(text('Pay.sendingTitle'), text('Pay.promptedOtherTitle', { digits: '005' })) }),
  ).toBeVisible();
  await expect(offline).toBeHidden();
  await page.clock.fastForward(10_000);
  await page.clock.fastForward(10_000);
  await expect(offline).toBeVisible();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await context.setOffline(true);
  await page.getByRole('link', { name: text('Pay.checkAgain') }).click();
  await expect(offline).toBeVisible();
  await page.unroute('**/pay?*part=version*');
  await context.setOffline(false);
  await until(bill, text('ReasonTitle.not_completed'));
  await expect(page.getByRole('heading', { name: text('ReasonTitle.not_completed') })).toBeVisible();
  await expect(offline).toBeHidden();
  expect(errors).toEqual([]);
});

test('a hidden page sends no requests', { tag: '@full' }, async ({ page, product }) => {
  const bill = await sharedBill(product, '005');
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('part=version') && asked.push(request.url()));
  await page.goto(`${bill.webPayUrl}&lang=en`);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await setHidden(page, true);
  const before = asked.length;
  // Waits until the prompt has expired. A visible page would show this, and the hidden page does not.
  await expect
    .poll(async () => (await fetch(`${bill.webPayUrl}&lang=en`)).text().then((text) => text.includes('not completed')))
    .toBe(true);
  expect(asked.length).toBeLessThanOrEqual(before + 1);
  await expect(page.getByText(pattern('Pay.otherPrompted'))).toBeVisible();
  await setHidden(page, false);
  await expect(page.getByRole('heading', { name: text('ReasonTitle.not_completed') })).toBeVisible();
});

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('a bill can be paid by keyboard only', { tag: '@full' }, async ({ page, product }) => {
  const bill = await merchantServer(product).create({ amount: 1_000, reference: 'KEYS' });
  await page.goto(`${bill.webPayUrl}&lang=en`);
  const focused = page.locator(':focus');
  await page.keyboard.press('Tab');
  await expect(focused).toHaveText(text('Pay.otherLanguage'));
  await page.keyboard.press('Tab');
  await page.keyboard.type('071');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel(NUMBER)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type('2345001');
  await expect(page.getByLabel(NUMBER)).toHaveValue('0712 345 001');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: text('Pay.networkByNumber') })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'M-Pesa', exact: true })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('heading', { name: either(text('Pay.sendingTitle'), text('Pay.promptedTitle'), text('Pay.paidTitle')) }),
  ).toBeVisible();
});
