import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { type Product, startProduct } from '@/testing/product';
import { looksWell } from './looks';
import { type Mailbox, startMailbox } from './mailbox';
import { fitsThePhone, isAccessible } from './page-checks';
import { menuButton, newMerchant, openMenu, signIn, type TestMerchant } from './people';
import { test as base, expect } from './product';
import { pattern, text } from './texts';

/** `open` is a product that sends mails to `mailbox` and lets everybody sign up. */
const test = base.extend<object, { mailbox: Mailbox; open: Product }>({
  mailbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const mailbox = await startMailbox();
      await use(mailbox);
      await mailbox.stop();
    },
    { scope: 'worker' },
  ],
  open: [
    async ({ mailbox }, use) => {
      const product = await startProduct({ ...mailbox.env, SIGN_UP: 'open', REQUIRE_SECOND_FACTOR: 'live' });
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const PASSWORD = 'maembe na karanga';

const home = (product: Product, { slug }: TestMerchant) => `${product.liveUrl}/m/${slug}/live/bills`;

async function signInAt(page: Page, product: Product, merchant: TestMerchant): Promise<void> {
  await page.goto(home(product, merchant));
  await signIn(page, merchant);
}

/** How long the authenticator app shows one code. */
const STEP_MS = 30_000;

/** Returns the code that the authenticator app shows `steps` periods of 30 seconds from now. */
function codeOf(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * STEP_MS });
}

/** Sets up a second factor on the page. Returns its secret and recovery codes. */
async function setUp(page: Page): Promise<{ secret: string; codes: string[] }> {
  const secret = await page.locator('[data-shown="key"] code').innerText();
  // The code of the previous period is valid only until the current period ends. The form must arrive before that, so this waits for a new
  // period if less than half of the current one is left.
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (left < STEP_MS / 2) await delay(left);
  await page.getByLabel(text('Account.code'), { exact: true }).fill(codeOf(secret, -1));
  await page.getByRole('button', { name: text('Account.turnOn') }).click();
  await expect(page.getByText(text('Account.codesShownTitle'))).toBeVisible();
  const codes = await page
    .getByRole('list', { name: text('Account.codesTitle') })
    .getByRole('listitem')
    .allInnerTexts();
  return { secret, codes };
}

/** Checks a page in every look (width, theme and language). Then opens the page again for the rest of the test. */
async function looks(page: Page, url: string, name: string): Promise<void> {
  await looksWell(page, url, name);
  await page.goto(url);
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel(text('SignInMore.code'), { exact: true }).fill(code);
  await page.getByRole('button', { name: text('SignInMore.codeButton') }).click();
}

/** Makes the last proof of identity of a person too old, so that sensitive changes need a new one. */
async function forgetProofs(product: Product, { email }: TestMerchant): Promise<void> {
  const client = new pg.Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  await client.query(
    `UPDATE session SET proven_at = proven_at - interval '20 minutes' WHERE user_id = (SELECT id FROM "user" WHERE email = $1)`,
    [email],
  );
  await client.end();
}

async function other(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-GB' })).newPage();
}

