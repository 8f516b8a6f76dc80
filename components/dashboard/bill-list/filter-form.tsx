import { Button } from '@/components/ui/button';
import { Checkbox, Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import { type BillQuery, formatShillings, PAGE_SIZES, PERIOD_BASES, REQUEST_REASONS, SORTS } from '@/lib/bills/list/filter';
import { PRESETS } from '@/lib/bills/list/period';
import { BILL_STATUSES } from '@/lib/bills/rules';
import { NETWORKS } from '@/lib/core/network';
import { type Locale, translator } from '@/lib/i18n/translator';
import { requestReasonText } from '../request-reason';
import { listAddress, networkName, unfiltered } from './describe-filter';

const DAYS = ['from', 'to'] as const;
const AMOUNTS = ['least', 'most'] as const;
const ASKED = ['failed', 'unknown', 'overpaid'] as const;

interface FilterFormProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly count: number;
  readonly open: boolean;
  readonly locale: Locale;
}

/** All filters of the bill list. It is a GET form, so the filter is in the address and it works without JavaScript. */
export function FilterForm({ path, query, count, open, locale }: FilterFormProps) {
  const t = translator(locale, 'BillList');
  const status = translator(locale, 'Status');
  const { filter } = query;
  const days = typeof filter.period === 'string' ? null : filter.period;
  const unasked = { value: '', text: t('any') };
  return (
    <details open={open} className="group w-full rounded-xl border border-line bg-surface" key={listAddress('', query)}>
      <summary className="flex min-h-control cursor-pointer items-center gap-2 rounded-xl px-4 py-2 font-semibold text-brand">
        <Icon name="filter" />
        {count === 0 ? t('filter') : t('filters', { count })}
        <Icon name="down" className="ml-auto size-4 group-open:rotate-180" />
      </summary>
      <form action={path} className="grid gap-5 border-t border-line p-4">
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
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <Select
            id="period"
            label={t('period')}
            defaultValue={typeof filter.period === 'string' ? filter.period : days === null ? '' : 'days'}
            options={[
              unasked,
              ...PRESETS.map((value) => ({ value, text: t(`period_${value}`) })),
              { value: 'days', text: t('period_days') },
            ]}
          />
          {DAYS.map((day) => (
            <Field key={day} id={day} type="date" label={t(day)} defaultValue={days?.[day] ?? ''} />
          ))}
          <Select
            id="by"
            label={t('by')}
            defaultValue={filter.by}
            options={PERIOD_BASES.map((value) => ({ value, text: t(`by_${value}`) }))}
          />
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
            options={[unasked, ...REQUEST_REASONS.map((value) => ({ value, text: requestReasonText(value, locale) }))]}
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
        </div>
        <div className="flex flex-wrap gap-3">
          <Button>{t('show')}</Button>
          {count > 0 && <ButtonLink href={listAddress(path, unfiltered(query))}>{t('clear')}</ButtonLink>}
        </div>
      </form>
    </details>
  );
}
