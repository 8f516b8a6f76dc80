import { Button } from '@/components/ui/button';
import { Checkbox, Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import { type BillQuery, formatShillings, isUnfiltered, PAGE_SIZES, PERIOD_BASES, REQUEST_REASONS, SORTS } from '@/lib/bills/list/filter';
import { PRESETS } from '@/lib/bills/list/period';
import { BILL_STATUSES } from '@/lib/bills/rules';
import { NETWORKS } from '@/lib/core/network';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { requestReasonText } from '../request-reason';
import { listAddress, networkName, unfiltered } from './describe-filter';

const DAYS = ['from', 'to'] as const;
const AMOUNTS = ['least', 'most'] as const;
const ASKED = ['failed', 'unknown', 'overpaid'] as const;

export const FILTER_SHEET_ID = 'bill-filters';

interface FilterFormProps {
  readonly path: string;
  readonly query: BillQuery;
  /** Whether the page is in the sandbox. Only there, the form has the filter for the bills of receiver checks. */
  readonly sandbox: boolean;
  readonly locale: Locale;
}

/**
 * All filters of the bill list, in a sheet over the page. It is a GET form in a popover, so the filter is in the address and the form works
 * without JavaScript. A browser that does not know popovers shows the form on the page.
 */
export function FilterForm({ path, query, sandbox, locale }: FilterFormProps) {
  const t = translator(locale, 'BillList');
  const tabs = translator(locale, 'BillTabs');
  const status = translator(locale, 'Status');
  const { filter } = query;
  const days = typeof filter.period === 'string' ? null : filter.period;
  const unasked = { value: '', text: t('any') };
  return (
    <section
      id={FILTER_SHEET_ID}
      popover="auto"
      aria-labelledby="bill-filters-title"
      key={listAddress('', query)}
      className="inset-x-0 top-auto bottom-0 max-h-[85dvh] w-full overflow-y-auto rounded-t-2xl border border-line bg-surface text-ink shadow-lg backdrop:bg-shade sm:top-0 sm:right-0 sm:bottom-auto sm:left-auto sm:h-dvh sm:max-h-none sm:w-md sm:rounded-none sm:border-y-0"
    >
      <div className="flex items-center justify-between gap-4 px-4 pt-3">
        <h2 id="bill-filters-title" className="text-heading">
          {tabs('sheetTitle')}
        </h2>
        <button
          type="button"
          popoverTarget={FILTER_SHEET_ID}
          popoverTargetAction="hide"
          aria-label={translator(locale, 'Shell')('close')}
          className="-mr-2 grid size-control cursor-pointer place-items-center rounded-lg"
        >
          <Icon name="cross" className="size-5" />
        </button>
      </div>
      <form action={path} className="grid gap-4 p-4">
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
          {sandbox && <Checkbox id="checks" value="1" label={tabs('checks')} defaultChecked={filter.checks} />}
        </div>
        <div className="-mx-4 -mb-4 flex flex-wrap gap-3 border-t border-line bg-surface p-4 tall:sticky tall:bottom-0">
          <Button>{t('show')}</Button>
          {!isUnfiltered(filter) && <ButtonLink href={listAddress(path, unfiltered(query))}>{t('clear')}</ButtonLink>}
        </div>
      </form>
    </section>
  );
}
