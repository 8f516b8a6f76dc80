import { watchBill } from '@/lib/bills/page/watch-bill';
import { openData } from '@/lib/server/visit';

interface Params {
  readonly params: Promise<{ merchant: string; environment: string; id: string }>;
}

/** Returns the version of a bill and how soon to ask again, for a page that refreshes itself. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { id, ...place } = await params;
  const visit = await openData(place);
  if (visit instanceof Response) return visit;
  const watched = await watchBill(visit.runtime, visit.access, id);
  return Response.json(watched, { status: watched ? 200 : 404, headers: { 'cache-control': 'no-store' } });
}
