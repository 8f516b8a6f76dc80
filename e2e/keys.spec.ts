import { looksWell } from './looks';
import { newMerchant, postBill, signIn } from './people';
import { expect, test } from './product';
import { either, pattern, text } from './texts';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a developer creates a limited key, rolls it, sees when the old one is unused, and revokes it', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Funguo');
  const keys = `${product.liveUrl}/m/${merchant.slug}/sandbox/keys`;
  await page.goto(keys);
  await signIn(page, merchant);

  const shownKey = async () => {
    const shown = page.getByRole('region', { name: either(text('Keys.createdTitle'), text('KeyPage.rolledTitle')) }).getByRole('code');
    return { apiKey: (await shown.nth(0).innerText()).trim(), apiSecret: (await shown.nth(1).innerText()).trim() };
  };
  const create = (key: { apiKey: string; apiSecret: string }, amount: number) =>
    postBill(request, product.sandboxUrl, key, { amount, reference: 'TILL' });

  const first = await test.step('creates a key with limits; errors are explained, and the input is kept', async () => {
    await expect(page.getByLabel(text('KeyPage.label'))).toHaveCount(0);
    await page.getByRole('link', { name: text('Keys.create') }).click();
    await page.getByLabel(text('KeyPage.label')).fill('Web shop');
    await page.getByLabel(text('KeyPage.expiry')).selectOption(text('KeyPage.expiry_90'));
    await page.getByText(text('KeyPage.limits')).click();
    await page.getByLabel(text('KeyPage.billMax')).fill('50,000');
    await page.getByLabel(text('KeyPage.dayMax')).fill('60,000');
    await page.getByLabel(text('KeyPage.networks')).fill('127.0.0.0/8\n::1\nmy-office');
    await page.getByRole('button', { name: text('Keys.create') }).click();
    await expect(page.getByText(text('KeyPage.not_a_network', { text: 'my-office' }))).toBeVisible();
    await expect(page.getByLabel(text('KeyPage.billMax'))).toHaveValue('50,000');
    await expect(page.getByLabel(text('KeyPage.expiry'))).toHaveValue('90');
    await page.getByLabel(text('KeyPage.networks')).fill('127.0.0.0/8\n::1');
    await page.getByRole('button', { name: text('Keys.create') }).click();
    await expect(page.getByText(text('Keys.createdTitle')).first()).toBeVisible();
    return shownKey();
  });

  await test.step('its limits hold', async () => {
    expect((await create(first, 50_001)).status()).toBe(403);
    expect((await create(first, 50_000)).status()).toBe(200);
    const over = await create(first, 10_001);
    expect([over.status(), await over.json()]).toEqual([403, { error: 'The bills of this api key must not exceed 60000 a day' }]);
  });

  await test.step('sees where the key was last used', async () => {
    await expect(async () => {
      await page.goto(keys);
      await expect(page.getByRole('row', { name: /Web shop/ }).getByText('POST bills/create')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.getByRole('link', { name: 'Web shop' }).click();
    await expect(page.getByText(text('KeyPage.billedToday', { amount: 'TZS 50,000' }))).toBeVisible();
    await looksWell(page, page.url(), 'key');
  });

  const second = await test.step('rolls it', async () => {
    await page.goto(`${keys}/${first.apiKey}`);
    await page.getByText(text('KeyPage.roll'), { exact: true }).click();
    await page.getByLabel(text('KeyPage.overlap')).selectOption(text('KeyPage.overlap_week'));
    await page.getByRole('button', { name: text('KeyPage.rollNow') }).click();
    await expect(page.getByText(text('KeyPage.rolledTitle')).first()).toBeVisible();
    const made = await shownKey();
    await expect(page.getByText(pattern('KeyPage.dropEnds'))).toBeVisible();
    await page.getByRole('link', { name: text('KeyPage.dropTitle') }).click();
    await expect(page.getByText(pattern('KeyPage.drop_in_use', { route: 'POST bills/create' }))).toBeVisible();
    return made;
  });

  await test.step('both keys work, and the page shows when the old one was last used', async () => {
    expect((await create(second, 100)).status()).toBe(200);
    expect((await create(first, 100)).status()).toBe(200);
    await expect(page.getByText(pattern('KeyPage.dropBasis'))).toBeVisible();
    await looksWell(page, `${keys}/${second.apiKey}`, 'key-rolled');
    await looksWell(page, keys, 'keys');
    await looksWell(page, `${keys}?new=1`, 'key-new');
  });

  await test.step('is warned about a key that expires within a week', async () => {
    await product.bili([
      'key',
      'create',
      '--merchant',
      merchant.slug,
      '--environment',
      'sandbox',
      '--label',
      'Old till',
      '--expires-in-days',
      '5',
    ]);
    await page.goto(keys);
    await expect(page.getByText(text('KeyPage.soonTitle', { count: 1 }))).toBeVisible();
    await page.getByRole('link', { name: text('KeyPage.soonLink', { label: 'Old till' }) }).click();
    await expect(page.getByRole('heading', { name: 'Old till', level: 1 })).toBeVisible();
  });

  await test.step('limits the key to creating bills; at least one scope is needed', async () => {
    await page.goto(`${keys}/${second.apiKey}`);
    await page.getByText(text('KeyPage.change'), { exact: true }).click();
    for (const scope of [text('KeyScopes.create'), text('KeyScopes.read'), text('KeyScopes.events')])
      await page.getByLabel(scope).uncheck();
    await page.getByRole('button', { name: text('KeyPage.save') }).click();
    await expect(page.getByText(text('KeyPage.scope_required'))).toBeVisible();
    await page.getByLabel(text('KeyScopes.create')).check();
    await page.getByRole('button', { name: text('KeyPage.save') }).click();
    await expect(page.getByText(text('KeyPage.saved'))).toBeVisible();
    const authorization = `ApiKey ${second.apiKey}:${second.apiSecret}`;
    await expect(async () => {
      const read = await request.get(`${product.sandboxUrl}/api/v3/bills`, { headers: { authorization } });
      expect([read.status(), await read.json()]).toEqual([403, { error: 'This api key needs the scope read' }]);
    }).toPass();
    expect((await create(second, 100)).status()).toBe(200);
    await page.goto(keys);
    await expect(page.getByText(text('KeyScopes.only', { scopes: text('KeyScopes.create') }))).toBeVisible();
  });

  await test.step('changes the name', async () => {
    await page.goto(`${keys}/${second.apiKey}`);
    await page.getByText(text('KeyPage.change'), { exact: true }).click();
    await page.getByLabel(text('KeyPage.label'), { exact: true }).fill('Web shop 2');
    await page.getByRole('button', { name: text('KeyPage.save') }).click();
    await expect(page.getByText(text('KeyPage.saved'))).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Web shop 2', level: 1 })).toBeVisible();
  });

  await test.step('revokes the old key, which is refused within a second', async () => {
    await page.goto(`${keys}/${first.apiKey}`);
    await page.getByText(text('KeyPage.revoke'), { exact: true }).click();
    await page.getByRole('button', { name: text('KeyPage.revokeNow', { label: 'Web shop' }) }).click();
    await expect(page.getByText(text('KeyPage.revokedTitle')).first()).toBeVisible();
    await expect(async () => expect((await create(first, 1)).status()).toBe(401)).toPass({ timeout: 1_000, intervals: [50] });
    expect((await create(second, 1)).status()).toBe(200);
  });
});
