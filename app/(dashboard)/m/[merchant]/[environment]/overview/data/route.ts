import { presentOverview } from '@/components/dashboard/overview/present-overview';
import { showOverview } from '@/lib/backoffice/overview/show-overview';
import { dataRoute } from '@/lib/entry/server/visit';

/** Returns the current overview as JSON, for the page that refreshes itself. Answers 403 if the member's role may not see it. */
export const GET = dataRoute(async ({ runtime, access, locale }, request) => {
  const { searchParams } = new URL(request.url);
  const asked = {
    range: searchParams.get('range'),
    from: searchParams.get('from'),
    to: searchParams.get('to'),
    compare: searchParams.get('compare'),
  };
  const overview = await showOverview(runtime, access, { asked });
  if (!overview.ok) return Response.json(null, { status: 403 });
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  return Response.json(presentOverview(overview.value, { place, role: access.role }, locale));
});
