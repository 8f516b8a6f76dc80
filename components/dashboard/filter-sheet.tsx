import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import { Nav } from '@/components/ui/nav';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** A page has one sheet at most. */
const SHEET_ID = 'filters';
const TITLE_ID = 'filters-title';

interface FilterSheetProps {
  readonly path: string;
  /** The text of the button that applies the filters. */
  readonly apply: string;
  /** The link to the list without filters; null if there are none. */
  readonly clear: { readonly href: string; readonly text: string } | null;
  readonly locale: Locale;
  readonly children: ReactNode;
}

/**
 * All filters of a list, in a sheet over the page. It is a GET form in a popover, so the filter is in the address and the form works
 * without JavaScript. A browser that does not know popovers shows the form on the page.
 */
export function FilterSheet({ path, apply, clear, locale, children }: FilterSheetProps) {
  return (
    <section
      id={SHEET_ID}
      popover="auto"
      aria-labelledby={TITLE_ID}
      className="inset-x-0 top-auto bottom-0 max-h-[85dvh] w-full overflow-y-auto rounded-t-2xl border border-line bg-surface text-ink shadow-lg backdrop:bg-shade sm:top-0 sm:right-0 sm:bottom-auto sm:left-auto sm:h-dvh sm:max-h-none sm:w-md sm:rounded-none sm:border-y-0"
    >
      <div className="flex items-center justify-between gap-4 px-4 pt-3">
        <h2 id={TITLE_ID} className="text-heading">
          {translator(locale, 'BillTabs')('sheetTitle')}
        </h2>
        <button
          type="button"
          popoverTarget={SHEET_ID}
          popoverTargetAction="hide"
          aria-label={translator(locale, 'Shell')('close')}
          className="-mr-2 grid size-control cursor-pointer place-items-center rounded-lg"
        >
          <Icon name="cross" className="size-5" />
        </button>
      </div>
      <form action={path} className="grid gap-4 p-4">
        {children}
        <div className="-mx-4 -mb-4 flex flex-wrap gap-3 border-t border-line bg-surface p-4 tall:sticky tall:bottom-0">
          <Button>{apply}</Button>
          {clear && <ButtonLink href={clear.href}>{clear.text}</ButtonLink>}
        </div>
      </form>
    </section>
  );
}

interface FilterButtonProps {
  readonly locale: Locale;
  /** Whether the button is only an icon on a phone. */
  readonly short?: boolean;
}

/** The button that opens the sheet. */
export function FilterButton({ locale, short = false }: FilterButtonProps) {
  return (
    <button
      type="button"
      popoverTarget={SHEET_ID}
      className="inline-flex min-h-control min-w-control shrink-0 cursor-pointer items-center justify-center gap-1.5 rounded-full border border-edge bg-surface px-3 text-small font-semibold hover:bg-sunken"
    >
      <Icon name="filter" className="size-3.5" />
      <span className={short ? 'max-sm:sr-only' : undefined}>{translator(locale, 'BillTabs')('moreFilters')}</span>
    </button>
  );
}

interface LogFilterProps {
  readonly path: string;
  /** The fields of the form, as in the address. An empty field does not filter. */
  readonly query: Readonly<Record<string, string>>;
  /** The choices that most people want, each with the fields that it fills. The other filters are in the sheet. */
  readonly choices: readonly { readonly text: string; readonly filter: Readonly<Record<string, string>> }[];
  readonly t: (key: 'filteredBy' | 'apply' | 'clear') => string;
  readonly locale: Locale;
  readonly children: ReactNode;
}

/** The filters of a log: usual choices as chips, and all filters in a sheet. */
export function LogFilter({ path, query, choices, t, locale, children }: LogFilterProps) {
  const address = (filter: Readonly<Record<string, string>>) => [path, new URLSearchParams(filter).toString()].filter(Boolean).join('?');
  const used = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const chips = choices.map(({ text, filter }) => ({ href: address(filter), text, current: address(filter) === address(used) }));
  const clear = Object.keys(used).length === 0 ? null : { href: path, text: t('clear') };
  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <div className="flex max-w-full min-w-0 items-center gap-2">
          <Nav look="chips" oneLine label={t('filteredBy')} items={chips} />
          <FilterButton short locale={locale} />
        </div>
        {clear && !chips.some(({ current }) => current) && <Chip href={path} text={t('clear')} label={t('clear')} />}
      </div>
      <FilterSheet key={address(used)} path={path} apply={t('apply')} clear={clear} locale={locale}>
        {children}
      </FilterSheet>
    </>
  );
}
