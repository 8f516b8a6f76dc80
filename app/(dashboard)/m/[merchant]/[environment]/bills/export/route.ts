import { parseBillQuery, queryValues } from '@/lib/backoffice/bill-list/bill-query';
import { exportBills } from '@/lib/backoffice/export/export-bills';
import { type ExportFormat, readExportOptions, readSelectedIds } from '@/lib/backoffice/export/export-columns';
import { streamText } from '@/lib/entry/http/stream-text';
import { dataRoute } from '@/lib/entry/server/visit';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { translator } from '@/lib/platform/i18n/translator';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Exports every bill of a list, or those in `ids`, as CSV or XLSX. Rejects an invalid query, because ignoring parts of it would export
 * another list.
 */
export const GET = dataRoute(async ({ runtime, access, locale }, request) => {
  const asked = new URL(request.url).searchParams;
  const { query, problems } = parseBillQuery(queryValues(asked));
  const options = readExportOptions(asked, locale);
  const ids = readSelectedIds(asked);
  const t = translator(locale, 'BillExport');
  if (options === null || ids === null || problems.length > 0) return refuse(400, t('exportProblem'));
  const exported = await exportBills(runtime, access, { query, options, ids });
  if (!exported.ok) return refuse(403, t('exportNotAllowed'));
  const day = eastAfricanDay(runtime.clock());
  const name = `bills-${access.merchant.slug}-${access.scope.environment}-${day}.${options.format}`;
  return new Response(streamText(exported.value), {
    headers: {
      'content-type': TYPES[options.format],
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
    },
  });
});

function refuse(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
