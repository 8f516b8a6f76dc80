import type { Page } from '@playwright/test';
import { countKeys, newBill, newKey, newMerchant, postBill, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

const REFERENCE = 'WEDDING OF ASHA AND JUMA';
const LABEL = 'Ledger of the victim';
const NAME = 'Duka la Siri';

const HOOKS = ['webhooks', ...['deliveries', 'tests', 'again', 'explain', 'secret'].map((page) => `webhooks/${page}`)];

/** Every page that shows a merchant's data. A new page belongs here. */
const pages = (billId: string, keyId: string) =>
  ['live', 'sandbox'].flatMap((environment) =>
    ['bills', 'bills?status=NOT_PAID', `bills/${billId}`, ...HOOKS, 'keys', `keys/${keyId}`].map((page) => `${environment}/${page}`),
  );

test("another merchant's session sees nothing, and cannot tell it from what does not exist", async ({ page, request, product }) => {
  const victim = await newMerchant(product, NAME);
  const key = await newKey(product, victim, LABEL);
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference: REFERENCE, mobile: '0712345001' });
  const stranger = await newMerchant(product, 'Duka la Jirani');
  await page.goto(`${product.liveUrl}/m/${stranger.slug}/sandbox/bills`);
  await signIn(page, stranger);
  await expect(page.getByRole('heading', { name: 'Bills' })).toBeVisible();

  for (const path of [
    ...pages(bill.id, key.apiKey).map((below) => `/m/${victim.slug}/${below}`),
    `/m/${stranger.slug}/sandbox/bills/${bill.id}`,
    `/m/${stranger.slug}/live/bills/${bill.id}`,
    `/m/${stranger.slug}/sandbox/keys/${key.apiKey}`,
  ]) {
    const nowhere = path.replace(victim.slug, 'no-such-merchant');
    const answer = await page.goto(product.liveUrl + path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
    const other = await page.context().request.get(product.liveUrl + nowhere);
    expect(other.status(), nowhere).toBe(404);
    // The data that Next.js fetches for a navigation is another way to the same page.
    const data = await page.context().request.get(product.liveUrl + path, { headers: { rsc: '1' } });
    for (const body of [await page.content(), await data.text()]) {
      for (const secret of [NAME, REFERENCE, LABEL, ...(path.includes(key.apiKey) ? [] : [key.apiKey])])
        expect(body, path).not.toContain(secret);
    }
  }
});

test('without a session every page leads to the sign-in page, and back after it', async ({ page, request, product }) => {
  const victim = await newMerchant(product, NAME);
  const key = await newKey(product, victim, LABEL);
  const bill = await newBill(request, product.sandboxUrl, key, { amount: 7000, reference: REFERENCE });
  for (const below of pages(bill.id, key.apiKey)) {
    const path = `/m/${victim.slug}/${below}`;
    for (const headers of [{}, { rsc: '1' }]) {
      const answer = await request.get(product.liveUrl + path, { maxRedirects: 0, headers });
      expect(await answer.text(), path).not.toContain(REFERENCE);
    }
    await page.goto(product.liveUrl + path);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  }
  await page.goto(`${product.liveUrl}/m/${victim.slug}/sandbox/bills/${bill.id}`);
  await signIn(page, victim);
  await expect(page.getByRole('heading', { name: `Bill ${REFERENCE}` })).toBeVisible();
});

test("keys of another merchant can be neither revoked nor made by sending one's own form with other names in it", async ({
  page,
  request,
  product,
}) => {
  const victim = await newMerchant(product, NAME);
  const key = await newKey(product, victim, LABEL);
  const stranger = await newMerchant(product, 'Duka la Jirani');
  const mine = await newKey(product, stranger, 'Mine');
  const keysPage = `${product.liveUrl}/m/${stranger.slug}/sandbox/keys`;
  await page.goto(keysPage);
  await signIn(page, stranger);
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();

  for (const names of [{ key: key.apiKey }, { key: key.apiKey, merchant: victim.slug }]) {
    await page.goto(`${keysPage}/${mine.apiKey}`);
    const card = page.getByRole('region', { name: 'Revoke this key' });
    await card.locator('summary').click();
    for (const [name, value] of Object.entries(names))
      await setHidden(page, `section[aria-labelledby="revoke"] input[name="${name}"]`, value);
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    await card.getByRole('button', { name: 'Revoke Mine now' }).click();
    expect((await sent).request().postData()).toContain(key.apiKey);
    expect((await postBill(request, product.sandboxUrl, key, { amount: 100, reference: 'still here' })).status()).toBe(200);
  }

  await page.goto(keysPage);
  await page.getByLabel('What is it for?').fill('Back door');
  await setHidden(page, 'section[aria-labelledby="new"] input[name="merchant"]', victim.slug);
  const sent = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Create key' }).click();
  expect((await sent).request().postData()).toContain(victim.slug);
  expect(await countKeys(product, victim)).toBe(1);
});

async function setHidden(page: Page, selector: string, value: string): Promise<void> {
  await page.locator(selector).evaluate((input, text) => input.setAttribute('value', text), value);
}
