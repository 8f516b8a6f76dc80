import { exportEntries, FORMATS } from '@/lib/backoffice/audit-log/audit-log';
import { streamText } from '@/lib/entry/http/stream-text';
import { dataRoute } from '@/lib/entry/server/visit';
import { readFilter } from '@/lib/identity/audit/filter-rules';
import { auditQuery } from '../query';

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;

/** Returns the filtered audit log as a stream, because the log may be very large. */
export const GET = dataRoute(async ({ runtime, access }, request) => {
  const query = new URL(request.url).searchParams;
  const format = FORMATS.find((one) => one === query.get('format')) ?? 'csv';
  const filter = readFilter(auditQuery((name) => query.get(name)));
  const parts = await exportEntries(runtime, access, { filter, format });
  if (!parts) return Response.json(null, { status: 403 });
  const name = `audit-${access.merchant.slug}-${access.scope.environment}.${format}`;
  return new Response(streamText(parts), {
    headers: { 'content-type': TYPES[format], 'content-disposition': `attachment; filename="${name}"` },
  });
});
