import { randomUUID } from 'node:crypto';
import {
  type APIRequestContext,
  type APIResponse,
  type Browser,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { z } from 'zod';
import { either, text } from './texts';

type Cli = { bili(args: string[]): Promise<unknown> };
type Key = { readonly apiKey: string; readonly apiSecret: string };

const merchantSchema = z.object({ id: z.string(), slug: z.string(), name: z.string(), email: z.string(), password: z.string() });
const keySchema = z.object({ apiKey: z.string(), apiSecret: z.string() });
const billSchema = z.object({ id: z.string(), status: z.string() });

export type TestMerchant = z.infer<typeof merchantSchema>;

/** Creates a merchant for each test, so that tests do not affect each other. */
export async function newMerchant(product: Cli, name: string): Promise<TestMerchant> {
  return merchantSchema.parse(await product.bili(['merchant', 'create', '--name', name, '--email', `${randomUUID()}@example.com`]));
}

export async function newKey(
  product: Cli,
  merchant: TestMerchant,
  label: string,
  environment: 'live' | 'sandbox' = 'sandbox',
): Promise<Key> {
  return keySchema.parse(
    await product.bili(['key', 'create', '--merchant', merchant.slug, '--environment', environment, '--label', label, '--reason', 'test']),
  );
}

/** Sets a merchant's webhook address. Returns the command's output with the secret. */
export async function setHook(product: Cli, { slug }: { readonly slug: string }, url: string): Promise<unknown> {
  return product.bili(['webhook', 'set', '--merchant', slug, '--environment', 'sandbox', '--url', url]);
}

/** Returns the number of a merchant's sandbox keys. */
export async function countKeys(product: Cli, merchant: TestMerchant): Promise<number> {
  return z.array(z.unknown()).parse(await product.bili(['key', 'list', '--merchant', merchant.slug, '--environment', 'sandbox'])).length;
}

export async function postBill(request: APIRequestContext, base: string, key: Key, bill: object): Promise<APIResponse> {
  return request.post(`${base}/api/v3/bills/create`, { headers: { authorization: `ApiKey ${key.apiKey}:${key.apiSecret}` }, data: bill });
}

export async function newBill(request: APIRequestContext, base: string, key: Key, bill: object): Promise<{ id: string; status: string }> {
  return billSchema.parse(await (await postBill(request, base, key, bill)).json());
}

const invitationSchema = z.object({ id: z.string(), link: z.string() });

/** Invites a person by the command line. Returns the link. */
export async function invite(
  product: Cli,
  merchant: TestMerchant,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<{ id: string; link: string }> {
  const args = ['user', 'invite', '--merchant', merchant.slug, '--email', email, '--role', role, '--reason', 'test'];
  return invitationSchema.parse(await product.bili(args));
}

/** Fills in the sign-in page. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel(text('SignIn.email')).fill(email);
  await page.getByLabel(text('SignIn.password')).fill(password);
  await page.getByRole('button', { name: text('SignIn.button') }).click();
}

/** The links to the pages of the dashboard. On a phone, only those of the bar are visible, until `openMenu`. */
export function navigation(page: Page): Locator {
  return page.getByRole('navigation', { name: text('Dashboard.navigation') }).filter({ visible: true });
}

/** The button of the menu with the account: in the bar of a phone, or in the header of a wide window. */
export function menuButton(page: Page): Locator {
  return page.locator('summary').filter({ hasText: either(text('Shell.more'), text('Dashboard.account')), visible: true });
}

/** Opens the menu with the account. On a phone, it also has the pages that the bar has no place for. */
export async function openMenu(page: Page): Promise<void> {
  await menuButton(page).click();
}

/** Opens another page of the dashboard by its navigation. */
export async function goTo(page: Page, section: string): Promise<void> {
  const link = navigation(page).getByRole('link', { name: section, exact: true });
  await expect(navigation(page)).toBeVisible();
  if (!(await link.isVisible())) await openMenu(page);
  await link.click();
}

/** Returns a browser context in which the merchant's owner is signed in. */
export async function signedIn(browser: Browser, base: string, merchant: TestMerchant): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${base}/m/${merchant.slug}/sandbox/bills`);
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
  await page.close();
  return context;
}
