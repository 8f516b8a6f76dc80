import { dashboardPath } from '@/lib/accounts/access/grant-access';
import type { BillFilter } from '@/lib/bills/list/filter';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { AttentionItem, AttentionKind } from '@/lib/overview/attention-rules';
import { describeAttention } from '@/lib/overview/describe-attention';
import { listLinks, type Place } from './list-links';

/** For some kinds of items: the filter with which the bill list shows the bills concerned. Other kinds get no link to a filtered list. */
const FILTERS: Partial<Record<AttentionKind, Partial<BillFilter>>> = {
  network_failing: { period: 'today', by: 'ended', reason: 'provider_unavailable' },
  payments_unknown: { unknown: true },
  bills_overpaid: { overpaid: true },
  prompts_limited: { period: 'today', by: 'ended', reason: 'too_many_prompts' },
};
/** The page to which an item of this kind links, if that is not the main page of its section. */
const PAGES: Partial<Record<AttentionKind, string>> = { deliveries_exhausted: 'webhooks/resend' };

export type AttentionView = ReturnType<typeof presentAttention>;

/**
 * Returns the items that need attention as texts, each with links to fix it.
 * `webhook` is false if no webhook address is set: then the texts do not mention webhooks.
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
  const filter = FILTERS[kind];
  if (filter && kind === 'bills_overpaid') return [{ href: listLinks(place).filtered(filter), text: t('open_overpaid') }, ...named];
  const href = filter ? listLinks(place).filtered(filter) : page === null ? null : dashboardPath({ ...place, page: PAGES[kind] ?? page });
  const all = href === null || page === null ? [] : [{ href, text: t(`open_${page}`) }];
  return named.length > 0 && named.length >= count ? named : [...named, ...all];
}
