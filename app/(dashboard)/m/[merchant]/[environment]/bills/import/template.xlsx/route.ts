import { templateHeaders, templateWorkbook } from '@/lib/backoffice/import/import-template';
import { dataRoute } from '@/lib/entry/server/visit';

/** Returns a workbook with the names of the columns, to be filled in and imported. */
export const GET = dataRoute(async ({ runtime, locale }) => {
  const parts: Uint8Array[] = [];
  for await (const part of templateWorkbook(locale, runtime.clock())) parts.push(part);
  return new Response(new Uint8Array(Buffer.concat(parts)), { headers: templateHeaders(locale, 'xlsx') });
});
