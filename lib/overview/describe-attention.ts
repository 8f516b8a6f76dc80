import { isNetwork, WALLETS } from '@/lib/core/network';
import { formatInstant, formatMoney, groupDigits } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { COUNTED } from './attention-facts';
import type { AttentionItem } from './attention-rules';

export function describeAttention(
  { kind, count, since, amount, names, working }: AttentionItem,
  locale: Locale,
): { readonly title: string; readonly text: string } {
  const t = translator(locale, 'Overview');
  const shown = count > COUNTED ? t('more', { count: countText(COUNTED) }) : countText(count);
  // The amount of overpaid bills is the sum of only the bills that were counted.
  const partly = kind === 'bills_overpaid' && count > COUNTED;
  const wallets = (networks: readonly string[]) => networks.map((network) => networkText(network, locale)).join(', ');
  const values = {
    count,
    shown,
    names: kind === 'keys_expiring' ? names.join(', ') : wallets(names),
    working: working.length,
    others: wallets(working),
    amount: amount === null ? '' : partly ? t('more', { count: formatMoney(amount) }) : formatMoney(amount),
    time: since === null ? '' : formatInstant(since, locale),
    waiting: t('waiting', { count, shown }),
  };
  const text = t(`${kind}_text`, values);
  return {
    title: t(`${kind}_title`, values),
    text: since === null || kind === 'keys_expiring' ? text : `${text} ${t('since', { time: values.time })}`,
  };
}

/** Returns `1,234`. */
export function countText(count: number): string {
  return groupDigits(BigInt(count));
}

/** Returns the name of a network's wallet, because customers know a network by that name. */
export function networkText(network: string, locale: Locale): string {
  return isNetwork(network) && network !== 'other' ? WALLETS[network] : translator(locale, 'Overview')('otherNetwork');
}
