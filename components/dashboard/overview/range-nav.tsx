import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/forms/fields';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Day } from '@/lib/overview/periods';
import { COMPARISONS, formatRange, NAMED_RANGES, type Range } from '@/lib/overview/ranges';

interface RangeNavProps {
  readonly path: string;
  readonly range: Range;
  readonly today: Day;
  readonly locale: Locale;
}

const CHOICE =
  'flex min-h-control flex-1 items-center justify-center rounded-lg px-1 font-semibold whitespace-nowrap hover:bg-sunken sm:px-3 aria-[current]:bg-ink aria-[current]:text-surface';

/** The links that choose the days, and a form for any other days. The form is a GET form, so it works without JavaScript. */
export function RangeNav({ path, range, today, locale }: RangeNavProps) {
  const t = translator(locale, 'Overview');
  const { name, first, last, comparison } = range;
  return (
    <nav aria-label={t('period')} className="relative w-full sm:w-auto">
      <ul className="flex rounded-xl border border-line bg-surface p-1 text-small">
        {NAMED_RANGES.map((one) => (
          <li key={one} className="flex flex-1">
            <Link
              href={addressOf(path, formatRange({ name: one, first, last, comparison }))}
              prefetch={false}
              aria-current={one === name ? 'true' : undefined}
              className={CHOICE}
            >
              {t(`range_${one}`)}
            </Link>
          </li>
        ))}
        <li className="flex flex-1">
          <details className="flex flex-1">
            <summary aria-current={name === 'custom' ? 'true' : undefined} className={`cursor-pointer list-none ${CHOICE}`}>
              {t('range_custom')}
            </summary>
            <form
              action={path}
              className="absolute inset-x-0 z-20 mt-2 grid gap-3 rounded-xl border border-line bg-surface p-4 text-base shadow-lg sm:left-auto sm:w-80"
            >
              <div className="grid grid-cols-2 gap-3">
                <Field id="from" type="date" label={t('from')} defaultValue={first} max={today} required />
                <Field id="to" type="date" label={t('to')} defaultValue={last} max={today} required />
              </div>
              <Select
                id="compare"
                label={t('compareWith')}
                defaultValue={comparison}
                options={COMPARISONS.map((value) => ({ value, text: t(`compare_${value}`) }))}
              />
              <Button>{t('apply')}</Button>
            </form>
          </details>
        </li>
      </ul>
    </nav>
  );
}

function addressOf(path: string, params: URLSearchParams): string {
  return params.size === 0 ? path : `${path}?${params}`;
}
