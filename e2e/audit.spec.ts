import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { looksWell } from './looks';
import { newKey, newMerchant, signIn } from './people';
import { expect, test } from './product';
import { pattern, text } from './texts';

test.use({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });

test('an owner reads, filters, exports and verifies the audit log, and verification finds a change', async ({ page, product }) => {
  const merchant = await newMerchant(product, 'Duka la Kumbukumbu');
  await newKey(product, merchant, 'Till 1');
  await product.bili(['merchant', 'brand', '--merchant', merchant.slug, '--colour', '#0a7']);
  await product.bili(['merchant', 'brand', '--merchant', merchant.slug, '--colour', '#07a']);
  const audit = `${product.liveUrl}/m/${merchant.slug}/sandbox/audit`;
  await page.goto(audit);
  await signIn(page, merchant);

  await test.step('entries show who did what, from where, with values before and after, including sign-ins', async () => {
    await expect(
      page
        .getByRole('row', { name: text('AuditAction.key_created') })
        .getByText(/Till 1/)
        .first(),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: text('Audit.was', { before: '#00aa77' }) })).toContainText('#0077aa');
    await expect(page.getByRole('row', { name: text('AuditAction.sign_in') })).toContainText(merchant.email);
    await expect(page.getByRole('row', { name: text('AuditAction.sign_in') })).toContainText(/from (127\.0\.0\.1|::1)/);
  });

  await test.step('filters', async () => {
    await page.getByText(text('Audit.filter'), { exact: true }).click();
    await page.getByLabel(text('Audit.action')).selectOption({ label: text('AuditAction.brand_changed') });
    await page.getByRole('button', { name: text('Audit.show') }).click();
    await expect(page.getByRole('row', { name: text('AuditAction.brand_changed') })).toHaveCount(2);
    await expect(page.getByRole('row', { name: text('AuditAction.key_created') })).toHaveCount(0);
    await page.getByText(text('Audit.filters', { count: '1' })).click();
    await page.getByLabel(text('Audit.from')).fill('2020-01-01');
    await page.getByLabel(text('Audit.to'), { exact: true }).fill('2020-01-02');
    await page.getByRole('button', { name: text('Audit.show') }).click();
    await expect(page.getByText(text('Audit.emptyTitle'))).toBeVisible();
    await page.getByText(text('Audit.filters', { count: '3' })).click();
    await page.getByRole('link', { name: text('Audit.clear') }).click();
    await expect(page.getByRole('row', { name: text('AuditAction.key_created') })).toBeVisible();
  });

  await test.step('exports', async () => {
    const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: text('Audit.exportCsv') }).click()]);
    expect(csv.suggestedFilename()).toBe(`audit-${merchant.slug}-sandbox.csv`);
    expect(await readFile(await csv.path(), 'utf8')).toContain('brand.changed');
    const [lines] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: text('Audit.exportJsonl') }).click()]);
    const entries = (await readFile(await lines.path(), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).action);
    expect(entries).toEqual(expect.arrayContaining(['audit.exported', 'brand.changed', 'key.created', 'sign-in', 'merchant.created']));
  });

  await test.step('verifies an intact log', async () => {
    await expect(async () => {
      await page.getByRole('button', { name: text('Audit.verify') }).click();
      await expect(page.getByText(text('Audit.holdsTitle'))).toBeVisible({ timeout: 2_000 });
      await expect(page.getByText(text('Audit.tail', { count: 1 }))).toBeHidden({ timeout: 200 });
    }).toPass();
    await expect(page.locator('code', { hasText: /^bili1:/ })).toBeVisible();
  });
  const head = await page.locator('code', { hasText: /^bili1:/ }).innerText();
  expect(await product.bili(['audit', 'verify', '--head', head])).toMatchObject([{ name: merchant.slug, holds: true }]);
  await looksWell(page, audit, 'audit');

  await test.step('finds an entry that was changed in the database', async () => {
    const client = new Client({ connectionString: await product.ownerUrl() });
    await client.connect();
    const second = 'audit_entry WHERE merchant_id = $1 AND chain_number = 2';
    const { rows } = await client.query<{ actor: string }>(`SELECT actor FROM ${second}`, [merchant.id]);
    const rewrite = async (actor: string | undefined) => {
      await client.query('ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_kept');
      await client.query(`UPDATE ${second.replace('WHERE', 'SET actor = $2 WHERE')}`, [merchant.id, actor]);
      await client.query('ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_kept');
    };
    await rewrite('user:nobody@example.com');
    await page.goto(audit);
    await page.getByRole('button', { name: text('Audit.verify') }).click();
    await expect(page.getByText(text('Audit.brokenTitle'))).toBeVisible();
    await expect(page.getByText(pattern('AuditChain.changed', { number: '2' }))).toBeVisible();
    // Restores the entry, because other tests verify the whole log of this database.
    await rewrite(rows[0]?.actor);
    await page.goto(audit);
    await page.getByRole('button', { name: text('Audit.verify') }).click();
    await expect(page.getByText(text('Audit.holdsTitle'))).toBeVisible();
    await client.end();
  });
});
