import { answering, startReceiver } from '@/testing/fakes/start-receiver';
import { looksWell } from './looks';
import { newBill, newKey, newMerchant, setHook, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

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
    await expect(page.getByText(text('Webhooks.notSetUpTitle'))).toBeVisible();
    const save = async (url: string) => {
      await page.getByLabel(text('Hooks.addressLabel')).fill(url);
      await page.getByRole('button', { name: text('Hooks.addressSave') }).click();
    };
    receiver.answer(answering(500, 'not yet'));
    await save(receiver.url());
    await expect(page.getByText(text('Hooks.test_refused'))).toBeVisible();
    await expect(page.getByLabel(text('Hooks.addressLabel'))).toHaveValue(receiver.url());
    receiver.answer(answering(200, 'thank you'));
    await save(receiver.url());
    await expect(page.getByText(pattern('Hooks.addressSaved', { status: '200' }))).toBeVisible();
    // Only the field of the form shows the address. No text repeats it.
    await expect(page.getByRole('region', { name: text('Webhooks.address') }).getByText(receiver.url())).toHaveCount(0);
    await looksWell(page, hooks, 'address');
  });

  await test.step('on a phone, the tabs are in one line that scrolls to the current one', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${hooks}/secret`);
    const tabs = page.getByRole('navigation', { name: text('Hooks.tabs') });
    expect((await tabs.boundingBox())?.height).toBeLessThan(60);
    await expect(tabs.getByRole('link', { name: text('Hooks.tab_secret') })).toBeInViewport({ ratio: 0.9 });
    await tabs.getByRole('link', { name: text('Hooks.tab_endpoint') }).focus();
    await expect(tabs.getByRole('link', { name: text('Hooks.tab_endpoint') })).toBeInViewport({ ratio: 0.9 });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('finds the failed delivery, and reads the complete attempt as soon as it happens', async () => {
    receiver.answer(answering(500, '<h1>Down for lunch</h1><script>alert(1)</script>'));
    await page.goto(`${hooks}/deliveries?failed=1`);
    await expect(page.getByText(text('Hooks.noneTitle'))).toBeVisible();
    await pay('LUNCH-1');
    await page.getByRole('link', { name: 'LUNCH-1' }).click();
    await expect(page.getByText(text('TryError.server_error', { status: '500' })).first()).toBeVisible();
    await expect(page.getByText('<h1>Down for lunch</h1>').first()).toBeVisible();
    await expect(page.getByText('webhook-signature: v1,').first()).toBeVisible();
    await expect(page.getByText(text('Hooks.timing_wait')).first()).toBeVisible();
    receiver.answer(answering(200, 'thank you'));
    await page.getByRole('button', { name: text('Hooks.redeliverWaiting') }).click();
    await expect(
      page
        .getByRole('region', { name: text('Hooks.facts'), exact: true })
        .getByText(text('Hooks.delivered'), { exact: true })
        .first(),
    ).toBeVisible();
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
  await expect(page.getByRole('region', { name: text('Hooks.history') })).toBeVisible();

  await test.step('finds the delivery, and sees it become delivered without a reload', async () => {
    await page.goto(`${hooks}/deliveries?bill=REST-1&state=DELIVERED`);
    await expect(page.getByRole('row', { name: /REST-1/ })).toBeVisible();
  });

  await test.step('pauses and resumes', async () => {
    await looksWell(page, `${hooks}/deliveries`, 'deliveries');
    await page.goto(hooks);
    await expect(page.getByText(text('Hooks.well'))).toBeVisible();
    await page.getByRole('button', { name: text('Hooks.pause') }).click();
    await expect(page.getByText(text('Hooks.paused_done')).first()).toBeVisible();
    await page.getByRole('button', { name: text('Hooks.resume') }).click();
    await expect(page.getByText(text('Hooks.resumed_done')).first()).toBeVisible();
    await expect(
      page
        .getByRole('region', { name: text('Hooks.history') })
        .getByText(text('Hooks.by', { name: merchant.email }))
        .first(),
    ).toBeVisible();
    await looksWell(page, hooks, 'hooks');
  });

  await receiver.stop();
});

test('a webhook that was not sent for want of an endpoint leads to the page of the endpoint', { tag: '@full' }, async ({
  page,
  request,
  product,
}) => {
  const merchant = await newMerchant(product, 'Duka Bila Anwani');
  const key = await newKey(product, merchant, 'Server');
  await newBill(request, product.sandboxUrl, key, { amount: 500, reference: 'UNSENT', mobile: '0712345001' });
  const webhooks = `${product.liveUrl}/m/${merchant.slug}/sandbox/webhooks`;
  await page.goto(`${webhooks}/deliveries`);
  await signIn(page, merchant);
  await expect(async () => {
    await page.goto(`${webhooks}/deliveries`);
    await page.getByRole('link', { name: 'UNSENT' }).click({ timeout: 2_000 });
  }).toPass();
  await page
    .getByRole('region', { name: text('Hooks.facts') })
    .getByRole('link', { name: text('Hooks.tab_endpoint') })
    .click();
  await expect(page).toHaveURL(webhooks);
});

test('webhooks that were not sent are counted, and sent with one click once there is an endpoint', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Kusubiri');
  const key = await newKey(product, merchant, 'Server');
  await newBill(request, product.sandboxUrl, key, { amount: 500, reference: 'LATER', mobile: '0712345001' });
  const webhooks = `${product.liveUrl}/m/${merchant.slug}/sandbox/webhooks`;
  await page.goto(`${webhooks}/deliveries`);
  await signIn(page, merchant);

  await test.step('without an endpoint, the list and the page for a bulk resend lead to it', async () => {
    await expect(async () => {
      await page.goto(`${webhooks}/deliveries`);
      await expect(page.getByText(text('Hooks.unsentTitle', { count: 1 }))).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByRole('button', { name: text('Hooks.sendUnsent', { count: 1 }) })).toHaveCount(0);
    await looksWell(page, `${webhooks}/deliveries`, 'deliveries-unsent');
    await page.goto(`${webhooks}/resend`);
    await expect(page.getByRole('button', { name: text('Hooks.count') })).toBeDisabled();
    await expect(page.getByRole('button', { name: text('Hooks.confirm', { count: 1 }) })).toHaveCount(0);
    await looksWell(page, `${webhooks}/resend`, 'again-no-address');
    await page.getByRole('link', { name: text('Hooks.setAddress') }).click();
    await expect(page).toHaveURL(webhooks);
  });

  await test.step('with an endpoint, one click sends them', async () => {
    const receiver = await startReceiver();
    await setHook(product, merchant, receiver.url());
    await page.goto(`${webhooks}/deliveries`);
    await page.getByRole('button', { name: text('Hooks.sendUnsent', { count: 1 }) }).click();
    await expect(page.getByText(text('Hooks.runState_COMPLETED'))).toBeVisible();
    await page.goto(`${webhooks}/deliveries`);
    await page
      .getByRole('navigation', { name: text('Hooks.filteredBy') })
      .getByRole('link', { name: text('Hooks.o_delivered') })
      .click();
    await expect(page.getByRole('row', { name: /LATER.*200/ })).toBeVisible();
    await expect(page.getByText(text('Hooks.unsentTitle', { count: 1 }))).toHaveCount(0);
    await receiver.stop();
  });
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
  await expect(page.getByRole('link', { name: 'AGAIN-1' })).toBeVisible();

  await test.step('counts, confirms and follows the progress', async () => {
    await page.goto(`${hooks}/resend`);
    await page.getByLabel(text('Hooks.exhausted')).uncheck();
    await page.getByLabel(text('Hooks.unsent')).uncheck();
    await page.getByRole('button', { name: text('Hooks.count') }).click();
    await expect(page.getByText(text('Hooks.no_state'))).toBeVisible();
    await page.getByLabel(text('Hooks.st_DELIVERED')).check();
    await page.getByRole('button', { name: text('Hooks.count') }).click();
    await expect(page.getByText(text('Hooks.countedTitle', { count: 1 })).first()).toBeVisible();
    await page.getByRole('button', { name: text('Hooks.confirm', { count: 1 }) }).click();
    await expect(page.getByText(text('Hooks.runState_COMPLETED'))).toBeVisible();
    await expect(page.getByText(text('Hooks.progressValue', { started: 1, total: 1 }))).toBeVisible();
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
    await page.getByRole('button', { name: text('Hooks.testSend') }).click();
    await expect(page.getByText(pattern('Hooks.testAccepted', { status: '200' }))).toBeVisible();
  });

  await test.step('runs the receiver check and sees each step', async () => {
    await page.getByRole('button', { name: text('Hooks.checkStart') }).click();
    await expect(page.getByText(pattern('ReceiverCheck.forged_accepted')).first()).toBeVisible();
    const report = page.getByRole('region', { name: text('Hooks.checkReport') });
    await expect(report.getByRole('button', { name: text('Hooks.copyReport') })).toBeVisible();
    const list = page.getByRole('region', { name: text('Hooks.testsTitle') });
    const forged = list.getByRole('group').filter({ hasText: text('ReceiverCheck.step_bad_signature') });
    await expect(forged.getByText(text('Hooks.o_failed'), { exact: true })).toBeVisible();
    await looksWell(page, `${hooks}/tests`, 'tests');
  });

  await test.step('opens the page again, and shares the report with its sum, in the order of the checks', async () => {
    await page.goto(`${hooks}/tests`);
    const report = page.getByRole('region', { name: text('Hooks.checkReport') });
    await expect(report.getByText(text('Hooks.checkDone', { passed: 4, warnings: 1, failed: 2, skipped: 0 }))).toBeVisible();
    await expect(report.getByRole('listitem').first()).toContainText(text('ReceiverCheck.step_good'));
    await expect(report.getByText(pattern('ReceiverCheck.forged_accepted'))).toBeVisible();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await report.getByRole('button', { name: text('Hooks.copyReport') }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(receiver.url());
    expect(copied.indexOf(text('ReceiverCheck.step_good'))).toBeLessThan(copied.indexOf(text('ReceiverCheck.step_slow')));
    expect(copied).toContain(text('ReceiverCheck.forged_accepted', { status: 200 }));
  });

  await test.step('the bills of the check are hidden in the list of bills', async () => {
    await page.goto(hooks.replace('/webhooks', '/bills'));
    await expect(page.getByRole('heading', { name: text('BillList.title'), exact: true })).toBeVisible();
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
  await expect(page.getByRole('button', { name: text('Hooks.showSecret') })).toBeVisible();

  const secret = await test.step('looks at the secret', async () => {
    expect(await page.content()).not.toMatch(/whsec_[A-Za-z0-9]/);
    await page.getByRole('button', { name: text('Hooks.showSecret') }).click();
    return (
      await page
        .getByRole('region', { name: text('Hooks.secretTitle') })
        .getByRole('code')
        .first()
        .innerText()
    ).trim();
  });

  await test.step('has a signature explained', async () => {
    const sent = receiver.received.at(-1);
    if (!sent) throw new Error('nothing was received');
    const { body, headers } = sent;
    const pasted = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => `${name}: ${headers[name]}`).join('\n');
    await page.goto(`${hooks}/signature`);
    await page.getByLabel(text('Hooks.pasteBody')).fill(JSON.stringify(JSON.parse(body)));
    await page.getByLabel(text('Hooks.headers')).fill(pasted);
    await page.getByLabel(text('Hooks.pasteSecret')).fill(secret);
    await page.getByRole('button', { name: text('Hooks.explain') }).click();
    await expect(page.getByRole('region', { name: text('Hooks.verdict') })).toBeVisible();
    await expect(page.getByLabel(text('Hooks.headers'))).toHaveValue(pasted);
    expect(await page.content()).not.toContain(secret);
    await looksWell(page, `${hooks}/signature`, 'explain');
  });

  await test.step('rotates the secret, and ends the overlap early', async () => {
    await page.goto(`${hooks}/secret`);
    await page.getByRole('button', { name: text('Hooks.rotate') }).click();
    await expect(page.getByText(text('Hooks.rotatedTitle')).first()).toBeVisible();
    await page.goto(`${hooks}/secret`);
    await expect(page.getByText(pattern('Hooks.twoTitle'))).toBeVisible();
    await looksWell(page, `${hooks}/secret`, 'secret');
    await page.goto(`${hooks}/secret`);
    await page.getByRole('button', { name: text('Hooks.endOld') }).click();
    await expect(page.getByText(text('Hooks.ended')).first()).toBeVisible();
    await expect(page.getByText(pattern('Hooks.twoTitle'))).toBeHidden();
  });
  await receiver.stop();
});
