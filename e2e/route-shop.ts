import type { Browser } from '@playwright/test';
import type { Network } from '@/lib/platform/core/network';
import type { Product } from '@/testing/product';
import { newBill, newKey, newMerchant, signIn } from './people';
import { expect } from './product';
import { type Route, startRoute } from './route-stage';
import { pattern, text } from './texts';

/** One prefix of the phone numbers of each network. */
const PREFIXES: Readonly<Record<Network, string>> = {
  vodacom: '0754',
  yas: '0712',
  airtel: '0784',
  halotel: '0622',
  ttcl: '0732',
  other: '0700',
};

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Creates a merchant with a key, whose owner is signed in on a phone. The same phone opens the payment pages. */
export async function openShop(product: Product, browser: Browser) {
  const merchant = await newMerchant(product, 'Duka la Njia Mbili');
  const key = await newKey(product, merchant, 'Server');
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const dashboard = `${product.liveUrl}/m/${merchant.slug}/sandbox/bills`;
  await page.goto(dashboard);
  await signIn(page, merchant);
  await expect(page).toHaveURL(dashboard);
  const routes: Route[] = [];
  let phones = 100;

  const shop = {
    page,
    /** Adds two accounts of the merchant for a network, at different providers. Bili tries the account at `provider` first. */
    async route(network: Network, [provider, other]: readonly [string, string]) {
      const first = await startRoute(product, { merchant, provider, network });
      const second = await startRoute(product, { merchant, provider: other, network });
      routes.push(first, second);
      const owner = ['--merchant', merchant.slug, '--environment', 'sandbox', '--network', network];
      await product.bili(['provider', 'route', first.id, second.id, ...owner]);
      return { first, second };
    },
    /** Returns a number that nobody has used yet. */
    phone(network: Network, ends: string): string {
      phones += 1;
      return `${PREFIXES[network]}${phones}${ends}`;
    },
    /** Creates a bill. With a mobile number, its payment request is sent at once. */
    async bill(mobile?: string) {
      const { id } = await newBill(context.request, product.sandboxUrl, key, { amount: 5_000, reference: `BILL-${phones}`, mobile });
      return { id, url: `${product.sandboxUrl}/pay?bill=${id}&lang=en` };
    },
    /** Pays a new bill: enters a new number on its payment page, and reloads the page until its heading is `sees`. */
    async pay(network: Network, { ends, sees }: { readonly ends: string; readonly sees: string }) {
      const mobile = shop.phone(network, ends);
      const bill = await shop.bill();
      await page.goto(bill.url);
      await page.getByLabel(text('Pay.mobileLabel')).fill(mobile);
      await page.getByRole('button', { name: text('Pay.payButton', { amount: 'TZS 5,000' }) }).click();
      await expect(async () => {
        await page.goto(bill.url);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(sees);
      }).toPass();
      return { ...bill, mobile };
    },
    /** Opens the history of a bill in the dashboard. */
    async history(id: string) {
      await page.goto(`${dashboard}/${id}`);
      const history = page.getByRole('region', { name: text('Bill.timeline') });
      // The steps of each payment request are hidden until its summary is clicked.
      for (const steps of await history.getByText(pattern('BillPage.promptSteps')).all()) await steps.click();
      return history;
    },
    async close(): Promise<void> {
      await context.close();
      await Promise.all(routes.map((route) => route.stop()));
    },
  };
  return shop;
}
