import { answering, startReceiver } from '@/lib/testing/fakes/start-receiver';
import { type Product, startProduct } from '@/lib/testing/product';
import { looksWell } from './looks';
import { newMerchant, signIn } from './people';
import { test as base, expect } from './product';

/** A product whose live webhooks may go to this machine. */
const test = base.extend<object, { local: Product }>({
  local: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const product = await startProduct({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('an owner proposes live webhook addresses, and the operator refuses one and approves another', async ({ page, local: product }) => {
  // On a busy machine, two commands take time, and so does checking the page twice in every theme, width and language.
  test.setTimeout(180_000);
  const receiver = await startReceiver();
  const merchant = await newMerchant(product, 'Duka la Mapendekezo');
  const hooks = `${product.liveUrl}/m/${merchant.slug}/live/webhooks`;
  const endpoint = page.getByRole('region', { name: 'Endpoint', exact: true });
  const propose = async (url: string) => {
    await page.getByLabel('New endpoint URL (live)').fill(url);
    await page.getByRole('button', { name: 'Test and propose' }).click();
  };
  const decide = (verb: 'approve' | 'refuse', url: string, ...more: readonly string[]) =>
    product.bili(['webhook', verb, '--merchant', merchant.slug, '--url', url, ...more]);

  await test.step('the server must accept a test', async () => {
    await page.goto(hooks);
    await signIn(page, merchant);
    await expect(page.getByText('Webhooks are not set up')).toBeVisible();
    receiver.answer(answering(500, 'not yet'));
    await propose(receiver.url('/first'));
    await expect(page.getByText('Not saved. Your server did not accept the test.')).toBeVisible();
    await expect(page.getByText('Waiting for the operator')).toBeHidden();
    await propose('https://10.0.0.1/bili');
    await expect(page.getByText('The URL must point to a public internet address.')).toBeVisible();
  });

  await test.step('a proposal waits, and can be withdrawn', async () => {
    receiver.answer(answering(200, 'thank you'));
    await propose(receiver.url('/first'));
    await expect(page.getByText('Proposed to the operator. Your server accepted the test with 200')).toBeVisible();
    await expect(page.getByText('Waiting for the operator')).toBeVisible();
    await looksWell(page, hooks, 'proposal-open');
    await page.goto(hooks);
    await page.getByRole('button', { name: 'Withdraw proposal' }).click();
    await expect(page.getByText('The proposal was withdrawn.').first()).toBeVisible();
    await expect(page.getByText('Waiting for the operator')).toBeHidden();
    await expect(page.getByText('Webhooks are not set up')).toBeVisible();
  });

  await test.step('a refused proposal shows the reason, without a reload', async () => {
    await propose(receiver.url('/second'));
    await expect(page.getByText('Waiting for the operator')).toBeVisible();
    await decide('refuse', receiver.url('/second'), '--reason', 'Not a domain of this shop');
    await expect(page.getByText('Reason: Not a domain of this shop')).toBeVisible({ timeout: 20_000 });
    await looksWell(page, hooks, 'proposal-refused');
  });

  await test.step('an approved proposal becomes the address, without a reload', async () => {
    await page.goto(hooks);
    await propose(receiver.url('/third'));
    await expect(page.getByText('Waiting for the operator')).toBeVisible();
    await decide('approve', receiver.url('/third'));
    await expect(endpoint.getByText('The operator approved this URL on')).toBeVisible({ timeout: 20_000 });
    await expect(endpoint.getByText(receiver.url('/third'))).toBeVisible();
    await expect(page.getByText('Proposed to the operator. Your server')).toBeHidden();
    await expect(page.getByRole('region', { name: 'History' }).getByText('by the operator').first()).toBeVisible();
  });

  await receiver.stop();
});
