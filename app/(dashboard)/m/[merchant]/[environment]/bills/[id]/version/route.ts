import { watchBill } from '@/lib/bills/page/watch-bill';
import { openData } from '@/lib/server/visit';

interface Params {
  readonly params: Promise<{ merchant: string; environment: string; id: string }>;
}

/** Says how a bill stands, for a page that shows it: whether to show it anew, and when to look again. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { id, ...place } = await params;
  const visit = await openData(place);
  if (visit instanceof Response) return visit;
  const watched = await watchBill(visit.runtime, visit.access, id);
  return Response.json(watched, { status: watched ? 200 : 404, headers: { 'cache-control': 'no-store' } });
}
