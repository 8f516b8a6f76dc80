import { isNetwork, WALLETS } from '@/lib/core/network';
import { groupDigits } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';

/** Returns `1,234`. */
export function countText(count: number): string {
  return groupDigits(BigInt(count));
}

/** Returns a network by the name of its wallet, as customers know it. */
export function networkText(network: string, locale: Locale): string {
  return isNetwork(network) && network !== 'other' ? WALLETS[network] : translator(locale, 'Overview')('otherNetwork');
}
