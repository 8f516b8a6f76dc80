import type { Page } from '@playwright/test';
import { startProduct } from '@/testing/product';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { expect, merchantServer, test } from './product';
import { text } from './texts';

const ONE = '0754345678';
const OTHER = '0712345678';

test('a person answers prompts on test phones: with PIN, wrong PIN, Cancel, switched off, two at once', { tag: '@full' }, async ({
  browser,
}) => {
  // A prompt lasts one minute, as real ones do.
  const product = await startProduct({ SANDBOX_DELAY_FACTOR: '1' });
  try {
    const server = merchantServer(product);
    const address = /http\S+\/phone\/\S+/.exec(product.running().output())?.[0] ?? '';
    // The browser context stays open after the page is closed, so that the last request of the page is still sent.
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${address}?phones=${ONE}`);
    const phone = (mobile: string) => page.getByRole('region', { name: mobile.replace(/(....)(...)/, '$1\u00a0$2\u00a0') });
    const create = (reference: string, mobile = ONE) => server.create({ amount: 5_000, reference, mobile });
    const rung = async (reference: string, mobile = ONE) => {
      const bill = await create(reference, mobile);
      await expect(phone(mobile).locator('[lang=sw]')).toContainText(`TZS 5,000 kwenda DUKA LA MFANO, kumbukumbu`);
      await expect(phone(mobile).locator('[lang=sw]')).toContainText(reference);
      return bill;
    };
    const paid = (id: string) => expect.poll(async () => (await server.get(id)).status).toBe('FULLY_PAID');
    await looksWell(page, 'phones-idle');

    await test.step('rings; the keyboard alone approves', async () => {
      const bill = await rung('BY-KEYBOARD');
      await expect(page).toHaveTitle(/^☎ /);
      await expect(phone(ONE).getByLabel(text('Phone.pin'))).toBeFocused();
      await looksWell(page, 'phones-ringing');
      await page.keyboard.type('12');
      await page.keyboard.press('Enter');
      await expect(phone(ONE).getByRole('alert')).toContainText(text('Phone.pinLength'));
      await page.keyboard.type('34');
      await page.keyboard.press('Enter');
      await expect(phone(ONE).getByText(text('Phone.past_PAID', { receipt: 'SBX' }))).toBeVisible();
      await paid(bill.id);
    });

    await test.step('the keypad enters a wrong PIN', async () => {
      await rung('WRONG');
      for (const key of ['5', '0', '0', '0', '0']) {
        await phone(ONE).getByRole('button', { name: key, exact: true }).click();
        if (key === '5')
          await phone(ONE)
            .getByRole('button', { name: text('Phone.erase') })
            .click();
      }
      await phone(ONE)
        .locator('form')
        .getByRole('button', { name: text('Phone.send') })
        .click();
      await expect(phone(ONE).getByText(text('Phone.past_WRONG_PIN'), { exact: true })).toBeVisible();
    });

    await test.step('Cancel, and an empty wallet', async () => {
      await rung('NO-THANKS');
      await phone(ONE)
        .getByRole('button', { name: text('Phone.cancel') })
        .click();
      await expect(phone(ONE).getByText(text('Phone.past_DECLINED'), { exact: true })).toBeVisible();
      await phone(ONE)
        .getByRole('button', { name: text('Phone.emptyWallet') })
        .click();
      await rung('POOR');
      await phone(ONE).getByLabel(text('Phone.pin')).fill('1234');
      await phone(ONE)
        .locator('form')
        .getByRole('button', { name: text('Phone.send') })
        .click();
      await expect(phone(ONE).getByText(text('Phone.past_INSUFFICIENT_BALANCE'))).toBeVisible();
      await phone(ONE)
        .getByRole('button', { name: text('Phone.fillWallet') })
        .click();
    });

    await test.step('two phones ring side by side; one that is off does not', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByLabel(text('BillForms.ask_mobile')).fill('12');
      await page.getByRole('button', { name: text('Phone.addButton') }).click();
      await expect(page.getByRole('alert')).toHaveText(text('Phone.numberWrong'));
      await page.getByLabel(text('BillForms.ask_mobile')).fill('0712 345 678');
      await page.getByRole('button', { name: text('Phone.addButton') }).click();
      const [first] = [await rung('FIRST'), await create('SECOND', OTHER)];
      await expect(phone(OTHER).locator('[lang=sw]')).toContainText('SECOND');
      await expect(phone(ONE).locator('[lang=sw]')).toContainText('FIRST');
      await phone(OTHER)
        .getByRole('button', { name: text('Phone.cancel') })
        .click();
      await expect(phone(OTHER).getByText(text('Phone.past_DECLINED'), { exact: true })).toBeVisible();
      await phone(ONE).getByLabel(text('Phone.pin')).fill('4321');
      await phone(ONE).getByLabel(text('Phone.pin')).press('Enter');
      await paid(first.id);
      await phone(OTHER)
        .getByRole('button', { name: text('Phone.switchOff') })
        .click();
      await create('MISSED', OTHER);
      await expect(phone(OTHER).getByText(text('Phone.past_missed'))).toBeVisible();
      await looksWell(page, 'phones-two');
    });

    await test.step('without JavaScript, forms and a reload', async () => {
      const plain = await browser.newPage({ javaScriptEnabled: false, locale: 'en-GB' });
      await plain.goto(`${address}?phones=0765345678`);
      const bill = await create('PLAIN', '0765345678');
      await expect(async () => {
        await plain.reload();
        await plain.getByLabel(text('Phone.pin')).fill('1234', { timeout: 500 });
      }).toPass();
      await plain.getByRole('button', { name: text('Phone.send') }).click();
      await paid(bill.id);
      expect(await plain.content()).toContain('http-equiv="refresh"');
    });

    await test.step('when the page is closed, the number answers by itself', async () => {
      // By default, Playwright closes a page without the events that a browser sends to a page before closing it. The page needs these
      // events to report that it is closed.
      await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
      // For three seconds after its page is closed, the test phone still gets prompts: Bili cannot know whether the page is only being
      // reloaded. Nobody answers these prompts, so the test creates further bills until one is paid.
      let tries = 0;
      await expect(async () => {
        const { id } = await create(`CLOSED-${++tries}`);
        await expect.poll(async () => (await server.get(id)).status, { timeout: 7_000 }).toBe('FULLY_PAID');
      }).toPass({ timeout: 40_000 });
    });
  } finally {
    await product.dispose();
  }
});

async function looksWell(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await isAccessible(page);
    await picture(page, `${name}-${colorScheme}`);
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  await fitsThePhone(page);
  if (before) await page.setViewportSize(before);
}
