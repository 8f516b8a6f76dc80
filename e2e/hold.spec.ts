import { picture } from './page-checks';
import { signIn } from './people';
import { expect, merchantServer, test } from './product';
import { text } from './texts';

test.use({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

test('a copy on hold shows everything and takes nothing, until the hold ends', { tag: '@full' }, async ({ page, ownProduct: product }) => {
  const { create } = merchantServer(product);
  const bill = await create({ amount: 5_000, reference: 'BEFORE' });
  const takes = (reference: string) =>
    create({ amount: 5_000, reference }).then(
      () => true,
      () => false,
    );
  await product.bili(['--as', 'neema', 'hold', 'start', '--reason', 'restored from a backup']);
  await expect.poll(() => takes('HELD')).toBe(false);

  await page.goto(`${product.liveUrl}/m/duka-la-mfano/sandbox/settings`);
  await signIn(page, product.demo.dashboard);
  const notice = page.getByText(text('Dashboard.onHoldTitle'));
  await expect(notice).toBeVisible();
  await picture(page, 'on-hold');
  await page.getByLabel(text('Settings.name')).fill('Another name');
  await page
    .getByRole('button', { name: text('Settings.save'), exact: true })
    .first()
    .click();
  await expect(page.getByRole('dialog').getByText(text('Line.onHoldText'))).toBeVisible();

  await page.goto(`${bill.webPayUrl}&lang=en`);
  await page.getByLabel(text('Pay.mobileLabel')).fill('0712 345 001');
  await page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 5,000' }) }).click();
  await expect(page.getByRole('heading', { name: text('Pay.onHoldTitle') })).toBeVisible();
  await picture(page, 'on-hold-pay');

  await product.bili(['--as', 'neema', 'hold', 'end', '--reason', 'a drill', '--yes']);
  await expect.poll(() => takes('AFTER')).toBe(true);
  await page.goto(`${product.liveUrl}/m/duka-la-mfano/sandbox/settings`);
  await expect(notice).toHaveCount(0);
});
