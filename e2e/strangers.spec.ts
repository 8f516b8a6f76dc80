import type { BrowserContext, Page } from '@playwright/test';
import type { Product } from '@/testing/product';
import { chooseOther, REQUESTED, showNetworks } from './pay-act';
import { ask, keepPrompt, sql } from './pay-stage';
import { type BillJson, expect, merchantServer, test } from './product';
import { pattern, text } from './texts';

const NUMBER = text('Pay.mobileLabel');
const AMOUNT = text('Pay.amountLabel');

async function stranger(context: BrowserContext): Promise<Page> {
  const browser = context.browser();
  if (!browser) throw new Error('there is no browser');
  return (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
}

/** Creates a bill that can be paid in parts. */
const create = (product: Product, reference: string) => merchantServer(product).create({ amount: 4_000_000, reference });
const promptsOf = (product: Product, { id }: BillJson) =>
  sql(product, 'SELECT mobile FROM push_attempt WHERE bill_id = $1 ORDER BY id', id);

/** Makes an attempt stay open for long. */
async function holdPrompt(product: Product, bill: BillJson): Promise<void> {
  await keepPrompt(product, bill);
  // Makes the prompt a minute older. The page's texts about a prompt that was just sent could change between two requests of the test.
  await sql(product, "UPDATE push_attempt SET sent_at = sent_at - interval '1 minute' WHERE bill_id = $1", bill.id);
}

/** Fails an attempt because of a wrong PIN. One statement changes attempt and bill, so that a page never sees only one of the changes. */
async function failPrompt(product: Product, { id }: BillJson): Promise<void> {
  await sql(
    product,
    `WITH failed AS (UPDATE push_attempt SET state = 'FAILED', failure_reason = 'wrong_pin', settled_at = now() WHERE bill_id = $1)
     UPDATE bill SET reserved_amount = 0 WHERE id = $1`,
    id,
  );
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`with JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, { tag: '@full' }, () => {
    test.use({ javaScriptEnabled });

    test('only the requesting device sees number, network and failure reason; others see that a prompt is open, and what they can pay', async ({
      page,
      context,
      product,
    }) => {
      const bill = await merchantServer(product).create({ amount: 5_000, reference: 'STRANGER' });
      const address = `${bill.webPayUrl}&lang=en`;
      await page.goto(address);
      await showNetworks(page);
      await page.getByRole('radio', { name: 'Airtel Money' }).check();
      await page.getByLabel(NUMBER).fill('0754 345 005');
      await page.getByRole('button').click();
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(page.getByText('0754 345 005').first()).toBeVisible();
      await expect(page.getByText('Airtel Money', { exact: true })).toBeVisible();

      await holdPrompt(product, bill);
      const other = await stranger(context);
      const seen: string[] = [];
      const look = async (heading: string) => {
        await other.goto(address);
        await expect(other.getByRole('heading', { level: 1 })).toHaveText(heading);
        for (const view of ['', '&part=version', '&show=qr', '&show=receipt'])
          seen.push(await (await other.request.get(`${address}${view}`)).text());
        seen.push(await other.content());
      };
      await look(text('Pay.promptedOtherTitle', { digits: '005' }));
      await expect(other.getByText(text('Pay.promptedOtherText'))).toBeVisible();
      await expect(other.getByText('0*** *** 005', { exact: true })).toBeVisible();
      await expect(other.getByText('Airtel Money')).toHaveCount(0);
      await failPrompt(product, bill);
      await expect(async () => {
        if (!javaScriptEnabled) await page.goto(address);
        await expect(page.getByRole('heading', { name: text('ReasonTitle.wrong_pin') })).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await chooseOther(page);
      await expect(page.locator('#guess')).toHaveText('Airtel Money');
      await expect(page.getByLabel(NUMBER)).toHaveValue('0754 345 005');
      await look(text('ReasonTitle.not_completed'));
      await expect(other.getByText(text('Reason.not_completed'))).toBeVisible();
      await expect(other.getByText(text('Pay.triedFor', { amount: 'TZS 5,000', mobile: '0*** *** 005' }))).toBeVisible();
      await expect(other.getByRole('button')).toHaveCount(0);
      await other.getByText(text('Pay.tryHeld')).click();
      await showNetworks(other);
      await expect(other.getByRole('radio', { name: text('Pay.networkByNumber') })).toBeChecked();
      await expect(other.getByLabel(NUMBER)).toHaveValue('');
      for (const text of seen) expect(text).not.toMatch(/0754|754.?345|wrong.?pin|PIN was|checked=""[^>]*value="airtel"/i);
      expect(seen.filter((text) => text.includes('005'))).not.toEqual([]);
      await other.context().close();
    });

    test('a double tap and a resubmitted form cause one prompt; a corrected number causes another', async ({ page, product }) => {
      const bill = await create(product, 'TAPS');
      await page.goto(`${bill.webPayUrl}&lang=en`);
      const pay = page.getByRole('button', { name: pattern('Pay.payButton') });
      const form = await page.locator('input[name=form]').getAttribute('value');
      await page.getByLabel(NUMBER).fill('0712345005');
      await page.getByLabel(AMOUNT).fill('1000');
      const fields = { form: form ?? '', mobile: '0712345005', amount: '1000' };
      await Promise.all([pay.dblclick({ noWaitAfter: true }), ...Array.from({ length: 5 }, () => ask(product, bill, fields))]);
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await holdPrompt(product, bill);
      // With JavaScript, the page stays the same when the form is sent, so there is no earlier page.
      if (javaScriptEnabled) await page.reload();
      else await page.goBack();
      // The browser shows either the earlier form, or the current page. On the current page, the form for another number must be unfolded first.
      await page.locator('#beside > summary, #mobile:visible').first().click();
      await page.getByLabel(NUMBER).fill('0712345005');
      await page.getByLabel(AMOUNT).fill('2000');
      await pay.click();
      await expect(page.getByRole('heading', { name: REQUESTED })).toBeVisible();
      await expect(page.getByText('TZS 1,000', { exact: true })).toBeVisible();
      await expect(page.getByText('0712 345 005').first()).toBeVisible();
      expect(await promptsOf(product, bill)).toEqual([{ mobile: '0712345005' }]);

      expect((await ask(product, bill, fields)).status).toBe(303);
      expect(await promptsOf(product, bill)).toHaveLength(1);
      for (const mobile of ['0715345005', '0715345005']) expect((await ask(product, bill, { ...fields, mobile })).status).toBe(303);
      expect(await promptsOf(product, bill)).toEqual([{ mobile: '0712345005' }, { mobile: '0715345005' }]);
    });
  });
}

/**
 * Returns the answer to a payment request for a guessed number. Leaves out what differs between any two answers: the typed number and the
 * random id of the form.
 */
async function answerTo(product: Product, bill: BillJson, fields: { readonly mobile: string; readonly amount?: string }) {
  const answer = await ask(product, bill, fields);
  const typed = fields.mobile.replace(/^(....)(...)/, '$1 $2 ');
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'set-cookie', 'content-length'].includes(name));
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, ''));
  const html = (await answer.text()).replace(/name="form" value="[\w-]{22}"/, '').replaceAll(typed, 'NUMBER');
  return { status: answer.status, headers, cookies, html };
}

test("a right and a wrong guess of a masked number get the same answer, before and after the bill's limit", { tag: '@full' }, async ({
  product,
}) => {
  const bill = await create(product, 'GUESS');
  const [right, wrong] = ['0754345005', '0754999005'];
  await ask(product, bill, { mobile: right, amount: '1000000' });
  await holdPrompt(product, bill);
  const alike = async (amount: string, status: number) => {
    const answer = await answerTo(product, bill, { mobile: right, amount });
    expect(answer, amount).toEqual(await answerTo(product, bill, { mobile: wrong, amount }));
    expect(answer.status, amount).toBe(status);
    return answer.html;
  };
  for (const amount of ['', 'two', '1', '3,000,001', '2,999,900']) await alike(amount, 422);
  expect(await promptsOf(product, bill)).toEqual([{ mobile: right }]);

  // Payment requests to numbers without a wallet cause no prompt, but count towards the bill's limit.
  for (let n = 0; n < 9; n += 1) expect((await ask(product, bill, { mobile: `0713${n}99006`, amount: '500' })).status).toBe(303);
  const ended = "SELECT 1 FROM push_attempt WHERE bill_id = $1 AND failure_reason = 'mobile_not_registered'";
  await expect.poll(async () => sql(product, ended, bill.id)).toHaveLength(9);
  expect(await alike('1000', 422)).toMatch(pattern('Pay.tooManyForBill'));
  await alike('1', 422);
  expect(await promptsOf(product, bill)).toHaveLength(10);
});

test('if nothing is left to pay, a guess is answered with the page only', { tag: '@full' }, async ({ product }) => {
  const bill = await merchantServer(product).create({ amount: 5_000, reference: 'ALL', mobile: '0754345005' });
  await holdPrompt(product, bill);
  const answers = [await answerTo(product, bill, { mobile: '0754345005' }), await answerTo(product, bill, { mobile: '0754999005' })];
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status: 303, html: '' });
  expect(answers[0]?.cookies.join()).not.toContain('asked');
  expect(await promptsOf(product, bill)).toEqual([{ mobile: '0754345005' }]);
});
