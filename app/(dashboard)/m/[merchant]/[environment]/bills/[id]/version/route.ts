import { watchBill } from '@/lib/backoffice/bill-page/watch-bill';
import { dataRoute } from '@/lib/entry/server/visit';

/** Returns the version of a bill and how soon to ask again, for a page that refreshes itself. */
export const GET = dataRoute<'id'>(async ({ runtime, access }, _request, { id }) => {
  const watched = await watchBill(runtime, access, id);
  return Response.json(watched, { status: watched ? 200 : 404 });
});
