import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type APIResponse, type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { z } from 'zod';

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
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens another page of the dashboard by its navigation, which is a menu on a narrow screen. */
export async function goTo(page: Page, section: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: section }).click();
}

/** Returns a browser context in which the merchant's owner is signed in. */
export async function signedIn(browser: Browser, base: string, merchant: TestMerchant): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${base}/m/${merchant.slug}/sandbox/bills`);
  await signIn(page, merchant);
  await expect(page.getByRole('heading', { name: 'Bills', exact: true })).toBeVisible();
  await page.close();
  return context;
}
