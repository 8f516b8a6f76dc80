import type { PayNumber, ShownWays } from '@/lib/gateway/payment-page/pay-ways';
import { isOperatedNetwork, type Network, WALLET_MENUS, WALLETS } from '@/lib/platform/core/network';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** The most digits of a group of a number. People read and compare up to four digits at once. */
const GROUP_MAX = 4;

/** Splits the digits of a number into groups of nearly the same length: 10 digits into 4, 3 and 3. */
export function groupsOf(number: string): string[] {
  const count = Math.ceil(number.length / GROUP_MAX);
  const start = (group: number) => Math.ceil((group * number.length) / count);
  return Array.from({ length: count }, (_, group) => number.slice(start(group), start(group + 1)));
}

/**
 * The menus in which we know the way to a provider's number, by provider and network. The texts with the entries of a menu have the same
 * keys. `asks`: what the menu calls the number. `amountFirst`: the menu asks for the amount before the number. Sources: the providers'
 * guides for customers and the wallets' own pages. Entries move often, so the texts contain their names and not their digits.
 */
const MENUS = {
  selcom_vodacom: { asks: 'enterReference', amountFirst: false },
  selcom_yas: { asks: 'enterNumber', amountFirst: false },
  selcom_airtel: { asks: 'enterReference', amountFirst: true },
  selcom_halotel: { asks: 'enterNumber', amountFirst: false },
  selcom_ttcl: { asks: 'enterNumber', amountFirst: false },
  clickpesa_vodacom: { asks: 'enterReference', amountFirst: false },
  clickpesa_yas: { asks: 'enterReference', amountFirst: false },
  clickpesa_airtel: { asks: 'enterReference', amountFirst: false },
  clickpesa_halotel: { asks: 'enterReference', amountFirst: false },
} as const;

/** The providers whose numbers belong to another provider. */
const ISSUERS: Readonly<Record<string, string>> = { snippe: 'selcom' };

function isMenu(key: string): key is keyof typeof MENUS {
  return Object.hasOwn(MENUS, key);
}

/** One step of paying a number. `dial`: the code that the customer dials in this step. */
interface WayStep {
  readonly text: string;
  readonly dial: string | null;
}

interface MenuPath {
  /** Says which entries of the wallet's menu to choose. */
  readonly choose: string;
  readonly asks: 'enterNumber' | 'enterReference';
  readonly amountFirst: boolean;
}

function menuOf(provider: string, network: Network, locale: Locale): MenuPath {
  const t = translator(locale, 'PayWays');
  const key = `${ISSUERS[provider] ?? provider}_${network}`;
  return isMenu(key) ? { ...MENUS[key], choose: t(`menu_${key}`) } : { choose: t('chooseBill'), asks: 'enterNumber', amountFirst: false };
}

/**
 * Returns the steps to pay a number with the wallet of a network.
 * @param amount the formatted amount.
 */
export function stepsOf({ provider, text }: PayNumber, network: Network, amount: string, locale: Locale): WayStep[] {
  const t = translator(locale, 'PayWays');
  const { choose, asks, amountFirst } = menuOf(provider, network, locale);
  const values = [t(asks, { number: groupsOf(text).join('\u00a0') }), t('enterAmount', { amount })];
  const plain = (...texts: readonly string[]) => texts.map((step) => ({ text: step, dial: null }));
  const rest = plain(...(amountFirst ? values.reverse() : values), t('confirm'));
  if (provider === 'sandbox') return [...plain(testPhone(locale)), ...rest];
  const code = WALLET_MENUS[network];
  const start = code ? { text: t('dial', { code }), dial: code } : { text: t('openWallet', { wallet: WALLETS[network] }), dial: null };
  return [start, ...plain(choose), ...rest];
}

/** Test phones have a menu of their own. */
function testPhone(locale: Locale): string {
  return translator(locale, 'PayWays')('testPhone', { entry: translator(locale, 'Phone')('payBill') });
}

/** Returns for each wallet that can pay a number one line with its code and the entries of its menu. */
export function menuLines({ provider, networks }: PayNumber, locale: Locale): string[] {
  if (provider === 'sandbox') return [testPhone(locale)];
  return networks.filter(isOperatedNetwork).map((network) => {
    const wallet = [WALLETS[network], WALLET_MENUS[network]].filter(Boolean).join(' ').replaceAll(' ', '\u00a0');
    return `${wallet}: ${menuOf(provider, network, locale).choose}`;
  });
}

interface BillText {
  readonly merchant: string;
  /** The formatted amount. */
  readonly amount: string;
  readonly reference: string;
  /** The short address of the bill's page. */
  readonly url: string;
  readonly ways: Pick<ShownWays, 'numbers'>;
  /** The network of the customer's number; null if it is not known. */
  readonly network: Network | null;
}

/** Returns the message that a shop sends to a customer: the link of a bill, and how to pay without it if a number was issued. */
export function billText({ ways: { numbers }, network, ...bill }: BillText, locale: Locale): string {
  const text = translator(locale, 'Share')('billText', bill);
  const t = translator(locale, 'PayWays');
  const number = numbers.find(({ networks }) => network !== null && networks.includes(network));
  if (number && network !== null) {
    const steps = stepsOf(number, network, bill.amount, locale).map((step) => `${step.text}.`);
    return `${text} ${t('messageSteps')} ${steps.join(' ')}`;
  }
  return numbers[0] ? `${text} ${t('message', { number: numbers[0].text })}` : text;
}
