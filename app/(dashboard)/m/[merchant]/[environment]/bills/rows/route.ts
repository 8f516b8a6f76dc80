import { billRow } from '@/components/dashboard/bill-list/bill-row';
import type { BillListUpdate } from '@/components/dashboard/bill-list/live-bills';
import { parseBillQuery, queryValues } from '@/lib/backoffice/bill-list/bill-query';
import { refreshBills } from '@/lib/backoffice/bill-list/list-bills';
import { dataRoute } from '@/lib/entry/server/visit';

/** Returns the current rows of the bills on the screen, and the number of newer bills. */
export const GET = dataRoute(async ({ runtime, access, locale }, request) => {
  const asked = new URL(request.url).searchParams;
  const { query } = parseBillQuery(queryValues(asked));
  const fresh = await refreshBills(runtime, access, { query, ids: asked.getAll('id'), newest: asked.get('newest') });
  if (!fresh.ok) return Response.json(null, { status: 403 });
  const now = runtime.clock();
  const answer: BillListUpdate = { rows: fresh.value.bills.map((bill) => billRow(bill, { locale, now })), newer: fresh.value.newer };
  return Response.json(answer);
});
