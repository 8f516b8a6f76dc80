import { Chip } from '@/components/ui/chip';
import { Icon } from '@/components/ui/icon';
import { Nav } from '@/components/ui/nav';
import { inTab, tabOf } from '@/lib/bills/list/bill-tabs';
import type { BillFilter, BillQuery } from '@/lib/bills/list/filter';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { describeFilter, listAddress } from './describe-filter';
import { FILTER_SHEET_ID } from './filter-form';

/** The periods that most people want. The others are in the form. */
const PERIODS = [null, 'today', 'last_7_days', 'last_30_days'] as const;

interface FilterLineProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly locale: Locale;
}

/** The periods as chips, a button for all other filters, and the active filters as chips that a click removes. */
export function FilterLine({ path, query, locale }: FilterLineProps) {
  const t = translator(locale, 'BillList');
  const tabs = translator(locale, 'BillTabs');
  const { filter } = query;
  const withPeriod = (period: BillFilter['period']): BillQuery => ({
    ...query,
    filter: { ...filter, period, by: period === null ? 'created' : filter.by },
  });
  const parts = describeFilter(query, locale, withoutShown(filter));
  const periods = PERIODS.map((period) => ({
    href: listAddress(path, withPeriod(period)),
    text: period === null ? tabs('anyTime') : t(`period_${period}`),
    current: filter.period === period,
  }));
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <Nav look="chips" oneLine label={t('period')} items={periods} />
      <button
        type="button"
        popoverTarget={FILTER_SHEET_ID}
        className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-full border border-edge bg-surface px-3 text-small font-semibold hover:bg-sunken"
      >
        <Icon name="filter" className="size-3.5" />
        {tabs('moreFilters')}
      </button>
      {parts.length > 0 && (
        <ul aria-label={t('filteredBy')} className="contents">
          {parts.map(({ text, without }) => (
            <li key={text} className="max-w-full">
              <Chip text={text} href={listAddress(path, without)} label={t('remove', { filter: text })} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns a filter without the parts that the page already shows: the selected tab, and a period that is one of `PERIODS`. */
function withoutShown(filter: BillFilter): BillFilter {
  const rest = tabOf(filter) === null ? filter : inTab(filter, 'all');
  return filter.by === 'created' && PERIODS.some((period) => period === filter.period) ? { ...rest, period: null } : rest;
}
