import { foundRows } from '@/components/dashboard/search/found-row';
import type { SearchAnswer } from '@/components/dashboard/search/search-box';
import { searchBills } from '@/lib/backoffice/search/search-bills';
import { dataRoute } from '@/lib/entry/server/visit';
import { rateHeaders } from '@/lib/identity/limits/request-limits';

/** The maximum number of bills in the answer. More would not fit on the screen of a phone. */
const SHOWN = 4;

/** Returns the bills for the text in the search box, while somebody types it. */
export const GET = dataRoute(async ({ runtime, access, locale }, request) => {
  const verdict = runtime.limits.takeSearch(access.user.id);
  if (!verdict.allowed) return Response.json(null, { status: 429, headers: rateHeaders(verdict) });
  const typed = new URL(request.url).searchParams.get('q') ?? '';
  const found = await searchBills(runtime, access, { typed, shown: SHOWN });
  if (!found.ok) return Response.json(null, { status: 403 });
  const { groups, slow } = found.value;
  const now = runtime.clock();
  const answer: SearchAnswer = { groups: groups.map((group) => foundRows(group, { typed, now, locale })), slow };
  return Response.json(answer);
});
