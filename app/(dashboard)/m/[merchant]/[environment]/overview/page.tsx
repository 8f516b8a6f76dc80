import Link from 'next/link';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { LiveOverview } from '@/components/dashboard/overview/live-overview';
import { presentOverview } from '@/components/dashboard/overview/present-overview';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Button } from '@/components/ui/button';
import { DateField } from '@/components/ui/forms/date-field';
import { Select } from '@/components/ui/forms/fields';
import { PageHeader } from '@/components/ui/layout';
import { COMPARISONS, formatRange, NAMED_RANGES, type Range } from '@/lib/backoffice/overview/periods';
import { showOverview } from '@/lib/backoffice/overview/show-overview';
import { openVisit } from '@/lib/entry/server/visit';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { hideStepsAction, requestActivationAction } from './actions';

export const generateMetadata = titled('Overview', 'title');

export default async function OverviewPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path: below } = await openVisit(await params, 'overview');
  const values = await searchParams;
  const asked = { range: single(values.range), from: single(values.from), to: single(values.to), compare: single(values.compare) };
  const overview = await showOverview(runtime, access, { asked });
  if (!overview.ok) return <NotAllowed access={access} permission="overview.view" locale={locale} />;
  const { range } = overview.value;
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  const path = below('overview');
  const view = presentOverview(overview.value, { place, role: access.role }, locale);
  const address = `${path}/data?${formatRange(range)}`;
  return (
    <Shell access={access} locale={locale} section="overview">
      <PageHeader
        help={<Help text={translator(locale, 'Overview')('help')} docs="dashboard.md#overview" locale={locale} />}
        title={translator(locale, 'Overview')('title')}
      >
        {view.figures && <RangeNav path={path} range={range} locale={locale} />}
      </PageHeader>
      <LiveOverview
        key={`${address} ${locale} ${view.guide === null} ${view.activation?.request}`}
        first={view}
        address={address}
        hideAction={hideStepsAction}
        requestAction={requestActivationAction}
      />
    </Shell>
  );
}

interface RangeNavProps {
  readonly path: string;
  readonly range: Range;
  readonly locale: Locale;
}

const CHOICE =
  'flex min-h-control flex-1 items-center justify-center rounded-lg px-1 font-semibold whitespace-nowrap hover:bg-sunken sm:px-3 aria-[current]:bg-ink aria-[current]:text-surface';

/** The links that choose the days, and a form for any other days. The form is a GET form, so it works without JavaScript. */
function RangeNav({ path, range, locale }: RangeNavProps) {
  const t = translator(locale, 'Overview');
  const { name, first, last, comparison } = range;
  return (
    <nav aria-label={t('period')} className="relative w-full sm:w-auto">
      <ul className="flex flex-wrap rounded-xl border border-line bg-surface p-1 text-small">
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
                <DateField id="from" label={t('from')} defaultValue={first} />
                <DateField id="to" label={t('to')} defaultValue={last} />
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
