import type { Browser, Page } from '@playwright/test';
import { addressPattern, listPages } from '@/testing/surface/route-files';
import { newMember } from './members';
import { isAccessible, picture } from './page-checks';
import { menuButton, navigation, newMerchant, openMenu, signedIn, signIn, type TestMerchant } from './people';
import { expect, test } from './product';
import { text } from './texts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, locale: 'en-GB' } as const;
test.use(PHONE);

const DASHBOARD = '(dashboard)/m/[merchant]/[environment]/';
/** The maximum of compressed scripts of a page, bytes. Next.js and React alone are about 135 kB. */
const SCRIPTS_MAX = 165_000;
/** The smallest width and height of the area of a control that a finger hits, pixels. */
const FINGER = 44;

let merchant: TestMerchant;
let root: string;
test.beforeAll(async ({ product }) => {
  merchant = await newMerchant(product, 'Duka la Fremu');
  root = `${product.liveUrl}/m/${merchant.slug}/sandbox`;
  await product.bili(['demo', 'seed', '--merchant', merchant.slug, '--environment', 'sandbox', '--bills', '30']);
});

/** Signs a person in on a phone, and opens the bills. */
async function openBills(browser: Browser, person: TestMerchant, javaScriptEnabled = true): Promise<Page> {
  const page = await (await browser.newContext({ ...PHONE, javaScriptEnabled })).newPage();
  await page.goto(`${root}/bills`);
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
  return page;
}

test('the bar of a phone has the main pages of each role, and its menu the others', async ({ browser, product }) => {
  const [overview, counter, bills, create] = [
    text('Overview.title'),
    text('Counter.title'),
    text('BillList.title'),
    text('BillList.create'),
  ];
  for (const [person, places, more] of [
    [merchant, [overview, counter, create, bills], text('Settings.title')],
    [await newMember(product, merchant, 'viewer'), [overview, bills], text('Team.title')],
    [await newMember(product, merchant, 'collector'), [counter, create, bills], null],
  ] as const) {
    const page = await openBills(browser, person);
    await expect(navigation(page).getByRole('link').filter({ visible: true })).toHaveText(places.map((place) => place));
    await expect(navigation(page).getByRole('link', { name: bills })).toHaveAttribute('aria-current', 'page');
    await openMenu(page);
    await expect(page.getByRole('link', { name: text('Shell.yourAccount') })).toBeVisible();
    await expect(page.getByRole('button', { name: text('SignIn.signOut') })).toBeVisible();
    if (more) await expect(navigation(page).getByRole('link', { name: more })).toBeVisible();
    await isAccessible(page);
    await picture(page, `frame-${places.length}`);
    await menuButton(page).press('Escape');
    await expect(page.getByRole('link', { name: text('Shell.yourAccount') })).toBeHidden();
    await expect(menuButton(page)).toBeFocused();
    await page.context().close();
  }
});

test('on a phone, the title begins in the upper seventh, and a finger hits every control of the frame', async ({ browser }) => {
  const page = await openBills(browser, merchant);
  const title = page.getByRole('heading', { name: text('BillList.title'), exact: true });
  expect((await title.boundingBox())?.y).toBeLessThan(112);
  const missed = (part: string) =>
    page.locator(part).evaluate((frame, side) => {
      const controls = [...frame.querySelectorAll('a, button, input, summary')].filter((control) => control.checkVisibility());
      const hits = (control: Element, x: number, y: number) => control.contains(document.elementFromPoint(x, y));
      return controls.filter((control) => {
        const { left, top, width, height } = control.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const steps = Array.from({ length: 2 * side }, (_, index) => index - side);
        const across = steps.filter((step) => hits(control, x + step, y)).length;
        const down = steps.filter((step) => hits(control, x, y + step)).length;
        return Math.min(across, down) < side - 1;
      }).length;
    }, FINGER);
  expect(await missed('header')).toBe(0);
  expect(await missed('[data-phone-bar]')).toBe(0);
  await openMenu(page);
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  expect(await missed('[data-phone-bar] details > div')).toBe(0);
  await page.context().close();
});

test('without JavaScript, the menu, the search and the environment work on a phone', { tag: '@full' }, async ({ browser }) => {
  const page = await openBills(browser, merchant, false);
  await openMenu(page);
  await navigation(page)
    .getByRole('link', { name: text('Team.title') })
    .click();
  await expect(page.getByRole('heading', { name: text('Team.title'), exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: text('SearchBox.label') }).tap();
  await page.keyboard.type('nothing such');
  await page.keyboard.press('Enter');
  await expect(page.getByText(text('Search.noneTitle'))).toBeVisible();
  await page.getByRole('link', { name: text('Dashboard.toLive') }).click();
  await expect(page).toHaveURL(/\/live\//);
  await page.context().close();
});

test('a tapped bill is outlined at once, and the list keeps its place', async ({ browser }) => {
  const page = await openBills(browser, merchant);
  const row = page.getByRole('row').nth(20);
  const reference = await row.getByRole('link').first().innerText();
  const amount = await row.locator('[data-at=end]').innerText();
  await row.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(0);
  const slow = Promise.withResolvers<void>();
  await page.route(/\/bills\/[\da-f-]{36}/, async (route) => {
    await slow.promise;
    await route.continue();
  });
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await row.getByRole('link').first().tap();
  const outline = page.locator('[data-shown=outline]');
  await expect(outline.getByText(reference, { exact: true })).toBeInViewport();
  await expect(outline.getByText(amount, { exact: true })).toBeInViewport();
  await isAccessible(page);
  slow.resolve();
  await expect(page).toHaveURL(/\/bills\/[\da-f-]{36}$/);
  await expect(outline).toHaveCount(0);
  // On a slow line, a script of its own would show the page half a second later.
  expect(scripts).toEqual([]);
  await page.goBack();
  await expect(row).toBeInViewport();
  await expect(outline).toHaveCount(0);
  await page.context().close();
});

test('each page of the dashboard loads few scripts', { tag: '@full' }, async ({ browser, product }) => {
  const context = await signedIn(browser, product.liveUrl, merchant);
  const list = await context.newPage();
  await list.goto(`${root}/bills`);
  const bill = await list.getByRole('row').nth(1).getByRole('link').first().getAttribute('href');
  await list.close();
  const pages = listPages().filter((file) => file.startsWith(DASHBOARD) && !file.slice(DASHBOARD.length).includes('['));
  const addresses = [...pages.map((file) => `${root}/${addressPattern(file.slice(DASHBOARD.length))}`), new URL(bill ?? '', root).href];
  const heavy: string[] = [];
  for (const address of [...addresses, `${product.liveUrl}/account`]) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    let bytes = 0;
    const scripts = new Set<string>();
    devtools.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
    // Without the headers of the answers.
    devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.goto(address, { waitUntil: 'networkidle' });
    expect(bytes, address).toBeGreaterThan(50_000);
    if (bytes > SCRIPTS_MAX) heavy.push(`${address}: ${bytes} bytes`);
    await page.close();
  }
  expect(heavy).toEqual([]);
  await context.close();
});
