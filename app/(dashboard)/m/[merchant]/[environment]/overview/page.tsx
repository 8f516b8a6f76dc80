import { type PageProps, single, titled } from '@/app/page-props';
import { LiveOverview } from '@/components/dashboard/overview/live-overview';
import { presentOverview } from '@/components/dashboard/overview/present-overview';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { PageHeader } from '@/components/ui/layout';
import { Nav } from '@/components/ui/nav';
import { translator } from '@/lib/i18n/translator';
import { PERIODS, readPeriod } from '@/lib/overview/periods';
import { showOverview } from '@/lib/overview/show-overview';
import { openVisit } from '@/lib/server/visit';

export const generateMetadata = titled('Overview', 'title');

export default async function OverviewPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path: below } = await openVisit(await params, 'overview');
  const period = readPeriod(single((await searchParams).period));
  const overview = await showOverview(runtime, access, { period });
  if (!overview.ok) return <NotAllowed access={access} permission="overview.view" locale={locale} />;
  const t = translator(locale, 'Overview');
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  const path = below('overview');
  return (
    <Shell access={access} locale={locale} section="overview">
      <PageHeader title={t('title')} intro={t('intro')} />
      <LiveOverview
        key={`${period}-${locale}`}
        first={presentOverview(overview.value, { place, role: access.role }, locale)}
        address={`${path}/data?period=${period}`}
      >
        <Nav
          look="chips"
          label={t('period')}
          items={PERIODS.map((days) => ({ href: `${path}?period=${days}`, text: t('lastDays', { days }), current: days === period }))}
        />
      </LiveOverview>
    </Shell>
  );
}
