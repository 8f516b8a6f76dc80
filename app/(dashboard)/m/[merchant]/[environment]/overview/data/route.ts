import { presentOverview } from '@/components/dashboard/overview/present-overview';
import { readPeriod } from '@/lib/overview/periods';
import { showOverview } from '@/lib/overview/show-overview';
import { dataRoute } from '@/lib/server/visit';

const HEADERS = { 'cache-control': 'no-store' };

/** Returns the current overview as JSON, for the page that refreshes itself. Answers 403 if the member's role may not see it. */
export const GET = dataRoute(async ({ runtime, access, locale }, request) => {
  const period = readPeriod(new URL(request.url).searchParams.get('period'));
  const overview = await showOverview(runtime, access, { period });
  if (!overview.ok) return Response.json(null, { status: 403, headers: HEADERS });
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  return Response.json(presentOverview(overview.value, { place, role: access.role }, locale), { headers: HEADERS });
});
