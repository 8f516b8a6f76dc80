import { exportImport } from '@/lib/backoffice/import/export-import';
import { dataRoute } from '@/lib/entry/server/visit';

/** Returns the rows of an import with their bills and payment links as a CSV file. */
export const GET = dataRoute<'run'>(async ({ runtime, access }, _request, { run }) => {
  const file = await exportImport(runtime, access, run);
  if (!file) return new Response(null, { status: 404 });
  return new Response(file.csv, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file.name}"`,
    },
  });
});
