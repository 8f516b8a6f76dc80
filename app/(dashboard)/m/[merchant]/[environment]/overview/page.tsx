import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { LiveOverview } from '@/components/dashboard/overview/live-overview';
import { presentOverview } from '@/components/dashboard/overview/present-overview';
import { RangeNav } from '@/components/dashboard/overview/range-nav';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { PageHeader } from '@/components/ui/layout';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { translator } from '@/lib/i18n/translator';
import { formatRange } from '@/lib/overview/ranges';
import { showOverview } from '@/lib/overview/show-overview';
import { openVisit } from '@/lib/server/visit';
import { hideStepsAction, requestActivationAction } from './actions';

export const generateMetadata = titled('Overview', 'title');

export default async function OverviewPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path: below } = await openVisit(await params, 'overview');
  const values = await searchParams;
  const asked = { range: single(values.range), from: single(values.from), to: single(values.to), compare: single(values.compare) };
  const overview = await showOverview(runtime, access, { asked });
  if (!overview.ok) return <NotAllowed access={access} permission="overview.view" locale={locale} />;
  const { at, range } = overview.value;
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  const path = below('overview');
  const view = presentOverview(overview.value, { place, role: access.role }, locale);
  const address = `${path}/data?${formatRange(range)}`;
  return (
    <Shell access={access} locale={locale} section="overview">
      <PageHeader help={<Help page="overview" locale={locale} />} title={translator(locale, 'Overview')('title')}>
        {view.figures && <RangeNav path={path} range={range} today={eastAfricanDay(at)} locale={locale} />}
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
