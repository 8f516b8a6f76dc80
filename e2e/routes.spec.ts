import { type Network, WALLETS } from '@/lib/platform/core/network';
import { fitsThePhone, isAccessible, picture } from './page-checks';
import { expect, test } from './product';
import { openShop, type Shop } from './route-shop';
import type { Route } from './route-stage';
import { pattern, swahili, text } from './texts';

const PAID = text('Pay.paidTitle');
const UNKNOWN = text('Pay.unknownTitle');
/** After this number of calls in a row without an answer, Bili tries the merchant's other account first. */
const FAILING = 5;

/** Two independent routes to the customers of each network. */
const NETWORKS = [
  { network: 'vodacom', providers: ['mpesa', 'snippe'] },
  { network: 'yas', providers: ['mixx', 'clickpesa'] },
  { network: 'airtel', providers: ['airtel', 'pawapay'] },
  // AzamPay has no status query for a payment request whose answer was lost. So without a callback, its outcome stays unknown.
  { network: 'halotel', providers: ['azampay', 'snippe'] },
] as const satisfies readonly { network: Network; providers: readonly [string, string] }[];

const NAMES: Readonly<Record<string, string>> = {
  mpesa: 'M-Pesa',
  snippe: 'Snippe',
  mixx: 'Mixx by Yas',
  clickpesa: 'ClickPesa',
  airtel: 'Airtel Money',
  pawapay: 'pawaPay',
  azampay: 'AzamPay',
};

interface Stage {
  readonly shop: Shop;
  readonly network: Network;
  readonly first: Route;
  readonly second: Route;
}

let shops: readonly [Shop, Shop];
test.beforeAll(async ({ browser, product }) => {
  shops = [await openShop(product, browser), await openShop(product, browser)];
});
test.afterAll(() => Promise.all(shops.map((shop) => shop.close())));

/**
 * Checks a payment request that the first route does not accept and the second route accepts: no phone gets two prompts, and the history
 * names both providers.
 */
async function goesElsewhere({ shop, network, first, second }: Stage, why: 'dead' | 'refuses'): Promise<void> {
  const { page } = shop;
  const { mobile, id } = await shop.pay(network, { ends: '001', sees: PAID });
  const prompts = [await first.prompted(), await second.prompted()];
  expect(prompts.map((phones) => phones.filter((phone) => phone === mobile).length)).toEqual([0, 1]);
  await fitsThePhone(page);
  await picture(page, `${network}-${first.provider}-${why}-paid`);

  const history = await shop.history(id);
  await expect(history.getByText(text('BillPage.rerouted', { provider: String(NAMES[first.provider]), mobile }))).toBeVisible();
  const reason = why === 'dead' ? text('BillPage.notReached') : text('AttemptReason.merchant_config');
  await expect(history.getByText(reason)).toBeVisible();
  await expect(history.getByText(`${text('Bill.provider')}: ${NAMES[second.provider]}`)).toBeVisible();
  await expect(history.getByText(text('Bill.payment', { amount: 'TZS 5,000' }))).toBeVisible();
  await fitsThePhone(page);
  await picture(page, `${network}-${first.provider}-${why}-history`);
}

/** Checks that the first route gets the next payment request after it works again. */
async function comesBack({ shop, network, first, second }: Stage): Promise<void> {
  const before = await second.prompted();
  const { mobile } = await shop.pay(network, { ends: '001', sees: PAID });
  expect(await first.prompted()).toEqual([mobile]);
  expect(await second.prompted()).toEqual(before);
}

/**
 * Checks what happens if the first provider gets payment requests and does not answer: their outcome stays unknown, and Bili uses the
 * second provider for later bills.
 */
async function staysUnknown({ shop, network, first, second }: Stage): Promise<void> {
  const { page } = shop;
  const silent = await shop.pay(network, { ends: '017', sees: UNKNOWN });
  await expect(page.getByText(pattern('Pay.unknownText'))).toBeVisible();
  await expect(page.getByRole('button', { name: pattern('Pay.payButton') })).toHaveCount(0);
  await isAccessible(page);
  await fitsThePhone(page);
  await picture(page, `${network}-${first.provider}-silent`);
  await page.goto(silent.url.replace('lang=en', 'lang=sw'));
  await expect(page.getByText(pattern('Pay.unknownText', {}, swahili))).toBeVisible();
  await fitsThePhone(page);
  await picture(page, `${network}-${first.provider}-silent-sw`);
  await Promise.all(Array.from({ length: FAILING - 1 }, () => shop.bill(shop.phone(network, '017'))));
  await expect.poll(first.failures, { message: 'the account counts as failing' }).toBeGreaterThanOrEqual(FAILING);

  const before = await first.prompted();
  const later = [await shop.pay(network, { ends: '001', sees: PAID }), await shop.pay(network, { ends: '001', sees: PAID })];
  expect(await first.prompted()).toEqual(before);
  expect(await second.prompted()).toEqual(expect.arrayContaining(later.map(({ mobile }) => mobile)));
  expect(await second.prompted()).not.toContain(silent.mobile);

  await page.goto(silent.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(UNKNOWN);
  const history = await shop.history(silent.id);
  await expect(history.getByText(text('Bill.moved_UNKNOWN'))).toBeVisible();
  await expect(history.getByText(`${text('Bill.provider')}: ${NAMES[first.provider]}`)).toBeVisible();
  await expect(history.getByText(pattern('BillPage.rerouted'))).toHaveCount(0);
  await picture(page, `${network}-${first.provider}-silent-history`);
}

for (const { network, providers } of NETWORKS) {
  const [one, other] = providers;
  test(`${WALLETS[network]}: if ${one} or ${other} is dead, refuses the shop or is silent, bills are paid through the other one`, {
    tag: '@full',
  }, async () => {
    // More than ten bills, one after the other.
    const [shop, otherShop] = shops;
    const stages = [
      { shop, network, ...(await shop.route(network, [one, other])) },
      { shop: otherShop, network, ...(await otherShop.route(network, [other, one])) },
    ];
    const inOrder = async (stage: Stage) => {
      const { first } = stage;
      await first.accept('refuse');
      await goesElsewhere(stage, 'dead');
      await first.accept('pass');
      await first.control({ suspended: true });
      await goesElsewhere(stage, 'refuses');
      await first.control({ suspended: false });
      await first.confirm();
      await comesBack(stage);
      if (stage.shop === shop) await staysUnknown(stage);
    };
    await Promise.all(stages.map(inOrder));
    for (const { first, second } of stages) expect([await first.complaints(), await second.complaints()]).toEqual([[], []]);
  });
}
