import { looksWell } from './looks';
import { newMember } from './members';
import { goTo, newKey, newMerchant, postBill, setHook, signedIn, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const DAY_MS = 86_400_000;
/** The buttons of those who may change the sandbox. */
const CHANGES = [text('SandboxTime.forward'), text('SandboxTime.save')];

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
    await goTo(page, text('SandboxTime.page'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('SandboxTime.page'));
    await expect(card(text('SandboxTime.title')).getByText(text('SandboxTime.nothing'))).toHaveCount(4);
    await card(text('SandboxTime.title'))
      .getByRole('button', { name: text('SandboxTime.forward'), exact: true })
      .click();
    await expect(page.getByText(text('SandboxTime.nothingMoved', { span: text('SandboxTime.minutes', { count: 1 }) }))).toBeVisible();
    await expect(page).toHaveURL(`${root}/phones`);
  });

  await test.step('opens the test phones', async () => {
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: text('PhoneCard.open') }).click();
    const phones = await opened;
    await expect(phones.getByRole('heading', { level: 1 })).toHaveText(text('Phone.title'));
    await phones.close();
  });

  const { id } = await (await create('SOON', { expiresAt: Date.now() + 3 * DAY_MS })).json();
  await create('DUE', { dueAt: Date.now() + 9 * DAY_MS });

  await test.step('sees what is to come, and lets a bill expire', async () => {
    await page.goto(`${root}/phones`);
    await expect(event(text('SandboxTime.expiry'))).toContainText(/in (?:3 days|2 days 23 hours)/);
    await expect(event(text('SandboxTime.dueDates'))).toContainText(/in \d+ days/);
    await looksWell(page, `${root}/phones`, 'sandbox-time');
    await page.goto(`${root}/phones`);
    await event(text('SandboxTime.expiry'))
      .getByRole('button', { name: text('SandboxTime.forward') })
      .click();
    const notice = page.getByRole('region', { name: pattern('SandboxTime.advanced') });
    await expect(notice).toBeFocused();
    await expect(notice).toContainText(text('SandboxTime.moved', { list: text('SandboxTime.movedBills', { count: 2 }) }));
    await expect(event(text('SandboxTime.expiry'))).toContainText(text('SandboxTime.nothing'));
    await expect(async () => {
      await page.goto(`${root}/bills/${id}`);
      await expect(page.getByText(text('BillPage.closed')).first()).toBeVisible({ timeout: 1_000 });
    }).toPass();
  });

  await test.step('brings everything forward by a chosen time, with the keyboard', async () => {
    await page.goto(`${root}/phones`);
    await page.getByLabel(text('SandboxTime.all')).selectOption(text('SandboxTime.days', { count: 30 }));
    await page.getByLabel(text('SandboxTime.all')).press('Tab');
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('region', { name: text('SandboxTime.advanced', { span: text('SandboxTime.days', { count: 30 }) }) }),
    ).toBeVisible();
    await expect(event(text('SandboxTime.dueDates'))).toContainText(text('SandboxTime.nothing'));
    await looksWell(page, `${root}/phones?moved=2592000.1.1.3`, 'sandbox-time-moved');
  });

  await test.step('changes the delays', async () => {
    await page.goto(`${root}/phones`);
    await expect(card(text('SandboxTime.delays'))).toContainText(text('SandboxTime.now', { percent: '100' }));
    await page.getByLabel(text('SandboxTime.percent')).selectOption(text('SandboxTime.percent_10'));
    await card(text('SandboxTime.delays'))
      .getByRole('button', { name: text('SandboxTime.save') })
      .click();
    await expect(page.getByText(text('SandboxTime.delaysSaved', { percent: '10' }))).toBeVisible();
    await expect(card(text('SandboxTime.delays'))).toContainText(text('SandboxTime.now', { percent: '10' }));
    await expect(page.getByLabel(text('SandboxTime.percent'))).toHaveValue('10');
  });

  await test.step('the audit log says who did it', async () => {
    await page.goto(`${root}/audit`);
    await expect(entry(text('AuditAction.sandbox_delay_changed'))).toContainText('100');
    await expect(entry(text('AuditAction.sandbox_time_advanced')).first()).toContainText('2592000');
  });

  await test.step('the page about webhooks links here', async () => {
    await page.goto(`${root}/webhooks`);
    await page.getByRole('link', { name: text('SandboxTime.noWait') }).click();
    await expect(card(text('SandboxTime.title'))).toBeVisible();
  });
});

test('without JavaScript, events are brought forward and delays change', { tag: '@full' }, async ({ browser, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Fomu');
  const key = await newKey(product, merchant, 'Server');
  await postBill(request, product.sandboxUrl, key, { amount: 5_000, reference: 'PLAIN', expiresAt: Date.now() + DAY_MS });
  const state = await (await signedIn(browser, product.liveUrl, merchant)).storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', storageState: state });
  const page = await context.newPage();
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/phones`);
  await page.getByRole('button', { name: text('SandboxTime.forwardNamed', { what: text('SandboxTime.expiry') }) }).click();
  await expect(page.getByText(text('SandboxTime.moved', { list: text('SandboxTime.movedBills', { count: 1 }) }))).toBeVisible();
  await page.getByLabel(text('SandboxTime.percent')).selectOption('1');
  await page.getByRole('button', { name: text('SandboxTime.save') }).click();
  await expect(page.getByText(text('SandboxTime.delaysSaved', { percent: '1' }))).toBeVisible();
  await context.close();
});

test('live has no such page, and people who may not change bills see only the phones', { tag: '@full' }, async ({ browser, product }) => {
  const merchant = await newMerchant(product, 'Duka la Wengine');
  const root = `${product.liveUrl}/m/${merchant.slug}`;
  const owner = await signedIn(browser, product.liveUrl, merchant);
  const page = await owner.newPage();
  await page.goto(`${root}/live/phones`);
  await expect(page.getByText(text('PhoneCard.live'))).toBeVisible();
  for (const name of CHANGES) await expect(page.getByRole('button', { name })).toHaveCount(0);
  await page.goto(`${root}/live/webhooks`);
  for (const name of [text('SandboxTime.page'), text('SandboxTime.title'), text('SandboxTime.noWait')]) {
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  }
  await owner.close();
  for (const [role, heading] of [
    ['collector', text('SandboxTime.page')],
    ['viewer', text('Shell.notAllowedTitle')],
  ] as const) {
    const context = await browser.newContext({ locale: 'en-GB' });
    const theirs = await context.newPage();
    await theirs.goto(`${root}/sandbox/phones`);
    await signIn(theirs, await newMember(product, merchant, role));
    await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(heading);
    for (const name of CHANGES) await expect(theirs.getByRole('button', { name })).toHaveCount(0);
    await context.close();
  }
});
