import { dashboardPath } from '@/lib/accounts/access/grant-access';
import type { Environment } from '@/lib/core/scope';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { AttentionItem } from '@/lib/overview/attention-rules';
import { describeAttention } from '@/lib/overview/describe-attention';

export interface Place {
  readonly slug: string;
  readonly environment: Environment;
}

export type AttentionView = ReturnType<typeof presentAttention>;

/**
 * Returns the items that need attention as texts, each with links to fix it.
 * `webhook` is false if no webhook address is set, so that nothing is said about webhooks.
 */
export function presentAttention(
  { items, webhook }: { readonly items: readonly AttentionItem[]; readonly webhook: boolean },
  place: Place,
  locale: Locale,
) {
  const t = translator(locale, 'Overview');
  return {
    title: t('attention'),
    /** Shown if there are no items. */
    calm: { title: t('calmTitle'), text: t(webhook ? 'calmText' : 'calmTextNoWebhook') },
    items: items.map((item) => presentItem(item, place, locale)),
  };
}

function presentItem(item: AttentionItem, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  const { kind, severity } = item;
  return {
    kind,
    tone: severity,
    severity: t(severity === 'bad' ? 'urgent' : 'toSee'),
    ...describeAttention(item, locale),
    links: linksOf(item, place, locale),
  };
}

function linksOf({ kind, bills, page, count }: AttentionItem, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  if (kind === 'merchant_pending') {
    if (place.environment === 'sandbox') return [];
    return [{ href: dashboardPath({ ...place, environment: 'sandbox', page: 'overview' }), text: t('open_merchant') }];
  }
  const named = bills.map(({ id, reference }) => ({
    href: dashboardPath({ ...place, page: `bills/${id}` }),
    text: t('bill', { reference }),
  }));
  if (kind === 'bills_overpaid') {
    const list = { href: `${dashboardPath({ ...place, page: 'bills' })}?overpaid=1`, text: t('open_overpaid') };
    return [list, ...named];
  }
  const all = page === null ? [] : [{ href: dashboardPath({ ...place, page }), text: t(`open_${page}`) }];
  return named.length > 0 && named.length >= count ? named : [...named, ...all];
}
