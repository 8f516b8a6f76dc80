import { exportImport } from '@/lib/bills/import/export-import';
import { openData } from '@/lib/server/visit';

interface Params {
  readonly params: Promise<{ merchant: string; environment: string; run: string }>;
}

/** Returns the rows of an import with their bills and payment links as a CSV file. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { run, ...place } = await params;
  const visit = await openData(place);
  if (visit instanceof Response) return visit;
  const file = await exportImport(visit.runtime, visit.access, run);
  if (!file) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } });
  return new Response(file.csv, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file.name}"`,
      'cache-control': 'no-store',
    },
  });
}
