import { exportImport } from '@/lib/bills/import/export-import';
import { dataRoute } from '@/lib/server/visit';

/** Returns the rows of an import with their bills and payment links as a CSV file. */
export const GET = dataRoute<'run'>(async ({ runtime, access }, _request, { run }) => {
  const file = await exportImport(runtime, access, run);
  if (!file) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } });
  return new Response(file.csv, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file.name}"`,
      'cache-control': 'no-store',
    },
  });
});