/** Starts the set-up of a second factor. */
async function start(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.liveUrl}/account/second-factor`);
  await page.getByRole('button', { name: text('Account.twoStart') }).click();
  await expect(page.getByRole('img', { name: text('Account.twoQr') })).toBeVisible();
}

test('a second factor is set up with recovery codes that are shown once, and is removed', { tag: '@full' }, async ({ page, open }) => {
  const merchant = await newMerchant(open, 'Duka la Siri');
  const url = `${open.liveUrl}/account/second-factor`;
  await signInAt(page, open, merchant);
  const keys = `${open.liveUrl}/m/${merchant.slug}/live/keys`;
  await page.goto(keys);
  await expect(page.getByRole('link', { name: text('Keys.create') })).toBeHidden();
  await page.getByRole('link', { name: text('Dashboard.secondFactorLink') }).click();
  await expect(page).toHaveURL(url);
  await looks(page, url, 'second-factor-off');
  await start(page, open);
  await looks(page, url, 'second-factor-setting-up');
  const { secret, codes } = await setUp(page);
  expect(codes).toHaveLength(10);
  await isAccessible(page);
  await fitsThePhone(page);
  await looks(page, url, 'second-factor-on');
  expect(await page.content()).not.toContain(codes[0]);
  await page.goto(keys);
  await expect(page.getByRole('link', { name: text('Keys.create') })).toBeVisible();
  await page.goto(url);
  await page.getByRole('button', { name: text('Account.renew') }).click();
  await expect(page.getByText(text('Account.codesShownTitle'))).toBeVisible();

  await forgetProofs(open, merchant);
  await looks(page, url, 'second-factor-confirm');
  const prove = async (code: string) => {
    await page.getByLabel(text('Shell.confirmPassword')).fill(merchant.password);
    await page.getByLabel(text('Proof.code'), { exact: true }).fill(code);
    await page.getByRole('button', { name: text('Shell.confirmButton') }).click();
  };
  await prove('000000');
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(text('Proof.wrong'));
  await prove(codeOf(secret));
  await page.getByRole('button', { name: text('Account.turnOff') }).click();
  await expect(page.getByText(text('Account.turnedOff'))).toBeVisible();
});

test('sign-in requires a code after the password, and a recovery code works once', async ({ page, browser, open }) => {
  const merchant = await newMerchant(open, 'Duka la Msimbo');
  await signInAt(page, open, merchant);
  await start(page, open);
  const { secret, codes } = await setUp(page);

  const desk = await other(browser);
  await signInAt(desk, open, merchant);
  await expect(desk.getByRole('heading', { name: text('SignInMore.codeTitle') })).toBeVisible();
  await looks(desk, desk.url(), 'sign-in-code');
  await enterCode(desk, '000000');
  await expect(desk.getByRole('main').getByRole('alert')).toContainText(text('SignInMore.codeWrong'));
  await enterCode(desk, codeOf(secret));
  await expect(desk).toHaveURL(home(open, merchant));

  const borrowed = await other(browser);
  await signInAt(borrowed, open, merchant);
  await borrowed.goto(home(open, merchant));
  await expect(borrowed.getByRole('heading', { name: text('SignIn.title') })).toBeVisible();
  await signIn(borrowed, merchant);
  await enterCode(borrowed, codes[0]?.toLowerCase() ?? '');
  await expect(borrowed).toHaveURL(home(open, merchant));
  const again = await other(browser);
  await signInAt(again, open, merchant);
  await enterCode(again, codes[0] ?? '');
  await expect(again.getByRole('main').getByRole('alert')).toContainText(text('SignInMore.codeWrong'));
});

test('a session that has ended is continued in a dialog over the page, with the code of the second factor', { tag: '@full' }, async ({
  page,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka la Kurudi');
  await signInAt(page, product, merchant);
  await start(page, product);
  const { secret } = await setUp(page);
  await page.goto(`${product.liveUrl}/m/${merchant.slug}/sandbox/bills/new`);
  const reference = page.getByLabel(text('NewBill.reference'));
  await reference.fill('STILL-HERE');
  await page.context().clearCookies({ name: /\.session$/ });
  const dialog = page.getByRole('dialog', { name: text('Line.endedTitle') });
  await dialog.getByLabel(text('Line.email')).fill(merchant.email);
  await dialog.getByLabel(text('Line.password'), { exact: true }).fill(merchant.password);
  const button = dialog.getByRole('button', { name: text('Line.signInHere'), exact: true });
  await button.click();
  await dialog.getByLabel(text('Line.code')).fill('000000');
  await button.click();
  await expect(dialog.getByText(text('SignInMore.codeWrong'))).toBeVisible();
  await isAccessible(page);
  await fitsThePhone(page);
  await dialog.getByLabel(text('Line.code')).fill(codeOf(secret));
  await button.click();
  await expect(dialog).toHaveCount(0);
  await expect(reference).toHaveValue('STILL-HERE');
  await page.reload();
  await expect(page.getByRole('heading', { name: text('NewBill.title') })).toBeVisible();
});

/**
 * Repeats wrong input until the page says how long to wait. On a slow machine, the first waiting time may be over before the next attempt,
 * so many attempts may be needed.
 */
async function tryOn(page: Page, attempt: () => Promise<void>, wrong: string): Promise<void> {
  const held = page.getByText(pattern('SignInMore.wait'));
  for (let i = 0; i < 12; i += 1) {
    await attempt();
    await expect(held.or(page.getByText(wrong))).toBeVisible();
    if (await held.isVisible()) return;
  }
  throw new Error('nothing was held up');
}

test('too many wrong codes and passwords are refused with a waiting time, also without JavaScript', { tag: '@full' }, async ({
  page,
  browser,
  open,
}) => {
  const merchant = await newMerchant(open, 'Duka la Subira');
  await signInAt(page, open, merchant);
  await start(page, open);
  await setUp(page);

  const plain = { javaScriptEnabled: false, locale: 'en-GB' };
  const thief = await (await browser.newContext(plain)).newPage();
  await signInAt(thief, open, merchant);
  await tryOn(thief, () => enterCode(thief, '000000'), text('SignInMore.codeWrong'));
  await expect(thief.getByText(/Try again after \d+\s\w+\s2\d+, \d\d:\d\d/)).toBeVisible();

  const guesser = await (await browser.newContext(plain)).newPage();
  await guesser.goto(`${open.liveUrl}/sign-in`);
  const guess = () => signIn(guesser, { email: merchant.email, password: 'a wrong password' });
  await tryOn(guesser, guess, text('SignIn.wrong'));
  await expect(guesser.getByLabel(text('SignIn.email'))).toHaveValue(merchant.email);
  const seeing = await other(browser);
  await seeing.goto(`${open.liveUrl}/sign-in`);
  await looks(seeing, guesser.url(), 'sign-in-held-up');
  // The wrong passwords do not prevent the owner of the account from signing in on a device that Bili knows.
  await page.goto(`${open.liveUrl}/account`);
  await page.getByRole('button', { name: text('SignIn.signOut'), exact: true }).click();
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { name: text('SignInMore.codeTitle') })).toBeVisible();
});

test('sessions are listed and ended from another browser immediately', { tag: '@full' }, async ({ page, browser, open }) => {
  const merchant = await newMerchant(open, 'Duka la Vipindi');
  await signInAt(page, open, merchant);
  const desk = await other(browser);
  await signInAt(desk, open, merchant);
  const cyber = await other(browser);
  await signInAt(cyber, open, merchant);
  await page.goto(`${open.liveUrl}/account`);
  await looks(page, `${open.liveUrl}/account`, 'account');
  const sessions = page.getByRole('region', { name: text('Account.sessions') });
  await expect(sessions.getByRole('listitem')).toHaveCount(3);
  await expect(sessions.getByRole('listitem').first()).toContainText(text('Account.thisDevice'));
  await sessions
    .getByRole('button', { name: pattern('Account.endThis', { device: String(text.raw('Account.device')) }) })
    .first()
    .click();
  await expect(page.getByText(text('Account.sessionsEnded', { ended: 1 }))).toBeVisible();
  await page.getByRole('button', { name: text('Account.endOthers') }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  // After a session has ended, its next request is refused, both for a page and for the data of a page.
  const overview = home(open, merchant).replace(/\/bills$/, '/overview');
  for (const ended of [desk, cyber]) {
    const [shown, data] = await Promise.all([overview, `${overview}/data`].map((url) => ended.request.get(url, { maxRedirects: 0 })));
    expect([shown?.status(), data?.status()]).toEqual([307, 401]);
    await ended.goto(home(open, merchant));
    await expect(ended.getByRole('heading', { name: text('SignIn.title') })).toBeVisible();
  }
  await page.goto(home(open, merchant));
  await expect(page.getByRole('heading', { name: text('BillList.title') })).toBeVisible();
});

test('a person changes name and password', async ({ page, open }) => {
  const merchant = await newMerchant(open, 'Duka la Neno');
  await signInAt(page, open, merchant);
  await openMenu(page);
  await page.getByRole('link', { name: text('Shell.yourAccount') }).click();
  await page.getByLabel(text('Account.name')).fill('Asha Mushi');
  await page.getByRole('button', { name: text('Account.save') }).click();
  await expect(page.getByText(text('Account.nameSaved'))).toBeVisible();
  await looks(page, `${open.liveUrl}/account/password`, 'password');
  await page.getByLabel(text('Account.newPassword')).fill('Asha Mushi 1999');
  await page.getByRole('button', { name: text('Account.changePassword') }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(text('PasswordProblem.too_personal'));
  await page.getByLabel(text('Account.newPassword')).fill(PASSWORD);
  await page.getByRole('button', { name: text('Account.changePassword') }).click();
  await expect(page.getByText(text('Account.passwordChanged', { ended: 0 }))).toBeVisible();
  await page.getByRole('button', { name: text('SignIn.signOut'), exact: true }).click();
  await signIn(page, { ...merchant, password: PASSWORD });
  await expect(menuButton(page)).toBeVisible();
});

test('an e-mail address is changed by a link to the new one, and the old one is notified', async ({ page, open, mailbox }) => {
  const merchant = await newMerchant(open, 'Duka la Anwani');
  const [url, email] = [`${open.liveUrl}/account/email`, `${randomUUID()}@example.com`];
  await signInAt(page, open, merchant);
  await page.goto(`${open.liveUrl}/account`);
  await page.getByRole('link', { name: new RegExp(`^${text('Account.changeEmail')}.*${text('Account.email')}$`) }).click();
  await looks(page, url, 'email');
  await page.getByLabel(text('Account.newEmail')).fill(merchant.email);
  await page.getByRole('button', { name: text('Account.emailSend') }).click();
  await expect(page.getByText(text('Account.email_same'))).toBeVisible();
  await page.getByLabel(text('Account.newEmail')).fill(email);
  await page.getByRole('button', { name: text('Account.emailSend') }).click();
  await expect(page.getByText(text('Account.emailSent', { email }))).toBeVisible();
  const link = await mailbox.linkFor(email);
  // Without a session, the link leads to the sign-in page, which then leads to the page of the link.
  await page.goto(`${open.liveUrl}/account`);
  await page.getByRole('button', { name: text('SignIn.signOut'), exact: true }).click();
  await page.goto(link);
  await signIn(page, merchant);
  await expect(page.getByText(pattern('Account.emailConfirmText', { to: email }))).toBeVisible();
  await page.getByRole('button', { name: text('Account.emailConfirm') }).click();
  await expect(page.getByText(text('Account.emailChanged', { ended: 0 }))).toBeVisible();
  await expect(page).toHaveURL(`${open.liveUrl}/account`);
  await expect.poll(() => mailbox.textsFor(merchant.email).join()).toMatch(pattern('AccountMail.emailChangedText'));
  await page.goto(link);
  await expect(page.getByText(text('SignInMore.linkEndedTitle'))).toBeVisible();
  await page.getByRole('button', { name: text('SignIn.signOut'), exact: true }).click();
  await page.getByLabel(text('SignIn.password')).fill(merchant.password);
  await expect(page.getByLabel(text('SignIn.password'))).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: `${text('PasswordField.show')} ${text('PasswordField.what')}` }).click();
  await expect(page.getByLabel(text('SignIn.password'))).toHaveAttribute('type', 'text');
  await page.getByLabel(text('SignIn.email')).fill(email);
  await page.getByRole('button', { name: text('SignIn.button') }).click();
  await expect(menuButton(page)).toBeVisible();
});

test('a forgotten password is reset by mail, and the link works once', async ({ page, open, mailbox }) => {
  const merchant = await newMerchant(open, 'Duka la Kumbukumbu');
  await page.goto(`${open.liveUrl}/sign-in`);
  await page.getByRole('link', { name: text('SignInMore.forgot') }).click();
  await expect(page.getByRole('heading', { name: text('SignInMore.forgotTitle') })).toBeVisible();
  await looks(page, `${open.liveUrl}/forgot`, 'forgot');
  const answers: string[] = [];
  for (const email of [`${randomUUID()}@example.com`, merchant.email]) {
    await page.goto(`${open.liveUrl}/forgot`);
    await page.getByLabel(text('SignInMore.email')).fill(email);
    await page.getByRole('button', { name: text('SignInMore.send') }).click();
    await expect(page.getByText(text('SignInMore.sentTitle'))).toBeVisible();
    answers.push((await page.getByRole('main').innerText()).replace(email, ''));
  }
  expect(answers[0]).toBe(answers[1]);
  await looks(page, page.url(), 'forgot-sent');
  const link = await mailbox.linkFor(merchant.email);
  // The button of the mail leads to the same page as the link of its text.
  await page.setContent(mailbox.htmlFor(merchant.email));
  await expect(page.getByRole('link').first()).toHaveAttribute('href', link);
  await isAccessible(page);
  await looks(page, link, 'reset');
  await page.getByLabel(text('Account.newPassword')).fill('password1234');
  await page.getByRole('button', { name: text('SignInMore.setPassword') }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(text('PasswordProblem.too_common'));
  await page.getByLabel(text('Account.newPassword')).fill(PASSWORD);
  await page.getByRole('button', { name: text('SignInMore.setPassword') }).click();
  await expect(page.getByText(text('SignInMore.changed'))).toBeVisible();
  await expect(page.getByLabel(text('SignIn.email'))).toHaveValue(merchant.email);
  await signIn(page, { ...merchant, password: PASSWORD });
  await expect(menuButton(page)).toBeVisible();
  await looks(page, link, 'reset-ended');
  await expect(page.getByText(text('SignInMore.linkEndedTitle'))).toBeVisible();
  const { link: printed } = Object(await open.bili(['user', 'reset-link', '--email', merchant.email, '--reason', 'test']));
  await page.goto(printed);
  await expect(page.getByRole('heading', { name: text('SignInMore.resetTitle') })).toBeVisible();
});

test('a person signs up by mail and gets a sandbox immediately', async ({ page, open, mailbox }) => {
  const email = `${randomUUID()}@example.com`;
  await page.goto(`${open.liveUrl}/sign-in`);
  await page.getByRole('link', { name: text('SignInMore.signUpTitle') }).click();
  await expect(page.getByRole('heading', { name: text('SignInMore.signUpTitle') })).toBeVisible();
  await looks(page, `${open.liveUrl}/sign-up`, 'sign-up');
  await page.goto(`${open.liveUrl}/sign-up`);
  await page.getByLabel(text('SignInMore.email')).fill(email);
  await page.getByRole('button', { name: text('SignInMore.send') }).click();
  await expect(page.getByText(text('SignInMore.signUpSent', { email }))).toBeVisible();
  const link = await mailbox.linkFor(email);
  await looks(page, link, 'sign-up-finish');
  await page.getByLabel(text('SignInMore.business')).fill('Duka la Asha');
  await page.getByLabel(text('SignInMore.yourName')).fill('Asha Mushi');
  await page.getByLabel(text('SignInMore.password')).fill('dukalaasha1234');
  await page.getByRole('button', { name: text('SignInMore.open') }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(text('PasswordProblem.too_personal'));
  await expect(page.getByLabel(text('SignInMore.yourName'))).toHaveValue('Asha Mushi');
  await page.getByLabel(text('SignInMore.password')).fill(PASSWORD);
  await page.getByRole('button', { name: text('SignInMore.open') }).click();
  await expect(page).toHaveURL(/\/m\/duka-la-asha[\w-]*\/sandbox\/overview$/);
  await page.goto(page.url().replace('/sandbox/', '/live/'));
  await expect(page.getByRole('region', { name: text('Overview.activation') })).toBeVisible();
});

test('with sign-up by invitation, the sign-up page says so and the sign-in page has no link to it', { tag: '@full' }, async ({
  page,
  product,
}) => {
  await page.goto(`${product.liveUrl}/sign-in`);
  await expect(page.getByRole('link', { name: text('SignInMore.signUpTitle') })).toHaveCount(0);
  await page.goto(`${product.liveUrl}/sign-up`);
  await expect(page.getByRole('heading', { name: text('SignInMore.signUpClosedTitle') })).toBeVisible();
  await page.goto(`${product.liveUrl}/forgot`);
  await expect(page.getByText(text('SignInMore.noMail'))).toBeVisible();
  await page.goto(`${product.liveUrl}/account/password`);
  await expect(page).toHaveURL(/sign-in/);
});
