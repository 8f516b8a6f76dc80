import { ALL_BILLS, type BillFilter, type BillQuery, formatBillQuery } from '@/lib/bills/list/filter';
import { parseDay } from '@/lib/core/instant';
import { formatMobile } from '@/lib/core/mobile';
import { WALLETS } from '@/lib/core/network';
import { formatDay, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { requestReasonText } from '../request-reason';

/** One part of a filter as a text, and the query without this part. */
interface FilterPart {
  readonly text: string;
  readonly without: BillQuery;
}

/**
 * Returns the parts of a filter in the order of the form.
 * @param filter the filter of the query, without the conditions that the page already shows elsewhere
 */
export function describeFilter(query: BillQuery, locale: Locale, filter = query.filter): FilterPart[] {
  const t = translator(locale, 'BillList');
  const tabs = translator(locale, 'BillTabs');
  const part = (text: string, cleared: Partial<BillFilter>): FilterPart => ({
    text,
    without: { ...query, filter: { ...query.filter, ...cleared } },
  });
  const status = translator(locale, 'Status');
  return [
    ...filter.statuses.map((one) => part(status(one), { statuses: filter.statuses.filter((other) => other !== one) })),
    ...(filter.closed === null ? [] : [part(t(filter.closed ? 'closedOnly' : 'openOnly'), { closed: null })]),
    ...(filter.period === null ? [] : [part(describePeriod(filter, locale), { period: null, by: 'created' })]),
    ...(filter.least === null ? [] : [part(t('leastPart', { amount: formatMoney(filter.least) }), { least: null })]),
    ...(filter.most === null ? [] : [part(t('mostPart', { amount: formatMoney(filter.most) }), { most: null })]),
    ...(filter.network === null ? [] : [part(networkName(filter.network, locale), { network: null })]),
    ...(filter.reference === null ? [] : [part(t('referencePart', { reference: filter.reference }), { reference: null })]),
    ...(filter.mobile === null ? [] : [part(formatMobile(filter.mobile), { mobile: null })]),
    ...(filter.failed ? [part(t('failed'), { failed: false })] : []),
    ...(filter.reason === null ? [] : [part(t('reasonPart', { reason: requestReasonText(filter.reason, locale) }), { reason: null })]),
    ...(filter.unknown ? [part(t('unknown'), { unknown: false })] : []),
    ...(filter.overpaid ? [part(t('overpaid'), { overpaid: false })] : []),
    ...(filter.lastFailed ? [part(tabs('failed'), { lastFailed: false })] : []),
    ...(filter.checks ? [part(tabs('checksPart'), { checks: false })] : []),
  ];
}

function describePeriod({ period, by }: BillFilter, locale: Locale): string {
  const t = translator(locale, 'BillList');
  if (period === null) return '';
  const day = (text: string) => formatDay(parseDay(text) ?? new Date(0), locale);
  const text =
    typeof period === 'string'
      ? t(`period_${period}`)
      : period.from === null
        ? t('untilPart', { day: day(period.to ?? '') })
        : period.to === null
          ? t('sincePart', { day: day(period.from) })
          : t('daysPart', { from: day(period.from), to: day(period.to) });
  return t(`${by}Part`, { period: text });
}

/** Returns the name of a network's wallet, because customers know a network by that name. */
export function networkName(network: NonNullable<BillFilter['network']>, locale: Locale): string {
  return network === 'other' ? translator(locale, 'BillList')('otherNetwork') : WALLETS[network];
}

/** Returns the address of a list, without parameters that have their default values. */
export function listAddress(path: string, query: BillQuery, more: Readonly<Record<string, string>> = {}): string {
  const params = formatBillQuery(query);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  return params.size > 0 ? `${path}?${params}` : path;
}

export function unfiltered({ sort, size }: BillQuery): BillQuery {
  return { filter: ALL_BILLS, sort, size };
}
