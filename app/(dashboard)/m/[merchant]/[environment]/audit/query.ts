import type { AuditQuery } from '@/lib/audit/filter-rules';

/** Returns the filter in the query string. A parameter that is missing becomes an empty text. */
export function auditQuery(read: (name: keyof AuditQuery) => string | null): AuditQuery {
  return { by: read('by') ?? '', action: read('action') ?? '', from: read('from') ?? '', to: read('to') ?? '' };
}
