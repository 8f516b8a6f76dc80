import { answering, startReceiver } from '@/lib/testing/fakes/start-receiver';
import { looksWell } from './looks';
import { newBill, newKey, newMerchant, setHook, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a developer sees why a webhook fails, fixes the server and resends the webhook', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Webhook');
  const key = await newKey(product, merchant, 'Server');
  const hooks = `${product.liveUrl}/m/${merchant.slug}/sandbox/webhooks`;
  const pay = (reference: string) => newBill(request, product.sandboxUrl, key, { amount: 5000, reference, mobile: '0712345001' });

  const receiver = await startReceiver();

  await test.step('sets the sandbox address, which is stored after the server has accepted a test', async () => {
    await page.goto(hooks);
    await signIn(page, merchant);
    await expect(page.getByText('Webhooks are not set up')).toBeVisible();
    const save = async (url: string) => {
      await page.getByLabel('Endpoint URL (sandbox)').fill(url);
      await page.getByRole('button', { name: 'Test and save' }).click();
    };
    receiver.answer(answering(500, 'not yet'));
    await save(receiver.url());
    await expect(page.getByText('Not saved. Your server did not accept the test.')).toBeVisible();
    await expect(page.getByLabel('Endpoint URL (sandbox)')).toHaveValue(receiver.url());
    receiver.answer(answering(200, 'thank you'));
    await save(receiver.url());
    await expect(page.getByText('Saved. Your server accepted the test with 200')).toBeVisible();
    // Only the field of the form shows the address. No text repeats it.
    await expect(page.getByRole('region', { name: 'Endpoint' }).getByText(receiver.url())).toHaveCount(0);
    await looksWell(page, hooks, 'address');
  });

  await test.step('on a phone, the tabs are in one line that scrolls to the current one', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${hooks}/secret`);
    const tabs = page.getByRole('navigation', { name: 'Webhook pages' });
    expect((await tabs.boundingBox())?.height).toBeLessThan(60);
    await expect(tabs.getByRole('link', { name: 'Secret' })).toBeInViewport({ ratio: 0.9 });
    await tabs.getByRole('link', { name: 'Endpoint' }).focus();
    await expect(tabs.getByRole('link', { name: 'Endpoint' })).toBeInViewport({ ratio: 0.9 });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('finds the failed delivery, and reads the complete attempt as soon as it happens', async () => {
    receiver.answer(answering(500, '<h1>Down for lunch</h1><script>alert(1)</script>'));
    await page.goto(`${hooks}/deliveries?failed=1`);
    await expect(page.getByText('No results')).toBeVisible();
    await pay('LUNCH-1');
    await page.getByRole('link', { name: 'LUNCH-1' }).click({ timeout: 20_000 });
    await expect(page.getByText('Your server returned 500, a server error.').first()).toBeVisible();
    await expect(page.getByText('<h1>Down for lunch</h1>').first()).toBeVisible();
    await expect(page.getByText('webhook-signature: v1,').first()).toBeVisible();
    await expect(page.getByText('Waiting for the first byte').first()).toBeVisible();
    receiver.answer(answering(200, 'thank you'));
    await page.getByRole('button', { name: 'Send now' }).click();
    await expect(page.getByRole('region', { name: 'Delivery', exact: true }).getByText('Delivered', { exact: true }).first()).toBeVisible({
      timeout: 20_000,
    });
    await looksWell(page, page.url().replace(/\?.*/, ''), 'delivery');
  });

  await receiver.stop();
});

test('a developer finds a delivery by its bill, and pauses and resumes', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Mapumziko');
  const key = await newKey(product, merchant, 'Server');
  const hooks = `${product.liveUrl}/m/${merchant.slug}/sandbox/webhooks`;
  const receiver = await startReceiver();
  await setHook(product, merchant, receiver.url());
  await newBill(request, product.sandboxUrl, key, { amount: 5000, reference: 'REST-1', mobile: '0712345001' });
  await page.goto(hooks);
  await signIn(page, merchant);
  await expect(page.getByRole('region', { name: 'History' })).toBeVisible();

  await test.step('finds the delivery, and sees it become delivered without a reload', async () => {
    await page.goto(`${hooks}/deliveries?bill=REST-1&state=DELIVERED`);
    await expect(page.getByRole('row', { name: /REST-1/ })).toBeVisible({ timeout: 20_000 });
  });

  await test.step('pauses and resumes', async () => {
    await looksWell(page, `${hooks}/deliveries`, 'deliveries');
    await page.goto(hooks);
    await expect(page.getByText('Your server accepts webhooks.')).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('Webhooks paused. New ones are stored').first()).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(page.getByText('Webhooks resumed. Waiting webhooks are being sent.').first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'History' }).getByText(`by ${merchant.email}`).first()).toBeVisible();
    await looksWell(page, hooks, 'hooks');
  });

  await receiver.stop();
});

test('a developer redelivers many webhooks after counting them', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Marudio');
  const key = await newKey(product, merchant, 'Server');
  const hooks = `${product.liveUrl}/m/${merchant.slug}/sandbox/webhooks`;
  const receiver = await startReceiver();
  await setHook(product, merchant, receiver.url());
  await newBill(request, product.sandboxUrl, key, { amount: 5000, reference: 'AGAIN-1', mobile: '0712345001' });
  await page.goto(`${hooks}/deliveries?state=DELIVERED`);
  await signIn(page, merchant);
  await page.goto(`${hooks}/deliveries?state=DELIVERED`);
  await expect(page.getByRole('link', { name: 'AGAIN-1' })).toBeVisible({ timeout: 20_000 });

  await test.step('counts, confirms and follows the progress', async () => {
    await page.goto(`${hooks}/resend`);
    await page.getByLabel('Retries exhausted').uncheck();
    await page.getByLabel('Not sent: no endpoint was set').uncheck();
    await page.getByRole('button', { name: 'Count webhooks' }).click();
    await expect(page.getByText('Choose at least one kind of webhook.')).toBeVisible();
    await page.getByLabel('Delivered: your server will get these webhooks a second time').check();
    await page.getByRole('button', { name: 'Count webhooks' }).click();
    await expect(page.getByText('1 webhook to resend').first()).toBeVisible();
    await page.getByRole('button', { name: 'Resend 1 webhook' }).click();
    await expect(page.getByText('All webhooks queued')).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('1 of 1')).toBeVisible();
    await looksWell(page, page.url(), 'run');
    await looksWell(page, `${hooks}/resend`, 'again');
  });
  await receiver.stop();
});

test('a developer sends a test webhook and runs the receiver check', async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Saini');
  const hooks = `${product.liveUrl}/m/${merchant.slug}/sandbox/webhooks`;
  const receiver = await startReceiver();
  await setHook(product, merchant, receiver.url());

  await test.step('sends a test', async () => {
    await page.goto(`${hooks}/tests`);
    await signIn(page, merchant);
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText(/Your server accepted the test webhook with 200 after \d+ ms/)).toBeVisible();
  });

  await test.step('runs the receiver check and sees each step', async () => {
    await page.getByRole('button', { name: 'Start check' }).click();
    await expect(page.getByText('Anyone can tell your server that a bill is paid').first()).toBeVisible();
    await expect(page.getByText(/Check complete: \d passed, \d failed\./)).toBeVisible({ timeout: 30_000 });
    const list = page.getByRole('region', { name: 'Earlier tests and checks' });
    const forged = list.getByRole('group').filter({ hasText: 'A webhook signed with another secret' });
    await expect(forged.getByText('Failed', { exact: true })).toBeVisible();
    await looksWell(page, `${hooks}/tests`, 'tests');
    await page.goto(hooks.replace('/webhooks', '/bills'));
    await expect(page.getByRole('heading', { name: 'Bills', exact: true })).toBeVisible();
    await expect(page.getByText(/CHECK-/)).toHaveCount(0);
    await page.goto(`${hooks.replace('/webhooks', '/bills')}?checks=1`);
    await expect(page.getByText(/CHECK-/).first()).toBeVisible();
  });

  await receiver.stop();
});

test('a developer gets a signature explained, and rotates the secret', async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Siri ya Saini');
  const hooks = `${product.liveUrl}/m/${merchant.slug}/sandbox/webhooks`;
  const receiver = await startReceiver();
  await setHook(product, merchant, receiver.url());
  await product.bili(['webhook', 'test', '--merchant', merchant.slug, '--environment', 'sandbox']);
  await page.goto(`${hooks}/secret`);
  await signIn(page, merchant);
  await expect(page.getByRole('button', { name: 'Show secret' })).toBeVisible();

  const secret = await test.step('looks at the secret', async () => {
    expect(await page.content()).not.toMatch(/whsec_[A-Za-z0-9]/);
    await page.getByRole('button', { name: 'Show secret' }).click();
    return (await page.getByRole('region', { name: 'Signing secret' }).getByRole('code').first().innerText()).trim();
  });

  await test.step('has a signature explained', async () => {
    const sent = receiver.received.at(-1);
    if (!sent) throw new Error('nothing was received');
    const { body, headers } = sent;
    const pasted = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => `${name}: ${headers[name]}`).join('\n');
    await page.goto(`${hooks}/signature`);
    await page.getByLabel('Body, exactly as your code received it').fill(JSON.stringify(JSON.parse(body)));
    await page.getByLabel('Headers').fill(pasted);
    await page.getByLabel('Secret that your code used').fill(secret);
    await page.getByRole('button', { name: 'Compare the signatures' }).click();
    await expect(page.getByRole('region', { name: 'Result' })).toBeVisible();
    await expect(page.getByLabel('Headers')).toHaveValue(pasted);
    expect(await page.content()).not.toContain(secret);
    await looksWell(page, `${hooks}/signature`, 'explain');
  });

  await test.step('rotates the secret, and ends the overlap early', async () => {
    await page.goto(`${hooks}/secret`);
    await page.getByRole('button', { name: 'Create new secret' }).click();
    await expect(page.getByText('New secret created').first()).toBeVisible();
    await page.goto(`${hooks}/secret`);
    await expect(page.getByText(/Webhooks are signed with two secrets until/)).toBeVisible();
    await looksWell(page, `${hooks}/secret`, 'secret');
    await page.goto(`${hooks}/secret`);
    await page.getByRole('button', { name: 'End the old secret now' }).click();
    await expect(page.getByText('The old secret is no longer used.').first()).toBeVisible();
    await expect(page.getByText(/Webhooks are signed with two secrets until/)).toBeHidden();
  });
  await receiver.stop();
});
