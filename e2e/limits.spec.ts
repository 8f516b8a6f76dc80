import type { Page } from '@playwright/test';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { chooseOther, REQUESTED } from './pay-act';
import { expect, merchantServer, test } from './product';
import { pattern, swahili, text } from './texts';

async function fits(page: Page, name: string): Promise<void> {
  await isAccessible(page);
  await fitsThePhone(page);
  await picture(page, name);
}

async function submit(page: Page, label: string, number: string): Promise<void> {
  // After a failed payment request, the page hides the form for another number until it is unfolded.
  if (!(await page.getByLabel(label).isVisible())) await chooseOther(page);
  await page.getByLabel(label).fill(number);
  await page.getByRole('button').last().click();
}

for (const locale of ['sw', 'en'] as const) {
  const t = locale === 'sw' ? swahili : text;
  const texts = {
    number: t('Pay.mobileLabel'),
    declined: t('Reason.user_cancelled'),
    limit: pattern('Pay.tooManyToNumber', {}, t),
    stop: t('Pay.stopLink'),
    form: t('Stop.title'),
    own: t('Stop.mobile'),
    invalid: t('Pay.mobileTooShort', { digits: '4' }),
    code: pattern('Stop.codeTitle', {}, t),
    back: t('Stop.back'),
    ended: t('ReasonTitle.not_completed'),
    tryHeld: t('Pay.tryHeld'),
    refused: t('Pay.numberRefused'),
  };

  test(`${locale}: after three prompts, the page says when the next is possible, and accepts another number`, { tag: '@full' }, async ({
    page,
    product,
  }) => {
    const server = merchantServer(product);
    const bill = await server.create({ amount: 1500, reference: 'MARA-NYINGI' });
    await page.goto(`${bill.webPayUrl}&lang=${locale}`);
    for (let asked = 0; asked < 3; asked += 1) {
      await submit(page, texts.number, '0712 345 002');
      // The page stays until the answer comes, and still says that the request before was declined.
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(page.getByText(texts.declined)).toBeVisible();
    }
    await submit(page, texts.number, '0712 345 002');
    await expect(page.getByText(texts.limit)).toBeVisible();
    await expect(page.getByText(texts.declined)).toBeHidden();
    await expect(page.getByLabel(texts.number)).toHaveValue('0712 345 002');
    await fits(page, `tooMany-${locale}`);
    await submit(page, texts.number, '0712 345 001');
    await expect.poll(async () => (await server.get(bill.id)).status).toBe('FULLY_PAID');
  });

  test(`${locale}: the owner of a number requests to block it, and the operator confirms`, async ({ page, product }) => {
    const own = locale === 'sw' ? '0713 345 005' : '0714 345 005';
    const server = merchantServer(product);
    const bill = await server.create({ amount: 1500, reference: 'SI-MIMI', mobile: own });
    await page.goto(`${bill.webPayUrl}&lang=${locale}`);
    await page.getByRole('link', { name: texts.stop }).click();
    await expect(page.getByRole('heading', { name: texts.form })).toBeVisible();
    await expect(page.getByLabel(texts.own)).toHaveValue('');
    await fits(page, `stop-${locale}`);
    await submit(page, texts.own, '0713');
    await expect(page.getByText(texts.invalid)).toBeVisible();
    await fits(page, `stopInvalid-${locale}`);
    await submit(page, texts.own, own);
    const heading = page.getByRole('heading', { name: texts.code });
    await expect(heading).toBeVisible();
    await fits(page, `stopCode-${locale}`);
    const code =
      /(\d{3})\s(\d{3})$/
        .exec((await heading.innerText()).trim())
        ?.slice(1)
        .join('') ?? '';
    await product.bili(['number', 'block', '--environment', 'sandbox', '--mobile', own, '--code', code]);

    const other = await server.create({ amount: 1500, reference: 'SI-MIMI-2' });
    await page.goto(`${other.webPayUrl}&lang=${locale}`);
    await submit(page, texts.number, own);
    await expect(page.getByText(texts.refused)).toBeVisible();
    await fits(page, `refused-${locale}`);
    const asked = await server.create({ amount: 1500, reference: 'SI-MIMI-3', mobile: own });
    await expect(async () => {
      await page.goto(`${asked.webPayUrl}&lang=${locale}`);
      await expect(page.getByText(texts.ended)).toBeVisible({ timeout: 500 });
    }).toPass();
    await fits(page, `refusedApi-${locale}`);
    await page.getByRole('link', { name: texts.stop }).click();
    await page.getByRole('link', { name: texts.back }).click();
    await page.getByText(texts.tryHeld).click();
    await expect(page.getByLabel(texts.number)).toBeVisible();
  });
}
