import { FilterButton, FilterSheet } from '@/components/dashboard/filter-sheet';
import { Chip } from '@/components/ui/chip';
import { DateField } from '@/components/ui/forms/date-field';
import { Checkbox, Field, Select } from '@/components/ui/forms/fields';
import { Nav } from '@/components/ui/nav';
import { Notice } from '@/components/ui/notice';
import {
  ALL_BILLS,
  type BillFilter,
  type BillQuery,
  formatBillQuery,
  formatShillings,
  inTab,
  isUnfiltered,
  PAGE_SIZES,
  PERIOD_BASES,
  PRESETS,
  type QueryProblem,
  REQUEST_REASONS,
  SORTS,
  tabOf,
} from '@/lib/backoffice/bill-list/bill-query';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { parseDay } from '@/lib/platform/core/instant';
import { formatMobile } from '@/lib/platform/core/mobile';
import { NETWORKS, WALLETS } from '@/lib/platform/core/network';
import { formatDay, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const DAYS = ['from', 'to'] as const;
const AMOUNTS = ['least', 'most'] as const;
const ASKED = ['failed', 'unknown', 'overpaid'] as const;

interface FilterFormProps {
  readonly path: string;
  readonly query: BillQuery;
  /** Whether the page is in the sandbox. Only there, the form has the filter for the bills of receiver checks. */
  readonly sandbox: boolean;
  readonly locale: Locale;
}

/** All filters of the bill list, in a sheet over the page. */
export function FilterForm({ path, query, sandbox, locale }: FilterFormProps) {
  const t = translator(locale, 'BillList');
  const tabs = translator(locale, 'BillTabs');
  const status = translator(locale, 'Status');
  const { filter } = query;
  const days = typeof filter.period === 'string' ? null : filter.period;
  const unasked = { value: '', text: t('any') };
  return (
    <FilterSheet
      key={listAddress('', query)}
      path={path}
      apply={t('show')}
      clear={isUnfiltered(filter) ? null : { href: listAddress(path, unfiltered(query)), text: t('clear') }}
      locale={locale}
    >
      {filter.lastFailed && <input type="hidden" name="last" value="failed" />}
      <fieldset>
        <legend className="font-semibold">{t('status')}</legend>
        <div className="flex flex-wrap gap-x-6">
          {BILL_STATUSES.map((one) => (
            <Checkbox
              key={one}
              id={`status-${one}`}
              name="status"
              value={one}
              label={status(one)}
              defaultChecked={filter.statuses.includes(one)}
            />
          ))}
        </div>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          id="period"
          label={t('period')}
          defaultValue={typeof filter.period === 'string' ? filter.period : days === null ? '' : 'days'}
          options={[unasked, ...PRESETS.map((value) => ({ value, text: t(`period_${value}`) })), { value: 'days', text: t('period_days') }]}
        />
        <Select
          id="by"
          label={t('by')}
          defaultValue={filter.by}
          options={PERIOD_BASES.map((value) => ({ value, text: t(`by_${value}`) }))}
        />
        {DAYS.map((day) => (
          <DateField key={day} id={day} label={t(day)} defaultValue={days?.[day] ?? ''} />
        ))}
        {AMOUNTS.map((amount) => (
          <Field
            key={amount}
            id={amount}
            inputMode="decimal"
            autoComplete="off"
            label={t(amount)}
            defaultValue={filter[amount] === null ? '' : formatShillings(filter[amount])}
          />
        ))}
        <Select
          id="network"
          label={t('network')}
          defaultValue={filter.network ?? ''}
          options={[unasked, ...NETWORKS.map((value) => ({ value, text: networkName(value, locale) }))]}
        />
        <Select
          id="state"
          label={t('state')}
          defaultValue={filter.closed === null ? '' : filter.closed ? 'closed' : 'open'}
          options={[unasked, { value: 'open', text: t('openOnly') }, { value: 'closed', text: t('closedOnly') }]}
        />
        <Select
          id="reason"
          label={t('reason')}
          defaultValue={filter.reason ?? ''}
          options={[unasked, ...REQUEST_REASONS.map((value) => ({ value, text: translator(locale, 'RequestReason')(value) }))]}
        />
        <Field id="reference" autoComplete="off" label={t('referenceBegins')} defaultValue={filter.reference ?? ''} />
        <Field id="mobile" inputMode="tel" autoComplete="off" label={t('mobile')} defaultValue={filter.mobile ?? ''} />
        <Select
          id="sort"
          label={t('sort')}
          defaultValue={query.sort}
          options={SORTS.map((value) => ({ value, text: t(`sort_${value}`) }))}
        />
        <Select
          id="size"
          label={t('size')}
          defaultValue={query.size}
          options={PAGE_SIZES.map((value) => ({ value: String(value), text: String(value) }))}
        />
      </div>
      <div className="flex flex-wrap gap-x-6">
        {ASKED.map((asked) => (
          <Checkbox key={asked} id={asked} value="1" label={t(asked)} defaultChecked={filter[asked]} />
        ))}
        {sandbox && <Checkbox id="checks" value="1" label={tabs('checks')} defaultChecked={filter.checks} />}
      </div>
    </FilterSheet>
  );
}

/** The periods that most people want. The others are in the form. */
const PERIODS = [null, 'today', 'last_7_days', 'last_30_days'] as const;

/** The periods as chips, a button for all other filters, and the active filters as chips that a click removes. */
export function FilterLine({ path, query, locale }: Omit<FilterFormProps, 'sandbox'>) {
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
      <FilterButton locale={locale} />
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

/** Lists the invalid parts of the query, which were ignored. */
export function QueryProblems({ problems, locale }: { readonly problems: readonly QueryProblem[]; readonly locale: Locale }) {
  const t = translator(locale, 'BillList');
  if (problems.length === 0) return null;
  return (
    <Notice tone="wait" role="status" title={t('notUnderstood')}>
      <ul className="list-disc pl-5">
        {problems.map(({ field, value }) => (
          <li key={`${field} ${value}`}>{t(`problem_${field}`, { value: value.slice(0, 80) })}</li>
        ))}
      </ul>
    </Notice>
  );
}

/**
 * Returns the parts of a filter in the order of the form, each as a text and with the query without this part.
 * @param filter the filter of the query, without the conditions that the page already shows elsewhere
 */
function describeFilter(query: BillQuery, locale: Locale, filter = query.filter) {
  const t = translator(locale, 'BillList');
  const tabs = translator(locale, 'BillTabs');
  const part = (text: string, cleared: Partial<BillFilter>) => ({
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
    ...(filter.reason === null
      ? []
      : [part(t('reasonPart', { reason: translator(locale, 'RequestReason')(filter.reason) }), { reason: null })]),
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
function networkName(network: NonNullable<BillFilter['network']>, locale: Locale): string {
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
