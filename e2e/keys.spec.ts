import { looksWell } from './looks';
import { newMerchant, postBill, signIn } from './people';
import { expect, test } from './product';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('a developer creates a limited key, rolls it, sees when the old one is unused, and revokes it', async ({ page, request, product }) => {
  const merchant = await newMerchant(product, 'Duka la Funguo');
  const keys = `${product.liveUrl}/m/${merchant.slug}/sandbox/keys`;
  await page.goto(keys);
  await signIn(page, merchant);

  const shownKey = async () => {
    const shown = page.getByRole('region', { name: /copy the secret now/ }).getByRole('code');
    return { apiKey: (await shown.nth(0).innerText()).trim(), apiSecret: (await shown.nth(1).innerText()).trim() };
  };
  const create = (key: { apiKey: string; apiSecret: string }, amount: number) =>
    postBill(request, product.sandboxUrl, key, { amount, reference: 'TILL' });

  const first = await test.step('creates a key with limits; errors are explained, and the input is kept', async () => {
    await page.getByLabel('Name').fill('Web shop');
    await page.getByLabel('Expires').selectOption('In 90 days');
    await page.getByText('Limits (optional)').click();
    await page.getByLabel('Maximum per bill (TZS)').fill('50,000');
    await page.getByLabel('Daily limit for all bills (TZS)').fill('60,000');
    await page.getByLabel('Allowed IP addresses').fill('127.0.0.0/8\n::1\nmy-office');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expect(page.getByText('“my-office” is not a valid IP address or range of addresses, for example 203.0.113.0/24.')).toBeVisible();
    await expect(page.getByLabel('Maximum per bill (TZS)')).toHaveValue('50,000');
    await expect(page.getByLabel('Expires')).toHaveValue('90');
    await page.getByLabel('Allowed IP addresses').fill('127.0.0.0/8\n::1');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expect(page.getByText('Key created: copy the secret now').first()).toBeVisible();
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
    await expect(page.getByText('TZS 50,000 billed today')).toBeVisible();
    await looksWell(page, page.url(), 'key');
  });

  const second = await test.step('rolls it', async () => {
    await page.goto(`${keys}/${first.apiKey}`);
    await page.getByLabel('The old key expires').selectOption('In 7 days');
    await page.getByRole('button', { name: 'Create new key' }).click();
    await expect(page.getByText('New key created: copy the secret now').first()).toBeVisible();
    const made = await shownKey();
    await expect(page.getByText(/The old key expires on/)).toBeVisible();
    await page.getByRole('link', { name: 'Is it safe to revoke the old key?' }).click();
    await expect(page.getByText(/Not safe to revoke yet\. The old key was used .* ago from .* \(POST bills\/create\)/)).toBeVisible();
    return made;
  });

  await test.step('both keys work, and the page shows when the old one was last used', async () => {
    expect((await create(second, 100)).status()).toBe(200);
    expect((await create(first, 100)).status()).toBe(200);
    await expect(page.getByText('counted with a delay of up to two minutes')).toBeVisible();
    await looksWell(page, `${keys}/${second.apiKey}`, 'key-rolled');
    await looksWell(page, keys, 'keys');
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
    await expect(page.getByText('An API key expires soon')).toBeVisible();
    await page.getByRole('link', { name: 'Roll Old till' }).click();
    await expect(page.getByRole('heading', { name: 'Old till', level: 1 })).toBeVisible();
  });

  await test.step('limits the key to creating bills; at least one scope is needed', async () => {
    await page.goto(`${keys}/${second.apiKey}`);
    for (const scope of ['Create bills', 'Read bills', 'Read the event feed']) await page.getByLabel(scope).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Choose at least one thing that the key may do.')).toBeVisible();
    await page.getByLabel('Create bills').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved. The change applies to new requests.')).toBeVisible();
    const authorization = `ApiKey ${second.apiKey}:${second.apiSecret}`;
    await expect(async () => {
      const read = await request.get(`${product.sandboxUrl}/api/v3/bills`, { headers: { authorization } });
      expect([read.status(), await read.json()]).toEqual([403, { error: 'This api key needs the scope read' }]);
    }).toPass();
    expect((await create(second, 100)).status()).toBe(200);
    await page.goto(keys);
    await expect(page.getByText('Limited to: Create bills')).toBeVisible();
  });

  await test.step('changes the name', async () => {
    await page.goto(`${keys}/${second.apiKey}`);
    await page.getByLabel('Name', { exact: true }).fill('Web shop 2');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved. The change applies to new requests.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Web shop 2', level: 1 })).toBeVisible();
  });

  await test.step('revokes the old key, which is refused within a second', async () => {
    await page.goto(`${keys}/${first.apiKey}`);
    await page.getByText('Revoke this key').last().click();
    await page.getByRole('button', { name: 'Revoke Web shop' }).click();
    await expect(page.getByText('Key revoked').first()).toBeVisible();
    await expect(async () => expect((await create(first, 1)).status()).toBe(401)).toPass({ timeout: 1_000, intervals: [50] });
    expect((await create(second, 1)).status()).toBe(200);
  });
});
