import { answering, startReceiver } from '@/testing/fakes/start-receiver';
import { type Product, startProduct } from '@/testing/product';
import { looksWell } from './looks';
import { newMerchant, signIn } from './people';
import { test as base, expect } from './product';
import { pattern, text } from './texts';

/** A product whose live webhooks may go to this machine. */
const test = base.extend<object, { local: Product }>({
  local: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const product = await startProduct({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('an owner proposes live webhook addresses, and the operator refuses one and approves another', { tag: '@full' }, async ({
  page,
  local: product,
}) => {
  // On a busy machine, two commands take time, and so does checking the page twice in every theme, width and language.
  const receiver = await startReceiver();
  const merchant = await newMerchant(product, 'Duka la Mapendekezo');
  const hooks = `${product.liveUrl}/m/${merchant.slug}/live/webhooks`;
  const endpoint = page.getByRole('region', { name: text('Webhooks.address'), exact: true });
  const propose = async (url: string) => {
    await page.getByLabel(text('Hooks.proposeLabel')).fill(url);
    await page.getByRole('button', { name: text('Hooks.propose') }).click();
  };
  const decide = (verb: 'approve' | 'refuse', url: string, ...more: readonly string[]) =>
    product.bili(['webhook', verb, '--merchant', merchant.slug, '--url', url, ...more]);

  await test.step('the server must accept a test', async () => {
    await page.goto(hooks);
    await signIn(page, merchant);
    await expect(page.getByText(text('Webhooks.notSetUpTitle'))).toBeVisible();
    receiver.answer(answering(500, 'not yet'));
    await propose(receiver.url('/first'));
    await expect(page.getByText(text('Hooks.test_refused'))).toBeVisible();
    await expect(page.getByText(text('Hooks.proposalOpen'))).toBeHidden();
    await propose('https://10.0.0.1/bili');
    await expect(page.getByText(text('Hooks.address_address'))).toBeVisible();
  });

  await test.step('a proposal waits, and can be withdrawn', async () => {
    receiver.answer(answering(200, 'thank you'));
    await propose(receiver.url('/first'));
    await expect(page.getByText(pattern('Hooks.proposed', { status: '200' }))).toBeVisible();
    await expect(page.getByText(text('Hooks.proposalOpen'))).toBeVisible();
    await looksWell(page, hooks, 'proposal-open');
    await page.goto(hooks);
    await page.getByRole('button', { name: text('Hooks.withdraw') }).click();
    await expect(page.getByText(text('Hooks.withdrawn')).first()).toBeVisible();
    await expect(page.getByText(text('Hooks.proposalOpen'))).toBeHidden();
    await expect(page.getByText(text('Webhooks.notSetUpTitle'))).toBeVisible();
  });

  await test.step('a refused proposal shows the reason, without a reload', async () => {
    await propose(receiver.url('/second'));
    await expect(page.getByText(text('Hooks.proposalOpen'))).toBeVisible();
    await decide('refuse', receiver.url('/second'), '--reason', 'Not a domain of this shop');
    await expect(page.getByText(text('Hooks.proposalReason', { reason: 'Not a domain of this shop' }))).toBeVisible();
    await looksWell(page, hooks, 'proposal-refused');
  });

  await test.step('an approved proposal becomes the address, without a reload', async () => {
    await page.goto(hooks);
    await propose(receiver.url('/third'));
    await expect(page.getByText(text('Hooks.proposalOpen'))).toBeVisible();
    await decide('approve', receiver.url('/third'));
    await expect(endpoint.getByText(pattern('Hooks.proposalApproved'))).toBeVisible();
    await expect(endpoint.getByText(receiver.url('/third'))).toBeVisible();
    await expect(page.getByText(pattern('Hooks.proposed'))).toBeHidden();
    await expect(
      page
        .getByRole('region', { name: text('Hooks.history') })
        .getByText(text('Hooks.by', { name: text('Hooks.operator') }))
        .first(),
    ).toBeVisible();
  });

  await receiver.stop();
});
