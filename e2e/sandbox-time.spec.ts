import { looksWell } from './looks';
import { newMember } from './members';
import { newKey, newMerchant, postBill, setHook, signedIn, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const DAY_MS = 86_400_000;

test('a developer brings events of the sandbox forward and changes its delays', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Muda');
  const key = await newKey(product, merchant, 'Server');
  await setHook(product, merchant, 'http://127.0.0.1:9/nobody');
  const root = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  const create = (reference: string, more: object) => postBill(request, product.sandboxUrl, key, { amount: 5_000, reference, ...more });
  await page.goto(`${root}/bills`);
  await signIn(page, merchant);
  const event = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const entry = (name: string) => page.getByRole('row', { name });
  const card = (name: string) => page.getByRole('region', { name, exact: true });

  await test.step('nothing is to come in a new sandbox', async () => {
    await page.getByRole('link', { name: 'Phones and time' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Phones and time');
    await expect(card('Bring events forward').getByText('Nothing scheduled')).toHaveCount(4);
    await card('Bring events forward').getByRole('button', { name: 'Bring forward', exact: true }).click();
    await expect(page.getByText('There was nothing to bring forward by 1 minute.')).toBeVisible();
    await expect(page).toHaveURL(`${root}/phones`);
  });

  const { id } = await (await create('SOON', { expiresAt: Date.now() + 3 * DAY_MS })).json();
  await create('DUE', { dueAt: Date.now() + 9 * DAY_MS });

  await test.step('sees what is to come, and lets a bill expire', async () => {
    await page.goto(`${root}/phones`);
    await expect(event('Expiry of bills')).toContainText(/in (?:3 days|2 days 23 hours)/);
    await expect(event('Due dates of bills')).toContainText(/in \d+ days/);
    await looksWell(page, `${root}/phones`, 'sandbox-time');
    await page.goto(`${root}/phones`);
    await event('Expiry of bills').getByRole('button', { name: 'Bring forward' }).click();
    const notice = page.getByRole('region', { name: 'sooner' });
    await expect(notice).toBeFocused();
    await expect(notice).toContainText('Brought forward: 2 bills');
    await expect(event('Expiry of bills')).toContainText('Nothing scheduled');
    await expect(async () => {
      await page.goto(`${root}/bills/${id}`);
      await expect(page.getByText('Closed').first()).toBeVisible();
    }).toPass();
  });

  await test.step('brings everything forward by a chosen time, with the keyboard', async () => {
    await page.goto(`${root}/phones`);
    await page.getByLabel('Bring all future events forward by').selectOption('30 days');
    await page.getByLabel('Bring all future events forward by').press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'now happens 30 days sooner' })).toBeVisible();
    await expect(event('Due dates of bills')).toContainText('Nothing scheduled');
    await looksWell(page, `${root}/phones?moved=2592000.1.1.3`, 'sandbox-time-moved');
  });

  await test.step('changes the delays', async () => {
    await page.goto(`${root}/phones`);
    await expect(card('Delays')).toContainText('100 percent of the usual delays');
    await page.getByLabel('Delays from now on').selectOption('10% of the delay: 10 times as fast');
    await card('Delays').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Delays are now 10 percent of the usual time.')).toBeVisible();
    await expect(card('Delays')).toContainText('10 percent of the usual delays');
    await expect(page.getByLabel('Delays from now on')).toHaveValue('10');
  });

  await test.step('the audit log says who did it', async () => {
    await page.goto(`${root}/audit`);
    await expect(entry('Delays of the sandbox changed')).toContainText('100');
    await expect(entry('Events of the sandbox brought forward').first()).toContainText('2592000');
  });

  await test.step('the page about webhooks links here', async () => {
    await page.goto(`${root}/webhooks`);
    await page.getByRole('link', { name: 'Bring the next delivery attempt forward' }).click();
    await expect(card('Bring events forward')).toBeVisible();
  });
});

test('without JavaScript, events are brought forward and delays change', async ({ browser, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Fomu');
  const key = await newKey(product, merchant, 'Server');
  await postBill(request, product.sandboxUrl, key, { amount: 5_000, reference: 'PLAIN', expiresAt: Date.now() + DAY_MS });
  const state = await (await signedIn(browser, product.liveUrl, merchant)).storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', storageState: state });
  const page = await context.newPage();
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/phones`);
  await page.getByRole('button', { name: 'Bring forward: Expiry of bills' }).click();
  await expect(page.getByText('Brought forward: 1 bill')).toBeVisible();
  await page.getByLabel('Delays from now on').selectOption('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Delays are now 1 percent of the usual time.')).toBeVisible();
  await context.close();
});

test('live has no such page, and people who may not change bills see only the phones', async ({ browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Wengine');
  const root = `${product.liveUrl}/m/${merchant.slug}`;
  const owner = await signedIn(browser, product.liveUrl, merchant);
  const page = await owner.newPage();
  await page.goto(`${root}/live/phones`);
  await expect(page.getByText('Only the sandbox has test phones and can bring events forward.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Bring forward|Save/ })).toHaveCount(0);
  await page.goto(`${root}/live/webhooks`);
  await expect(
    page.getByRole('link', { name: /Phones and time|Bring events forward|Bring the next delivery attempt forward/ }),
  ).toHaveCount(0);
  await owner.close();
  for (const [role, heading] of [
    ['collector', 'Phones and time'],
    ['viewer', 'You do not have access to this page'],
  ] as const) {
    const context = await browser.newContext({ locale: 'en-GB' });
    const theirs = await context.newPage();
    await theirs.goto(`${root}/sandbox/phones`);
    await signIn(theirs, await newMember(product, merchant, role));
    await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(theirs.getByRole('button', { name: /Bring forward|Save/ })).toHaveCount(0);
    await context.close();
  }
});
